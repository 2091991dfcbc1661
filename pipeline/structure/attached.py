"""Attachments as places: what the index of a report lists, found by the normal form of a reference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.models.structure import Target
from pipeline.text.grammar import ATTACHMENT_KINDS

if TYPE_CHECKING:
    from pipeline.structure.attachments import AttachmentList
    from pipeline.structure.view import DocumentView

_SMALL_SHARE = 4
"""A list that is so many times shorter than the longest one is no index of the report, however early it stands."""


def list_kinds(view: DocumentView, kind: str) -> tuple[AttachmentList, ...]:
    """The lists of attachments of a kind, the one of the report itself first.

    It is the earliest with numbers by kinds of documents: an attached agreement counts its own ("A", "B"), and stands
    behind it.
    """
    own = [entry for entry in view.attachments if entry.kind == kind]
    longest = max((len(entry.members) for entry in own), default=0)
    return tuple(
        sorted(
            own,
            key=lambda entry: (
                entry.is_gapless,
                len(entry.members) * _SMALL_SHARE < longest,
                entry.entries[0].start,
            ),
        )
    )


def find_indexed(view: DocumentView, key: str) -> tuple[Target, ...]:
    """The entries of the index of the report under a key ("exhibit:10.2"), as targets; other lists only without one."""
    kind = key.partition(":")[0]
    if kind not in ATTACHMENT_KINDS:
        return ()
    for own in list_kinds(view, kind):
        targets = []
        for entry in own.find(key):
            last = entry.extents[-1]
            end = (last.page, last.line_end + 1)
            targets.append(
                Target(kind=own.kind, key=key, label=entry.label, title=entry.title, start=entry.start, end=end)
            )
        if targets:
            return tuple(targets)
    return ()
