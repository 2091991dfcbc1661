"""Raised digits: an exponent stays apart from its base, a footnote mark is no part of the value."""

from __future__ import annotations

import pytest

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
