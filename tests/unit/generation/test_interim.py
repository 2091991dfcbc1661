"""Figures of parts of years: the column of the time that is asked, or none."""

from __future__ import annotations

import pytest

from pipeline.generation.extractive.doubts import mark_unsaid_years
from pipeline.generation.extractive.interim import read_interim
from pipeline.generation.extractive.reading import Reading
from pipeline.models.answer import Item
from tests.unit.generation.pages import Row, make_task, make_view

STATEMENT: list[Row] = [
    "Condensed Consolidated Statements of Income",
    [(38, "Three Months Ended June 30,"), (74, "Six Months Ended June 30,")],
    [(0, "(in thousands, except per share data)"), (42, "2023"), (58, "2022"), (78, "2023"), (94, "2022")],
    [(0, "Revenue"), (42, "$8,410"), (58, "$7,935"), (78, "$15,266"), (94, "$14,102")],
    [(0, "Cost of sales"), (42, "(5,104)"), (58, "(4,988)"), (78, "(9,731)"), (94, "(9,240)")],
    [(0, "Gross profit"), (42, "3,306"), (58, "2,947"), (78, "5,535"), (94, "4,862")],
    [(0, "Operating income"), (42, "2,097"), (58, "1,773"), (78, "3,158"), (94, "2,561")],
    [(0, "Interest expense"), (42, "(212)"), (58, "(190)"), (78, "(415)"), (94, "(377)")],
    [(0, "Income before income taxes"), (42, "1,885"), (58, "1,583"), (78, "2,743"), (94, "2,184")],
    [(0, "Income tax expense"), (42, "(471)"), (58, "(396)"), (78, "(686)"), (94, "(546)")],
    [(0, "Net income"), (42, "$1,414"), (58, "$1,187"), (78, "$2,057"), (94, "$1,638")],
    [(0, "Diluted earnings per share"), (42, "$0.47"), (58, "$0.40"), (78, "$0.69"), (94, "$0.55")],
]
QUARTERS: list[Row] = [
    "Quarterly data (unaudited)",
    [(50, "2022"), (82, "2021")],
    [(0, "(in millions)"), (38, "4th"), (46, "3rd"), (54, "2nd"), (62, "1st"), (70, "4th"), (78, "3rd"), (86, "2nd"),
     (94, "1st")],
    [(0, "Total revenues"), (38, "$284"), (46, "$251"), (54, "$242"), (62, "$233"), (70, "$247"), (78, "$241"),
     (86, "$230"), (94, "$219")],
    [(0, "Net earnings"), (38, "34"), (46, "23"), (54, "21"), (62, "24"), (70, "33"), (78, "18"), (86, "17"),
     (94, "15")],
]  # fmt: skip


@pytest.mark.parametrize(
    ("question", "value", "period"),
    [
        ("What was revenue in the three months ended June 30, 2022?", "7935", "3 months to 2022-06-30"),
        ("What was revenue for the six months ended June 30, 2023?", "15266", "6 months to 2023-06-30"),
        ("What was gross profit in the second quarter of 2023?", "3306", "3 months to 2023-06-30"),
        ("What was the year-to-date operating income?", "3158", "6 months to 2023-06-30"),
        ("What was net income for the quarter?", "1414", "3 months to 2023-06-30"),
        ("What were diluted earnings per share in the second quarter of 2022?", "0.40", "3 months to 2022-06-30"),
    ],
)
def test_the_column_of_the_time_is_read_when_two_lengths_stand_side_by_side(question, value, period):
    reading = read_interim(make_task(make_view(STATEMENT), question))
    assert reading is not None
    assert [(item.value, item.period) for item in reading.items] == [(value, period)]


def test_the_newest_quarter_is_told_when_no_period_is_named():
    reading = read_interim(make_task(make_view(STATEMENT), "How much was the operating income?"))
    assert reading is not None
    assert reading.items[0].value == "2097"
    assert any("names no period" in caveat for caveat in reading.caveats)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What were total revenues in the third quarter of 2022?", "251"),
        ("What were net earnings in the first quarter of 2021?", "15"),
    ],
)
def test_the_quarter_is_read_when_years_stand_over_its_places(question, value):
    reading = read_interim(make_task(make_view(QUARTERS), question))
    assert reading is not None
    assert [item.value for item in reading.items] == [value]


@pytest.mark.parametrize(
    "question",
    [
        "What was revenue in the nine months ended September 30, 2023?",
        "What was revenue in the fourth quarter of 2023?",
        "What was revenue in 2023?",
        "Did revenue grow in the second quarter of 2023?",
        "What was advertising expense in the second quarter of 2023?",
    ],
)
def test_nothing_is_read_when_no_column_or_row_is_of_what_is_asked(question):
    assert read_interim(make_task(make_view(STATEMENT), question)) is None


def test_amounts_for_each_share_have_no_scale_when_their_table_has_one():
    reading = read_interim(make_task(make_view(STATEMENT), "What were diluted earnings per share in Q2 2023?"))
    assert reading is not None
    assert "thousand" not in reading.text
    money = read_interim(make_task(make_view(STATEMENT), "What was net income in Q2 2023?"))
    assert money is not None
    assert "thousand" in money.text


def test_a_figure_of_a_year_is_doubted_when_a_quarter_is_asked():
    task = make_task(make_view(STATEMENT), "What was revenue in the third quarter of 2023?")
    item = Item(sub_question=task.part.id, text="$29,900", period="2023", citations=(), extraction="verbatim")
    doubted = mark_unsaid_years(task, Reading(text="$29,900", items=(item,), has_typed_fit=True))
    assert not doubted.has_typed_fit
    assert any("third quarter" in caveat for caveat in doubted.caveats)


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("How many employees were there as of December 31, 2022?", ()),
        ("How many pilots were there as of December 31, 2022?", ("412",)),
        ("How many tugs were there as of December 31, 2022?", ("37",)),
    ],
)
def test_a_row_is_counted_when_the_counted_noun_is_not_a_mere_part_of_its_name(question, values):
    page: list[Row] = [
        "Balance Sheet",
        [(50, "December 31, 2022"), (80, "December 31, 2021")],
        [(0, "Employee benefit obligations"), (50, "12,974"), (80, "15,410")],
        [(0, "Pilots"), (50, "412"), (80, "398")],
        [(0, "Number of tugs"), (50, "37"), (80, "35")],
        [(0, "Berths of the harbour"), (50, "88"), (80, "88")],
    ]
    reading = read_interim(make_task(make_view(["Annual report"], page), question))
    assert tuple(item.value for item in (reading.items if reading else ())) == values
