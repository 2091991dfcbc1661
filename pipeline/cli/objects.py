"""What `--json` prints of a run: the answer first, then the plan, the iterations and where the record is."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.models.answer import Answer
    from pipeline.models.run import Iteration, RunRecord

Json = dict[str, object]


def describe_run(record: RunRecord, path: str) -> Json:
    """One object for a run; the fields that scripts rely on are listed in docs/json.md."""
    body = record.body
    return {
        "answer": describe_answer(body.answer),
        "plan": body.plan.model_dump(mode="json"),
        "iterations": [_describe_iteration(iteration) for iteration in body.iterations],
        "best_iteration": body.best_iteration,
        "stop_reason": body.stop_reason,
        "stop_detail": body.stop_detail,
        "pending_trigger": None if body.pending_trigger is None else body.pending_trigger.model_dump(mode="json"),
        "ledger": [entry.model_dump(mode="json") for entry in body.ledger],
        "question": body.question.model_dump(mode="json"),
        "document": {"sha256": body.document_sha256, "path": record.volatile.document_path},
        "run_id": record.run_id,
        "body_hash": record.body_hash,
        "record": path,
    }


def describe_answer(answer: Answer) -> Json:
    """The answer as JSON; `absence`, `conflict` and `clarification` are null where there is none."""
    return answer.model_dump(mode="json")


def _describe_iteration(iteration: Iteration) -> Json:
    return {
        "number": iteration.number,
        "executed": list(iteration.executed),
        "skipped": [step.model_dump(mode="json") for step in iteration.skipped],
        "queries": [
            {
                "sub_question": query.sub_question,
                "anchors": [anchor.text for anchor in query.anchors],
                "focus": [anchor.text for anchor in query.focus],
                "expansions": [anchor.text for anchor in query.expansions],
            }
            for query in iteration.queries
        ],
        "candidate_count": iteration.candidate_count,
        "evidence": [piece.candidate.model_dump(mode="json") for piece in iteration.evidence],
        "signals": [signal.model_dump(mode="json") for signal in iteration.signals],
        "trigger": None if iteration.trigger is None else iteration.trigger.model_dump(mode="json"),
        "action": None if iteration.opened_by is None else iteration.opened_by.model_dump(mode="json"),
        "budget_before": iteration.budget_before,
        "budget_after": iteration.budget_after,
        "found": iteration.answer.found,
        "confidence": iteration.answer.confidence,
        "is_validated": iteration.is_validated,
    }
