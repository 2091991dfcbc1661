"""After an iteration: stop, with which reason, or go on, with which trigger."""

from __future__ import annotations

from typing import NamedTuple

from pipeline.loop.passes import Pass
from pipeline.loop.state import LoopState
from pipeline.loop.triggers import Choice, choose_trigger
from pipeline.models.run import StopReason, Trigger

_LIST_SIGNALS = frozenset({"short_list", "cut_list"})


class Verdict(NamedTuple):
    """What follows an iteration: a stop with its reason in words and the pending trigger, or neither."""

    reason: StopReason
    detail: str
    pending: Trigger | None = None


def find_stop(state: LoopState, current: Pass, before: Pass | None, choice: Choice) -> Verdict | None:
    """The reason to stop right after an iteration, whatever its signals say; None leaves the choice to them."""
    answer = current.answer
    if answer.clarification is not None:
        return Verdict("clarification_needed", answer.clarification)
    if current.is_absence_established:
        return Verdict("absence_established", answer.absence_reason)
    if current.has_drifted:
        detail = f"{len(current.dropped)} new candidates carried expansions only"
        return Verdict("drift", detail, choice.trigger)
    # before the comparisons: a whole answer needs no excuse, however it was reached
    if is_satisfied(state, current, choice):
        return Verdict("satisfied", _describe_unavailable(choice))
    # a part whose turn has just come is a reason to go on that no comparison of evidence can take away
    if before is None or state.opened_by is None or state.list_due_parts():
        return None
    # the next pages in order are another action, although those before them held nothing
    goes_on = choice.trigger is not None and choice.trigger.action == state.opened_by.action == "reparse"
    is_exempt = goes_on or state.opened_by.action == "regenerate"
    if not is_exempt and current.evidence_key == before.evidence_key:
        return Verdict("same_evidence", f"{state.opened_by.action} brought no other evidence", choice.trigger)
    fall = before.answer.confidence - answer.confidence
    if fall > state.plan.limits.confidence_drop:
        return Verdict("confidence_fell", f"confidence fell by {fall} thousandths", choice.trigger)
    return None


def is_satisfied(state: LoopState, current: Pass, choice: Choice) -> bool:
    """Whether every required part is answered whole and valid, and no action of the plan is asked for."""
    required = {part.id for part in state.question.sub_questions if not part.is_optional}
    answer = current.answer
    is_whole = answer.found and answer.complete and current.critique.is_validated
    return is_whole and required <= set(answer.closed) and choice.trigger is None and choice.repeated is None


def find_late_stop(state: LoopState, current: Pass, choice: Choice, use: tuple[int, int]) -> Verdict | None:
    """The reason not to act on the chosen trigger: nothing to act on, a repeated key, the budget or the cost."""
    is_due = bool(state.list_due_parts())
    if choice.trigger is None and not is_due:
        if choice.repeated is not None and choice.repeated.signal in _LIST_SIGNALS:
            return _settle_list(state, current, choice)
        if choice.repeated is not None:
            detail = f"{choice.repeated.signal} asks for {choice.repeated.action} again, with the same targets"
            return Verdict("repeated_trigger", detail, choice.repeated)
        if is_satisfied(state, current, choice):
            # what was asked for beyond a whole answer was tried and changed nothing
            return Verdict("satisfied", "; ".join(state.refused))
        return Verdict("nothing_applicable", _describe_nothing(state, choice), None)
    if state.budget <= 0:
        asks = choice.trigger.signal if choice.trigger else "a part that waited"
        return Verdict(
            "budget_spent", f"{len(state.iterations)} iterations are spent and {asks} is pending", choice.trigger
        )
    limits = state.plan.limits
    # a run that never called a model has no cost, whatever its ceiling
    for spent, ceiling, unit in (
        (use[0], limits.max_model_calls, "calls"),
        (use[1], limits.max_model_tokens, "tokens"),
    ):
        if spent and spent >= ceiling:
            return Verdict("cost_ceiling", f"{spent} model {unit} of {ceiling} are used", choice.trigger)
    return None


def _settle_list(state: LoopState, current: Pass, choice: Choice) -> Verdict:
    """The verdict on a list that stays as it is although everything that might add to it was done: it is stated so."""
    signal = choice.repeated.signal if choice.repeated is not None else ""
    detail = f"{signal}: looking further brought no other member, and the answer says so"
    is_whole = is_satisfied(state, current, choice._replace(repeated=None))
    return Verdict("satisfied" if is_whole else "nothing_applicable", detail)


def choose_next(state: LoopState, current: Pass) -> Choice:
    """The trigger that the signals of an iteration allow."""
    return choose_trigger(current.critique.signals, state.plan, frozenset(state.used), frozenset(state.idle))


def _describe_unavailable(choice: Choice) -> str:
    names = dict.fromkeys(f"{trigger.signal} would ask for {trigger.action}" for trigger in choice.unavailable)
    return f"not available yet: {'; '.join(names)}" if names else ""


def _describe_nothing(state: LoopState, choice: Choice) -> str:
    waiting = state.list_waiting_parts()
    reasons = [f"{part} waits for a part that is still open" for part in waiting] + list(state.refused)
    return (
        "; ".join([*reasons, *filter(None, [_describe_unavailable(choice)])])
        or "no signal asks for an action of the plan"
    )
