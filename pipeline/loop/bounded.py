"""The loop itself: iterations within one budget until something stops it; it writes nothing and raises nothing."""

from __future__ import annotations

from collections.abc import Generator
from typing import NamedTuple

from pipeline.loop.best import choose_best
from pipeline.loop.passes import Pass, hash_ranking, list_executed, list_skipped, run_pass
from pipeline.loop.ports import ActionRequest, LoopPorts
from pipeline.loop.state import LoopState
from pipeline.loop.stops import Verdict, choose_next, find_late_stop, find_stop
from pipeline.loop.triggers import Choice
from pipeline.models.answer import Answer
from pipeline.models.plan import Plan, StandbyStep
from pipeline.models.question import Question
from pipeline.models.run import ActionTaken, Iteration, LedgerEntry, StopReason, Trigger


class LoopOutcome(NamedTuple):
    """How a run ended. `answer` is that of iteration `best_iteration` (0: none was needed), not of the last one."""

    iterations: tuple[Iteration, ...]
    stop_reason: StopReason
    stop_detail: str
    pending_trigger: Trigger | None
    best_iteration: int
    answer: Answer
    ledger: tuple[LedgerEntry, ...] = ()


class _Next(NamedTuple):
    """What follows: a verdict, or an action (None for a part whose turn has come) that opens the next iteration."""

    verdict: Verdict | None
    trigger: Trigger | None
    opening: ActionTaken | None


def run_loop(question: Question, plan: Plan, ports: LoopPorts) -> LoopOutcome:
    """Run to the end; reaching a limit is an outcome, never an exception."""
    steps = walk_loop(question, plan, ports)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            outcome: LoopOutcome = end.value
            return outcome


def walk_loop(question: Question, plan: Plan, ports: LoopPorts) -> Generator[Iteration, None, LoopOutcome]:
    """Yield every iteration as it ends and return the outcome; for those who want to watch."""
    if question.clarification is not None:
        answer = Answer(found=False, complete=False, text=question.clarification, clarification=question.clarification)
        return LoopOutcome((), "clarification_needed", question.clarification, None, 0, answer)
    state = LoopState(question, plan)
    # every turn of this loop appends an iteration, and a spent budget is a stop: it ends
    before: Pass | None = None
    while True:
        current = run_pass(state, ports)
        choice = choose_next(state, current)
        iteration = _record_iteration(state, current, choice)
        state.iterations.append(iteration)
        following = _find_following(state, current, before, ports)
        # which trigger is acted on is known only once its action has changed something
        state.iterations[-1] = iteration.model_copy(update={"trigger": following.trigger})
        yield state.iterations[-1]
        if following.verdict is not None:
            return _conclude(state, following.verdict)
        state.opened_by = following.opening
        before = current


def _find_following(state: LoopState, current: Pass, before: Pass | None, ports: LoopPorts) -> _Next:
    state.refused, state.ledger = (), ()
    # what changed nothing then may change something now, so only used keys are kept
    state.idle.clear()
    verdict = find_stop(state, current, before, choose_next(state, current))
    if verdict is not None:
        return _Next(verdict, verdict.pending, None)
    # each turn spends a key, and the signals of one iteration are finitely many
    while True:
        choice = choose_next(state, current)
        verdict = find_late_stop(state, current, choice, ports.count_model_use())
        if verdict is not None:
            return _Next(verdict, verdict.pending, None)
        if choice.trigger is None or choice.standby is None:
            return _Next(None, None, None)
        taken = _act(state, current, choice.trigger, choice.standby, ports)
        if taken.changed:
            return _Next(None, choice.trigger, taken.model_copy(update={"refused": state.refused}))


def _act(state: LoopState, current: Pass, trigger: Trigger, standby: StandbyStep, ports: LoopPorts) -> ActionTaken:
    """Perform an action; one that changes nothing opens no iteration, and its key is spent all the same."""
    state.used.add(trigger.key)
    request = ActionRequest(
        trigger, standby.parameters, current.queries, current.candidates, current.evidence, current.answer
    )
    asked = {parameter.name: int(parameter.value) for parameter in standby.parameters}
    max_keywords = asked.get("max_keywords", state.plan.limits.max_keywords)
    taken = state.apply_result(trigger, ports.perform(request), max_keywords)
    state.refused += taken.refused
    if not taken.changed:
        state.idle.add(trigger.key)
        state.refused += (f"{trigger.action} for {trigger.signal} changed nothing",)
    return taken


def _record_iteration(state: LoopState, current: Pass, choice: Choice) -> Iteration:
    limits = state.plan.limits
    return Iteration(
        number=len(state.iterations) + 1,
        budget_before=state.budget,
        budget_after=state.budget - 1,
        opened_by=state.opened_by,
        queries=current.queries,
        candidates=current.candidates[: limits.max_candidates],
        candidate_count=len(current.candidates),
        ranking_hash=hash_ranking(current.candidates),
        dropped=current.dropped,
        skipped=list_skipped(state, tuple(trigger.action for trigger in choice.unavailable)),
        executed=list_executed(state),
        evidence=current.evidence,
        answer=current.answer,
        signals=current.critique.signals,
        trigger=None,
        is_validated=current.critique.is_validated,
        ledger=state.ledger,
    )


def _conclude(state: LoopState, verdict: Verdict) -> LoopOutcome:
    iterations = tuple(state.iterations)
    # what was just established, or must be asked back, holds whatever earlier iterations thought
    is_last_word = verdict.reason in ("absence_established", "clarification_needed")
    best = iterations[-1] if is_last_word else choose_best(iterations)
    return LoopOutcome(
        iterations, verdict.reason, verdict.detail, verdict.pending, best.number, best.answer, state.whole_ledger
    )
