"""Figures of a part: the cell where the part, the figure and the year cross, and no figure of the whole."""

from __future__ import annotations

import pytest

from pipeline.generation.extractive.crossed import read_crossed
from tests.unit.generation.pages import make_task, make_view

COVER = ["Annual report of Meridian"]
STATEMENT = [
    "Statement of income",
    "(in millions)",
    [(50, "2022"), (60, "2021")],
    [(0, "Net sales"), (50, "$2,106"), (60, "$2,107")],
    [(0, "Operating income"), (51, "$311"), (61, "$434")],
    [(0, "Net income"), (51, "$201"), (61, "$302")],
]
SEGMENTS = [
    "Sales and operating income by unit (in millions)",
    "",
    [(42, "2022"), (72, "2021")],
    [(30, "Net sales"), (48, "Operating income"), (66, "Net sales"), (80, "Operating income")],
    "",
    [(0, "Towage"), (32, "$1,204"), (54, "$199"), (68, "$1,181"), (86, "$246")],
    [(0, "Rope Walk"), (34, "902"), (55, "112"), (70, "926"), (87, "188")],
    [(0, "Total company"), (32, "$2,106"), (54, "$311"), (68, "$2,107"), (86, "$434")],
]
RATES = [
    "Change of net sales by land (in millions)",
    "",
    [(40, "2022"), (50, "2021")],
    [(0, "Net sales of the North"), (38, "$1,840"), (48, "$1,809")],
    [(0, "Share of the North"), (40, "53.8 %"), (50, "51.2 %")],
    "Components of the change:",
    [(0, "Organic net sales"), (41, "2.6"), (51, "9.8")],
    [(0, "Divestitures"), (41, "(0.6)"), (51, "(0.5)")],
]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What were Towage net sales in 2022?", "$1,204 million"),
        ("What were Meridian's Towage net sales in 2021?", "$1,181 million"),
        ("What was the operating income of the Rope Walk in 2021?", "$188 million"),
        ("What were the net sales of the Rope Walk segment in 2022?", "$902 million"),
        ("What was Rope Walk's operating income in 2022?", "$112 million"),
    ],
)
def test_the_cell_of_the_part_is_read_when_the_question_names_one(question, text):
    reading = read_crossed(make_task(make_view(COVER, STATEMENT, SEGMENTS), question))
    assert reading is not None
    assert [item.text.split(" (")[0] for item in reading.items] == [text]
    assert {citation.page for item in reading.items for citation in item.citations} == {3}


def test_the_amount_is_converted_when_another_scale_is_asked():
    question = "What were Towage net sales in 2022 in USD thousands?"
    reading = read_crossed(make_task(make_view(COVER, STATEMENT, SEGMENTS), question))
    assert reading is not None
    assert (reading.items[0].value, reading.items[0].unit) == ("1204000", "USD thousands")


@pytest.mark.parametrize(
    "question",
    [
        "What were net sales in 2022?",
        "What were Meridian's net sales in 2022?",
        "What were Sailcloth net sales in 2022?",
        "What were Towage net sales in 2020?",
        "What were Towage net sales in 2021 and 2022?",
        "What was the growth of Towage net sales in 2022?",
        "What was Towage's cost of sales in 2022?",
        "What were the Towage pension costs in 2022?",
        "What were Towage net sales according to the income statement in 2022?",
    ],
)
def test_nothing_is_read_when_the_whole_another_part_or_something_computed_is_asked(question):
    assert read_crossed(make_task(make_view(COVER, STATEMENT, SEGMENTS), question)) is None


def test_a_rate_is_no_amount_when_its_sign_stands_rows_above():
    task = make_task(make_view(COVER, RATES), "What were organic net sales in 2022?")
    assert read_crossed(task) is None


def test_both_cells_are_shown_when_they_fit_alike_and_differ():
    other = [
        row if isinstance(row, str) else [(at, text.replace("1,204", "1,304")) for at, text in row] for row in SEGMENTS
    ]
    reading = read_crossed(make_task(make_view(COVER, SEGMENTS, other), "What were Towage net sales in 2022?"))
    assert reading is not None
    assert [item.text.split(" (")[0] for item in reading.items] == ["$1,204 million", "$1,304 million"]
    assert reading.caveats
