"""A new rule: it loads, it is in preview, and its cases hold and miss nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from pipeline.errors import RulebookError, UsageError
from pipeline.policy.case_checks import check_cases
from pipeline.policy.cases import make_facts, read_cases
from pipeline.policy.catalogue import render_catalogue
from pipeline.policy.conditions import find_blockers
from pipeline.policy.rulebook import load_rulebook
from pipeline.policy.scaffolding import Draft, render_cases, render_rule_file, scaffold_rule
from pipeline.policy.solving import find_nearest, list_firing_ways
from tests.unit.policy.builders import make_rule, write_rules
from tests.unit.policy.test_solving import some_conditions

CONDITIONS = (
    ("all", "page_count at_least 20"),
    ("any", "is_open is true"),
    ("any", "intent one_of section, where"),
    ("none", "scanned_page_count above 3"),
)


def test_the_rule_loads_in_preview_and_its_cases_miss_nothing_when_begun(tmp_path: Path):
    then = (("pattern", "toc_retrieval"), ("max_sections", "2"))
    written = scaffold_rule(Draft("ABC01", conditions=CONDITIONS, then=then), tmp_path / "mine", tmp_path / "cases")
    assert [path.name for path in written] == ["ABC01.toml", "ABC01.toml", "rulebook.toml"]
    rule = load_rulebook(tmp_path / "mine").find("ABC01")
    assert rule.status == "preview"
    assert [parameter.value for parameter in rule.parameters] == [2]
    assert [condition.group for condition in rule.conditions] == ["all", "any", "any", "none"]
    cases = read_cases(tmp_path / "cases", ["ABC01"])
    assert list(check_cases([rule], cases)) == []
    for case in cases:
        blockers = find_blockers(rule.conditions, case.facts)
        assert case.state == ("shadow_blocked" if blockers else "shadow_fired")
        assert case.blocked_by == tuple(blocker.fact for blocker in blockers)


def test_a_standby_rule_is_begun_when_a_signal_and_an_action_are_named(tmp_path: Path):
    then = (("signal", "short_list"), ("action", "sweep"))
    scaffold_rule(Draft("ABC01", then=then), tmp_path / "mine", tmp_path / "mine" / "cases")
    rule = load_rulebook(tmp_path / "mine").find("ABC01")
    assert (rule.signal, rule.action, rule.conditions) == ("short_list", "sweep", ())
    [case] = read_cases(tmp_path / "mine" / "cases", ["ABC01"])
    assert case.then == "on short_list: sweep"


def test_the_catalogue_has_its_row_when_the_folder_keeps_one(tmp_path: Path):
    folder = write_rules(tmp_path / "mine")
    (folder / "README.md").write_text("", encoding="utf-8")
    assert folder / "README.md" in scaffold_rule(Draft("ABC01"), folder, folder / "cases")
    page = (folder / "README.md").read_text(encoding="utf-8")
    assert page == render_catalogue(load_rulebook(folder))
    assert "| ABC01 | to-be-named | preview since 0.0.0 |" in page


@pytest.mark.parametrize("taken", ["rules/ABC01.toml", "cases/ABC01.toml"])
def test_nothing_is_overwritten_when_a_file_is_there(tmp_path: Path, taken: str):
    (tmp_path / taken).parent.mkdir()
    (tmp_path / taken).write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match="exists already"):
        scaffold_rule(Draft("ABC01"), tmp_path / "rules", tmp_path / "cases")
    assert (tmp_path / taken).read_text(encoding="utf-8") == "mine"


def test_an_id_is_refused_when_the_shipped_rulebook_has_it(tmp_path: Path):
    folder = write_rules(tmp_path / "mine", book='name = "own"\nextends = "default"')
    with pytest.raises(UsageError, match="there is a rule TOC01 already"):
        scaffold_rule(Draft("TOC01"), folder, folder / "cases")


@pytest.mark.parametrize(
    ("draft", "words"),
    [
        (Draft("abc"), "id is 'abc'"),
        (Draft("ABC01", conditions=(("all", "page_count"),)), "is no condition"),
        (Draft("ABC01", conditions=(("all", "page_count over 3"),)), "is no condition"),
        (Draft("ABC01", conditions=(("all", "pages at_least 3"),)), "unknown fact 'pages'"),
        (Draft("ABC01", conditions=(("all", "page_count at_least many"),)), "not of type int"),
        (Draft("ABC01", conditions=(("all", "is_open is yes"),)), "not of type bool"),
        (
            Draft("ABC01", conditions=(("all", "page_count above 9"), ("all", "page_count below 9"))),
            "no possible facts",
        ),
    ],
)
def test_no_file_is_left_when_the_rule_would_not_do(tmp_path: Path, draft: Draft, words: str):
    with pytest.raises((UsageError, RulebookError), match=words):
        scaffold_rule(draft, tmp_path / "mine", tmp_path / "cases")
    assert list(tmp_path.iterdir()) == []


def test_overrides_stand_in_the_file_when_a_rule_has_them(tmp_path: Path):
    text = make_rule("ABC01", 'pattern = "two_hop"', extra='overrides = ["KEY01"]')
    rule = load_rulebook(write_rules(tmp_path, text)).find("ABC01")
    assert 'overrides = ["KEY01"]' in render_rule_file(rule)


@settings(max_examples=20)
@given(some_conditions, st.sampled_from(["stable", "preview"]))
def test_cases_hold_and_miss_nothing_when_written_for_any_conditions(tmp_path_factory, conditions, status):
    rule = load_rulebook().rules[0].model_copy(update={"id": "ABC01", "conditions": conditions, "status": status})
    folder = tmp_path_factory.mktemp("cases")
    try:
        (folder / "ABC01.toml").write_text(render_cases(rule), encoding="utf-8")
    except RulebookError:
        # a rule that never fires, or a condition that decides nothing
        reject()
    cases = read_cases(folder, ["ABC01"])
    assert find_nearest(list_firing_ways(conditions), make_facts({})) is not None
    assert list(check_cases([rule], cases)) == []
