"""Sentences and paragraphs of evidence, each with the lines and offsets that it stands on."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.models.structure import Extent
from pipeline.text.matching import join_lines
from pipeline.text.tokens import split_sentences

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.models.document import Line
    from pipeline.models.evidence import Evidence
    from pipeline.structure.view import DocumentView


MAX_LEADING, MAX_GAP = 2500, 300
"""Hundredths of a point from one line of a sentence to the next, and between two parts of one row."""
MIN_PROSE_WORDS = 6
MAX_SHIFT = 150
"""Hundredths of a point between two drawings of one line."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence as read (`text`: line ends joined) and where it stands; `paragraph` numbers its paragraph."""

    text: str
    extents: tuple[Extent, ...]
    paragraph: int

    @property
    def start(self) -> tuple[int, int]:
        """(page, line) where the sentence begins."""
        return (self.extents[0].page, self.extents[0].line_start)


def evidence_lines(view: DocumentView, piece: Evidence) -> tuple[Line, ...]:
    """The readable lines of a piece of evidence, in order; a line that is drawn twice in one place counts once."""
    lines = (view.document.line_at(line.page, line.number) for line in piece.lines)
    kept: dict[tuple[int, str], Line] = {}
    shown: list[Line] = []
    for line in lines:
        if line is None or not line.is_evidence or not line.text.strip():
            continue
        key = (line.page, line.text.strip())
        # some writers make bold type by drawing the text again with a small shift
        if key in kept and all(abs(a - b) <= MAX_SHIFT for a, b in zip(kept[key].box, line.box, strict=True)):
            continue
        kept[key] = line
        shown.append(line)
    return tuple(shown)


def group_paragraphs(lines: Sequence[Line]) -> tuple[tuple[Line, ...], ...]:
    """Split lines into paragraphs: a new block begins one, unless the text plainly runs on over a column or page."""
    paragraphs: list[list[Line]] = []
    for line in lines:
        if paragraphs and _continues(paragraphs[-1][-1], line):
            paragraphs[-1].append(line)
        else:
            paragraphs.append([line])
    return tuple(tuple(paragraph) for paragraph in paragraphs)


def _continues(before: Line, line: Line) -> bool:
    if (before.page, before.block) == (line.page, line.block):
        return before.bold == line.bold or not before.bold
    if before.bold != line.bold or abs(before.size - line.size) > 20:
        return False
    if before.page == line.page and line.text[:1].islower() and _goes_on(before, line):
        return True
    is_next_place = before.page != line.page or before.column != line.column
    return is_next_place and not before.text.rstrip().endswith((".", "!", "?", ":", ";")) and line.text[:1].islower()


def _goes_on(before: Line, line: Line) -> bool:
    """Whether a sentence goes on in a line set a little apart: right behind on its row, or below after a comma."""
    down = line.box[1] - before.box[1]
    is_behind = abs(down) < MAX_SHIFT and 0 <= line.box[0] - before.box[2] < MAX_GAP
    is_below = before.column == line.column and 0 < down < MAX_LEADING and before.text.rstrip().endswith(",")
    return is_behind or is_below


def split_evidence(lines: Sequence[Line]) -> tuple[Sentence, ...]:
    """All sentences of these lines, in order."""
    sentences: list[Sentence] = []
    for number, paragraph in enumerate(group_paragraphs(lines)):
        sentences.extend(_split_paragraph(paragraph, number))
    return tuple(sentences)


def _split_paragraph(lines: Sequence[Line], number: int) -> list[Sentence]:
    starts: list[int] = []
    parts: list[str] = []
    length = 0
    for line in lines:
        starts.append(length)
        parts.append(line.text)
        length += len(line.text) + 1
    text = " ".join(parts)
    sentences = []
    for start, end in split_sentences(text):
        if not text[start:end].strip():
            continue
        extents = _locate(lines, starts, start, end)
        sentences.append(Sentence(text=read_extents(lines, extents), extents=extents, paragraph=number))
    return sentences


def _locate(lines: Sequence[Line], starts: Sequence[int], start: int, end: int) -> tuple[Extent, ...]:
    """Extents, one a page, of the characters [start, end) of lines joined by single characters."""
    first, last = bisect_right(starts, start) - 1, bisect_right(starts, end - 1) - 1
    extents: list[Extent] = []
    index = first
    while index <= last:
        stop = index
        while stop + 1 <= last and lines[stop + 1].page == lines[index].page:
            stop += 1
        extents.append(
            Extent(
                page=lines[index].page,
                line_start=lines[index].number,
                line_end=lines[stop].number,
                start_offset=start - starts[first] if index == first else 0,
                end_offset=end - starts[last] if stop == last else None,
            )
        )
        index = stop + 1
    return tuple(extents)


def read_extents(lines: Sequence[Line], extents: Sequence[Extent]) -> str:
    """The readable text of extents over these lines, hyphens at line ends resolved."""
    parts: list[str] = []
    for extent in extents:
        for line in lines:
            if line.page == extent.page and extent.line_start <= line.number <= extent.line_end:
                start = extent.start_offset if line.number == extent.line_start else 0
                end = extent.end_offset if line.number == extent.line_end else None
                parts.append(line.text[start:end].strip())
    return join_lines(parts).display


def is_prose(words: Sequence[str]) -> bool:
    """Whether words make a sentence: neither a heading nor a row of figures."""
    figures = sum(any(map(str.isdigit, word)) for word in words)
    return len(words) >= MIN_PROSE_WORDS and figures * 3 < len(words)
