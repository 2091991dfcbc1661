"""Which iteration a run returns, and how an answer keeps the parts that earlier iterations closed."""

from __future__ import annotations

from pipeline.models.answer import Answer
from pipeline.models.question import Question
from pipeline.models.run import Iteration

# a list proved incomplete is worse than one about which nothing is proved
_CERTIFICATE_RANKS = {"incomplete": 0, "unverified": 1, "complete": 2}


def choose_best(iterations: tuple[Iteration, ...]) -> Iteration:
    """The best iteration: validated, more parts closed, its pages not read anew, certificates, confidence, earlier.

    Raises:
        ValueError: there is no iteration.
    """
    return max(iterations, key=_rank)


def _rank(iteration: Iteration) -> tuple[bool, int, bool, int, int, int]:
    answer = iteration.answer
    certificate = min((_CERTIFICATE_RANKS[proof.verdict] for proof in answer.certificates), default=1)
    closed = len(answer.closed)
    return (
        iteration.is_validated,
        closed,
        not _is_outread(iteration),
        certificate,
        answer.confidence,
        -iteration.number,
    )


def _is_outread(iteration: Iteration) -> bool:
    """Whether a page that the answer quotes was read again because of a fault in it: then the new text counts."""
    trigger = iteration.trigger
    if trigger is None or trigger.action != "reparse":
        return False
    quoted = {f"page:{citation.page}" for item in iteration.answer.items for citation in item.citations}
    return not quoted.isdisjoint(trigger.targets)


def join_answers(question: Question, earlier: Answer | None, current: Answer, served: frozenset[str]) -> Answer:
    """The current answer with what earlier iterations said about parts that this one did not serve."""
    kept_parts = frozenset(earlier.closed) - served if earlier else frozenset()
    if earlier is None or not kept_parts:
        return current
    order = [part.id for part in question.sub_questions]
    kept = tuple(item for item in earlier.items if item.sub_question in kept_parts)
    certificates = tuple(proof for proof in earlier.certificates if proof.sub_question in kept_parts)
    closed = kept_parts | frozenset(current.closed)
    texts = [item.text for item in kept] + [current.text]
    return current.model_copy(
        update={
            "found": True,
            "text": "\n".join(text for text in texts if text),
            # sorting is stable: within a part the order of its own answer stays
            "items": tuple(sorted(kept + current.items, key=lambda item: _find_place(order, item.sub_question))),
            "closed": tuple(part for part in order if part in closed),
            "absence": None,
            "conflict": current.conflict or earlier.conflict,
            "confidence": min(current.confidence, earlier.confidence),
            "caveats": tuple(dict.fromkeys(earlier.caveats + current.caveats)),
            "certificates": certificates + current.certificates,
        }
    )


def _find_place(order: list[str], sub_question: str) -> int:
    return order.index(sub_question) if sub_question in order else len(order)
