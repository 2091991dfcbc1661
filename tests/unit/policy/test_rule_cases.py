"""Files of cases: read strictly, found beside the rules, and complete or told to be not."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.errors import RulebookError
from pipeline.policy.case_checks import check_cases, list_boundary
from pipeline.policy.cases import find_cases_folder, make_facts, read_cases
from pipeline.policy.conditions import Condition
from pipeline.policy.rulebook import find_default_folder, load_rulebook
from tests.unit.policy.builders import make_rule, write_rules

CASE = '[[case]]\nname = "one"\nfacts = {{ page_count = {} }}\nstate = "{}"\nblocked_by = {}\n'
WHEN = 'all = [{ fact = "page_count", op = "at_least", value = 3 }]'
FIRES = CASE.format(3, "fired", "[]") + 'then = "two_hop"\n'


def _read(tmp_path: Path, text: str):
    (tmp_path / "ABC01.toml").write_text(text, encoding="utf-8")
    return read_cases(tmp_path, ["ABC01", "ABC02"])


def test_facts_are_put_over_an_uneventful_question_when_read(tmp_path: Path):
    [case] = _read(tmp_path, FIRES)
    assert (case.rule, case.name, case.state, case.then) == ("ABC01", "one", "fired", "two_hop")
    assert case.facts == make_facts({"page_count": 3})
    assert [reading.name for reading in case.given] == ["page_count"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[case]\n", "not TOML"),
        ("[case]\n", "holds \\[\\[case\\]\\] tables only"),
        ("case = [1]\n", "case 1: a case has"),
        (FIRES + "when = 1\n", "case 1: a case has"),
        (FIRES.replace("{ page_count = 3 }", "3"), "facts is a table"),
        (FIRES.replace('"fired"', '"lit"'), "unknown state 'lit'"),
        (FIRES.replace("page_count", "pages"), "case 1: fact pages"),
        (FIRES.replace("3 }", "true }"), "fact page_count"),
        (FIRES.replace('"two_hop"', "2"), "name and then are text"),
    ],
)
def test_a_case_is_refused_with_its_place_when_it_has_another_form(tmp_path: Path, text: str, words: str):
    with pytest.raises(RulebookError, match=words) as caught:
        _read(tmp_path, text)
    assert "ABC01.toml" in str(caught.value)


def test_a_file_is_refused_when_it_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "no permission")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(RulebookError, match="no permission"):
        _read(tmp_path, FIRES)


def test_cases_are_looked_for_in_the_rulebook_and_beside_the_checkout_when_none_are_named(tmp_path: Path):
    assert find_cases_folder(None) == find_default_folder().parent / "fixtures" / "rules"
    assert find_cases_folder(tmp_path) == tmp_path / "cases"
    (tmp_path / "fixtures" / "rules").mkdir(parents=True)
    rules = tmp_path / "mine"
    assert find_cases_folder(rules) == tmp_path / "fixtures" / "rules"
    (rules / "cases").mkdir(parents=True)
    assert find_cases_folder(rules) == rules / "cases"


def _list_missing(tmp_path: Path, when: str, text: str) -> list[str]:
    book = load_rulebook(write_rules(tmp_path / "rules", make_rule("ABC01", 'pattern = "two_hop"', when)))
    found = check_cases([rule for rule in book.rules if rule.id == "ABC01"], _read(tmp_path, text))
    return [finding.message.removeprefix("ABC01 has no case ") for finding in found]


def test_missing_cases_are_named_when_there_are_none(tmp_path: Path):
    assert _list_missing(tmp_path, WHEN, "") == [
        "that fires",
        "blocked by all: page_count at least 3",
        "with page_count 2, at the boundary of all: page_count at least 3",
        "with page_count 3, at the boundary of all: page_count at least 3",
    ]


def test_nothing_is_missing_when_each_side_has_a_case(tmp_path: Path):
    assert _list_missing(tmp_path, WHEN, FIRES + CASE.format(2, "blocked", '["page_count"]')) == []


def test_what_the_rule_does_is_missing_when_no_case_says_it(tmp_path: Path):
    text = FIRES.replace('then = "two_hop"\n', "") + CASE.format(2, "blocked", '["page_count"]')
    assert _list_missing(tmp_path, WHEN, text) == ["that says what the rule puts into the plan (then)"]


def test_words_and_alternatives_are_missing_when_no_case_has_them(tmp_path: Path):
    when = (
        'any = [{ fact = "intent", op = "one_of", value = ["where", "count"] }, '
        '{ fact = "is_open", op = "is", value = true }]'
    )
    case = FIRES.replace("page_count = 3", 'intent = "where", is_open = true')
    assert _list_missing(tmp_path, when, case) == [
        "blocked by any: intent one of where or count",
        "that fires by any: intent one of where or count alone",
        "with intent count",
        "blocked by any: is_open is true",
        "that fires by any: is_open is true alone",
    ]


def test_a_retired_rule_needs_no_case_when_checked(tmp_path: Path):
    rule = make_rule("ABC01", 'pattern = "two_hop"', WHEN, status="retired")
    assert list(check_cases(load_rulebook(write_rules(tmp_path, rule)).rules[:1], ())) == []


@pytest.mark.parametrize(
    ("op", "value", "sides"),
    [
        ("at_least", 3, (2, 3)),
        ("below", 3, (2, 3)),
        ("at_most", 3, (3, 4)),
        ("above", 3, (3, 4)),
        ("at_least", 0, (0,)),
        ("is", 3, ()),
    ],
)
def test_a_threshold_has_two_sides_when_neither_is_negative(op: str, value: int, sides: tuple[int, ...]):
    condition = Condition.model_validate({"group": "all", "fact": "page_count", "op": op, "value": value})
    assert list_boundary(condition) == sides
