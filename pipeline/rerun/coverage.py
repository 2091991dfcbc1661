"""Coverage of rules: which of them, which conditions and both sides of which thresholds anything exercises."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from pipeline.models.rule_reports import ConditionCoverage, CoverageReport, RuleCoverage
from pipeline.policy.case_checks import list_boundary
from pipeline.policy.catalogue import describe_condition
from pipeline.policy.conditions import find_blockers, judge_condition
from pipeline.policy.facts import list_facts, read_fact

if TYPE_CHECKING:
    from pipeline.models.facts import Facts
    from pipeline.policy.conditions import Condition, Group
    from pipeline.policy.rulebook import Rulebook
    from pipeline.policy.rules import Rule
    from pipeline.rerun.mutation import Exercises


class _Exercised(NamedTuple):
    """Facts that exercised a rule, parted by what became of it."""

    fired: tuple[Facts, ...]
    blocked: tuple[Facts, ...]
    overridden: tuple[Facts, ...]


def cover_rules(rulebook: Rulebook, exercises: Exercises) -> CoverageReport:
    """Count what exercises every rule that is not retired, and name the sides that nothing exercises.

    A case counts for its own rule, because only of that one it says what is to happen; samples count for every rule.
    """
    rules = tuple(rule for rule in rulebook.rules if rule.status != "retired")
    return CoverageReport(
        rulebook=rulebook.name,
        revision=rulebook.revision,
        sources=exercises.count_sources(),
        rules=tuple(_cover_rule(rule, rulebook, exercises) for rule in rules),
    )


def _cover_rule(rule: Rule, rulebook: Rulebook, exercises: Exercises) -> RuleCoverage:
    seen = [case.facts for case in exercises.cases if case.rule == rule.id]
    seen += [sample.facts for sample in exercises.samples]
    exercised = _sort_facts(rule, rulebook, tuple(seen))
    return RuleCoverage(
        rule=rule.id,
        name=rule.name,
        fired_count=len(exercised.fired),
        blocked_count=len(exercised.blocked),
        overridden_count=len(exercised.overridden),
        conditions=tuple(_cover_condition(condition, rule, tuple(seen)) for condition in rule.conditions),
        gaps=tuple(_list_rule_gaps(rule, rulebook, exercised)),
    )


def _sort_facts(rule: Rule, rulebook: Rulebook, seen: tuple[Facts, ...]) -> _Exercised:
    setting_aside = [other for other in rulebook.rules if rule.id in other.overrides and other.status == "stable"]
    fired: list[Facts] = []
    blocked: list[Facts] = []
    overridden: list[Facts] = []
    for facts in seen:
        if find_blockers(rule.conditions, facts):
            blocked.append(facts)
        elif any(not find_blockers(other.conditions, facts) for other in setting_aside):
            overridden.append(facts)
        else:
            fired.append(facts)
    return _Exercised(tuple(fired), tuple(blocked), tuple(overridden))


def _list_rule_gaps(rule: Rule, rulebook: Rulebook, exercised: _Exercised) -> Iterator[str]:
    if not exercised.fired:
        yield "never fires"
    # a rule without conditions cannot be blocked, so that side does not exist
    if rule.conditions and not exercised.blocked:
        yield "is never blocked"
    can_be_set_aside = any(rule.id in other.overrides and other.status == "stable" for other in rulebook.rules)
    if can_be_set_aside and not exercised.overridden:
        yield "is never set aside"


def _cover_condition(condition: Condition, rule: Rule, seen: tuple[Facts, ...]) -> ConditionCoverage:
    met_count = sum(1 for facts in seen if judge_condition(condition, facts).is_met)
    deciding = sum(1 for facts in seen if _decides(condition, rule, facts))
    gaps = list(_list_value_gaps(condition, seen))
    if not met_count:
        gaps.append("never met")
    # true for nothing seen as well: then both sides are missing
    if met_count == len(seen):
        gaps.append("always met")
    if not deciding:
        gaps.append("never decides by itself")
    return ConditionCoverage(
        condition=describe_condition(condition),
        met_count=met_count,
        unmet_count=len(seen) - met_count,
        deciding_count=deciding,
        gaps=tuple(gaps),
    )


def _decides(condition: Condition, rule: Rule, facts: Facts) -> bool:
    """Whether the rule would have another outcome if this condition alone came out the other way."""
    outcomes = [(each.group, judge_condition(each, facts).is_met) for each in rule.conditions]
    turned = [
        (group, is_met != (each is condition)) for (group, is_met), each in zip(outcomes, rule.conditions, strict=True)
    ]
    return _fires(outcomes) != _fires(turned)


def _fires(outcomes: list[tuple[Group, bool]]) -> bool:
    alternatives = [is_met for group, is_met in outcomes if group == "any"]
    is_fixed_met = all(is_met == (group == "all") for group, is_met in outcomes if group != "any")
    return is_fixed_met and (not alternatives or any(alternatives))


def _list_value_gaps(condition: Condition, seen: tuple[Facts, ...]) -> Iterator[str]:
    values = {read_fact(facts, condition.fact) for facts in seen}
    for count in list_boundary(condition):
        if count not in values:
            yield f"{condition.fact} {count} is not exercised"
    if isinstance(condition.value, tuple) and list_facts()[condition.fact].type is not bool:
        for word in condition.value:
            if word not in values:
                yield f"{condition.fact} {word} is not exercised"
