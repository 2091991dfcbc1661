"""Figures of months for questions of years, and of one year for questions of two: told with a caveat, never surely."""

from __future__ import annotations

import pytest

from pipeline.generation.extractive.reading import Reading
from pipeline.generation.extractive.shorter import SHORTER, mark_shorter
from pipeline.models.answer import Citation, Item
from tests.unit.generation.pages import make_task, make_view

PAGE = ["Segments of the mill", "", "Barge margin was 10.1 % and towage margin was 7.5 %."]
TWO_YEARS = "What was the barge margin in fiscal 2023 and in fiscal 2022?"


def read_figure(label: str, extraction: str = "verbatim") -> Reading:
    """One figure with the words of its row and column."""
    quote = Citation(ref="p1", page=1, line_start=3, line_end=3, quote=PAGE[2])
    item = Item(
        sub_question="q1", text="10.1 %", citations=(quote,), extraction=extraction, label=label, value="10.1", unit="%"
    )
    return Reading(text="10.1 %", items=(item,))


@pytest.mark.parametrize("column", ["Three Months Ended June 30, 2023", "Second quarter 2023", "Year to date 2023"])
def test_a_figure_is_doubted_when_its_column_is_of_months_and_a_year_is_asked(column):
    task = make_task(make_view(PAGE), "What was the barge margin in fiscal 2023?")
    reading = mark_shorter(task, read_figure(f"Barge margin, {column}"))
    assert reading.max_confidence == SHORTER
    assert "whole years" in reading.caveats[0]


@pytest.mark.parametrize(
    ("question", "label"),
    [
        ("What was the barge margin in the three months ended June 30, 2023?", "Three Months Ended June 30, 2023"),
        ("What was the barge margin in the second quarter of 2023?", "Three Months Ended June 30, 2023"),
        ("What was the barge margin in fiscal 2023?", "Year Ended June 30, 2023"),
        ("What was the barge margin in fiscal 2023?", "Twelve Months Ended June 30, 2023"),
        ("What was the barge margin?", "Three Months Ended June 30, 2023"),
    ],
)
def test_a_figure_stays_as_it_is_when_its_column_is_of_what_is_asked(question, label):
    reading = read_figure(label)
    assert mark_shorter(make_task(make_view(PAGE), question), reading) == reading


def test_the_other_year_is_named_when_one_figure_answers_for_two_years():
    reading = mark_shorter(make_task(make_view(PAGE), TWO_YEARS), read_figure("Barge margin, 2023"))
    assert reading.max_confidence == SHORTER
    assert reading.caveats == ("no figure for 2022 was found",)


@pytest.mark.parametrize(("label", "extraction"), [("2023 against 2022", "verbatim"), ("2023", "computed")])
def test_no_year_is_missed_when_the_figure_is_of_both_years(label, extraction):
    reading = read_figure(label, extraction)
    assert mark_shorter(make_task(make_view(PAGE), TWO_YEARS), reading) == reading
