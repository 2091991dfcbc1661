"""Items of lists as targets: "item (b)", "step 3", found when they are asked for and not when a document is read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.models.structure import Target
from pipeline.text.late import compile_late

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pipeline.models.base import Position
    from pipeline.models.structure import Enumeration, EnumerationItem, MentionAt
    from pipeline.structure.view import DocumentView

_MARKED = frozenset({"numbered", "lettered", "identifier"})
_COUNTED = frozenset({"bullet", "run_in", "headings"})
_LABEL = compile_late(r"[0-9]{1,3}|[A-Za-z]{1,5}")
_TITLE_CHARACTERS = 80


def pick_item(own: Enumeration, label: str, is_counted: bool = False) -> EnumerationItem | None:
    """The member of a list with a label ("3", "b"); by its place where the list has no numbers and that is meant."""
    members = [item for item in own.items if item.level == 0]
    if own.kind in _MARKED:
        wanted = label.casefold()
        return next((item for item in members if _read_label(item.marker) == wanted), None)
    if is_counted and own.kind in _COUNTED and label.isdigit():
        place = int(label) - 1
        return members[place] if 0 <= place < len(members) else None
    return None


def _read_label(marker: str) -> str:
    found = _LABEL.search(marker)
    return found.group().casefold() if found else ""


def make_target(item: EnumerationItem, label: str) -> Target:
    """A member as a target, from its first line to the end of its last one."""
    first, last = item.extents[0], item.extents[-1]
    return Target(
        kind="list_item",
        key=f"list_item:{label.casefold()}",
        label=label,
        title=(item.head or item.text)[:_TITLE_CHARACTERS],
        start=(first.page, first.line_start),
        end=(last.page, last.line_end + 1),
    )


def find_items(view: DocumentView, label: str, start: Position, end: Position) -> tuple[Target, ...]:
    """Members with a label of the lists that begin between two places; more than one means ambiguous."""
    return _list_targets(view.enumerations_in(start, end), label)


def _list_targets(lists: Iterable[Enumeration], label: str) -> tuple[Target, ...]:
    found: dict[Position, Target] = {}
    for own in lists:
        item = pick_item(own, label)
        if item is not None and item.extents:
            target = make_target(item, label)
            found.setdefault(target.start, target)
    return tuple(found[start] for start in sorted(found))


def find_mentioned(view: DocumentView, mention: MentionAt) -> tuple[Target, ...]:
    """The members that "item (b)" may mean: those of the lists of the section in which it is said."""
    kind, _, label = mention.key.partition(":")
    place = (mention.extent.page, mention.extent.line_start)
    section = view.document.section_at(place)
    if kind != "item" or section is None or not re.fullmatch(r"[0-9]{1,2}|[a-z]{1,4}", label):
        return ()
    return find_items(view, label, section.start, section.end)
