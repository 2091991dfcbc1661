"""Checks of the cases of rules: one that fires, one at each boundary, one blocked by each condition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pipeline.models.rule_reports import Finding
from pipeline.policy.cases import RuleCase
from pipeline.policy.catalogue import describe_condition
from pipeline.policy.conditions import Condition, judge_condition
from pipeline.policy.facts import read_fact
from pipeline.policy.rules import Rule

_STEPS = {"at_least": -1, "below": -1, "at_most": 1, "above": 1}


def check_cases(rules: Iterable[Rule], cases: Iterable[RuleCase]) -> Iterator[Finding]:
    """What the cases of each rule lack; a retired rule needs none."""
    cases = tuple(cases)
    for rule in rules:
        if rule.status != "retired":
            own = tuple(case for case in cases if case.rule == rule.id)
            for missing in _list_missing(rule, own):
                words = f"{rule.id} has no case {missing}"
                yield Finding(kind="missing_cases", severity="warning", rules=(rule.id,), message=words)


def list_boundary(condition: Condition) -> tuple[int, ...]:
    """The two counts on either side of a threshold; one where the other would be negative, none without a threshold."""
    if condition.op not in _STEPS or type(condition.value) is not int:
        return ()
    # moving a threshold by one is noticed only by facts right at it
    pair = (condition.value, condition.value + _STEPS[condition.op])
    return tuple(sorted(count for count in pair if count >= 0))


def decides_alone(rule: Rule, condition: Condition, case: RuleCase) -> bool:
    """Whether of the alternatives under `any` this one alone is met."""
    met = [each for each in rule.conditions if each.group == "any" and judge_condition(each, case.facts).is_met]
    return met == [condition]


def _list_missing(rule: Rule, cases: tuple[RuleCase, ...]) -> Iterator[str]:
    firing = [case for case in cases if case.state.endswith("fired")]
    if not firing:
        yield "that fires"
    elif not any(case.then for case in firing):
        yield "that says what the rule puts into the plan (then)"
    blockers = {name for case in cases if case.state.endswith("blocked") for name in case.blocked_by}
    for condition in rule.conditions:
        words = describe_condition(condition)
        if condition.fact not in blockers:
            yield f"blocked by {words}"
        if condition.group == "any" and not any(decides_alone(rule, condition, case) for case in firing):
            yield f"that fires by {words} alone"
        seen = {read_fact(case.facts, condition.fact) for case in cases}
        for count in list_boundary(condition):
            if count not in seen:
                yield f"with {condition.fact} {count}, at the boundary of {words}"
        if condition.op == "one_of" and isinstance(condition.value, tuple):
            for word in condition.value:
                if word not in seen:
                    yield f"with {condition.fact} {word}"
