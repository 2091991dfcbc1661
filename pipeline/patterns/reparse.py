"""Reparse as a step: tables on the pages of the best candidates, read by the places of their cells; nothing dear."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.retrieval.grids import derive_grids, is_within
from pipeline.retrieval.ranking import rank_passages

if TYPE_CHECKING:
    from pipeline.models.evidence import Candidate
    from pipeline.models.plan import Limits, Step
    from pipeline.models.question import RetrievalBrief
    from pipeline.structure.view import DocumentView

READ_SOURCES = 3
"""The best candidates whose pages are looked at."""
_SHAPES = ("value", "list", "count", "comparison")


def retrieve(view: DocumentView, brief: RetrievalBrief, step: Step, limits: Limits) -> tuple[Candidate, ...]:
    """Derived candidates: flattened tables on pages of the best passages, at most `max_pages` pages.

    Methods that cost more wait for their signal.
    """
    if brief.shape not in _SHAPES:
        return ()
    room = next((int(entry.value) for entry in step.parameters if entry.name == "max_pages"), limits.max_reparse_pages)
    found: list[Candidate] = []
    visited: set[int] = set()
    # ranked once a brief: the keyword pattern finds the same ranking ready
    sources = rank_passages(view, brief, limits)[:READ_SOURCES]
    for source in sources:
        for page in sorted({span.page for span in source.spans} - visited):
            is_flat = "flattened_table" in view.document.pages[page - 1].failed_checks
            if not is_flat or len(visited) >= room:
                continue
            visited.add(page)
            found += [table for table in derive_grids(view, brief, source, page) if not is_within(table, sources)]
    return tuple(found)
