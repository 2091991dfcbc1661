"""Operators say what their names say; what cannot be compared does not load."""

from __future__ import annotations

import pytest

from pipeline.errors import RulebookError
from pipeline.policy.conditions import find_blockers, judge_condition, parse_condition
from tests.unit.policy.builders import make_facts


def _parse(fact, op, value, group="all"):
    return parse_condition({"fact": fact, "op": op, "value": value}, group, "X01.toml: rule XXX01")


@pytest.mark.parametrize(
    ("op", "value", "met_at"),
    [
        ("is", 5, {5}),
        ("one_of", [4, 6], {4, 6}),
        ("at_least", 5, {5, 6}),
        ("at_most", 5, {4, 5}),
        ("above", 5, {6}),
        ("below", 5, {4}),
    ],
)
def test_counts_are_compared_exactly_when_at_the_boundary(op, value, met_at):
    condition = _parse("page_count", op, value)
    met = {count for count in (4, 5, 6) if judge_condition(condition, make_facts(page_count=count)).is_met}
    assert met == met_at


def test_words_are_compared_when_one_of_several_will_do():
    condition = _parse("intent", "one_of", ["listing", "count"])
    assert judge_condition(condition, make_facts(intent="count")).is_met
    outcome = judge_condition(condition, make_facts(intent="lookup"))
    assert not outcome.is_met
    assert outcome.observed == "lookup"
    assert outcome.value == ("listing", "count")


def test_a_free_word_is_taken_when_the_fact_has_no_closed_list():
    assert judge_condition(_parse("document_language", "is", "xx"), make_facts(document_language="xx")).is_met


@pytest.mark.parametrize(
    ("fact", "op", "value", "words"),
    [
        ("page_counts", "is", 1, "unknown fact 'page_counts'"),
        (7, "is", 1, "unknown fact 7"),
        ("page_count", "equals", 1, "unknown operator 'equals'"),
        ("page_count", "is", "1", "'1' is not of type int"),
        ("page_count", "at_least", True, "True is not of type int"),
        ("is_listing", "is", 1, "1 is not of type bool"),
        ("is_listing", "one_of", [True], "one_of takes a list"),
        ("intent", "one_of", "listing", "one_of takes a list"),
        ("intent", "one_of", [], "one_of takes a list"),
        ("intent", "is", "listings", "unknown value 'listings'"),
        ("intent", "one_of", ["listing", "listings"], "unknown value 'listings'"),
        ("intent", "above", "listing", "only counts can be compared"),
        ("page_count", "is", 1.0, "1.0 is not of type int"),
    ],
)
def test_a_condition_does_not_load_when_it_makes_no_sense(fact, op, value, words):
    with pytest.raises(RulebookError, match=r"X01\.toml: rule XXX01") as caught:
        _parse(fact, op, value)
    assert words in str(caught.value)


@pytest.mark.parametrize("raw", ["is_listing", {"fact": "is_listing"}, {"fact": "a", "op": "is", "value": 1, "x": 1}])
def test_a_condition_does_not_load_when_its_keys_are_others(raw):
    with pytest.raises(RulebookError, match="a condition under 'any' is not"):
        parse_condition(raw, "any", "here")


def test_the_blockers_are_named_when_groups_are_mixed():
    conditions = (
        _parse("is_listing", "is", True, "all"),
        _parse("page_count", "above", 10, "any"),
        _parse("section_count", "above", 10, "any"),
        _parse("is_open", "is", True, "none"),
    )
    assert find_blockers(conditions, make_facts(is_listing=True, page_count=11)) == ()
    blocked = find_blockers(conditions, make_facts(is_open=True, page_count=10, section_count=3))
    assert [(outcome.group, outcome.fact, outcome.observed) for outcome in blocked] == [
        ("all", "is_listing", False),
        ("any", "page_count", 10),
        ("any", "section_count", 3),
        ("none", "is_open", True),
    ]
    assert find_blockers((), make_facts()) == ()
