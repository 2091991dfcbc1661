"""Mixed columns are taken apart at their gutter; tables and plain pages stay as they are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fixtures.build import build_document
from pipeline.models.settings import Settings
from pipeline.parsing import parse_document
from pipeline.parsing.reflow import find_gutters, reflow_lines
from tests.unit.structure.pages import make_line

LEFT = ("The mill stands on", "the bank of the", "river and it was", "built by a weaver", "with his two sons")
RIGHT = ("Its wheel measures", "seven metres across", "and turns four times", "while the sluice is", "open in the day")


def _mix(*columns, step=1500, width=14000):
    """Columns drawn line by line across."""
    lines = []
    for row in range(len(columns[0])):
        for at, column in enumerate(columns):
            box = (7200 + at * 20000, 7200 + row * step, 7200 + at * 20000 + width, 8400 + row * step)
            lines.append(make_line(column[row], number=len(lines) + 1).model_copy(update={"box": box}))
    return lines


def test_columns_are_read_one_after_the_other_when_they_were_drawn_across():
    flow = reflow_lines(_mix(LEFT, RIGHT))
    assert [line.text for line, _ in flow] == [*LEFT, *RIGHT]
    assert [column for _, column in flow] == [1] * 5 + [2] * 5


def test_three_columns_are_told_apart_when_each_has_a_gutter():
    third = ("A third one tells", "of the miller who", "was never seen on", "a Sunday and who", "kept bees at home")
    assert [line.text for line, _ in reflow_lines(_mix(LEFT, RIGHT, third))] == [*LEFT, *RIGHT, *third]


def test_bands_stay_above_each_other_when_a_line_spans_the_columns():
    lines = _mix(LEFT, RIGHT)
    title = make_line("The mill of Oldmere and its wheel", number=99).model_copy(
        update={"box": (7200, 5000, 41000, 6000)}
    )
    assert [line.text for line, _ in reflow_lines([title, *lines])] == [
        "The mill of Oldmere and its wheel",
        *LEFT,
        *RIGHT,
    ]


@pytest.mark.parametrize(
    "columns",
    [
        (("Parish rate", "Rent of the hall", "Mowing the green", "Repairs to it", "Other costs"), ("9,400",) * 5),
        (("Term of lease", "Yearly rent", "First deposit", "Notice period", "Law that governs"), tuple(
            f"{text} as agreed." for text in ("Ten years", "Two halves", "One month", "Three months", "The law")
        )),
        (LEFT[:3], RIGHT[:3]),
    ],
)  # fmt: skip
def test_nothing_is_mixed_when_rows_are_those_of_a_table_or_few(columns):
    assert find_gutters(_mix(*columns)) == ()
    assert reflow_lines(_mix(*columns)) == ()


@given(st.integers(4, 9), st.integers(2, 3), st.integers(8000, 17000))
def test_no_line_is_lost_or_invented_when_columns_are_mixed(rows, count, width):
    columns = [tuple(f"and word{at} {row} goes on" for row in range(rows)) for at in range(count)]
    lines = _mix(*columns, width=width)
    flow = [line.text for line, _ in reflow_lines(lines)]
    assert flow == [text for column in columns for text in column]


def test_the_check_names_the_page_when_a_document_mixes_its_columns(tmp_path):
    mixed = parse_document(build_document("mixed_columns", tmp_path), Settings())
    assert mixed.pages[0].failed_checks == ("mixed_columns",)
    sound = parse_document(build_document("columns", tmp_path), Settings())
    assert all("mixed_columns" not in page.failed_checks for page in sound.pages)
