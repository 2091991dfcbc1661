"""The shipped rulebook held against itself: nothing to mend, no side unexercised, no mutant unnoticed."""

from __future__ import annotations

from pipeline.policy.cases import find_cases_folder, read_cases
from pipeline.policy.folder_checks import SURVIVORS_FILE
from pipeline.policy.rulebook import find_default_folder, load_rulebook
from pipeline.rerun.checking import check_rulebook
from pipeline.rerun.coverage import cover_rules
from pipeline.rerun.mutation import Exercises, mutate_rules, read_survivors

BOOK = load_rulebook()
EXERCISES = Exercises(read_cases(find_cases_folder(None), [rule.id for rule in BOOK.rules]))


def test_nothing_is_to_be_mended_when_the_shipped_rules_are_checked():
    assert [finding for finding in check_rulebook().findings if finding.severity != "note"] == []


def test_no_side_is_missed_when_the_cases_exercise_the_shipped_rules():
    report = cover_rules(BOOK, EXERCISES)
    gaps = [(rule.rule, rule.gaps, [each.gaps for each in rule.conditions]) for rule in report.rules]
    assert report.gap_count == 0, gaps


def test_no_mutant_survives_without_a_reason_when_the_shipped_rules_are_changed():
    report = mutate_rules(BOOK, EXERCISES, read_survivors(find_default_folder() / SURVIVORS_FILE))
    assert len(report.mutants) > 4 * len(BOOK.rules)
    assert [each.missing for each in report.mutants if each.fate == "survived"] == []
    assert report.failing_cases == ()
    assert report.stale_survivors == ()
    # nine of ten is what we promise; listed survivors do not count as noticed
    assert 10 * report.count("killed") >= 9 * (len(report.mutants) - report.count("equivalent"))
