"""Facts found for rules: they do what was asked for, no nearer ones do, and none is found only where there are none."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pipeline.models.facts import Facts
from pipeline.policy.cases import make_facts
from pipeline.policy.conditions import Condition, find_blockers, is_value_met
from pipeline.policy.facts import list_facts, read_fact
from pipeline.policy.invariants import find_broken
from pipeline.policy.solving import (
    Literal,
    find_nearest,
    join_ways,
    list_blocking_ways,
    list_firing_ways,
)
from tests.unit.policy.builders import any_facts


def _make(fact: str, op: str, value: object, group: str = "all") -> Condition:
    return Condition.model_validate({"group": group, "fact": fact, "op": op, "value": value})


@st.composite
def any_condition(draw: st.DrawFn) -> Condition:
    name = draw(st.sampled_from(list(list_facts())))
    kind = list_facts()[name]
    group = draw(st.sampled_from(["all", "any", "none"]))
    if kind.type is bool:
        return _make(name, "is", draw(st.booleans()), group)
    if kind.type is int:
        op = draw(st.sampled_from(["at_least", "at_most", "above", "below", "is"]))
        return _make(name, op, draw(st.integers(0, 20)), group)
    words = kind.words or ("en", "pt", "zh")
    if draw(st.booleans()):
        return _make(name, "is", draw(st.sampled_from(words)), group)
    return _make(
        name, "one_of", tuple(draw(st.lists(st.sampled_from(words), min_size=1, max_size=3, unique=True))), group
    )


some_conditions = st.lists(any_condition(), max_size=4).map(tuple)
# facts of real runs keep the invariants; what is drawn at random seldom does, so it is drawn near an uneventful run
possible_facts = any_facts.map(
    lambda drawn: find_nearest(
        [tuple(_pin(drawn, name) for name in ("intent", "page_count", "is_open"))], make_facts({})
    )
).map(lambda found: found.facts if found else make_facts({}))


def _pin(facts: Facts, name: str) -> Literal:
    return Literal(_make(name, "is", read_fact(facts, name)), True)


def _holds(ways: tuple[tuple[Literal, ...], ...], facts: Facts) -> bool:
    return any(
        all(is_value_met(c.op, read_fact(facts, c.fact), c.value) == is_met for c, is_met in way) for way in ways
    )


@given(some_conditions, any_facts)
def test_a_way_to_fire_holds_exactly_when_nothing_blocks(conditions: tuple[Condition, ...], facts: Facts):
    assert _holds(list_firing_ways(conditions), facts) == (not find_blockers(conditions, facts))


@given(some_conditions, any_facts)
def test_a_way_to_block_holds_exactly_when_something_blocks(conditions: tuple[Condition, ...], facts: Facts):
    assert _holds(list_blocking_ways(conditions), facts) == bool(find_blockers(conditions, facts))


@given(some_conditions, possible_facts)
def test_facts_that_are_found_fire_and_are_possible_when_searched(conditions: tuple[Condition, ...], start: Facts):
    found = find_nearest(list_firing_ways(conditions), start)
    if found is None:
        return
    assert not find_blockers(conditions, found.facts)
    assert find_broken(found.facts) == ()
    assert found.changes == tuple(
        (name, read_fact(found.facts, name))
        for name in Facts.model_fields
        if read_fact(found.facts, name) != read_fact(start, name)
    )


@given(some_conditions, possible_facts, possible_facts)
def test_no_possible_facts_are_nearer_when_others_fire_too(
    conditions: tuple[Condition, ...], start: Facts, other: Facts
):
    if find_blockers(conditions, other):
        return
    found = find_nearest(list_firing_ways(conditions), start)
    assert found is not None
    differing = sum(1 for name in Facts.model_fields if read_fact(other, name) != read_fact(start, name))
    assert len(found.changes) <= differing


def test_nothing_is_found_when_conditions_contradict_each_other():
    conditions = (_make("page_count", "at_least", 9), _make("page_count", "below", 9))
    assert find_nearest(list_firing_ways(conditions), make_facts({})) is None


def test_nothing_is_found_when_only_an_invariant_forbids_it():
    conditions = (_make("has_usable_outline", "is", True), _make("section_source", "is", "typography"))
    assert find_nearest(list_firing_ways(conditions), make_facts({})) is None
    conditions = (_make("scanned_page_count", "above", 5), _make("page_count", "below", 5))
    assert find_nearest(list_firing_ways(conditions), make_facts({})) is None


def test_facts_that_are_tied_change_along_when_one_must():
    found = find_nearest(list_firing_ways((_make("has_usable_outline", "is", True),)), make_facts({}))
    assert found is not None
    assert dict(found.changes) == {
        "has_usable_outline": True,
        "has_sections": True,
        "section_source": "outline",
        "section_count": 1,
    }


def test_a_word_outside_the_list_is_found_when_the_words_of_a_fact_are_open():
    conditions = (_make("document_language", "one_of", ("en", "pt"), "none"),)
    found = find_nearest(list_firing_ways(conditions), make_facts({}))
    assert found is not None
    assert found.facts.document_language not in ("en", "pt")


def test_combinations_are_bounded_when_ways_are_many():
    ways = tuple((Literal(_make("page_count", "is", count), True),) for count in range(100))
    assert sum(1 for _ in join_ways(ways, ways)) == 4096
