"""A table never loses, repeats or takes in a row, wherever a page break cuts it."""

from __future__ import annotations

from hypothesis import given

from pipeline.models.document import Line
from pipeline.models.structure import Table
from tests.unit.structure.pages import make_view
from tests.unit.structure.printed_tables import table_pairs, value_tables, word_tables


def _read_rows(table: Table) -> list[list[str]]:
    rows: dict[int, list[str]] = {}
    for cell in table.cells:
        rows.setdefault(cell.row, []).append(cell.text)
    return [rows[number] for number in sorted(rows)]


def _list_tables(lines: list[Line]) -> list[Table]:
    view = make_view(lines)
    return [table for page in range(1, len(view.document.pages) + 1) for table in view.tables_on(page)]


@given(value_tables())
def test_no_row_of_numbers_is_lost_when_a_page_break_cuts_a_table(printed):
    tables = _list_tables(printed.lines)
    assert [_read_rows(table) for table in tables] == [printed.rows]
    assert [list(table.header) for table in tables] == [printed.head]


@given(word_tables())
def test_no_row_of_words_is_lost_when_a_page_break_cuts_a_table(printed):
    tables = _list_tables(printed.lines)
    # a head that is not set in bold is told as the first row
    expected = [printed.rows] if any(tables[0].header) else [[printed.head, *printed.rows]]
    assert [_read_rows(table) for table in tables] == expected


@given(table_pairs())
def test_two_tables_stay_apart_when_the_second_begins_a_page(pair):
    first, second, lines = pair
    tables = _list_tables(lines)
    assert [_read_rows(table) for table in tables] == [first.rows, second.rows]
