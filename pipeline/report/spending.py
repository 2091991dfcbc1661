"""What a run took, and what its plan could have taken at worst, in the same units."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.models.batch import Spending

if TYPE_CHECKING:
    from pipeline.models.plan import Plan
    from pipeline.models.run import RunBody

_MODEL = "model"


def count_spending(body: RunBody) -> Spending:
    """Iterations, pages read again and model calls of a run; tokens are counted once an engine tells them."""
    reparsed = {entry.target for iteration in body.iterations for entry in iteration.ledger if entry.kind == "reparse"}
    return Spending(
        iterations=len(body.iterations),
        reparsed_pages=len(reparsed),
        model_calls=sum(effect.kind == _MODEL for effect in body.effects),
    )


def read_worst_case(plan: Plan) -> Spending:
    """The most that a plan allows."""
    return Spending(
        iterations=plan.worst_case_iterations,
        reparsed_pages=plan.worst_case_reparsed_pages,
        model_calls=plan.worst_case_model_calls,
        model_tokens=plan.worst_case_model_tokens,
    )
