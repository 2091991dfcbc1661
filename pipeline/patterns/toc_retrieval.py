"""TOC retrieval: sections by title, number and breadcrumb, each read whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.retrieval.sections import rank_sections

if TYPE_CHECKING:
    from pipeline.models.evidence import Candidate
    from pipeline.models.plan import Limits, Step
    from pipeline.models.question import RetrievalBrief
    from pipeline.structure.view import DocumentView


def retrieve(view: DocumentView, brief: RetrievalBrief, step: Step, limits: Limits) -> tuple[Candidate, ...]:
    """The best sections, at most as many as the step or the limits allow, widened ones always among them."""
    wanted = next((int(entry.value) for entry in step.parameters if entry.name == "max_sections"), limits.max_sections)
    ranked = rank_sections(view, brief, limits)
    widened = [candidate for candidate in ranked[wanted:] if candidate.section in brief.widened_sections]
    return (*ranked[:wanted], *widened)
