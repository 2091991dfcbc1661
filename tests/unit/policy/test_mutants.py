"""Mutants: every small change of a rule, each named, none of them the rule itself."""

from __future__ import annotations

from pathlib import Path

from pipeline.policy.mutants import list_mutants
from pipeline.policy.rulebook import load_rulebook
from tests.unit.policy.builders import make_rule, write_rules


def _list_ids(tmp_path: Path, then: str, when: str = "", **given: str) -> list[str]:
    other = make_rule("XYZ01", 'pattern = "two_hop"')
    book = load_rulebook(write_rules(tmp_path / "r", make_rule("ABC01", then, when, **given), other))
    rule = book.find("ABC01")
    mutants = list_mutants(rule)
    assert all(mutant.rule != rule for mutant in mutants)
    assert len({mutant.id for mutant in mutants}) == len(mutants)
    return [mutant.id.removeprefix("ABC01: ") for mutant in mutants]


def test_thresholds_move_and_turn_round_when_a_count_is_compared(tmp_path: Path):
    when = 'all = [{ fact = "page_count", op = "at_least", value = 3 }]'
    assert _list_ids(tmp_path, 'pattern = "keyword"', when) == [
        "delete all: page_count at least 3",
        "turn round in all: page_count at least 3",
        "move to 2 in all: page_count at least 3",
        "move to 4 in all: page_count at least 3",
        "leave out keyword",
    ]


def test_a_threshold_does_not_move_below_zero_when_it_is_zero(tmp_path: Path):
    when = 'none = [{ fact = "page_count", op = "is", value = 0 }]'
    assert _list_ids(tmp_path, 'pattern = "keyword"', when)[1:] == [
        "move to 1 in none: page_count is 0",
        "move to all in none: page_count is 0",
        "leave out keyword",
    ]


def test_words_are_left_out_and_groups_change_when_there_are_alternatives(tmp_path: Path):
    when = (
        'all = [{ fact = "is_open", op = "is", value = true }]\n'
        'any = [{ fact = "intent", op = "one_of", value = ["where", "count"] }, '
        '{ fact = "document_language", op = "is", value = "en" }]'
    )
    ids = _list_ids(tmp_path, 'signal = "short_list"\naction = "sweep"', when)
    assert "move to any in all: is_open is true" in ids
    assert "turn round in all: is_open is true" in ids
    assert "leave out where in any: intent one of where or count" in ids
    assert "turn round in any: intent one of where or count" in ids
    assert "move to all in any: document_language is en" in ids
    # languages are no closed list, so there is no opposite
    assert "turn round in any: document_language is en" not in ids
    assert ids[-1] == "leave out sweep"


def test_the_one_alternative_stays_where_it_is_when_there_is_no_other(tmp_path: Path):
    when = 'any = [{ fact = "is_open", op = "is", value = true }]'
    assert not [words for words in _list_ids(tmp_path, 'pattern = "keyword"', when) if words.startswith("move to")]


def test_parameters_move_within_limits_and_overrides_go_when_a_rule_has_them(tmp_path: Path):
    then = 'pattern = "toc_retrieval"\nmax_sections = 1'
    assert _list_ids(tmp_path, then, extra='overrides = ["KEY01", "XYZ01"]') == [
        "leave out toc_retrieval",
        "leave out max_sections",
        "move max_sections to 2",
        "leave out the override of KEY01",
        "leave out the override of XYZ01",
    ]


def test_a_retired_rule_has_no_mutants_when_listed(tmp_path: Path):
    assert _list_ids(tmp_path, 'pattern = "keyword"', status="retired") == []
