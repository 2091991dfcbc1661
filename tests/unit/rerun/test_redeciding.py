"""Plans under another rulebook, decided from recorded facts alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.errors import RecordError
from pipeline.models.plan import FactReading
from pipeline.models.settings import RunSettings
from pipeline.policy.rulebook import find_default_folder, load_rulebook
from pipeline.rerun.redeciding import compare_rulebooks, redecide
from pipeline.rerun.samples import RunsRead
from tests.unit.policy.builders import make_rule, write_rules
from tests.unit.rerun.records import make_record

OWN = 'name = "own"\nextends = "default"'
LONG = 'all = [{ fact = "page_count", op = "at_least", value = 20 }]'
OLD = load_rulebook()


def _load(tmp_path: Path, *rules: str, book: str = OWN):
    return load_rulebook(write_rules(tmp_path / "mine", *rules, book=book, has_default=False))


def test_the_recorded_plan_comes_out_when_the_rulebook_is_the_same():
    record = make_record(facts_given={"is_listing": True, "page_count": 7})
    assert redecide(record, OLD) == record.body.plan
    record = make_record(settings=RunSettings(max_iterations=2))
    assert redecide(record, OLD) == record.body.plan
    assert record.body.plan.limits.max_iterations == 2


def test_nothing_changes_when_both_rulebooks_are_the_same():
    difference = compare_rulebooks(OLD, OLD, RunsRead((make_record(),), ()))
    assert (difference.run_count, difference.changes, difference.rules) == (1, (), ())


def test_changed_plans_are_listed_by_run_and_by_rule_when_a_rule_is_added(tmp_path: Path):
    new = _load(tmp_path, make_rule("ABC01", 'pattern = "aggregation"', LONG))
    runs = [make_record(facts_given={"page_count": count}) for count in (5, 20, 21, 22, 23)]
    difference = compare_rulebooks(OLD, new, RunsRead(tuple(runs), ("line 9: redacted",)))
    assert [change.run for change in difference.changes] == [run.run_id for run in runs[1:]]
    assert difference.changes[0].added == ("aggregation",)
    assert difference.changes[0].removed == ()
    assert difference.changes[0].rules == ("ABC01",)
    by_state = {(each.before, each.after): each for each in difference.rules}
    assert by_state["absent", "fired"].count == 4
    assert by_state["absent", "fired"].examples == tuple(run.run_id for run in runs[1:4])
    assert by_state["absent", "blocked"].count == 1
    assert difference.left_out == ("line 9: redacted",)
    assert not difference.has_other_lexicons


def test_steps_that_leave_are_listed_when_a_rule_is_replaced(tmp_path: Path):
    old_text = (find_default_folder() / "AGG01.toml").read_text(encoding="utf-8")
    new = _load(
        tmp_path, old_text.replace('"is_listing", op = "is", value = true', '"page_count", op = "above", value = 9')
    )
    difference = compare_rulebooks(OLD, new, RunsRead((make_record(facts_given={"is_listing": True}),), ()))
    [change] = difference.changes
    assert change.removed == ("aggregation",)
    assert [(each.rule, each.before, each.after) for each in difference.rules] == [("AGG01", "fired", "blocked")]


def test_limits_count_as_part_of_a_plan_when_a_rulebook_lowers_them(tmp_path: Path):
    new = _load(tmp_path, book=f"{OWN}\n[limits]\nmax_iterations = 2")
    [change] = compare_rulebooks(OLD, new, RunsRead((make_record(),), ())).changes
    assert (change.removed, change.added) == (("limit max_iterations=4",), ("limit max_iterations=2",))


def test_a_conflict_is_a_change_with_its_reason_when_the_new_rules_contradict_each_other(tmp_path: Path):
    rules = (
        make_rule("ABC01", 'pattern = "reparse"\nmax_pages = 1', LONG),
        make_rule("ABC02", 'pattern = "reparse"\nmax_pages = 2', LONG),
    )
    new = _load(tmp_path, *rules)
    runs = RunsRead((make_record(facts_given={"page_count": 20}),), ())
    [change] = compare_rulebooks(OLD, new, runs).changes
    assert "ABC01 and ABC02" in change.conflict
    assert (change.removed, change.added) == ((), ())
    [change] = compare_rulebooks(new, new, runs).changes
    assert change.conflict.count("ABC01 and ABC02") == 2
    assert compare_rulebooks(OLD, new, runs).rules == ()


def test_other_lexicons_are_said_when_they_differ(tmp_path: Path):
    folder = write_rules(tmp_path / "mine", has_default=False, book=OWN)
    (folder / "lexicons").mkdir()
    text = (find_default_folder() / "lexicons" / "en.toml").read_text(encoding="utf-8")
    (folder / "lexicons" / "en.toml").write_text(text, encoding="utf-8")
    assert compare_rulebooks(OLD, load_rulebook(folder), RunsRead((), ())).has_other_lexicons


def test_thresholds_are_named_when_they_differ(tmp_path: Path):
    book = OWN + "\n[thresholds]\nlisting = 151\npassage = 1000\n"
    folder = write_rules(tmp_path / "mine", has_default=False, book=book)
    difference = compare_rulebooks(OLD, load_rulebook(folder), RunsRead((), ()))
    assert difference.thresholds == ("listing 150 to 151", "passage 400 to 1000")
    assert not difference.has_other_lexicons
    assert compare_rulebooks(OLD, OLD, RunsRead((), ())).thresholds == ()


def test_a_record_is_left_out_with_the_reason_when_it_has_other_facts():
    record = make_record(facts=(FactReading(name="moon_phase", value=3),))
    difference = compare_rulebooks(OLD, OLD, RunsRead((record,), ()))
    assert difference.run_count == 0
    assert "moon_phase" in difference.left_out[0]
    with pytest.raises(RecordError, match="other facts than this version"):
        redecide(record, OLD)
