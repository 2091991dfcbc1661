"""Mentions: where the text points at its own tables, sections, notes, or at other documents."""

from __future__ import annotations

from pipeline.models.base import Position
from pipeline.models.document import ParsedDocument
from pipeline.models.structure import Extent, MentionAt

_TAIL_LENGTH = 14


def find_mentions_between(document: ParsedDocument, start: Position, end: Position) -> tuple[MentionAt, ...]:
    """References on the evidence lines from `start` up to `end`.

    "Table" at a line end with its "3" on the next line too.
    """
    from pipeline.text.mentions import Mention, find_mentions

    lines = [line for line in document.lines_between(start, end) if line.is_evidence]
    found: list[MentionAt] = []

    def _add(mention: Mention, extent: Extent) -> None:
        found.append(
            MentionAt(
                kind=mention.kind,  # type: ignore[arg-type]
                key=mention.key,
                text=mention.text,
                extent=extent,
                is_external=mention.is_external,
            )
        )

    for index, line in enumerate(lines):
        for mention in find_mentions(line.text):
            place = Extent(
                page=line.page, line_start=line.number, line_end=line.number,
                start_offset=mention.start, end_offset=mention.end,
            )  # fmt: skip
            _add(mention, place)
        after = lines[index + 1] if index + 1 < len(lines) else None
        if after is None or not after.text[:1].strip("(").isalnum() or after.text[:1].islower():
            continue
        tail = line.text.rstrip()
        cut = max(0, len(tail) - _TAIL_LENGTH)
        cut = tail.rfind(" ", 0, cut) + 1 if cut else 0
        break_at = len(tail) - cut
        for mention in find_mentions(f"{tail[cut:]} {after.text[:24]}"):
            if mention.start < break_at < mention.end:
                is_near = after.page == line.page
                place = Extent(
                    page=line.page, line_start=line.number, line_end=after.number if is_near else line.number,
                    start_offset=cut + mention.start, end_offset=mention.end - break_at - 1 if is_near else None,
                )  # fmt: skip
                _add(mention, place)
    return tuple(found)
