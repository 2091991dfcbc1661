"""Keyword retrieval: windows of passages by their anchors, and the places that the question names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.retrieval.ranking import rank_passages

if TYPE_CHECKING:
    from pipeline.models.evidence import Candidate
    from pipeline.models.plan import Limits, Step
    from pipeline.models.question import RetrievalBrief
    from pipeline.structure.view import DocumentView


def retrieve(view: DocumentView, brief: RetrievalBrief, step: Step, limits: Limits) -> tuple[Candidate, ...]:
    """Ranked candidates of the keyword pattern; none where no anchor occurs and no place is named."""
    wanted = next((int(entry.value) for entry in step.parameters if entry.name == "max_candidates"), None)
    return rank_passages(view, brief, limits)[:wanted]
