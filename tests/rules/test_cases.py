"""Every shipped rule against its cases, and the cases against what a rule must have: firing, boundaries, blockers."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from pipeline.decide import build_plan
from pipeline.policy.conditions import judge_condition
from pipeline.policy.rulebook import load_rulebook
from tests.unit.policy.builders import make_facts

FOLDER = Path(__file__).resolve().parents[2] / "fixtures" / "rules"
BOOK = load_rulebook()
_COMPARING = ("at_least", "at_most", "above", "below")


def _read_cases(rule_id):
    return tomllib.loads((FOLDER / f"{rule_id}.toml").read_text(encoding="utf-8"))["case"]


CASES = [(rule.id, case) for rule in BOOK.rules for case in _read_cases(rule.id)]


@pytest.mark.parametrize(("rule_id", "case"), CASES, ids=[f"{rule_id}-{case['name']}" for rule_id, case in CASES])
def test_a_rule_does_what_its_case_says_when_decided(rule_id, case):
    plan = build_plan(make_facts(**case["facts"]), BOOK)
    outcome = next(outcome for outcome in plan.outcomes if outcome.rule == rule_id)
    assert outcome.state == case["state"]
    assert [condition.fact for condition in outcome.blocked_by] == case["blocked_by"]


@pytest.mark.parametrize("rule", BOOK.rules, ids=lambda rule: rule.id)
def test_cases_are_complete_when_held_against_their_rule(rule):
    cases = _read_cases(rule.id)
    facts = [make_facts(**case["facts"]) for case in cases]
    fired = [given for given, case in zip(facts, cases, strict=True) if case["state"].endswith("fired")]
    blocked = [case["blocked_by"] for case in cases if case["state"].endswith("blocked")]
    assert fired, "one case fires"
    for condition in rule.conditions:
        assert any(condition.fact in names for names in blocked), f"one case is blocked by {condition.fact}"
        if condition.op in _COMPARING:
            seen = {getattr(given, condition.fact) for given in facts}
            assert {condition.value, condition.value - 1} <= seen or {condition.value, condition.value + 1} <= seen
        if condition.group == "any":
            alone = [given for given in fired if _is_alone(rule, condition, given)]
            assert alone, f"one case fires by {condition.fact} alone"
        if condition.op == "one_of":
            met = {getattr(given, condition.fact) for given in fired}
            assert set(condition.value) <= met, "every word of a list fires once"


def _is_alone(rule, condition, given):
    met = [other for other in rule.conditions if other.group == "any" and judge_condition(other, given).is_met]
    return met == [condition]
