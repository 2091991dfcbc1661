"""Every shipped rule against its cases, and the cases against what a rule must have: firing, boundaries, blockers."""

from __future__ import annotations

import pytest

from pipeline.policy.case_checks import check_cases
from pipeline.policy.cases import RuleCase, find_cases_folder, read_cases
from pipeline.policy.rulebook import load_rulebook
from pipeline.rerun.judging import judge_rule

BOOK = load_rulebook()
CASES = read_cases(find_cases_folder(None), [rule.id for rule in BOOK.rules])


@pytest.mark.parametrize("case", CASES, ids=[f"{case.rule}-{case.name}" for case in CASES])
def test_a_rule_does_what_its_case_says_when_decided(case: RuleCase):
    outcome = judge_rule(case.rule, case.facts, BOOK)
    assert (outcome.state, outcome.blocked_by) == (case.state, case.blocked_by)
    assert case.then in (None, outcome.then)


@pytest.mark.parametrize("rule", BOOK.rules, ids=lambda rule: rule.id)
def test_cases_are_complete_when_held_against_their_rule(rule):
    assert [finding.message for finding in check_cases([rule], CASES)] == []
