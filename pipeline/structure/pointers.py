"""How rooms name a reference to each other: part, key and place as text, and back to what it means."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pipeline.structure.around import list_mentions, place_of
from pipeline.structure.defined_terms import PREFIX, mention_at
from pipeline.structure.marks import find_marks
from pipeline.structure.resolving import Resolution, find_cover, resolve_mark, resolve_mention
from pipeline.text.late import compile_late

if TYPE_CHECKING:
    from collections.abc import Collection

    from pipeline.models.base import Position
    from pipeline.models.document import Line
    from pipeline.models.structure import MentionAt, TableCell, Target
    from pipeline.structure.view import DocumentView

MAX_TARGET_LINES = 80
"""A longer target is read from its beginning."""
OPENING_LINES = 8
"""A target counts as read when so many of its first lines were."""
_POINTER = compile_late(r"(?:([^/@]*)/)?(.+)@p(\d+):l(\d+)")


class Pointer(NamedTuple):
    """A reference by name: the part of the question it matters to ("" for none), its key and where it stands."""

    part: str
    key: str
    place: Position

    @property
    def name(self) -> str:
        """The name without the part, as ledgers give it: "clause:14@p2:l20"."""
        return f"{self.key}@p{self.place[0]}:l{self.place[1]}"

    @property
    def text(self) -> str:
        """The whole name, as a signal gives it: "q1/clause:14@p2:l20"."""
        return f"{self.part}/{self.name}"


def make_pointer(part: str, mention: MentionAt) -> Pointer:
    """The name of a mention for one part of the question."""
    return Pointer(part, mention.key, place_of(mention))


def parse_pointer(text: str) -> Pointer | None:
    """A pointer from its text, with or without a part; None for any other text."""
    match = _POINTER.fullmatch(text)
    if match is None:
        return None
    return Pointer(match.group(1) or "", match.group(2), (int(match.group(3)), int(match.group(4))))


def resolve_pointer(view: DocumentView, pointer: Pointer) -> Resolution | None:
    """What a pointer means; None where no such reference stands at its place."""
    page, number = pointer.place
    if pointer.key.startswith(PREFIX):
        found = view.document.line_at(page, number)
        return None if found is None else resolve_mention(view, mention_at(found, pointer.key))
    for mention in list_mentions(view, pointer.place, (page, number + 1)):
        if mention.key == pointer.key:
            return resolve_mention(view, mention)
    # a mark is no mention: the grammar of references does not know signs
    line = view.document.line_at(page, number)
    for mark in find_marks([line] if line is not None and line.is_evidence else []):
        if mark.mention.key == pointer.key:
            return resolve_mark(view, mark)
    return None


def list_target_lines(view: DocumentView, target: Target | None, cells: tuple[TableCell, ...] = ()) -> tuple[Line, ...]:
    """The lines to read for a target; for cells of a table also its caption and heads; none without a target."""
    if target is None:
        return ()
    place = find_cover(view, target)
    lines = view.lines_in(*place)
    if not cells:
        return tuple(line for line in lines if line.text.strip())[:MAX_TARGET_LINES]
    inside = {
        (extent.page, number)
        for cell in cells
        for extent in cell.extents
        for number in range(extent.line_start, extent.line_end + 1)
    }
    # cells alone say nothing: the caption and the heads say what they are of
    first = min(inside)
    named = _read_caption(view, place)
    heads = [line for line in lines if line.position < first and line.box[1] < _top_of_cells(lines, first)]
    chosen = {line.position: line for line in [*named, *heads, *(line for line in lines if line.position in inside)]}
    return tuple(chosen[position] for position in sorted(chosen))[:MAX_TARGET_LINES]


def is_read(lines: tuple[Line, ...], positions: Collection[Position]) -> bool:
    """Whether the beginning of a target is among the positions that were read."""
    return bool(lines) and all(line.position in positions for line in lines[:OPENING_LINES])


def _read_caption(view: DocumentView, place: tuple[Position, Position]) -> tuple[Line, ...]:
    page, number = place[0]
    for caption in view.captions:
        extent = caption.extent
        if caption.kind == "table" and extent.page == page and -4 <= extent.line_start - number <= 3:
            return view.lines_in((page, extent.line_start), (page, extent.line_end + 1))
    return ()


def _top_of_cells(lines: tuple[Line, ...], first: Position) -> int:
    """The top of the table's body as far as the heads reach: no data row above the first chosen cell is a head."""
    rows = [line for line in lines if line.position < first]
    values = [line.box[1] for line in rows if line.text.strip()[:1].isdigit()]
    return min(values, default=10**9)
