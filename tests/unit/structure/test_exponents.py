"""Raised digits: an exponent stays apart from its base, a footnote mark is no part of the value."""

from __future__ import annotations

import pytest

from pipeline.structure.marks import find_marks
from pipeline.structure.table_cells import read_cell
from tests.unit.structure.pages import make_line


@pytest.mark.parametrize(
    ("text", "raised", "expected"),
    [
        ("2.3 · 1019", ((8, 10),), "2.3 · 10^19"),
        ("1.5 x 10 -3", ((9, 11),), "1.5 x 10^-3"),
        ("22.51", ((4, 5),), "22.5"),
        ("Goodwill1", ((8, 9),), "Goodwill"),
        ("1019", (), "1019"),
    ],
)
def test_a_power_is_marked_and_a_mark_left_out_when_digits_are_raised(text, raised, expected):
    cell = read_cell(make_line(text, raised=raised))
    assert cell.text == expected
    assert cell.is_value == any(char.isdigit() for char in expected)


def test_the_place_of_a_cell_is_that_of_its_line_when_a_caret_was_added():
    [(line, start, end)] = read_cell(make_line("2.3 · 1019", raised=((8, 10),))).pieces
    assert line.text[start:end] == "2.3 · 1019"


@pytest.mark.parametrize(
    ("text", "raised", "signs"),
    [
        ("Total net sales3", (15, 16), ["3"]),
        ("Fees of 20191", (12, 13), ["1"]),
        ("Work of n2", (9, 10), []),
        ("Area in km2", (10, 11), []),
        ("34th Street", (2, 4), []),
        ("1Amended in May", (0, 1), []),
    ],
)
def test_marks_are_found_when_what_is_raised_is_no_power(text, raised, signs):
    assert [mark.sign for mark in find_marks([make_line(text, raised=(raised,))])] == signs


@pytest.mark.parametrize(
    ("text", "raised", "expected"),
    [
        ("Work of n2", (9, 10), "Work of n2"),
        ("Fees of 20191", (12, 13), "Fees of 2019"),
        ("Other loans(a)(b)(c)", (11, 20), "Other loans"),
    ],
)
def test_end_of_a_cell_of_words_is_kept_when_it_is_a_power(text, raised, expected):
    assert read_cell(make_line(text, raised=(raised,))).text == expected
