"""What is ranked, compared and computed over entries of tables, also where the evidence is elsewhere."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.generation.extractive.between import read_between
from pipeline.generation.extractive.borders import is_beyond, read_border
from pipeline.generation.extractive.choices import read_choice
from pipeline.generation.extractive.ledger_sums import read_over_years, read_share
from pipeline.generation.extractive.ledger_top import read_top
from pipeline.generation.extractive.operated import read_operated
from pipeline.generation.extractive.undated import judge_border, judge_years
from pipeline.generation.extractive.value import read_value
from pipeline.question.alternatives import find_alternatives
from tests.unit.generation.pages import make_task, make_view, read_lexicons

ENGLISH = read_lexicons().of("en")
NAMES = ("Ropes", "Nets and Floats", "Anchors", "Buoys")


def _row(name: str, *cells: str):
    return [(0, name), *((36 + 15 * column, cell) for column, cell in enumerate(cells) if cell)]


def _set_table(values):
    """A table of net sales by segment in 2023 and 2022, with its total."""
    totals = [f"{sum(row[column] for row in values):,}" for column in (0, 1)]
    return [
        "Net sales of each segment are set out below.",
        "",
        _row("Segment", "2023", "2022"),
        *(_row(name, *(f"{value:,}" for value in row)) for name, row in zip(NAMES, values, strict=False)),
        _row("Total", *totals),
        "",
        "The segments are reviewed by the board of the company in every spring.",
    ]


SALES = _set_table([(5120, 6400), (7300, 7250), (2010, 1400), (980, 990)])


@pytest.mark.parametrize(
    ("question", "winner"),
    [
        ("Which segment had the highest net sales in 2023?", "Nets and Floats"),
        ("Which segment had the lowest net sales in 2022?", "Buoys"),
        ("Which segment's net sales fell the most in 2023?", "Ropes"),
        ("Which segment lost the most net sales in 2023?", "Ropes"),
        ("Which segment had the largest increase in net sales in 2023?", "Anchors"),
    ],
)
def test_the_member_is_named_when_a_superlative_is_of_values_or_of_changes(question: str, winner: str):
    reading = read_top(make_task(make_view(SALES), question))
    assert reading is not None
    assert [item.label for item in reading.items] == [winner]


def test_the_table_is_found_when_the_evidence_is_on_another_page():
    prose = ["The board met four times and spoke of the weather, of ropes and of the harbour."]
    task = make_task(make_view(prose, SALES), "Which segment had the highest net sales in 2023?")
    far = replace(task, evidence=task.evidence[:1])
    reading = read_top(far)
    assert reading is not None
    assert reading.items[0].citations[0].page == 2


def test_the_largest_loss_is_picked_when_all_members_fell():
    fallen = _set_table([(100, 150), (200, 500), (300, 310)])
    reading = read_top(make_task(make_view(fallen), "Which segment had the largest decrease in net sales in 2023?"))
    assert reading is not None
    assert [item.label for item in reading.items] == ["Nets and Floats"]


def test_no_level_is_told_when_nothing_fell():
    grown = _set_table([(10, 5), (20, 15), (30, 25)])
    task = make_task(make_view(grown), "Which segment's net sales fell the most in 2023?")
    assert read_top(task) is None
    assert read_operated(task) is None


def test_names_stay_whole_when_two_rows_are_compared():
    question = "Which had higher net sales in 2023, Nets and Floats or Anchors?"
    sides = find_alternatives(question, ENGLISH)
    assert sides is not None
    assert [side.text for side in sides] == ["Nets and Floats", "Anchors"]
    reading = read_choice(make_task(make_view(SALES), question))
    assert reading is not None
    assert "Nets and Floats is higher" in reading.text
    assert "7,300" in reading.text
    assert "2,010" in reading.text


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What was the average of net sales of Anchors over 2022 and 2023?", "1705"),
        ("By what percentage did net sales of Ropes change from 2022 to 2023?", "-20.0"),
        ("How much did net sales of Ropes fall between 2022 and 2023?", "-1280"),
    ],
)
def test_a_row_is_computed_on_when_two_years_are_asked(question: str, value: str):
    cover = ["Report of the harbour company on the year that has gone by, for all who own it."]
    task = make_task(make_view(cover, SALES), question)
    reading = read_between(task)
    assert reading is not None
    assert reading.items[0].value == value


def test_nothing_is_computed_when_one_of_the_years_has_no_column():
    task = make_task(make_view(SALES), "How much did net sales of Ropes fall between 2020 and 2023?")
    assert read_over_years(task) is None


def test_a_share_is_computed_when_part_and_whole_stand_in_one_column():
    reading = read_share(make_task(make_view(SALES), "What percentage of total net sales was Anchors in 2023?"))
    assert reading is not None
    assert reading.items[0].value == "13.0"


def test_no_share_is_taken_when_part_and_whole_are_of_other_figures():
    page = [
        *SALES[:3],
        [(0, "Net sales:")],
        *SALES[3:8],
        [(0, "Operating income:")],
        _row("Ropes", "310", "290"),
        _row("Anchors", "120", "100"),
    ]
    reading = read_share(make_task(make_view(page), "What percentage of total net sales was Ropes in 2023?"))
    assert reading is None or reading.items[0].value == "33.2"


@given(st.lists(st.tuples(st.integers(1, 99999), st.integers(1, 99999)), min_size=3, max_size=4))
@settings(max_examples=25, deadline=None)
def test_the_true_extreme_is_picked_when_tables_are_drawn(values):
    reading = read_top(make_task(make_view(_set_table(values)), "Which segment had the highest net sales in 2023?"))
    assert reading is not None
    best = max(row[0] for row in values)
    assert {item.label for item in reading.items} == {
        name for name, row in zip(NAMES, values, strict=False) if row[0] == best
    }


@given(st.integers(1990, 2020))
@settings(max_examples=15, deadline=None)
def test_no_figure_is_sure_when_no_column_is_of_the_year(year: int):
    task = make_task(make_view(SALES), f"What were net sales of Ropes in {year}?")
    reading = read_value(task)
    judged = judge_years(task, reading) if reading is not None else None
    assert judged is None or judged.max_confidence <= 300


def test_a_table_of_what_is_at_home_is_no_answer_when_what_is_abroad_is_asked():
    page = [_row("U.S. Stores", "Number"), _row("Rope stores", "29"), _row("Net stores", "11"), _row("Total", "40")]
    task = make_task(make_view(page), "How many rope stores are there outside the United States?")
    home = replace(task, part=task.part.model_copy(update={"text": "How many rope stores are there?"}))
    reading = read_value(home)
    assert reading is not None
    assert judge_border(task, reading) is None


@pytest.mark.parametrize(
    ("text", "side"),
    [("stores outside the United States", "abroad"), ("U.S. Stores", "home"), ("Stores", "")],
)
def test_a_text_says_a_side_of_the_border_when_it_names_one(text: str, side: str):
    assert read_border(text, ENGLISH) == side
    assert is_beyond("home", (text,), ENGLISH) is (side == "abroad")
