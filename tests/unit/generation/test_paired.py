"""Gaps and sums of two figures of a table whose heads have two levels: everything but the sides is alike."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.generation.extractive.ledger_sums import asks_turn, read_over_years
from pipeline.generation.extractive.operated import mark_uncomputed, read_operated
from pipeline.generation.extractive.paired import read_paired
from pipeline.generation.extractive.passage import read_passage
from tests.unit.generation.pages import make_task, make_view


def _row(name: str, *cells: str):
    return [(0, name), *((36 + 60 * column, cell) for column, cell in enumerate(cells) if cell)]


def _set(span: str, plain, adjusted):
    """Operating income of two segments in two years, plain and adjusted, under heads that say year and segment."""
    heads = [f"{span} {year} {name}" for year in (2022, 2023) for name in ("Ferns", "Hard Moss")]
    return [
        "Adjusted operating income is reconciled to operating income by segment below.",
        "",
        _row("(in millions)", *heads),
        _row("Operating income", *(f"{value:,}" for value in plain)),
        _row("Write-downs", *(f"{b - a:,}" for a, b in zip(plain, adjusted, strict=True))),
        _row("Adjusted operating income", *(f"{value:,}" for value in adjusted)),
        "",
        "The segments are reviewed by the board of the company in every spring.",
    ]


YEARS = _set("Year Ended June 30,", (1101, 265, 1357, 225), (1517, 289, 1429, 266))
QUARTERS = _set("Three Months Ended June 30,", (210, 87, 283, 62), (449, 96, 387, 73))
NOTES = [
    "Fair values of the notes are estimated as follows.",
    "",
    _row("(in millions)", "2020 Carrying Value", "2020 Fair Value", "2019 Carrying Value", "2019 Fair Value"),
    _row("2025 Notes", "858", "1,912", "801", "1,200"),
    _row("2027 Notes", "458", "644", "401", "500"),
]


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What is the difference between Ferns and Hard Moss adjusted operating income in 2023?", "1163"),
        ("What is the difference in operating income between Ferns and Hard Moss in 2022?", "836"),
        ("By how much did adjusted operating income of Ferns exceed that of Hard Moss in 2022?", "1228"),
        ("What is the sum of Ferns and Hard Moss adjusted operating income in 2022?", "1806"),
        (
            (
                "What is the difference between Ferns and Hard Moss operating income for the three months ended "
                "June 30, 2023?"
            ),
            "221",
        ),
    ],
)
def test_both_levels_of_the_heads_are_kept_when_two_figures_are_put_together(question: str, value: str):
    reading = read_paired(make_task(make_view(YEARS, QUARTERS), question))
    assert reading is not None
    assert [item.value for item in reading.items] == [value]


def test_a_year_in_a_name_is_no_year_of_a_column_when_it_stands_before_the_name():
    question = "What is the difference between the fair value and the carrying value of the 2025 Notes in 2020?"
    reading = read_paired(make_task(make_view(NOTES), question))
    assert reading is not None
    assert [(item.value, item.period) for item in reading.items] == [("1054", "2020")]


@pytest.mark.parametrize(
    "question",
    [
        "What is the difference between Ferns and Hard Moss?",
        "What is the difference between Ferns and Corals adjusted operating income in 2023?",
        "What is the difference between Ferns and Hard Moss adjusted operating income in 2019?",
        (
            "What is the difference between Ferns and Hard Moss adjusted operating income for the six months ended "
            "June 30, 2023?"
        ),
    ],
)
def test_nothing_is_subtracted_when_a_figure_a_side_a_year_or_a_span_is_not_in_the_table(question: str):
    assert read_paired(make_task(make_view(YEARS, QUARTERS), question)) is None


def test_both_are_told_with_doubt_when_two_tables_say_as_much_and_differ():
    other = _set("Year Ended June 30,", (1, 2, 3, 4), (50, 60, 70, 80))
    question = "What is the difference between Ferns and Hard Moss adjusted operating income in 2023?"
    reading = read_paired(make_task(make_view(YEARS, other), question))
    assert reading is not None
    assert {item.value for item in reading.items} == {"1163", "10"}
    assert reading.max_confidence <= 500


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("By how much did adjusted operating income of Ferns change from 2022 to 2023?", "-88"),
        ("What was the change in Hard Moss operating income between 2022 and 2023?", "-40"),
        (
            (
                "How did Hard Moss adjusted operating income change from the three months ended June 30, 2022 to the "
                "three months ended June 30, 2023?"
            ),
            "-23",
        ),
    ],
)
def test_a_change_is_of_one_column_kind_when_years_stand_over_segments(question: str, value: str):
    reading = read_operated(make_task(make_view(YEARS, QUARTERS), question))
    assert reading is not None
    assert [item.value for item in reading.items] == [value]


def test_no_change_is_computed_when_the_reason_for_it_is_asked():
    task = make_task(make_view(YEARS), "Why did Ferns operating income increase between 2022 and 2023?")
    assert not asks_turn(task)


def test_a_row_under_its_own_name_is_read_when_a_longer_one_says_more_of_the_question():
    page = [
        "The costs of the plans of the company are as follows.",
        "",
        _row("(in millions)", "2022 Home plans", "2022 Foreign plans", "2021 Home plans", "2021 Foreign plans"),
        _row("Service cost", "105", "22", "102", "25"),
        _row("Other changes of prior service cost of plans", "6", "1", "4", "1"),
    ]
    task = make_task(make_view(page), "How did service cost of the Foreign plans change from 2021 to 2022?")
    reading = read_over_years(task)
    assert reading is not None
    assert reading.items[0].value == "-3"


def test_a_passage_is_doubted_when_a_gap_of_figures_of_a_year_was_asked():
    page = ["Ferns and Hard Moss are the two segments of the company, which were reviewed in 2023."]
    question = "What is the difference between Ferns and Hard Moss adjusted operating income in 2023?"
    task = make_task(make_view(page), question)
    passage = read_passage(task)
    assert passage is not None
    assert mark_uncomputed(task, passage).max_confidence <= 300


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(min_value=10, max_value=9000), min_size=4, max_size=4, unique=True))
def test_the_gap_is_that_of_the_asked_year_when_any_figures_are_printed(adjusted: list[int]):
    page = _set("Year Ended June 30,", (1, 2, 3, 4), adjusted)
    for at, year in ((0, 2022), (2, 2023)):
        question = f"What is the difference between Ferns and Hard Moss adjusted operating income in {year}?"
        reading = read_paired(make_task(make_view(page), question))
        assert reading is not None
        assert reading.items[0].value == str(abs(adjusted[at] - adjusted[at + 1]))
