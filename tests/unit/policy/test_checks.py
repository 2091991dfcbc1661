"""Static checks: each fault of rules is found in a rulebook that has it, and none in the shipped one."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.decide import build_plan
from pipeline.errors import RuleConflict
from pipeline.models.rule_reports import Finding
from pipeline.policy.cases import make_facts
from pipeline.policy.checks import check_rules
from pipeline.policy.folder_checks import SURVIVORS_FILE, find_loading_faults, list_own_rules
from pipeline.policy.rulebook import find_default_folder, load_rulebook
from tests.unit.policy.builders import DEFAULT_RULE, make_rule, write_rules

TOC = 'pattern = "toc_retrieval"'
ONE, TWO = f"{TOC}\nmax_sections = 1", f"{TOC}\nmax_sections = 2"


def _all(*conditions: str) -> str:
    tables = []
    for words in conditions:
        fact, op, value = words.split(" ", 2)
        tables.append(f'{{ fact = "{fact}", op = "{op}", value = {value} }}')
    return f"all = [{', '.join(tables)}]"


def _check(tmp_path: Path, *rules: str, book: str = 'name = "own"') -> tuple[Finding, ...]:
    return check_rules(load_rulebook(write_rules(tmp_path / "r", *rules, book=book)))


def _pick(findings: tuple[Finding, ...], kind: str) -> list[tuple[str, ...]]:
    return [finding.rules for finding in findings if finding.kind == kind]


def test_nothing_but_notes_is_found_when_the_shipped_rules_are_checked():
    findings = check_rules(load_rulebook())
    assert {finding.severity for finding in findings} <= {"note"}
    assert "rearming" in {finding.kind for finding in findings}


def test_a_contradiction_names_the_fact_when_one_fact_cannot_be_both(tmp_path: Path):
    when = _all("page_count at_least 9", "page_count below 9", "is_open is true")
    [found] = [each for each in _check(tmp_path, make_rule("ABC01", TOC, when)) if each.kind == "contradiction"]
    assert (found.severity, found.rules) == ("error", ("ABC01",))
    assert "page_count cannot be all of" in found.message


def test_a_rule_is_unreachable_when_no_document_gives_its_facts(tmp_path: Path):
    when = _all("has_usable_outline is true", "has_sections is false")
    findings = _check(tmp_path, make_rule("ABC01", TOC, when))
    assert _pick(findings, "unreachable") == [("ABC01",)]
    assert _pick(findings, "contradiction") == []


def test_a_condition_is_idle_when_another_says_more(tmp_path: Path):
    when = _all("page_count at_least 9", "page_count above 3")
    [found] = [each for each in _check(tmp_path, make_rule("ABC01", TOC, when)) if each.kind == "idle_condition"]
    assert "page_count above 3 decides nothing" in found.message


def test_an_alternative_is_idle_when_another_covers_it(tmp_path: Path):
    when = _all("page_count at_least 3", "page_count at_least 9").replace("all", "any")
    [found] = [each for each in _check(tmp_path, make_rule("ABC01", TOC, when)) if each.kind == "idle_condition"]
    assert "page_count at least 9 decides nothing" in found.message


def test_a_conflict_has_a_witness_when_two_rules_can_fire_together(tmp_path: Path):
    rules = make_rule("ABC01", ONE, _all("page_count at_least 9")), make_rule("ABC02", TWO, _all("is_open is true"))
    findings = _check(tmp_path, *rules)
    [found] = [each for each in findings if each.kind == "conflict"]
    assert (found.severity, found.rules) == ("error", ("ABC01", "ABC02"))
    facts = make_facts({reading.name: reading.value for reading in found.witness})
    with pytest.raises(RuleConflict, match="ABC01 and ABC02"):
        build_plan(facts, load_rulebook(tmp_path / "r"))


def test_no_conflict_is_found_when_two_rules_never_fire_together(tmp_path: Path):
    rules = make_rule("ABC01", ONE, _all("page_count at_least 9")), make_rule("ABC02", TWO, _all("page_count below 9"))
    assert _pick(_check(tmp_path, *rules), "conflict") == []


def test_no_conflict_is_found_when_one_or_a_third_sets_the_other_aside(tmp_path: Path):
    one, open_rule = make_rule("ABC01", ONE, _all("page_count at_least 9")), _all("is_open is true")
    own = make_rule("ABC02", TWO, open_rule, extra='overrides = ["ABC01"]')
    assert _pick(_check(tmp_path / "a", one, own), "conflict") == []
    third = make_rule("ABC03", 'pattern = "two_hop"', open_rule, extra='overrides = ["ABC01"]')
    assert _pick(_check(tmp_path / "b", one, make_rule("ABC02", TWO, open_rule), third), "conflict") == []
    narrow = make_rule("ABC03", 'pattern = "two_hop"', _all("is_listing is true"), extra='overrides = ["ABC01"]')
    findings = _check(tmp_path / "c", one, make_rule("ABC02", TWO, open_rule), narrow)
    assert _pick(findings, "conflict") == [("ABC01", "ABC02")]


def test_a_conflict_is_a_warning_when_one_rule_is_in_preview(tmp_path: Path):
    findings = _check(tmp_path, make_rule("ABC01", ONE), make_rule("ABC02", TWO, status="preview"))
    [found] = [each for each in findings if each.kind == "conflict"]
    assert found.severity == "warning"
    assert "once both are stable" in found.message


def test_two_rules_are_duplicates_when_they_fire_alike_and_ask_for_the_same(tmp_path: Path):
    same = make_rule("ABC01", TOC, _all("page_count at_least 9")), make_rule("ABC02", TOC, _all("page_count above 8"))
    assert _pick(_check(tmp_path / "a", *same), "duplicate") == [("ABC01", "ABC02")]
    other = make_rule("ABC02", TOC, _all("page_count above 9"))
    assert _pick(_check(tmp_path / "b", same[0], other), "duplicate") == []
    # two rules that never fire do not fire together
    never = [make_rule(name, TOC, _all("page_count at_least 9", "page_count below 9")) for name in ("ABC01", "ABC02")]
    assert _pick(_check(tmp_path / "c", *never), "duplicate") == []


def test_overrides_are_idle_when_they_never_meet_or_meet_a_retired_rule(tmp_path: Path):
    long, short = _all("page_count at_least 9"), _all("page_count below 9")
    rules = (
        make_rule("ABC01", TOC, long, extra='overrides = ["ABC02", "ABC03"]'),
        make_rule("ABC02", TOC, short),
        make_rule("ABC03", 'pattern = "two_hop"', short, status="retired"),
    )
    assert _pick(_check(tmp_path, *rules), "idle_override") == [("ABC01", "ABC02"), ("ABC01",)]


def test_a_rule_is_always_overridden_when_the_other_fires_whenever_it_does(tmp_path: Path):
    rules = (
        make_rule("ABC01", TOC, _all("page_count at_least 3"), extra='overrides = ["ABC02"]'),
        make_rule("ABC02", 'pattern = "two_hop"', _all("page_count at_least 9")),
    )
    assert _pick(_check(tmp_path, *rules), "always_overridden") == [("ABC02", "ABC01")]


def test_limits_that_cut_rules_are_named_when_the_rulebook_lowers_them(tmp_path: Path):
    book = 'name = "own"\n[limits]\nmax_sections = 1\nmax_references = 0\nmax_iterations = 1'
    rules = (
        make_rule("ABC01", TWO),
        make_rule("ABC02", 'pattern = "two_hop"'),
        make_rule("ABC03", 'signal = "short_list"\naction = "sweep"'),
    )
    findings = _check(tmp_path, *rules, book=book)
    assert _pick(findings, "beyond_limits") == [("ABC01",)]
    assert _pick(findings, "never_acts") == [("ABC02",), ("ABC03",)]
    messages = " ".join(finding.message for finding in findings)
    assert "max_sections=2, beyond max_sections=1" in messages
    assert "max_references=0" in messages


def test_actions_that_raise_each_others_signals_are_named_when_both_wait(tmp_path: Path):
    sweep = make_rule("ABC01", 'signal = "short_list"\naction = "sweep"')
    expand = make_rule("ABC02", 'signal = "discovered_vocabulary"\naction = "expand_keywords"')
    open_part = make_rule("ABC03", 'signal = "incomplete_answer"\naction = "expand_keywords"')
    again = make_rule("ABC04", 'signal = "failed_validation"\naction = "regenerate"')
    findings = _check(tmp_path, sweep, expand, open_part, again)
    assert _pick(findings, "rearming") == [("ABC01", "ABC02"), ("ABC04",)]
    assert _pick(findings, "not_available") == [("ABC04",)]


def test_facts_are_unread_when_no_rule_asks_for_them(tmp_path: Path):
    [found] = [
        each
        for each in _check(tmp_path, make_rule("ABC01", TOC, _all("is_open is true")))
        if each.kind == "unread_facts"
    ]
    assert "page_count" in found.message
    assert "is_open" not in found.message


def test_every_fact_is_read_when_a_rule_reads_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("pipeline.policy.checks.list_facts", lambda: {"is_open": None})
    findings = _check(tmp_path, make_rule("ABC01", TOC, _all("is_open is true")))
    assert _pick(findings, "unread_facts") == []


def test_errors_come_first_when_there_are_several_findings(tmp_path: Path):
    rules = make_rule("ABC01", ONE, _all("page_count at_least 9", "page_count above 3")), make_rule("ABC02", TWO)
    ranks = ["error warning note".index(finding.severity) for finding in _check(tmp_path, *rules)]
    assert ranks == sorted(ranks)
    assert len(set(ranks)) == 3


def test_every_broken_file_is_named_when_a_folder_does_not_load(tmp_path: Path):
    folder = write_rules(tmp_path / "r", make_rule("ABC01", TOC, _all("pages at_least 3")), make_rule("ABC02", TOC))
    (folder / "ABC03.toml").write_text("id = ", encoding="utf-8")
    (folder / "ABC04.toml").write_text(DEFAULT_RULE, encoding="utf-8")
    (folder / "abc05.toml").write_text(DEFAULT_RULE, encoding="utf-8")
    (folder / "ABC06.toml").mkdir()
    (folder / SURVIVORS_FILE).write_text("", encoding="utf-8")
    found = find_loading_faults(folder)
    assert [(each.severity, each.rules) for each in found] == [
        ("error", ("ABC01",)),
        ("error", ("ABC03",)),
        ("error", ("ABC04",)),
        ("error", ("ABC06",)),
        ("warning", ("abc05",)),
    ]
    assert all(each.kind == "does_not_load" for each in found)
    assert list_own_rules(folder) == ("ABC01", "ABC02", "ABC03", "ABC04", "ABC06", "KEY01")


def test_a_folder_as_a_whole_is_at_fault_when_each_file_is_sound(tmp_path: Path):
    folder = write_rules(tmp_path / "r", make_rule("ABC01", TOC, _all("is_open is true")), has_default=False)
    [found] = find_loading_faults(folder)
    assert "no default rule" in found.message
    assert found.rules == ()
    assert find_loading_faults(find_default_folder()) == ()
