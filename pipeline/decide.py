"""Facts and a rulebook become a plan: pure, total, and with the outcome of every rule."""

from __future__ import annotations

from pipeline.errors import RuleConflict
from pipeline.models.facts import Facts
from pipeline.models.plan import (
    ActionName,
    ConditionOutcome,
    Limits,
    OutcomeState,
    Parameter,
    Plan,
    RuleOutcome,
    StandbyStep,
    Step,
)
from pipeline.policy.conditions import judge_conditions, pick_blockers
from pipeline.policy.rulebook import Rulebook
from pipeline.policy.rules import Rule
from pipeline.policy.vocabulary import (
    AVAILABLE,
    MODEL_LIMITS,
    PARAMETERS,
    PHASES,
    TRIGGER_ORDER,
    find_code_ceiling,
)


def build_plan(facts: Facts, rulebook: Rulebook, limits: Limits | None = None) -> Plan:
    """Judge every rule and build the plan; `limits` are the ceilings that the settings of the run ask for.

    Raises:
        RuleConflict: two firing rules ask for the same pattern or action with different parameters; the shipped
            rulebook cannot.
    """
    judged = {rule.id: judge_conditions(rule.conditions, facts) for rule in rulebook.rules}
    firing = [rule for rule in rulebook.rules if rule.status == "stable" and not pick_blockers(judged[rule.id])]
    overridden = {rule.id: tuple(other.id for other in firing if rule.id in other.overrides) for rule in rulebook.rules}
    # overrides hold whether or not the overriding rule is itself set aside: the outcome cannot depend on an order
    chosen = [rule for rule in firing if not overridden[rule.id]]
    lowered = lower_limits(limits or Limits(), rulebook)
    steps = _build_steps(chosen, lowered)
    standby = _build_standby(chosen, lowered)
    return Plan(
        steps=steps,
        standby=standby,
        limits=lowered,
        outcomes=tuple(_describe_outcome(rule, judged[rule.id], overridden[rule.id]) for rule in rulebook.rules),
        rulebook=rulebook.name,
        rulebook_revision=rulebook.revision,
        worst_case_iterations=lowered.max_iterations,
        worst_case_model_calls=lowered.max_model_calls if facts.has_model_engine else 0,
        worst_case_model_tokens=lowered.max_model_tokens if facts.has_model_engine else 0,
        worst_case_reparsed_pages=_count_reparsed_pages(steps, standby, lowered),
    )


def lower_limits(limits: Limits, rulebook: Rulebook) -> Limits:
    """The least of what the run asks for, what the rulebook allows and what code allows.

    Ceilings on model calls and tokens are the run's own: without a model code needs none.
    """
    caps = {cap.name: cap.value for cap in rulebook.caps}
    lowered: dict[str, int] = {}
    for name in Limits.model_fields:
        asked: int = getattr(limits, name)
        ceiling = asked if name in MODEL_LIMITS else min(asked, find_code_ceiling(name))
        lowered[name] = max(0, min(ceiling, caps.get(name, ceiling)))
    # a run has at least one iteration, or there is nothing to record
    return Limits(**{**lowered, "max_iterations": max(1, lowered["max_iterations"])})


def _describe_outcome(
    rule: Rule, conditions: tuple[ConditionOutcome, ...], overridden_by: tuple[str, ...]
) -> RuleOutcome:
    if rule.status == "retired":
        # a retired rule is not judged; its conditions may speak of facts that have changed their meaning
        return RuleOutcome(rule=rule.id, name=rule.name, state="retired", because=rule.because)
    blocked_by = pick_blockers(conditions)
    state: OutcomeState
    if rule.status == "preview":
        state = "shadow_blocked" if blocked_by else "shadow_fired"
    elif blocked_by:
        state = "blocked"
    else:
        state = "overridden" if overridden_by else "fired"
    return RuleOutcome(
        rule=rule.id,
        name=rule.name,
        state=state,
        because=rule.because,
        blocked_by=blocked_by,
        overridden_by=overridden_by if state == "overridden" else (),
        conditions=conditions,
    )


def _build_steps(chosen: list[Rule], limits: Limits) -> tuple[Step, ...]:
    steps: list[Step] = []
    for pattern in PHASES:
        rules = [rule for rule in chosen if rule.pattern == pattern]
        if rules:
            steps.append(
                Step(
                    pattern=pattern,
                    parameters=_join_parameters(rules, pattern, limits),
                    rules=tuple(rule.id for rule in rules),
                    because=tuple(rule.because for rule in rules),
                    is_available=pattern in AVAILABLE,
                )
            )
    return tuple(steps)


def _build_standby(chosen: list[Rule], limits: Limits) -> tuple[StandbyStep, ...]:
    standby: list[StandbyStep] = []
    for _, signal, action in TRIGGER_ORDER:
        rules = [rule for rule in chosen if (rule.signal, rule.action) == (signal, action)]
        if rules:
            standby.append(
                StandbyStep(
                    signal=signal,
                    action=action,
                    parameters=_join_parameters(rules, action, limits),
                    rules=tuple(rule.id for rule in rules),
                    because=tuple(rule.because for rule in rules),
                    is_available=action in AVAILABLE,
                )
            )
    return tuple(standby)


def _join_parameters(rules: list[Rule], owner: str, limits: Limits) -> tuple[Parameter, ...]:
    # parameters are compared as the rules state them, so that a lowered limit does not hide a conflict
    first = rules[0]
    for rule in rules[1:]:
        if rule.parameters != first.parameters:
            message = f"rules {first.id} and {rule.id} ask for {owner} with different parameters"
            raise RuleConflict(message, "give them the same parameters, or let one override the other")
    known = PARAMETERS[owner]
    return tuple(
        # a lowered limit is lowered for every rule, also for one that asks for more
        Parameter(name=asked.name, value=min(int(asked.value), getattr(limits, known[asked.name])))
        for asked in first.parameters
    )


def _count_reparsed_pages(steps: tuple[Step, ...], standby: tuple[StandbyStep, ...], limits: Limits) -> int:
    wanted: ActionName = "reparse"
    is_step = any(step.pattern == wanted and step.is_available for step in steps)
    is_standby = any(step.action == wanted and step.is_available for step in standby)
    # an action opens every iteration but the first; a step runs in each
    times = limits.max_iterations if is_step else limits.max_iterations - 1 if is_standby else 0
    return times * limits.max_reparse_pages
