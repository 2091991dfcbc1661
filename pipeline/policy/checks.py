"""Static checks of a rulebook: what can be said of its rules, and of pairs of them, without any document."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

from pipeline.models.facts import Facts
from pipeline.models.plan import FactReading
from pipeline.models.rule_reports import Finding, FindingKind, Severity
from pipeline.policy.bounds import find_bound_faults, find_rearming
from pipeline.policy.cases import make_facts
from pipeline.policy.catalogue import describe_condition, describe_consequence
from pipeline.policy.facts import list_facts, read_fact
from pipeline.policy.rulebook import Rulebook
from pipeline.policy.rules import Rule
from pipeline.policy.solving import Solution, Way, find_nearest, join_ways, list_blocking_ways, list_firing_ways
from pipeline.policy.vocabulary import AVAILABLE

_RANKS: dict[Severity, int] = {"error": 0, "warning": 1, "note": 2}


def check_rules(rulebook: Rulebook) -> tuple[Finding, ...]:
    """Everything that is wrong with rules by themselves and between them; errors first, then in the order of rules."""
    rules = tuple(rule for rule in rulebook.rules if rule.status != "retired")
    findings = [
        *itertools.chain.from_iterable(_check_rule(rule, rulebook) for rule in rules),
        *itertools.chain.from_iterable(_check_pair(*pair, rulebook) for pair in itertools.combinations(rules, 2)),
        *find_bound_faults(rules, rulebook),
        *find_rearming(rules),
        *_list_unread_facts(rules),
    ]
    return sort_findings(findings)


def sort_findings(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Errors, then warnings, then notes; within each as they were found."""
    return tuple(sorted(findings, key=lambda finding: _RANKS[finding.severity]))


def pick_witness(rules: Iterable[Rule], facts: Facts) -> tuple[FactReading, ...]:
    """Of some facts those that rules read or that differ from an uneventful document and question."""
    # a witness names what makes it possible as well, so that it can be pasted into a case
    read = {condition.fact for rule in rules for condition in rule.conditions}
    plain = make_facts({})
    return tuple(
        FactReading(name=name, value=read_fact(facts, name))
        for name in Facts.model_fields
        if name in read or read_fact(facts, name) != read_fact(plain, name)
    )


def _find(kind: FindingKind, severity: Severity, rules: tuple[Rule, ...], message: str) -> Finding:
    return Finding(kind=kind, severity=severity, rules=tuple(rule.id for rule in rules), message=message)


def _solve(*choices: tuple[Way, ...]) -> Solution | None:
    return find_nearest(join_ways(*choices), make_facts({}))


def _check_rule(rule: Rule, rulebook: Rulebook) -> Iterator[Finding]:
    firing = list_firing_ways(rule.conditions)
    if _solve(firing) is None:
        yield _explain_contradiction(rule)
        return
    for condition in rule.conditions:
        # a condition matters when something fires without it and not with it, or the other way round
        others = tuple(each for each in rule.conditions if each is not condition)
        narrows = _solve(list_firing_ways(others), list_blocking_ways(rule.conditions))
        widens = _solve(firing, list_blocking_ways(others))
        if narrows is None and widens is None:
            words = f"{describe_condition(condition)} decides nothing: the other conditions decide it already"
            yield _find("idle_condition", "warning", (rule,), words)
    setting_aside = [other for other in rulebook.rules if rule.id in other.overrides and other.status == "stable"]
    if setting_aside and _solve(firing, *(list_blocking_ways(other.conditions) for other in setting_aside)) is None:
        names = ", ".join(other.id for other in setting_aside)
        yield _find("always_overridden", "error", (rule, *setting_aside), f"{rule.id} is always set aside by {names}")
    for name in rule.overrides:
        overridden = rulebook.find(name)
        if overridden is None or overridden.status == "retired":
            yield _find("idle_override", "warning", (rule,), f"{rule.id} overrides {name}, which is retired")
        elif _solve(firing, list_firing_ways(overridden.conditions)) is None:
            words = f"{rule.id} overrides {name}, but the two never fire together"
            yield _find("idle_override", "warning", (rule, overridden), words)
    owner = rule.pattern or rule.action or ""
    if owner not in AVAILABLE:
        words = f"{rule.id} asks for {owner}, which this version reports as skipped"
        yield _find("not_available", "note", (rule,), words)


def _explain_contradiction(rule: Rule) -> Finding:
    words = "; ".join(describe_condition(condition) for condition in rule.conditions)
    # without the invariants each fact stands alone, and a clash is in the rule itself
    by_fact = {
        fact: tuple(each for each in rule.conditions if each.fact == fact and each.group != "any")
        for fact in dict.fromkeys(condition.fact for condition in rule.conditions)
    }
    for fact, conditions in by_fact.items():
        if _solve(list_firing_ways(conditions)) is None:
            return _find("contradiction", "error", (rule,), f"{rule.id} never fires: {fact} cannot be all of {words}")
    message = f"{rule.id} never fires: no document and no question gives facts for {words}"
    return _find("unreachable", "error", (rule,), message)


def _check_pair(first: Rule, second: Rule, rulebook: Rulebook) -> Iterator[Finding]:
    if (first.pattern, first.signal, first.action) != (second.pattern, second.signal, second.action):
        return
    # equal steps merge; that is meant, unless one of the two rules is superfluous
    if first.parameters == second.parameters:
        if _has_same_reach(first, second):
            words = f"{first.id} and {second.id} fire together always, and both ask for {describe_consequence(first)}"
            yield _find("duplicate", "warning", (first, second), words)
        return
    if first.id in second.overrides or second.id in first.overrides:
        return
    # a third rule may set one of them aside and so settle the conflict
    thirds = [
        rule
        for rule in rulebook.rules
        if rule.status == "stable" and {first.id, second.id} & set(rule.overrides) and rule not in (first, second)
    ]
    together = _solve(
        list_firing_ways(first.conditions),
        list_firing_ways(second.conditions),
        *(list_blocking_ways(third.conditions) for third in thirds),
    )
    if together is not None:
        is_live = first.status == second.status == "stable"
        words = (
            f"{first.id} and {second.id} can fire together and ask for {describe_consequence(first)} and "
            f"{describe_consequence(second)}{'' if is_live else ' (once both are stable)'}"
        )
        found = _find("conflict", "error" if is_live else "warning", (first, second), words)
        yield found.model_copy(update={"witness": pick_witness((first, second), together.facts)})


def _has_same_reach(first: Rule, second: Rule) -> bool:
    """Whether two rules fire under the same facts; of those that never fire something else is said."""
    return _solve(list_firing_ways(first.conditions)) is not None and all(
        _solve(list_firing_ways(one.conditions), list_blocking_ways(other.conditions)) is None
        for one, other in ((first, second), (second, first))
    )


def _list_unread_facts(rules: tuple[Rule, ...]) -> Iterator[Finding]:
    read = {condition.fact for rule in rules for condition in rule.conditions}
    unread = [name for name in list_facts() if name not in read]
    if unread:
        yield _find("unread_facts", "note", (), f"facts that no rule reads: {', '.join(unread)}")
