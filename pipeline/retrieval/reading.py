"""A brief read against one document: what all patterns share is computed once."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from pipeline.retrieval.candidates import CandidateMaker
from pipeline.retrieval.hits import Hits, collect_hits
from pipeline.retrieval.titles import score_titles
from pipeline.retrieval.values import find_value_lines
from pipeline.retrieval.windows import Marks, Window, measure_covers, rank_windows, score_pages

if TYPE_CHECKING:
    from pipeline.models.question import RetrievalBrief
    from pipeline.structure.view import DocumentView


class BriefReading:
    """Hits of a brief and what follows from them; everything is computed when it is first asked for."""

    def __init__(self, view: DocumentView, brief: RetrievalBrief) -> None:
        """Keep what is read and what it is read for."""
        self.view = view
        self.brief = brief
        self.document = view.document

    @cached_property
    def hits(self) -> Hits:
        """Where the anchors and expansions stand."""
        return collect_hits(self.view, self.brief)

    @cached_property
    def titles(self) -> dict[int, float]:
        """Shares of the anchors' weight in titles, by section index."""
        return score_titles(self.document.sections, self.hits)

    @cached_property
    def pages(self) -> dict[int, float]:
        """BM25 of whole pages, by physical page."""
        return score_pages(self.hits)

    @cached_property
    def covers(self) -> dict[int, float]:
        """Shares of the anchors' weight that stand on a page at all, by physical page."""
        return measure_covers(self.hits)

    @cached_property
    def windows(self) -> tuple[Window, ...]:
        """All windows with a term in their first unit, best first."""
        marks = Marks(self.titles, self.pages, find_value_lines(self.view, self.brief, self.hits))
        return rank_windows(self.document, self.hits, marks)

    @cached_property
    def maker(self) -> CandidateMaker:
        """What makes candidates of findings."""
        return CandidateMaker(self.view, self.brief, self.hits)


_LAST: WeakKeyDictionary[DocumentView, BriefReading] = WeakKeyDictionary()


def read_brief(view: DocumentView, brief: RetrievalBrief) -> BriefReading:
    """The reading of a brief; the last one of a view is kept, since the patterns of a step follow each other."""
    last = _LAST.get(view)
    if last is None or last.brief != brief:
        last = _LAST[view] = BriefReading(view, brief)
    return last


def forget_readings() -> None:
    """Let go of all readings: each refers to the view that it is kept by, so that neither would ever go by itself."""
    _LAST.clear()
