"""Windows of passages and whole pages, scored by BM25, nearness, titles and typed values."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pipeline.retrieval.lexical import quantise, saturate
from pipeline.retrieval.passages import WINDOW_WORDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.models.document import ParsedDocument
    from pipeline.retrieval.hits import Hits

# lines that are read as near each other: a row, or a sentence over a line break
NEAR_LINES = 3
NEARNESS_WEIGHT = 0.3
TITLE_WEIGHT = 0.7
VALUE_WEIGHT = 1.0
PAGE_WEIGHT = 0.4
# shorter windows count as this long: a heading alone answers nothing, however dense it is
MIN_WORDS = 60


class Window(NamedTuple):
    """A window of units `start` to `end` (exclusive): its score (1.0: every anchor once) and what made it up."""

    start: int
    end: int
    score: float
    nearness: float
    title: float
    page_share: float
    value: float
    term_count: int


class Marks(NamedTuple):
    """What windows are scored by beside their own words: titles by section, pages by page, values by line."""

    titles: Mapping[int, float]
    pages: Mapping[int, float]
    values: Mapping[int, float]


def rank_windows(document: ParsedDocument, hits: Hits, marks: Marks) -> tuple[Window, ...]:
    """All windows that begin with a unit in which a term stands, best first; ties in document order."""
    if not hits.total:
        return ()
    passages = hits.passages
    held = _group_by_unit(hits)
    near = _measure_nearness(document, hits)
    near_of = _lift_to_units(near, passages.unit_of)
    value_of = _lift_to_units(marks.values, passages.unit_of)
    windows: list[Window] = []
    for start in sorted(held):
        end = passages.measure_window(start)
        unit = passages.units[start]
        lexical, term_count = _score_window(hits, held, start, end)
        nearness = max(near_of.get(at, 0.0) for at in range(start, end))
        value = max(value_of.get(at, 0.0) for at in range(start, end))
        title = marks.titles.get(unit.section, 0.0)
        page_share = marks.pages.get(unit.page, 0.0)
        score = lexical + NEARNESS_WEIGHT * nearness + TITLE_WEIGHT * title + PAGE_WEIGHT * page_share
        score += VALUE_WEIGHT * value
        windows.append(Window(start, end, score, nearness, title, page_share, value, term_count))
    return tuple(sorted(windows, key=_order))


def _order(window: Window) -> tuple[int, int]:
    return (-quantise(window.score), window.start)


def select_windows(windows: tuple[Window, ...], limit: int, max_overlap: int) -> tuple[Window, ...]:
    """The best windows of which no more than so many thousandths repeat a better one."""
    taken: set[int] = set()
    chosen: list[Window] = []
    for window in windows:
        if len(chosen) == limit:
            break
        units = range(window.start, window.end)
        if sum(unit in taken for unit in units) <= max_overlap / 1000 * len(units):
            chosen.append(window)
            taken.update(units)
    return tuple(chosen)


def score_pages(hits: Hits) -> dict[int, float]:
    """BM25 of whole pages as a coarse unit, as a share of the weight of all anchors, by physical page."""
    units = hits.passages.units
    lengths: dict[int, int] = {}
    for unit in units:
        lengths[unit.page] = lengths.get(unit.page, 0) + unit.word_count
    average = hits.passages.word_count / max(1, len(lengths))
    totals: dict[int, float] = {}
    for term in hits.terms if hits.total else ():
        counts: dict[int, int] = {}
        for at, count in term.units.items():
            page = units[at].page
            counts[page] = counts.get(page, 0) + count
        for page, count in counts.items():
            share = term.weight * saturate(count, lengths[page], average) / hits.total
            totals[page] = totals.get(page, 0.0) + share
    return totals


def measure_covers(hits: Hits) -> dict[int, float]:
    """For each physical page the share of the weight of all anchors that stand on it, however often."""
    covers: dict[int, float] = {}
    for term in hits.terms if hits.total else ():
        pages = dict.fromkeys(hits.passages.units[unit].page for unit in term.units)
        for page in pages if not term.is_expansion else ():
            covers[page] = covers.get(page, 0.0) + term.weight / hits.total
    return covers


def _group_by_unit(hits: Hits) -> dict[int, list[tuple[int, int]]]:
    """For each unit with a term: (position of the term, how many of its lines are there)."""
    held: dict[int, list[tuple[int, int]]] = {}
    for position, term in enumerate(hits.terms):
        for unit, count in term.units.items():
            held.setdefault(unit, []).append((position, count))
    return held


def _score_window(hits: Hits, held: Mapping[int, list[tuple[int, int]]], start: int, end: int) -> tuple[float, int]:
    """BM25 of one window as a share of the weight of all anchors, and how many terms it holds."""
    counts: dict[int, int] = {}
    length = 0
    for at in range(start, end):
        length += hits.passages.units[at].word_count
        for position, count in held.get(at, ()):
            counts[position] = counts.get(position, 0) + count
    length = max(length, MIN_WORDS)
    # in the order of the brief, so that the sum never depends on where the terms stand
    score = sum(hits.terms[at].weight * saturate(counts[at], length, WINDOW_WORDS) for at in sorted(counts))
    return score / hits.total, len(counts)


def _lift_to_units(by_line: Mapping[int, float], unit_of: list[int]) -> dict[int, float]:
    lifted: dict[int, float] = {}
    for line, value in by_line.items():
        unit = unit_of[line]
        if value > lifted.get(unit, 0.0):
            lifted[unit] = value
    return lifted


def _measure_nearness(document: ParsedDocument, hits: Hits) -> dict[int, float]:
    """For each line with an anchor: the share of the weight of all anchors on it and the lines just before it."""
    marks = sorted(
        (line, position) for position, term in enumerate(hits.terms) if not term.is_expansion for line in term.lines
    )
    shares: dict[int, float] = {}
    left = 0
    for at, (line, _) in enumerate(marks):
        page = document.lines[line].page
        while marks[left][0] <= line - NEAR_LINES or document.lines[marks[left][0]].page != page:
            left += 1
        near = {position for _, position in marks[left : at + 1]}
        shares[line] = sum(hits.terms[position].weight for position in sorted(near)) / hits.total
    return shares
