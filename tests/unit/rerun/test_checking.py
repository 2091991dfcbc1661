"""The whole check of a folder: its files, its rules and its cases."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.policy.rulebook import load_rulebook
from pipeline.rerun.checking import check_rulebook
from pipeline.rerun.judging import find_outcome, judge_rule, list_effects
from tests.unit.policy.builders import make_facts, make_rule, write_rules
from tests.unit.rerun.records import make_record

WHEN = 'all = [{ fact = "page_count", op = "at_least", value = 3 }]'
CASES = """[[case]]
name = "long"
facts = { page_count = 3 }
state = "fired"
blocked_by = []
then = "two_hop"
[[case]]
name = "short"
facts = { page_count = 2 }
state = "blocked"
blocked_by = ["page_count"]
"""
KEY_CASES = '[[case]]\nname = "any"\nfacts = {}\nstate = "fired"\nblocked_by = []\nthen = "keyword"\n'


def _write(tmp_path: Path, *rules: str, cases: str = CASES) -> Path:
    folder = write_rules(tmp_path / "mine", *rules)
    (folder / "cases").mkdir()
    (folder / "cases" / "ABC01.toml").write_text(cases, encoding="utf-8")
    (folder / "cases" / "KEY01.toml").write_text(KEY_CASES, encoding="utf-8")
    return folder


def test_a_sound_rulebook_is_clean_when_checked(tmp_path: Path):
    report = check_rulebook(_write(tmp_path, make_rule("ABC01", 'pattern = "two_hop"', WHEN)))
    assert report.is_clean
    assert (report.rulebook, report.rule_count, report.case_count) == ("own", 2, 3)


def test_a_case_is_wrong_when_the_rule_does_something_else(tmp_path: Path):
    cases = CASES.replace('"two_hop"', '"keyword"')
    report = check_rulebook(_write(tmp_path, make_rule("ABC01", 'pattern = "two_hop"', WHEN), cases=cases))
    [found] = [each for each in report.findings if each.kind == "wrong_case"]
    assert found.message == "case ABC01: long: the rule is fired, blocked by nothing, and puts two_hop into the plan"
    assert not report.is_clean


def test_a_case_is_wrong_when_its_facts_give_no_plan(tmp_path: Path):
    rules = (
        make_rule("ABC01", 'pattern = "two_hop"', WHEN),
        make_rule("ABC02", 'pattern = "two_hop"\nmax_references = 1'),
    )
    report = check_rulebook(_write(tmp_path, *rules))
    found, _ = [each for each in report.findings if each.kind == "wrong_case"]
    assert "with different parameters" in found.message


def test_only_faults_of_loading_are_reported_when_the_folder_does_not_load(tmp_path: Path):
    report = check_rulebook(_write(tmp_path, make_rule("ABC01", 'pattern = "nothing"', WHEN)))
    assert [finding.kind for finding in report.findings] == ["does_not_load"]
    assert (report.rule_count, report.is_clean) == (0, False)


def test_cases_of_rules_that_lie_elsewhere_are_not_missed_when_a_rulebook_extends_another(tmp_path: Path):
    folder = write_rules(tmp_path / "mine", book='name = "own"\nextends = "default"', has_default=False)
    report = check_rulebook(folder)
    assert report.is_clean
    assert report.case_count == 0


def test_an_unknown_rule_has_no_outcome_when_judged():
    book = load_rulebook()
    with pytest.raises(KeyError, match="ABC99"):
        judge_rule("ABC99", make_facts(), book)
    with pytest.raises(KeyError, match="ABC99"):
        find_outcome(make_record().body.plan, "ABC99")


def test_effects_name_steps_standby_and_limits_when_listed():
    effects = list_effects(make_record(facts_given={"is_listing": True}).body.plan)
    assert effects[:2] == ("keyword", "aggregation")
    assert "on short_list: sweep" in effects
    assert "limit max_iterations=4" in effects
