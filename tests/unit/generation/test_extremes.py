"""Superlatives, comparisons and sums over the cells of a table."""

from __future__ import annotations

import pytest

from pipeline.generation.extractive.extremes import read_compared, read_extreme
from pipeline.generation.extractive.totals import read_total
from tests.unit.generation.pages import make_task, make_view


def _row(name: str, *cells: str):
    return [(0, name), *((30 + 15 * column, cell) for column, cell in enumerate(cells) if cell)]


HEAD = _row("Depot", "2024", "2023")
SALES = [
    "Sales of fuel by depot are set out below.",
    "",
    HEAD,
    _row("North", "1,204", "1,310"),
    _row("South", "980", "1,400"),
    _row("East", "77", "65"),
    _row("Total", "2,261", "2,775"),
    "",
    "The depots are closed on the last day of the year by order of the office.",
]


def _without_total():
    return [row for row in SALES if row[:1] != [(0, "Total")]]


def _replace(name: str, *cells: str):
    return [_row(name, *cells) if row[:1] == [(0, name)] else row for row in _without_total()]


@pytest.mark.parametrize(
    ("question", "winner", "value"),
    [
        ("Which depot had the highest sales of fuel in 2024?", "North", "1204"),
        ("Which depot had the lowest sales of fuel in 2024?", "East", "77"),
        ("Which depot had the highest sales of fuel in 2023?", "South", "1400"),
    ],
)
def test_the_member_is_named_when_a_superlative_asks_for_it(question: str, winner: str, value: str):
    item = read_extreme(make_task(make_view(SALES), question)).items[0]
    assert (item.label, item.value, item.picked, item.extraction) == (winner, value, True, "computed")
    assert item.citations[0].quote == f"{int(value):,}"


def test_the_sum_is_no_member_when_the_highest_is_asked_for():
    reading = read_extreme(make_task(make_view(SALES), "Which depot had the highest sales of fuel in 2024?"))
    assert "of 3 in 2024" in reading.text


def test_both_are_named_when_two_members_tie():
    view = make_view(_replace("South", "1,204", "1"))
    reading = read_extreme(make_task(view, "Which depot had the highest sales of fuel in 2024?"))
    assert [(item.label, item.picked) for item in reading.items] == [("North", True), ("South", True)]
    assert reading.caveats == ("2 have the same value",)


def test_none_is_named_when_members_come_twice():
    view = make_view([*_without_total()[:6], *_without_total()[3:6], *_without_total()[6:]])
    assert read_extreme(make_task(view, "Which depot had the highest sales of fuel in 2024?")) is None


@pytest.mark.parametrize(
    "question", ["Which depot sells fuel in 2024?", "What are the two highest sales of fuel in 2024?"]
)
def test_none_is_named_when_the_question_asks_for_no_single_one(question: str):
    assert read_extreme(make_task(make_view(SALES), question)) is None


def test_a_list_is_left_to_its_reader_when_the_superlative_is_of_something_else():
    view = make_view(SALES)
    assert read_extreme(make_task(view, "Which depots had the highest sales of fuel in 2024?")) is not None
    assert read_extreme(make_task(view, "Which depots had the most important sales of fuel in 2024?")) is None


def test_the_larger_is_named_when_two_are_given():
    view = make_view(SALES)
    item = read_extreme(make_task(view, "Which had higher sales of fuel in 2024, South or East?")).items[0]
    assert (item.label, item.value) == ("South", "980")
    assert read_extreme(make_task(view, "Which depots had sales of fuel higher than 500 in 2024?")) is None


def test_both_cells_and_the_difference_are_told_when_two_are_compared():
    task = make_task(make_view(SALES), "How did sales of fuel at North compare to South in 2023?")
    reading = read_compared(task)
    assert [(item.label, item.value) for item in reading.items] == [("North", "1310"), ("South", "1400")]
    assert reading.text == "North 1,310; South 1,400 in 2023: South is higher by 90"


def test_nothing_is_compared_when_one_member_is_missing():
    assert read_compared(make_task(make_view(SALES), "How did sales of fuel at North compare to West?")) is None


def test_the_printed_total_is_quoted_when_the_whole_column_is_asked_for():
    item = read_total(make_task(make_view(SALES), "What was the sum of sales of fuel of all depots in 2024?")).items[0]
    assert (item.value, item.extraction, item.citations[0].quote) == ("2261", "verbatim", "2,261")


def test_a_column_is_added_up_when_no_total_is_printed():
    reading = read_total(make_task(make_view(_without_total()), "What was the sum of sales of fuel in 2024?"))
    assert (reading.items[0].value, reading.items[0].extraction) == ("2261", "computed")
    assert [citation.quote for citation in reading.items[0].citations] == ["1,204", "980", "77"]
    assert (reading.certificate.verdict, reading.certificate.item_count) == ("complete", 3)


def test_only_named_members_are_added_when_the_question_names_them():
    task = make_task(make_view(SALES), "What were sales of fuel of North and East combined in 2023?")
    assert read_total(task).items[0].value == "1375"


def test_decimals_are_exact_when_they_are_added():
    view = make_view(_replace("South", "0.10", "1"))
    task = make_task(view, "What were sales of fuel of South and East combined in 2024?")
    assert read_total(task).items[0].value == "77.10"


def test_a_member_without_a_number_is_told_when_a_column_is_added_up():
    reading = read_total(make_task(make_view(_replace("South", "", "1")), "What was the sum of sales of fuel in 2024?"))
    assert reading.items[0].value == "1281"
    assert (reading.certificate.verdict, reading.certificate.gaps) == ("unverified", ("South",))
    assert reading.caveats == ("no number for South",)


def test_nothing_is_added_when_the_question_asks_for_no_sum():
    assert read_total(make_task(make_view(SALES), "What were sales of fuel in 2024?")) is None
