"""Coverage: counts of what rules met, and a gap for every side that nothing touched."""

from __future__ import annotations

from pathlib import Path

from pipeline.policy.cases import RuleCase, make_facts
from pipeline.policy.rulebook import load_rulebook
from pipeline.rerun.coverage import cover_rules
from pipeline.rerun.mutation import Exercises
from pipeline.rerun.samples import Sample
from tests.unit.policy.builders import make_rule, write_rules

WHEN = """all = [{ fact = "page_count", op = "at_least", value = 20 }]
any = [{ fact = "is_open", op = "is", value = true }, { fact = "intent", op = "one_of", value = ["where", "section"] }]
none = [{ fact = "has_failed_pages", op = "is", value = true }]"""


def _sample(**facts: object) -> Sample:
    return Sample("question", "q", "?", make_facts(facts))


def _cover(tmp_path: Path, *facts: dict[str, object], rules: tuple[str, ...] = ()):
    own = make_rule("ABC01", 'pattern = "two_hop"', WHEN)
    book = load_rulebook(write_rules(tmp_path / "r", own, *rules))
    report = cover_rules(book, Exercises((), tuple(_sample(**given) for given in facts)))
    return report, report.rules[0]


def test_everything_is_a_gap_when_nothing_is_exercised(tmp_path: Path):
    report, rule = _cover(tmp_path)
    assert rule.gaps == ("never fires", "is never blocked")
    assert rule.conditions[0].gaps == (
        "page_count 19 is not exercised",
        "page_count 20 is not exercised",
        "never met",
        "always met",
        "never decides by itself",
    )
    assert report.gap_count == 2 + 5 + 3 + 5 + 3 + 1


def test_both_sides_are_counted_when_questions_touch_them(tmp_path: Path):
    facts = (
        {"page_count": 20, "is_open": True},
        {"page_count": 19, "is_open": True},
        {"page_count": 20, "intent": "where"},
        {"page_count": 20, "intent": "section"},
        {"page_count": 20},
        {"page_count": 20, "is_open": True, "has_failed_pages": True},
    )
    report, rule = _cover(tmp_path, *facts)
    assert (rule.fired_count, rule.blocked_count, rule.overridden_count) == (3, 3, 0)
    assert report.gap_count == 0
    assert [(each.met_count, each.unmet_count) for each in rule.conditions] == [(5, 1), (3, 3), (2, 4), (1, 5)]
    assert [each.deciding_count for each in rule.conditions] == [4, 2, 3, 4]


def test_being_set_aside_is_a_side_when_another_rule_overrides(tmp_path: Path):
    over = make_rule("ABC02", 'pattern = "reparse"', extra='overrides = ["ABC01"]')
    _, rule = _cover(tmp_path, {"page_count": 20, "is_open": True}, rules=(over,))
    assert rule.overridden_count == 1
    assert rule.gaps == ("never fires", "is never blocked")
    _, rule = _cover(tmp_path / "b", {}, rules=(over,))
    assert rule.gaps == ("never fires", "is never set aside")


def test_a_case_counts_for_its_own_rule_only_when_covered(tmp_path: Path):
    book = load_rulebook(write_rules(tmp_path, make_rule("ABC01", 'pattern = "two_hop"', WHEN)))
    case = RuleCase(rule="KEY01", name="c", facts=make_facts({}), given=(), state="fired", blocked_by=())
    report = cover_rules(book, Exercises((case,)))
    assert [(each.rule, each.fired_count + each.blocked_count) for each in report.rules] == [("ABC01", 0), ("KEY01", 1)]


def test_a_retired_rule_is_left_out_when_covered(tmp_path: Path):
    retired = make_rule("ABC01", 'pattern = "two_hop"', WHEN, status="retired")
    report = cover_rules(load_rulebook(write_rules(tmp_path, retired)), Exercises(()))
    assert [each.rule for each in report.rules] == ["KEY01"]
