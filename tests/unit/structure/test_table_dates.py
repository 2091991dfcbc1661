"""Dates in heads: several in one line, days over their years, and quarters that begin another table."""

from __future__ import annotations

from pipeline.structure.table_dates import is_inner_head
from tests.unit.structure.pages import make_view
from tests.unit.structure.printed_heads import CHARACTER, LEVEL, WRAP, Over, Sheet, edge, find, lay

ROWS = "Ropes|1,603|1,499\nSails|110|104"


def test_each_column_has_its_day_when_two_days_are_set_in_one_line():
    sheet = Sheet()
    text = "January 28, January 29,"
    sheet.put(text, edge(2) - CHARACTER * len(text) // 2)
    sheet.y += WRAP
    sheet.set_heads([Over("2023", 1, 1), Over("2022", 2, 2)])
    sheet.set_rows(ROWS)
    assert sheet.read().header[1:] == ("January 28, 2023", "January 29, 2022")


def test_a_day_stays_over_its_year_when_its_neighbours_say_whole_dates():
    heads = [[Over("July 29, 2023", 1, 1), Over("January 28,/2023", 2, 2), Over("July 30, 2022", 3, 3)]]
    table = lay(heads, "Ropes|104|280|17\nSails|117|203|26")
    assert table.header[1:] == ("July 29, 2023", "January 28, 2023", "July 30, 2022")
    assert find(table, "Sails", "January") == ["203"]


def test_one_name_over_two_groups_leaves_the_years_out_when_it_comes_twice():
    heads = [
        [Over("FOURTH QUARTER", 1, 5), Over("TWELVE MONTHS", 6, 10)],
        [Over("Percent Change", 3, 5), Over("Percent Change", 8, 10)],
        [Over(name, at, at) for at, name in enumerate(("2022", "2021", "Total", "Ships", "Rates") * 2, 1)],
    ]
    table = lay(heads, "North|7|8|2|3|4|17|18|12|13|14\nSouth|7|8|2|3|4|17|18|12|13|14", signs=False)
    assert [("Percent" in head) for head in table.header[1:]] == [False, False, True, True, True] * 2


def test_a_table_ends_when_quarters_head_another_one_below_it():
    sheet = Sheet()
    for year in ("2017", "2016"):
        sheet.set_heads([Over("1st", 1, 1), Over("2nd", 2, 2), Over("3rd", 3, 3), Over("4th", 4, 4), Over(year, 5, 5)])
        sheet.set_rows("Dues|84|85|89|134|394\nCosts|37|28|31|88|185")
        sheet.y += LEVEL // 2
    tables = make_view(sheet.lines).tables_on(1)
    assert [table.header[-1] for table in tables] == ["2017", "2016"]


def test_a_row_is_no_head_when_it_holds_amounts():
    assert is_inner_head(["Q1", "Q2", "Q3", "Q4"])
    assert is_inner_head(["September 30", "December 31", "March 31", "Total"])
    assert not is_inner_head(["Dues", "84", "85", "89"])
    assert not is_inner_head(["Level 1", "Level 2", "Level 3"])
