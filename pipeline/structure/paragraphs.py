"""Running text with its places: evidence lines in reading order, joined, and offsets mapped back to lines."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pipeline.models.base import Position
from pipeline.models.document import Line
from pipeline.models.structure import Extent
from pipeline.text.matching import join_lines

if TYPE_CHECKING:
    from pipeline.structure.view import DocumentView

_FOOTNOTE_SIZE = 90
_FOOTNOTE_TOP = 55


class Joined:
    """Lines joined by one space each; offsets in `text` lead back to lines."""

    def __init__(self, lines: Sequence[Line]) -> None:
        """Join the lines once."""
        self.lines = tuple(lines)
        self._starts: list[int] = []
        pieces: list[str] = []
        length = 0
        for line in self.lines:
            self._starts.append(length)
            pieces.append(line.text.rstrip())
            length += len(pieces[-1]) + 1
        self.text = " ".join(pieces)

    def locate(self, offset: int) -> tuple[int, int]:
        """(index of the line, offset in its text) of an offset in `text`."""
        index = max(0, bisect_right(self._starts, offset) - 1)
        return index, offset - self._starts[index]

    def cut_pieces(self, start: int, end: int) -> list[tuple[Line, int, int]]:
        """The parts of lines that make up text[start:end], as (line, first offset, end offset)."""
        pieces: list[tuple[Line, int, int]] = []
        first, low = self.locate(start)
        last, high = self.locate(max(start, end - 1))
        for index in range(first, last + 1):
            line = self.lines[index]
            begin = low if index == first else 0
            stop = min(high + 1, len(line.text)) if index == last else len(line.text.rstrip())
            pieces.append((line, begin, stop))
        return pieces

    def read_display(self, start: int, end: int) -> str:
        """text[start:end] as a reader sees it: hyphens at line ends closed."""
        return join_lines([line.text[low:high] for line, low, high in self.cut_pieces(start, end)]).display.strip()

    def make_extents(self, start: int, end: int) -> tuple[Extent, ...]:
        """Extents of text[start:end]: one a run of consecutive lines of a page."""
        return make_extents(self.cut_pieces(start, end))


def make_extents(pieces: Sequence[tuple[Line, int, int]]) -> tuple[Extent, ...]:
    """Extents over parts of lines: one a run of consecutive lines of a page; whole lines carry no offsets."""
    groups: list[list[tuple[Line, int, int]]] = []
    for piece in pieces:
        line = piece[0]
        previous = groups[-1][-1][0] if groups else None
        if previous is not None and previous.page == line.page and line.number - previous.number in (0, 1):
            groups[-1].append(piece)
        else:
            groups.append([piece])
    extents: list[Extent] = []
    for group in groups:
        (first, low, _), (last, _, high) = group[0], group[-1]
        extents.append(
            Extent(
                page=first.page,
                line_start=first.number,
                line_end=last.number,
                start_offset=low,
                end_offset=high if high < len(last.text.rstrip()) else None,
            )
        )
    return tuple(extents)


def make_line_extents(lines: Sequence[Line]) -> tuple[Extent, ...]:
    """Extents over whole lines."""
    return make_extents([(line, 0, len(line.text)) for line in lines])


def read_stream(view: DocumentView, start: Position, end: Position) -> list[Line]:
    """Evidence lines between two positions without floats: captions, captioned tables, footnotes in small type."""
    # a float cuts a list or paragraph in two on the page, but not in the text
    floats = {
        (caption.extent.page, number)
        for caption in view.captions
        if start[0] <= caption.extent.page <= end[0] and caption.kind != "equation"
        for number in range(caption.extent.line_start, caption.extent.line_end + 1)
    }
    tables = [
        table
        for page in sorted(
            {c.extent.page for c in view.captions if c.kind == "table" and start[0] <= c.extent.page <= end[0]}
        )
        for table in view.tables_on(page)
        if table.label
    ]
    lines = [
        line
        for line in view.lines_in(start, end)
        if line.position not in floats and not any(t.start <= line.position < t.end for t in tables)
    ]
    # what is small is small beside the text around it, not beside the whole document
    sizes: dict[int, int] = {}
    for line in lines:
        sizes[line.size] = sizes.get(line.size, 0) + len(line.text)
    usual = max(sorted(sizes), key=lambda size: sizes[size], default=0)
    heights = {page.number: page.height for page in view.document.pages}
    return [
        line
        for line in lines
        if line.size * 100 > usual * _FOOTNOTE_SIZE or line.box[1] * 100 < heights.get(line.page, 0) * _FOOTNOTE_TOP
    ]


def is_close(before: Line, after: Line) -> bool:
    """Whether two lines follow each other within one paragraph of one column."""
    if before.page != after.page or before.column != after.column:
        return False
    height = min(before.box[3] - before.box[1], after.box[3] - after.box[1])
    return -height < after.box[1] - before.box[3] < height * 65 // 100


def split_paragraphs(
    lines: Sequence[Line], breaks: frozenset[Position], openers: frozenset[Position] = frozenset()
) -> list[list[Line]]:
    """Paragraphs of running text: by gaps and blocks, going on over a column or page where a sentence does.

    A line whose position is in `breaks` (a heading) stands alone; one in `openers` (a list item) begins a paragraph.
    """
    paragraphs: list[list[Line]] = []
    for line in lines:
        before = paragraphs[-1][-1] if paragraphs else None
        if before is None or line.position in openers or line.position in breaks or before.position in breaks:
            paragraphs.append([line])
            continue
        # blocks differ between engines: a line that follows closely after half a sentence belongs to it all the same
        is_same = is_close(before, line) and (before.block == line.block or not _ends_sentence(before))
        crosses = (before.page, before.column) != (line.page, line.column) and not _ends_sentence(before)
        # a bold head or a cell may be a line of its own on the same row
        is_beside = (
            before.page == line.page and abs(before.box[1] - line.box[1]) < 300 and line.box[0] >= before.box[2] - 100
        )
        if is_same or is_beside or (crosses and line.text.strip()[:1].islower()):
            paragraphs[-1].append(line)
        else:
            paragraphs.append([line])
    return paragraphs


def _ends_sentence(line: Line) -> bool:
    return line.text.rstrip()[-1:] in ".:;!?"
