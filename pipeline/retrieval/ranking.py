"""Keyword ranking: windows of passages and whole pages by BM25, nearness, typed values and headings."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pipeline.retrieval.candidates import CandidateMaker, Finding
from pipeline.retrieval.fusion import fuse
from pipeline.retrieval.hints import Routing, find_hinted, find_stated
from pipeline.retrieval.hits import Hits, collect_hits, find_between
from pipeline.retrieval.lexical import quantise, saturate
from pipeline.retrieval.passages import WINDOW_WORDS
from pipeline.retrieval.sections import score_headings
from pipeline.retrieval.values import find_value_lines

if TYPE_CHECKING:
    from pipeline.models.evidence import Candidate, Method
    from pipeline.models.plan import Limits
    from pipeline.models.question import RetrievalBrief
    from pipeline.structure.view import DocumentView

NEAR_LINES = 3
"""Lines that are read as near each other: a row, or a sentence over a line break."""
NEARNESS_WEIGHT = 0.6
HEADING_WEIGHT = 0.4
VALUE_WEIGHT = 1.0
PERIOD_WEIGHT = 0.1
PAGE_WEIGHT = 0.3


ROUTING_GATE = 0.75
"""No routing to a statement when a few lines hold this share of the weight: the question quotes its page."""
MAX_OVERLAP = 0.5
MIN_WORDS = 60
"""Shorter windows count as this long: a heading alone answers nothing, however dense it is."""


class Window(NamedTuple):
    """A window of units `start` to `end` (exclusive): its score (1.0: every anchor once) and what made it up."""

    start: int
    end: int
    score: float
    lexical: float
    nearness: float
    heading: float
    page_share: float
    value: float
    term_count: int


def rank_passages(view: DocumentView, brief: RetrievalBrief, limits: Limits) -> tuple[Candidate, ...]:
    """Candidates of keyword retrieval: windows, hinted places and statements, fused; empty where nothing matches."""
    hits = collect_hits(view, brief)
    maker = CandidateMaker(view, brief, hits)
    pages = score_pages(hits) if hits.total else {}
    windows = rank_windows(view, brief, hits, pages)
    is_open = max((window.nearness for window in windows), default=0.0) < ROUTING_GATE
    routing = Routing(windows[0].score if windows else 0.0, is_open, measure_covers(hits))
    chosen = select_windows(windows, limits.max_candidates)
    rankings = (
        maker.make(_describe(maker, window) for window in chosen),
        maker.make(find_hinted(maker)),
        maker.make(find_stated(maker, routing)),
    )
    return fuse(rankings, limits)


def rank_windows(
    view: DocumentView, brief: RetrievalBrief, hits: Hits, pages: dict[int, float]
) -> tuple[Window, ...]:
    """All windows that begin with a unit in which a term stands, best first; ties in document order."""
    if not hits.total:
        return ()
    passages = hits.passages
    headings = score_headings(view, hits)
    values = find_value_lines(view, brief, hits)
    periods = _find_period_pages(view, brief)
    windows: list[Window] = []
    for start in sorted({unit for term in hits.terms for unit in term.units}):
        end = passages.measure_window(start)
        unit, last = passages.units[start], passages.units[end - 1].last
        lexical, term_count = _score_window(hits, start, end)
        nearness = _measure_nearness(hits, unit.first, last)
        heading = headings.get(unit.section, 0.0)
        value = max((values.get(line, 0.0) for line in range(unit.first, last)), default=0.0)
        page_share = pages.get(unit.page, 0.0)
        score = lexical + NEARNESS_WEIGHT * nearness + HEADING_WEIGHT * heading + PAGE_WEIGHT * page_share
        score += VALUE_WEIGHT * value + PERIOD_WEIGHT * (unit.page in periods)
        windows.append(Window(start, end, score, lexical, nearness, heading, page_share, value, term_count))
    return tuple(sorted(windows, key=lambda window: (-quantise(window.score), window.start)))


def select_windows(windows: tuple[Window, ...], limit: int) -> tuple[Window, ...]:
    """The best windows that do not mostly repeat a better one."""
    taken: set[int] = set()
    chosen: list[Window] = []
    for window in windows:
        units = range(window.start, window.end)
        if len(chosen) < limit and sum(unit in taken for unit in units) <= MAX_OVERLAP * len(units):
            chosen.append(window)
            taken.update(units)
    return tuple(chosen)


def _describe(maker: CandidateMaker, window: Window) -> Finding:
    units = maker.hits.passages.units
    first, last = units[window.start].first, units[window.end - 1].last
    unit_of = maker.hits.passages.unit_of
    parts: list[tuple[Method, float, str]] = []
    if window.heading:
        parts.append(("heading", HEADING_WEIGHT * window.heading, "anchors in the titles above it"))
    if window.value:
        parts.append(("typed_value", VALUE_WEIGHT * window.value, "a fitting value on a line with the concept"))
    if window.page_share:
        parts.append(("page", PAGE_WEIGHT * window.page_share, f"page {units[window.start].page} as a whole"))
    near = f"{round(1000 * window.nearness)} thousandths of their weight on {NEAR_LINES} lines"
    why = f"{window.term_count} of {len(maker.hits.terms)} terms, {near}"
    lines = tuple(index for index in range(first, last) if unit_of[index] >= 0)
    return Finding(lines, "keyword", window.score, why, None, tuple(parts))


def score_pages(hits: Hits) -> dict[int, float]:
    """BM25 of whole pages as a coarse unit, as a share of the weight of all anchors, by physical page."""
    units = hits.passages.units
    lengths: dict[int, int] = {}
    for unit in units:
        lengths[unit.page] = lengths.get(unit.page, 0) + unit.word_count
    average = hits.passages.word_count / max(1, len(lengths))
    totals: dict[int, float] = {}
    for term in hits.terms:
        counts: dict[int, int] = {}
        for unit, count in term.units.items():
            page = units[unit].page
            counts[page] = counts.get(page, 0) + count
        for page, count in counts.items():
            totals[page] = totals.get(page, 0.0) + term.weight * saturate(count, lengths[page], average)
    return {page: score / hits.total for page, score in totals.items()}


def measure_covers(hits: Hits) -> dict[int, float]:
    """For each physical page the share of the weight of all anchors that stand on it, however often."""
    covers: dict[int, float] = {}
    for term in hits.terms:
        for page in sorted({hits.passages.units[unit].page for unit in term.units}):
            covers[page] = covers.get(page, 0.0) + (0.0 if term.is_expansion else term.weight / hits.total)
    return covers


def _score_window(hits: Hits, start: int, end: int) -> tuple[float, int]:
    """BM25 of one window as a share of the weight of all anchors, and how many terms it holds."""
    length = sum(unit.word_count for unit in hits.passages.units[start:end])
    score, term_count = 0.0, 0
    for term in hits.terms:
        count = sum(term.units.get(unit, 0) for unit in range(start, end))
        if count:
            score += term.weight * saturate(count, max(length, MIN_WORDS), WINDOW_WORDS)
            term_count += 1
    return score / hits.total, term_count


def _measure_nearness(hits: Hits, first: int, last: int) -> float:
    """The greatest share of the weight of all anchors on a few neighbouring lines of a window."""
    marks = sorted(
        (line, position)
        for position, term in enumerate(hits.terms)
        for line in find_between(term.lines, first, last)
        if not term.is_expansion
    )
    best, total, left = 0.0, 0.0, 0
    inside: dict[int, int] = {}
    for line, position in marks:
        inside[position] = inside.get(position, 0) + 1
        if inside[position] == 1:
            total += hits.terms[position].weight
        while marks[left][0] <= line - NEAR_LINES:
            gone = marks[left][1]
            inside[gone] -= 1
            if not inside[gone]:
                total -= hits.terms[gone].weight
            left += 1
        best = max(best, total)
    return best / hits.total


def _find_period_pages(view: DocumentView, brief: RetrievalBrief) -> frozenset[int]:
    """Pages on which a period of the question is printed."""
    document = view.document
    return frozenset(
        line.page
        for period in brief.periods
        for line, folded in zip(document.lines, document.folded, strict=True)
        if period in folded
    )
