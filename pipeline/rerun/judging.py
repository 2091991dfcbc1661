"""What becomes of a case of a rule, and what of a plan counts when two of them are compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pipeline.decide import build_plan
from pipeline.policy.catalogue import describe_consequence
from pipeline.run.story import describe_step, list_steps

if TYPE_CHECKING:
    from pipeline.models.facts import Facts
    from pipeline.models.plan import OutcomeState, Plan, RuleOutcome
    from pipeline.policy.cases import RuleCase
    from pipeline.policy.rulebook import Rulebook
    from pipeline.policy.rules import Rule


class Outcome(NamedTuple):
    """What became of one rule: its state, the facts of the conditions that block it, and what it put into the plan."""

    state: OutcomeState
    blocked_by: tuple[str, ...]
    then: str


def judge_rule(rule_id: str, facts: Facts, rulebook: Rulebook) -> Outcome:
    """What becomes of a rule under some facts.

    Raises:
        RuleConflict: the rulebook gives no plan for these facts.
        KeyError: no rule has this id.
    """
    rule = rulebook.find(rule_id)
    if rule is None:
        raise KeyError(rule_id)
    plan = build_plan(facts, rulebook)
    outcome = find_outcome(plan, rule_id)
    return Outcome(outcome.state, tuple(blocker.fact for blocker in outcome.blocked_by), _tell_effect(plan, rule))


def find_outcome(plan: Plan, rule_id: str) -> RuleOutcome:
    """The outcome of one rule.

    Raises:
        KeyError: the plan was made without it.
    """
    for outcome in plan.outcomes:
        if outcome.rule == rule_id:
            return outcome
    raise KeyError(rule_id)


def meets_case(case: RuleCase, outcome: Outcome) -> bool:
    """Whether an outcome is what a case asks for; what a case does not say is not asked."""
    # older cases say nothing of the plan; the check names those rules
    is_then_met = case.then is None or case.then == outcome.then
    return (case.state, case.blocked_by) == outcome[:2] and is_then_met


def _tell_effect(plan: Plan, rule: Rule) -> str:
    state = find_outcome(plan, rule.id).state
    if state == "shadow_fired":
        # a preview rule puts nothing into the plan; its case says what it would put there
        return describe_consequence(rule)
    placed = [describe_step(step) for step in list_steps(plan) if rule.id in step.rules]
    return placed[0] if placed else ""


def list_effects(plan: Plan) -> tuple[str, ...]:
    """Everything that a plan does, in words: steps, standby steps and limits; two plans with the same do the same."""
    limits = (f"limit {name}={value}" for name, value in plan.limits.model_dump().items())
    return (*(describe_step(step) for step in list_steps(plan)), *limits)
