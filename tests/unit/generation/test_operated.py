"""What is computed over the items of a list, whatever their marks, order and number."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.generation.extractive.operated import read_operated
from tests.unit.generation.pages import make_task, make_view

NAMES = ("hall", "kitchen", "yard", "piano", "tent", "organ", "stage", "store")
MARKS = ("\u2022 {}", "- {}", "({letter}) {}", "{number}. {}", "\u2013 {}")
amounts = st.decimals(Decimal("0.01"), Decimal("99999.99"), places=2)


def _make_page(values: list[tuple[str, str]], mark: str) -> list[str]:
    items = [
        mark.replace("{letter}", "abcdefgh"[at]).replace("{number}", str(at + 1)).format(f"{name}: {value}")
        for at, (name, value) in enumerate(values)
    ]
    return ["The hirer pays the following fees:", "", *items, "", "Nobody smokes in the building at EUR 77777777."]


def _ask(values: list[tuple[str, str]], question: str, mark: str = MARKS[0]):
    return read_operated(make_task(make_view(_make_page(values, mark)), question))


@st.composite
def lists(draw: st.DrawFn) -> list[tuple[str, Decimal]]:
    names = draw(st.permutations(NAMES))
    found = draw(st.lists(amounts, min_size=2, max_size=len(NAMES)))
    return list(zip(names, found, strict=False))


@settings(max_examples=60, deadline=None)
@given(lists(), st.sampled_from(MARKS))
def test_a_sum_is_that_of_the_items_when_a_list_is_generated(values: list[tuple[str, Decimal]], mark: str):
    reading = _ask([(name, f"EUR {value}") for name, value in values], "What is the sum of the fees?", mark)
    (item,) = reading.items
    assert Decimal(item.value) == sum(value for _, value in values)
    assert item.extraction == "computed"
    quotes = " ".join(citation.quote for citation in item.citations)
    assert all(f"{name}: EUR {value}" in quotes for name, value in values)


@settings(max_examples=60, deadline=None)
@given(lists(), st.sampled_from(MARKS), st.sampled_from([("highest", max), ("lowest", min)]))
def test_all_at_the_end_are_named_when_a_list_is_generated(values: list[tuple[str, Decimal]], mark: str, end):
    word, choose = end
    reading = _ask([(name, f"EUR {value}") for name, value in values], f"Which fee is the {word}?", mark)
    extreme = choose(value for _, value in values)
    assert [item.label for item in reading.items] == [name for name, value in values if value == extreme]
    assert all(item.picked for item in reading.items)


@settings(max_examples=40, deadline=None)
@given(lists(), st.randoms(use_true_random=False))
def test_the_order_of_items_does_not_matter_when_they_are_shuffled(values: list[tuple[str, Decimal]], random):
    shuffled = random.sample(values, len(values))
    for question in ("What is the sum of the fees?", "Which fee is the highest?"):
        one, other = (
            _ask([(name, f"EUR {value}") for name, value in given_values], question)
            for given_values in (values, shuffled)
        )
        assert {(item.label, item.value) for item in one.items} == {(item.label, item.value) for item in other.items}


@settings(max_examples=40, deadline=None)
@given(lists(), amounts)
def test_those_beyond_a_bound_are_counted_when_a_list_is_generated(values: list[tuple[str, Decimal]], bound: Decimal):
    fees = [(name, f"EUR {value}") for name, value in values]
    reading = _ask(fees, f"How many of the fees exceed EUR {bound}?")
    assert reading.items[0].value == str(sum(1 for _, value in values if value > bound))


def test_nothing_is_compared_when_two_currencies_are_listed():
    values = [("hall", "EUR 4"), ("kitchen", "USD 9"), ("yard", "EUR 1")]
    for question in ("Which fee is the highest?", "What is the sum of the fees?", "What is the average of the fees?"):
        reading = _ask(values, question)
        assert (reading.is_complete, [item.picked for item in reading.items]) == (False, [False] * 3)
        assert reading.caveats == ("different currencies are not compared: EUR, USD",)


def test_the_reason_is_told_when_months_and_days_have_no_order():
    values = [("hall", "1 month"), ("kitchen", "30 days"), ("yard", "1 week")]
    longest = _ask(values, "Which of the fees is the longest?")
    assert "1 month and 30 days have no certain order" in longest.caveats[0]
    (shortest,) = _ask(values, "Which of the fees is the shortest?").items
    assert shortest.label == "yard"


@pytest.mark.parametrize(
    ("question", "labels"),
    [
        ("Which fees are at least EUR 20?", ["kitchen", "yard"]),
        ("Which fees are below EUR 20?", ["hall"]),
        ("Which fees are EUR 20 or less?", ["hall", "kitchen"]),
        ("Which fees are more than EUR 10 and less than EUR 30?", ["kitchen"]),
    ],
)
def test_members_on_the_asked_side_are_listed_when_a_bound_is_set(question: str, labels: list[str]):
    values = [("hall", "EUR 10"), ("kitchen", "EUR 20"), ("yard", "EUR 30")]
    assert [item.label for item in _ask(values, question).items] == labels


def test_none_is_an_answer_when_no_member_lies_beyond_the_bound():
    reading = _ask([("hall", "EUR 10"), ("kitchen", "EUR 20")], "Which fees are above EUR 20?")
    assert [(item.text, item.value) for item in reading.items] == [("none", "0")]


def test_the_rest_is_told_when_an_item_has_no_value():
    reading = _ask([("hall", "EUR 10"), ("kitchen", "free"), ("yard", "EUR 30")], "What is the sum of the fees?")
    assert reading.items[0].value == "40"
    assert (reading.certificate.verdict, reading.caveats) == ("unverified", ("no number for kitchen",))


def test_nothing_is_computed_when_the_adjective_is_no_number():
    assert _ask([("hall", "EUR 10"), ("kitchen", "EUR 20")], "Which is the most important fee?") is None


def test_the_middle_is_given_when_a_median_is_asked_for():
    values = [("hall", "EUR 10"), ("kitchen", "EUR 70"), ("yard", "EUR 30"), ("tent", "EUR 35")]
    assert _ask(values, "What is the median of the fees?").items[0].value == "32.5"
