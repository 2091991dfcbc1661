"""Aggregation: the lists and tables that answer a listing or counting brief."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.retrieval.listings import rank_listings

if TYPE_CHECKING:
    from pipeline.models.evidence import Candidate
    from pipeline.models.plan import Limits, Step
    from pipeline.models.question import RetrievalBrief
    from pipeline.structure.view import DocumentView


def retrieve(view: DocumentView, brief: RetrievalBrief, step: Step, limits: Limits) -> tuple[Candidate, ...]:
    """Ranked lists; none for a brief that asks neither for a list nor for a count."""
    if brief.shape not in ("list", "count"):
        return ()
    wanted = next((int(entry.value) for entry in step.parameters if entry.name == "max_sections"), limits.max_sections)
    return rank_listings(view, brief, wanted, limits)
