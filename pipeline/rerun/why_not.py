"""Why a rule did not act in a run: the condition that blocked it, the smallest change that would have fired it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pipeline.errors import UsageError
from pipeline.models.story import FactChange, SignalStory, WhyNot
from pipeline.policy.catalogue import describe_condition
from pipeline.policy.facts import read_fact
from pipeline.policy.solving import find_nearest, join_ways, list_blocking_ways, list_firing_ways
from pipeline.rerun.samples import build_facts

if TYPE_CHECKING:
    from pipeline.models.plan import ActionName, RuleOutcome, SignalKind
    from pipeline.models.run import Iteration, RunBody, RunRecord
    from pipeline.policy.rulebook import Rulebook

_STATE_WORDS = {
    "fired": "fired",
    "shadow_fired": "would have fired, but it is a preview rule: it is judged and puts nothing into a plan",
    "shadow_blocked": "would not have fired, and it is a preview rule: it puts nothing into a plan anyway",
    "retired": "is retired: it is not judged any more, and its id never comes back",
}


class _Waiting(NamedTuple):
    """What a standby rule waits for; `is_in_plan` when it fired, so that the loop may act on it."""

    signal: SignalKind
    action: ActionName
    is_in_plan: bool


def explain_rule(record: RunRecord, rule_id: str, rulebook: Rulebook | None = None) -> WhyNot:
    """Why a rule did nothing in a run, or what it did; from the record alone.

    `rulebook` is used for the signal of a standby rule that was blocked, and only when it is the one of the run.

    Raises:
        UsageError: the rulebook of the run had no such rule.
        RecordError: the record has other facts than this version reads.
    """
    body = record.body
    outcome = next((each for each in body.plan.outcomes if each.rule == rule_id), None)
    if outcome is None:
        known = ", ".join(each.rule for each in body.plan.outcomes)
        raise UsageError(f"run {record.run_id} was decided without a rule {rule_id}", f"it knew {known}")
    waiting = _find_waiting(outcome, body, rulebook)
    return WhyNot(
        run_id=record.run_id,
        rule=outcome.rule,
        name=outcome.name,
        because=outcome.because,
        state=outcome.state,
        words=_describe_state(outcome, body),
        blocked_by=outcome.blocked_by,
        overridden_by=outcome.overridden_by,
        changes=_find_changes(outcome, body),
        signal=_tell_signal(waiting, body) if waiting else None,
    )


def _describe_state(outcome: RuleOutcome, body: RunBody) -> str:
    if outcome.state == "blocked":
        blockers = [f"{describe_condition(each)}, but it is {_spell(each.observed)}" for each in outcome.blocked_by]
        return f"{outcome.rule} was blocked by {'; '.join(blockers)}"
    if outcome.state == "overridden":
        return f"{outcome.rule} would have fired, but {', '.join(outcome.overridden_by)} set it aside"
    words = f"{outcome.rule} {_STATE_WORDS[outcome.state]}"
    steps = [step for step in body.plan.steps if outcome.rule in step.rules]
    if outcome.state == "fired" and steps:
        ran = [str(each.number) for each in body.iterations if steps[0].pattern in each.executed]
        where = f"ran in iteration {', '.join(ran)}" if ran else "did not run: it is not available in this version"
        words += f"; {steps[0].pattern} {where}"
    return words


def _spell(value: bool | int | str) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _find_changes(outcome: RuleOutcome, body: RunBody) -> tuple[FactChange, ...]:
    if outcome.state not in ("blocked", "shadow_blocked", "overridden"):
        return ()
    facts = build_facts(body.facts)
    # a record of before conditions were kept has the blocking ones only
    conditions = outcome.conditions or outcome.blocked_by
    others = [each for each in body.plan.outcomes if each.rule in outcome.overridden_by]
    ways = join_ways(list_firing_ways(conditions), *(list_blocking_ways(other.conditions) for other in others))
    # the search starts from the facts of this very run, so what it changes is the distance to firing
    found = find_nearest(ways, facts)
    read = {each.fact for each in conditions} | {each.fact for other in others for each in other.conditions}
    return tuple(
        FactChange(fact=name, observed=read_fact(facts, name), needed=needed, is_read=name in read)
        for name, needed in (found.changes if found else ())
    )


def _find_waiting(outcome: RuleOutcome, body: RunBody, rulebook: Rulebook | None) -> _Waiting | None:
    for step in body.plan.standby:
        if outcome.rule in step.rules:
            return _Waiting(step.signal, step.action, is_in_plan=True)
    # the plan keeps standby steps of rules that fired only; for the others the rule itself must be asked
    if rulebook is None or rulebook.revision != body.plan.rulebook_revision:
        return None
    rule = rulebook.find(outcome.rule)
    if rule is None or rule.signal is None or rule.action is None:
        return None
    return _Waiting(rule.signal, rule.action, is_in_plan=False)


def _tell_signal(waiting: _Waiting, body: RunBody) -> SignalStory:
    gave = [each for each in body.iterations if any(signal.kind == waiting.signal for signal in each.signals)]
    acted = [each.number for each in gave if _is_acted_on(each, waiting, body)]
    return SignalStory(
        signal=waiting.signal,
        action=waiting.action,
        iterations=tuple(each.number for each in gave),
        acted_after=tuple(acted),
        words=_describe_signal(waiting, gave, acted, body),
    )


def _is_acted_on(iteration: Iteration, waiting: _Waiting, body: RunBody) -> bool:
    trigger = iteration.trigger
    # a trigger of the last iteration stands there as pending, nothing followed it
    is_last = iteration.number == len(body.iterations)
    return trigger is not None and not is_last and (trigger.signal, trigger.action) == waiting[:2]


def _describe_signal(waiting: _Waiting, gave: list[Iteration], acted: list[int], body: RunBody) -> str:
    name = waiting.signal.replace("_", " ")
    if not gave:
        return f"no iteration gave the signal {name}"
    if not waiting.is_in_plan:
        numbers = ", ".join(str(each.number) for each in gave)
        return f"iteration {numbers} gave the signal {name}, but nothing in the plan waited for it"
    followed = f"{waiting.action.replace('_', ' ')} followed"
    return "; ".join(
        f"iteration {each.number} gave the signal {name}: "
        + (followed if each.number in acted else _explain_passing(each, waiting, body))
        for each in gave
    )


def _explain_passing(iteration: Iteration, waiting: _Waiting, body: RunBody) -> str:
    if any(step.step == waiting.action for step in iteration.skipped):
        return f"{waiting.action.replace('_', ' ')} is not available in this version"
    if iteration.number == len(body.iterations):
        return f"the run stopped ({body.stop_reason.replace('_', ' ')})"
    trigger = iteration.trigger
    if trigger is None:
        return "a part whose turn had come went first"
    first = f"{trigger.action} for {trigger.signal}".replace("_", " ")
    return f"{first} (priority {trigger.priority}) went first"
