"""Keyword retrieval: windows of passages, the places that the question names, and statements, fused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.retrieval.candidates import Finding
from pipeline.retrieval.crossings import find_crossed
from pipeline.retrieval.fusion import fuse
from pipeline.retrieval.hints import Routing, find_hinted, find_stated
from pipeline.retrieval.reading import BriefReading, read_brief
from pipeline.retrieval.windows import (
    NEAR_LINES,
    PAGE_WEIGHT,
    TITLE_WEIGHT,
    VALUE_WEIGHT,
    Window,
    select_windows,
)

if TYPE_CHECKING:
    from pipeline.models.evidence import Candidate, Method
    from pipeline.models.plan import Limits
    from pipeline.models.question import RetrievalBrief
    from pipeline.structure.view import DocumentView

# windows that become candidates; worse ones are never read, and making them would cost every question
MAX_WINDOWS = 100


def rank_passages(view: DocumentView, brief: RetrievalBrief, limits: Limits) -> tuple[Candidate, ...]:
    """Candidates of keyword retrieval: windows, hinted places and statements, fused; empty where nothing matches."""
    reading = read_brief(view, brief)
    windows = reading.windows
    best_share = max((window.nearness for window in windows), default=0.0)
    routing = Routing(
        best=windows[0].score if windows else 0.0,
        # no routing to statements when a few lines hold most of the weight: the question quotes its page
        is_open=best_share < view.lexicon.thresholds.routing_gate / 1000,
        covers=reading.covers,
    )
    # cut only after fusing, so that a lower limit gives a prefix
    chosen = select_windows(windows, MAX_WINDOWS, view.lexicon.thresholds.window_overlap)
    make = reading.maker.make
    rankings = (
        make(_describe(reading, window) for window in chosen),
        make(find_hinted(reading.maker)),
        make(find_stated(reading.maker, routing)),
        make(find_crossed(reading.maker, routing.best)),
    )
    return fuse(rankings)[: limits.max_candidates]


def _describe(reading: BriefReading, window: Window) -> Finding:
    passages = reading.hits.passages
    first, last = passages.units[window.start], passages.units[window.end - 1]
    parts: list[tuple[Method, float, str]] = []
    if window.title:
        parts.append(("heading", TITLE_WEIGHT * window.title, "anchors in the titles above it"))
    if window.value:
        parts.append(("typed_value", VALUE_WEIGHT * window.value, "a fitting value on a line with the concept"))
    if window.page_share:
        parts.append(("page", PAGE_WEIGHT * window.page_share, f"page {first.page} as a whole"))
    near = f"{round(1000 * window.nearness)} thousandths of the anchors' weight on {NEAR_LINES} lines"
    why = f"{window.term_count} of {len(reading.hits.terms)} terms, {near}"
    lines = tuple(index for index in range(first.first, last.last) if passages.unit_of[index] >= 0)
    return Finding(lines, "keyword", window.score, why, None, tuple(parts))
