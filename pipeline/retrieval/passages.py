"""Passages: the runs of lines that retrieval ranks, cut at paragraphs, headings and page ends."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

from pipeline.models.evidence import Span

if TYPE_CHECKING:
    from pipeline.models.document import Line, ParsedDocument, Section
    from pipeline.structure.view import DocumentView

# short blocks (cells, bullets, captions) are read together until they hold about this many words
UNIT_WORDS = 40
# a window is about as long as a paragraph of a handbook or a screen of a table
WINDOW_WORDS = 120
_ENDINGS = (".", "!", "?", ":", ";", "。", "！", "？", "：", "；", '"', "”", ")")


class Unit(NamedTuple):
    """The smallest passage: lines `first` up to, not including, `last` (indices into the document's lines).

    `section` is the index of the deepest section that holds its first line, -1 for none; a unit `is_continuation` when
    a page break cut a sentence in front of it.
    """

    first: int
    last: int
    word_count: int
    page: int
    section: int
    is_continuation: bool


class Passages(NamedTuple):
    """All passages of a document. `unit_of[i]` is the unit of line i, -1 for lines that are no evidence."""

    units: tuple[Unit, ...]
    unit_of: list[int]
    word_count: int

    def measure_window(self, start: int) -> int:
        """The end (exclusive) of the window that begins at a unit: whole units of one page and section, if any."""
        units, end, words = self.units, start + 1, self.units[start].word_count
        while end < len(units) and words + units[end].word_count <= WINDOW_WORDS:
            is_apart = units[end].page != units[end - 1].page or units[end].section != units[start].section
            if is_apart and not units[end].is_continuation:
                break
            words += units[end].word_count
            end += 1
        return end


_CACHE: WeakKeyDictionary[DocumentView, Passages] = WeakKeyDictionary()


def build_passages(view: DocumentView) -> Passages:
    """All passages of a document, built once a view.

    Furniture, hidden lines, unreadable pages and printed contents are left out: contents carry the words of every
    heading and answer nothing.
    """
    found = _CACHE.get(view)
    if found is None:
        found = _CACHE[view] = _build(view)
    return found


def _build(view: DocumentView) -> Passages:
    document, lines = view.document, view.document.lines
    readable = {page.number for page in document.pages if page.state == "ok"}
    heads = {document.index_of(section.start) for section in document.sections}
    owners = _SectionOwners(document.sections)
    listed = view.contents_lines
    units: list[Unit] = []
    unit_of = [-1] * len(lines)
    first = words = end = last_page = last_block = -1
    is_continuation = False
    for index in view.evidence_indexes:
        line = lines[index]
        page, block = line.page, line.block
        if page not in readable or index in listed:
            continue
        if first >= 0 and (page != last_page or index in heads or _is_full(words, block != last_block)):
            units.append(Unit(first, end, words, last_page, owners.find(lines[first]), is_continuation))
            is_continuation = page != last_page and index not in heads and _is_cut(lines[end - 1].text, line.text)
            first = -1
        if first < 0:
            first, words = index, 0
        text = line.text
        unit_of[index] = len(units)
        # dot leaders are no words
        words += text.count(" ") + 1 - text.count(" .")
        last_page, last_block, end = page, block, index + 1
    if first >= 0:
        units.append(Unit(first, end, words, last_page, owners.find(lines[first]), is_continuation))
    return Passages(tuple(units), unit_of, sum(unit.word_count for unit in units))


def _is_full(words: int, is_new_block: bool) -> bool:
    """Whether a unit ends: a paragraph or cell ends and enough was read, or one paragraph alone is a window long."""
    return words >= (UNIT_WORDS if is_new_block else WINDOW_WORDS)


def _is_cut(before: str, after: str) -> bool:
    """Whether a sentence runs over a page break: nothing ended it, and the next page goes on in lower case."""
    return not before.rstrip().endswith(_ENDINGS) and after.lstrip()[:1].islower()


class _SectionOwners:
    """Which section is the deepest at a position, by bisection; sections come in document order, parents first."""

    def __init__(self, sections: Sequence[Section]) -> None:
        self._starts: list[tuple[int, int]] = []
        self._owners: list[int] = []
        open_sections: list[Section] = []
        for section in sorted(sections, key=lambda entry: (entry.start, entry.level)):
            self._close(open_sections, section.start)
            open_sections.append(section)
            self._mark(section.start, section.index)
        self._close(open_sections, None)

    def find(self, line: Line) -> int:
        """The index of the deepest section that holds a line, -1 for none."""
        at = bisect_right(self._starts, (line.page, line.number)) - 1
        return self._owners[at] if at >= 0 else -1

    def _close(self, open_sections: list[Section], until: tuple[int, int] | None) -> None:
        while open_sections and (until is None or open_sections[-1].end <= until):
            ended = open_sections.pop()
            self._mark(ended.end, open_sections[-1].index if open_sections else -1)

    def _mark(self, position: tuple[int, int], owner: int) -> None:
        self._starts.append(position)
        self._owners.append(owner)


def build_spans(document: ParsedDocument, indices: Iterable[int]) -> tuple[Span, ...]:
    """Spans over lines given by ascending indices: one for each run on a page; only furniture may stand in a gap."""
    spans: list[Span] = []
    previous = -2
    for index in indices:
        line = document.lines[index]
        if not line.is_evidence:
            continue
        last = spans[-1] if spans else None
        is_joined = last is not None and last.page == line.page and last.method == line.method
        gap = document.lines[previous + 1 : index] if previous >= 0 else ()
        if last is not None and is_joined and not any(between.is_evidence for between in gap):
            spans[-1] = Span(page=line.page, line_start=last.line_start, line_end=line.number, method=line.method)
        else:
            spans.append(Span(page=line.page, line_start=line.number, line_end=line.number, method=line.method))
        previous = index
    return tuple(spans)
