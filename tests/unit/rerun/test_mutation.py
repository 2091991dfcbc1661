"""Mutants of rules: killed by what notices them, missing questions for the others, reasons for those that may live."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.errors import RulebookError
from pipeline.models.rule_reports import MutationReport
from pipeline.policy.cases import RuleCase, make_facts
from pipeline.policy.conditions import find_blockers
from pipeline.policy.rulebook import Rulebook, load_rulebook
from pipeline.rerun.mutation import Exercises, mutate_rules, read_survivors
from pipeline.rerun.samples import Sample
from tests.unit.policy.builders import make_rule, write_rules

WHEN = 'all = [{ fact = "page_count", op = "at_least", value = 20 }]'
HOP = 'pattern = "two_hop"\nmax_references = 2'


def _load(tmp_path: Path, *rules: str) -> Rulebook:
    return load_rulebook(write_rules(tmp_path / "r", *rules))


def _case(state: str, then: str | None = None, rule: str = "ABC01", blocked: tuple[str, ...] = (), **facts: object):
    return RuleCase(
        rule=rule, name="one", facts=make_facts(facts), given=(), state=state, blocked_by=blocked, then=then
    )


def _sample(name: str = "s", source: str = "question", **facts: object) -> Sample:
    return Sample(source, name, "?", make_facts(facts))


def _list(report: MutationReport, fate: str) -> list[str]:
    return [each.mutant for each in report.mutants if each.fate == fate and each.rule == "ABC01"]


CASES = (
    _case("fired", "two_hop max_references=2", page_count=20),
    _case("blocked", blocked=("page_count",), page_count=19),
)


def test_every_mutant_is_killed_when_cases_stand_on_both_sides(tmp_path: Path):
    report = mutate_rules(_load(tmp_path, make_rule("ABC01", HOP, WHEN)), Exercises(CASES), rules=["ABC01"])
    assert len(report.mutants) == 8
    assert report.count("killed") == 8
    assert report.is_passed
    assert report.mutants[0].killed_by == "case ABC01: one"


def test_a_threshold_survives_with_a_missing_question_when_no_case_is_near(tmp_path: Path):
    cases = _case("fired", page_count=90), _case("blocked", blocked=("page_count",), page_count=2)
    report = mutate_rules(_load(tmp_path, make_rule("ABC01", HOP, WHEN)), Exercises(cases), rules=["ABC01"])
    assert not report.is_passed
    survived = {each.mutant: each for each in report.mutants if each.fate == "survived"}
    moved = survived["ABC01: move to 21 in all: page_count at least 20"]
    assert moved.missing == "a question with page_count 20: ABC01 fires although the mutant stays silent"
    assert [(reading.name, reading.value) for reading in moved.witness] == [("page_count", 20)]
    lower = survived["ABC01: move to 19 in all: page_count at least 20"]
    assert lower.missing == "a question with page_count 19: ABC01 stays silent although the mutant fires"
    left_out = survived["ABC01: leave out two_hop"]
    assert left_out.missing.endswith("ABC01 puts two_hop max_references=2 into the plan")


def test_a_question_and_a_run_kill_when_their_plan_is_another(tmp_path: Path):
    book = _load(tmp_path, make_rule("ABC01", HOP, WHEN))
    samples = (_sample("q7", page_count=20), _sample("r9", "run", page_count=19), _sample("again", page_count=20))
    report = mutate_rules(book, Exercises((), samples, ("a: lost",)), rules=["ABC01"])
    assert report.is_passed
    assert {each.killed_by for each in report.mutants} == {"question q7", "run r9"}
    assert report.sources.model_dump() == {
        "case_count": 0,
        "question_count": 2,
        "run_count": 1,
        "left_out": ("a: lost",),
    }


def test_a_mutant_is_equivalent_when_no_possible_facts_tell_it_apart(tmp_path: Path):
    when = 'all = [{ fact = "page_count", op = "at_least", value = 1 }]'
    report = mutate_rules(_load(tmp_path, make_rule("ABC01", HOP, when)), Exercises(()), rules=["ABC01"])
    assert _list(report, "equivalent") == [
        "ABC01: delete all: page_count at least 1",
        "ABC01: move to 0 in all: page_count at least 1",
    ]


def test_a_survivor_passes_when_the_list_gives_a_reason(tmp_path: Path):
    book = _load(tmp_path, make_rule("ABC01", 'pattern = "two_hop"'))
    allowed = {"ABC01: leave out two_hop": "nobody needs it", "ABC01: gone": "old"}
    report = mutate_rules(book, Exercises(()), allowed, ["ABC01"])
    assert report.is_passed
    assert [(each.fate, each.because) for each in report.mutants] == [("allowed", "nobody needs it")]
    assert report.stale_survivors == ("ABC01: gone",)


def test_an_override_left_out_is_seen_when_the_other_rule_has_a_case(tmp_path: Path):
    rules = make_rule("ABC01", HOP, WHEN, extra='overrides = ["ABC02"]'), make_rule("ABC02", 'pattern = "reparse"')
    book = _load(tmp_path, *rules)
    report = mutate_rules(book, Exercises(CASES), rules=["ABC01"])
    [survivor] = [each for each in report.mutants if each.fate == "survived"]
    assert survivor.mutant == "ABC01: leave out the override of ABC02"
    assert not find_blockers(book.find("ABC02").conditions, make_facts({"page_count": 20}))
    case = _case("overridden", rule="ABC02", page_count=20)
    assert mutate_rules(book, Exercises((*CASES, case)), rules=["ABC01"]).is_passed


def test_a_case_proves_nothing_when_it_fails_without_any_change(tmp_path: Path):
    book = _load(tmp_path, make_rule("ABC01", HOP, WHEN))
    report = mutate_rules(book, Exercises((_case("fired", page_count=2),)))
    assert report.failing_cases == ("case ABC01: one",)
    assert not report.is_passed
    assert report.count("killed") == 0


def test_a_conflict_counts_as_noticed_when_a_mutant_makes_one(tmp_path: Path):
    other = make_rule("ABC02", 'pattern = "two_hop"\nmax_references = 3', WHEN.replace("at_least", "below"))
    book = _load(tmp_path, make_rule("ABC01", HOP, WHEN), other)
    report = mutate_rules(book, Exercises(CASES[1:]), rules=["ABC01"])
    assert "ABC01: move to 19 in all: page_count at least 20" in _list(report, "killed")
    report = mutate_rules(book, Exercises((), (_sample(page_count=19),)), rules=["ABC01"])
    assert "ABC01: move to 19 in all: page_count at least 20" in _list(report, "killed")


def test_another_rule_with_the_same_step_hides_a_consequence_when_it_always_fires(tmp_path: Path):
    book = _load(tmp_path, make_rule("ABC01", 'pattern = "keyword"', WHEN))
    report = mutate_rules(book, Exercises((), (_sample(page_count=20),)), rules=["ABC01"])
    # KEY01 puts the same step, so a plan says nothing of it; only a case of the rule can
    assert "ABC01: leave out keyword" in _list(report, "survived")


def test_a_preview_rule_is_judged_by_what_it_would_put_when_its_case_says_so(tmp_path: Path):
    book = _load(tmp_path, make_rule("ABC01", 'pattern = "two_hop"', status="preview"))
    cases = (_case("shadow_fired", "two_hop"),)
    assert mutate_rules(book, Exercises(cases), rules=["ABC01"]).is_passed


def test_reasons_are_read_when_the_list_has_them(tmp_path: Path):
    path = tmp_path / "SURVIVORS.toml"
    assert read_survivors(path) == {}
    path.write_text('[[survivor]]\nmutant = "a"\nbecause = "b"\n', encoding="utf-8")
    assert read_survivors(path) == {"a": "b"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[survivor]\n", "not TOML"),
        ("survivor = 1\n", "a mutant and a because"),
        ('[[survivor]]\nmutant = "a"\n', "a mutant and a because"),
        ('[[survivor]]\nmutant = "a"\nbecause = " "\n', "are text"),
    ],
)
def test_a_list_is_refused_when_a_reason_is_missing(tmp_path: Path, text: str, words: str):
    path = tmp_path / "SURVIVORS.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RulebookError, match=words):
        read_survivors(path)
