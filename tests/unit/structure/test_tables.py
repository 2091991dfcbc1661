"""Tables: one cell for each number, under its head, beside its label."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pipeline.models.structure import Table
from tests.unit.structure.pages import lay_table, make_line, make_view, stack_lines

XS = (7200, 40000, 50000)


def _rows(table: Table) -> list[dict[int, str]]:
    rows: dict[int, dict[int, str]] = {}
    for cell in table.cells:
        rows.setdefault(cell.row, {})[cell.column] = cell.text
    return [rows[number] for number in sorted(rows)]


def _read(rows, xs=XS, title: str = "") -> Table:
    lines = [make_line(title, bold=True)] if title else []
    return make_view([*lines, *lay_table(rows, xs, y=9000, first=2)]).tables_on(1)[0]


FEES = [
    ["(in thousands)", "2022", "2021"],
    ["Berth fees", "1,204", "998"],
    ["Towing", "(31)", "—"],
    ["Total", "1,173", "998"],
]


def test_values_stand_under_their_years_when_a_statement_is_read():
    table = _read(FEES, title="Statement of fees")
    assert table.header == ("(in thousands)", "2022", "2021")
    assert table.units == "in thousands"
    assert table.title == "Statement of fees"
    assert _rows(table) == [
        {0: "Berth fees", 1: "1,204", 2: "998"},
        {0: "Towing", 1: "(31)", 2: "—"},
        {0: "Total", 1: "1,173", 2: "998"},
    ]


def test_currency_signs_join_their_numbers_when_they_are_lines_of_their_own():
    lines = lay_table([["", "2022", "2021"], ["Fees", "1,204", "998"], ["Towing", "31", "12"]], XS)
    signs = [make_line("$", 1, 90, (34000, 8400)), make_line("$", 1, 91, (44000, 8400))]
    lines = sorted([*lines, *signs], key=lambda line: line.number)
    table = make_view(lines).tables_on(1)[0]
    assert _rows(table)[0] == {0: "Fees", 1: "$1,204", 2: "$998"}
    cell = next(cell for cell in table.cells if cell.text == "$1,204")
    assert {extent.line_start for extent in cell.extents} == {4, 90}


def test_a_sign_after_a_label_belongs_to_the_number_when_they_share_a_line():
    lines = lay_table([["", "2022", "2021"], ["Net fees $", "", "998"], ["Towing", "31", "12"]], XS)
    lines.insert(3, make_line("1,204 $", 1, 80, (40000 - 5 * 480, 8400)))
    table = make_view(sorted(lines, key=lambda line: line.number)).tables_on(1)[0]
    assert _rows(table)[0] == {0: "Net fees", 1: "$1,204", 2: "$998"}


def test_labels_are_one_cell_when_they_wrap():
    table = _read(
        [["", "2022", "2021"], ["Fees for berths of ships that", "", ""], ["carry oil", "7", "8"], ["Towing", "1", "2"]]
    )
    assert _rows(table)[0] == {0: "Fees for berths of ships that carry oil", 1: "7", 2: "8"}


def test_a_group_is_a_row_of_its_own_when_it_has_no_values():
    table = _read([["", "2022", "2021"], ["Fees:", "", ""], ["Berths", "7", "8"], ["Towing", "1", "2"]])
    assert _rows(table)[0] == {0: "Fees:"}


def test_leaders_are_dropped_when_they_lead_to_a_number():
    table = _read([["", "2022", "2021"], ["Berths .............", "7", "8"], ["Towing . . . . . . .", "1", "2"]])
    assert [row[0] for row in _rows(table)] == ["Berths", "Towing"]


def test_footnote_marks_are_left_out_when_they_are_raised():
    lines = lay_table([["", "2022", "2021"], ["Berths1", "7", "8"], ["Towing", "1", "2"]], XS)
    lines = [line.model_copy(update={"raised": ((6, 7),)}) if line.text == "Berths1" else line for line in lines]
    assert _rows(make_view(lines).tables_on(1)[0])[0][0] == "Berths"


def test_two_tables_are_two_when_a_new_head_begins():
    rows = [["", "2022", "2021"], ["Berths", "7", "8"], ["Towing", "1", "2"]]
    assert len(make_view(lay_table([*rows, *rows], XS)).tables_on(1)) == 2


def test_prose_is_no_table_when_it_has_numbers():
    lines = stack_lines(
        ["The port took 7 ships in 2021", "and 8 ships in 2022, which is 1 more", "than the plan said."]
    )
    assert make_view(lines).tables_on(1) == ()


WORDS = [
    ["Level", "Rules", "Means"],
    ["Low", "Rules are kept", "Means are found"],
    ["", "when someone asks.", "when there is need."],
    ["", "", ""],
    ["High", "Rules are kept", "Means are planned"],
    ["", "on every day and", "for every year."],
]


def _words(rows=WORDS, page: int = 1, y: int = 7200, first: int = 1):
    lines = []
    for row, cells in enumerate(rows):
        for column, text in enumerate(cells):
            if text:
                bold = text in ("Level", "Rules", "Means")
                at = ((7200, 20000, 40000)[column], y + 1050 * row)
                lines.append(make_line(text, page, first + len(lines), at, bold=bold))
    return lines


def test_cells_are_whole_when_their_words_wrap():
    table = make_view(_words()).tables_on(1)[0]
    assert table.header == ("Level", "Rules", "Means")
    assert _rows(table)[0] == {
        0: "Low",
        1: "Rules are kept when someone asks.",
        2: "Means are found when there is need.",
    }
    assert _rows(table)[1][1] == "Rules are kept on every day and"


def test_a_row_is_read_to_its_end_when_it_goes_on_over_the_page():
    rest = _words([["", "on every night.", "and for the next."]], page=2)
    after = [make_line("Something else is said here about the port and its many ships.", 2, 9, (7200, 20000))]
    view = make_view(
        [*_words(), *rest[:2], *_words([["Top", "Rules are shown", "Means are shown"]], 2, 9600, 3), *after]
    )
    table = view.tables_on(1)[0]
    assert table.is_continued
    assert _rows(table)[1][1] == "Rules are kept on every day and on every night."
    assert view.tables_on(2) == ()
    assert view.tables_touching(2) == (table,)


def test_a_first_cell_stands_for_its_rows_when_it_spans_them():
    rows = [["Ports", "East", "AA.B"], ["", "West", "AA.C"], ["Quays", "North", "AA.D"], ["", "South", "AA.E"]]
    table = make_view(lay_table(rows, (7200, 30000, 45000))).tables_on(1)[0]
    assert [row[0] for row in _rows(table)] == ["Ports", "Ports", "Quays", "Quays"]


numbers = st.integers(-99_999, 99_999).map(lambda value: f"({-value:,})" if value < 0 else f"{value:,}")


@given(st.lists(st.tuples(numbers, numbers), min_size=2, max_size=12))
def test_every_number_keeps_its_row_and_column_when_any_statement_is_laid_out(values):
    rows = [["", "2022", "2021"], *(["Fees and dues", one, other] for one, other in values)]
    table = _read(rows)
    assert [(row[1], row[2]) for row in _rows(table)] == values


def test_one_head_stands_for_all_columns_when_it_is_centred_over_them():
    lines = lay_table([["", "2022", "2021"], ["Berths", "70", "80"], ["Towing", "10", "20"]], XS, y=8400)
    lines.insert(0, make_line("Years ended May 31,", 1, 90, (40500, 7200)))
    table = make_view(sorted(lines, key=lambda line: line.number)).tables_on(1)[0]
    assert table.header == ("", "Years ended May 31, 2022", "Years ended May 31, 2021")


def test_heads_are_shared_by_groups_when_each_covers_as_many_columns():
    xs = (7200, 30000, 36000, 44000, 50000)
    rows = [["", "High", "Low", "High", "Low"], ["Spring", "70", "60", "50", "40"], ["Summer", "71", "61", "51", "41"]]
    lines = lay_table(rows, xs, y=8400)
    lines += [make_line("2022", 1, 90, (31500, 7200)), make_line("2021", 1, 91, (45500, 7200))]
    table = make_view(sorted(lines, key=lambda line: line.number)).tables_on(1)[0]
    assert table.header == ("", "2022 High", "2022 Low", "2021 High", "2021 Low")


def test_columns_of_words_stay_apart_when_values_follow_them():
    lines = []
    for row, cells in enumerate(
        [("Smith", "by day", "91.3"), ("Jones", "by night", "92.1"), ("Brown", "by day", "88.0")]
    ):
        for column, text in enumerate(cells):
            lines.append(make_line(text, 1, 3 * row + column + 1, ((7200, 20000, 40000)[column], 7200 + 1200 * row)))
    table = make_view(lines).tables_on(1)[0]
    assert _rows(table)[0] == {0: "Smith", 1: "by day", 2: "91.3"}


def test_a_label_goes_on_below_its_values_when_it_begins_in_small_letters():
    table = _read([["", "2022", "2021"], ["Fees of", "7", "8"], ["all ships", "", ""], ["Towing", "1", "2"]])
    assert [row.get(0) for row in _rows(table)] == ["Fees of all ships", "Towing"]


def test_a_note_ends_the_table_when_it_stands_below_it():
    table = _read([["", "2022", "2021"], ["Berths", "7", "8"], ["Towing", "1", "2"], ["(1) As of May.", "", ""]])
    assert [row.get(0) for row in _rows(table)] == ["Berths", "Towing"]


def test_the_caption_names_the_table_when_it_stands_above_it():
    lines = [make_line("Table 4. Fees", 1, 1, (7200, 6000)), *lay_table(FEES, XS, y=8400, first=2)]
    table = make_view(lines).tables_on(1)[0]
    assert (table.label, table.title) == ("4", "Fees")
