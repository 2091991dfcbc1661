"""Rows and heads of tables of words: numbered rows, labels in the middle of their rows, heads over several lines."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.structure.pages import make_line, make_view

LEFT, STEP, HEIGHT = 7200, 16000, 1000


def _lay(rows, pitch=1020):
    """Lines of cells given as (column, text, bold) for each baseline; None is white between rows."""
    lines, y = [], 7200
    for row in rows:
        if row is None:
            y += 400
            continue
        for column, text, is_bold in row:
            number = len(lines) + 1
            at = (LEFT + column * STEP, y)
            lines.append(make_line(text, 1, number, at, bold=is_bold, bold_prefix=len(text) if is_bold else 0))
        y += pitch
    return lines


def _read(rows, pitch=1020):
    tables = make_view(_lay(rows, pitch)).tables_on(1)
    assert len(tables) == 1
    grid = {}
    for cell in tables[0].cells:
        grid.setdefault(cell.row, {})[cell.column] = cell.text
    return [grid[number] for number in sorted(grid)], tables[0].header


def _plain(*cells):
    return [(column, text, False) for column, text in cells]


def _bold(*cells):
    return [(column, text, True) for column, text in cells]


@pytest.mark.parametrize(
    "codes",
    [("3.1", "3.2", "4.10*", "10.2.1"), ("(a)", "(b)", "(c)", "(d)"), ("2(i)", "2(ii)", "10(a)", "10(b)")],
)
def test_row_begins_with_each_number_when_rows_stand_close(codes):
    texts = ["Articles of the union", "Bylaws of the union", "Form of a licence that the", "Lease of the north quay"]
    rows = []
    for code, text in zip(codes, texts, strict=True):
        rows.append(_plain((0, code), (1, text)))
        if text.endswith("the"):
            rows.append(_plain((1, "Harbour Office gives out")))
    found, _ = _read(rows)
    assert [row[0] for row in found] == list(codes)
    assert found[2][1] == "Form of a licence that the Harbour Office gives out"


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(2, 5), st.integers(1, 5)), min_size=3, max_size=5))
def test_cells_keep_their_row_when_labels_stand_in_the_middle(sizes):
    rows, expected = [], []
    for place, (one, two) in enumerate(sizes):
        tall = max(one, two, 3)
        first = [f"Word {place} {line} of one" for line in range(tall)]
        second = [f"Word {place} {line} of two" for line in range(two)]
        for line in range(tall):
            cells = [(1, first[line])] + ([(2, second[line])] if line < two else [])
            rows.append(_plain(*([(0, f"Label {place}")] if line == tall // 2 else []), *cells))
        rows.append(None)
        expected.append({0: f"Label {place}", 1: " ".join(first), 2: " ".join(second)})
    found, _ = _read(rows[:-1])
    assert found == expected


def test_head_over_several_lines_is_read_whole_when_only_some_columns_have_more_lines():
    rows = [
        _bold((1, "Board of")),
        _bold((0, "Kind"), (1, "Rating"), (2, "Guild")),
        _plain((0, "Outlook for boats"), (1, "Stable"), (2, "Firm")),
        _plain((0, "Paper of boats"), (1, "Low"), (2, "High")),
        _plain((0, "Loans for boats"), (1, "Middle"), (2, "Middle")),
    ]
    found, header = _read(rows)
    assert header == ("Kind", "Board of Rating", "Guild")
    assert found[1] == {0: "Paper of boats", 1: "Low", 2: "High"}


def test_column_that_only_a_head_has_is_none_when_it_heads_short_labels():
    lines = _lay([_bold((2, "First"), (3, "Second")), _plain((0, "Pay"), (2, "Good"), (3, "Fair"))])
    lines = [make_line("Kinds", 1, 9, (LEFT + STEP // 2, 7200), bold=True, bold_prefix=5), *lines]
    lines += _lay([None, None, None, None, None, _plain((0, "Rest"), (2, "Poor"), (3, "None at all"))])[-3:]
    lines = [line.model_copy(update={"number": number}) for number, line in enumerate(lines, start=1)]
    tables = make_view(lines).tables_on(1)
    assert [table.header for table in tables] == [("Kinds", "First", "Second")]
