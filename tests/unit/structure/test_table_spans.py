"""Heads over several columns: each of them has the head, no other has it, and wrapped names stay whole."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.structure.printed_heads import LEVEL, Over, Sheet, edge, find, lay

SEGMENTS = """
Harbour dues|1,204|33.9 %|199|1,181|33.9 %|246|(3.2)%|(51.4)%
Towage|902|26.0|112|926|26.2|188|(3.9)|(46.2)
All quays|2,106|100.0 %|311|2,107|100.0 %|434|(0.1)%|(11.3)%
"""
BY_YEAR = [
    [Over("2022", 1, 3), Over("2021", 4, 6), Over("% change", 7, 8)],
    [
        Over("Net Dues", 1, 1), Over("% of Total", 2, 2), Over("Operating/Income (Loss)", 3, 3),
        Over("Net Dues", 4, 4), Over("% of Total", 5, 5), Over("Operating/Income (Loss)", 6, 6),
        Over("Net Dues", 7, 7), Over("Operating Income/(Loss)", 8, 8),
    ],
]  # fmt: skip


@pytest.mark.parametrize(
    ("label", "path", "value"),
    [
        ("Harbour dues", ("2022", "Net Dues"), "$1,204"),
        ("Harbour dues", ("2022", "% of Total"), "33.9 %"),
        ("Harbour dues", ("2022", "Operating Income"), "$199"),
        ("Harbour dues", ("2021", "Net Dues"), "$1,181"),
        ("Harbour dues", ("2021", "Operating Income (Loss)"), "$246"),
        ("Towage", ("2021", "% of Total"), "26.2"),
        ("Towage", ("2021", "Operating"), "188"),
        ("Towage", ("% change", "Net Dues"), "(3.9)"),
        ("Towage", ("% change", "Operating Income (Loss)"), "(46.2)"),
        ("All quays", ("2022", "Operating"), "311"),
    ],
)
def test_a_cell_is_found_by_its_row_and_both_heads_when_a_year_stands_over_three_columns(label, path, value):
    assert find(lay(BY_YEAR, SEGMENTS, stub="(Amounts in millions)"), label, *path) == [value]


def test_the_head_of_the_labels_is_no_head_of_a_column_when_years_are_spread():
    table = lay(BY_YEAR, SEGMENTS, stub="(Amounts in millions)")
    assert table.header[0] == "(Amounts in millions)"
    assert table.units == "Amounts in millions"
    assert not any("millions" in head for head in table.header[1:])


QUAYS = """
Dues (thousands)|18,400|9,901|5,928|77|34,306
% of all dues|53.8|28.9|17.3||100.0
Components of the change:
  New ships|2.6|0.3|(0.6)||1.2
  Rates|(0.6)|(0.4)|(0.6)||(0.5)
"""


def test_a_wrapped_name_stays_over_its_column_when_it_stands_in_the_middle_of_all():
    heads = [
        [Over("Year ended May 31, 2022", 1, 5)],
        [Over("North", 1, 1), Over("East", 2, 2), Over("South, Old Town/& Islands", 3, 3),
         Over("Other", 4, 4), Over("All", 5, 5)],
    ]  # fmt: skip
    table = lay(heads, QUAYS)
    assert table.header[1:] == tuple(
        f"Year ended May 31, 2022 {name}" for name in ("North", "East", "South, Old Town & Islands", "Other", "All")
    )
    assert find(table, "New ships", "2022", "South") == ["(0.6)"]
    assert find(table, "Dues (thousands)", "2022", "Other") == ["$77"]


STORES = """
Berths|956|2|(20)|938|1|(14)|925
Cranes|14|2|-|16|3|-|19
"""


def test_a_year_stands_over_one_and_three_columns_when_the_first_has_only_its_close():
    close = "Total/at End of/Year"
    heads = [
        [Over("2021", 1, 1), Over("2022", 2, 4), Over("2023", 5, 7)],
        [Over(close, 1, 1), Over("New", 2, 2), Over("Closed", 3, 3), Over(close, 4, 4),
         Over("New", 5, 5), Over("Closed", 6, 6), Over(close, 7, 7)],
    ]  # fmt: skip
    table = lay(heads, STORES, signs=False)
    assert find(table, "Berths", "2021", "Total at End of Year") == ["956"]
    assert find(table, "Berths", "2022") == ["2", "(20)", "938"]
    assert find(table, "Cranes", "2023", "New") == ["3"]
    assert find(table, "Berths", "2023", "Closed") == ["(14)"]


CHANGES = """
Cost of quays|17,746|16,581|1,165|7.0 %
Cost of tugs|25,134|20,523|4,611|22.5
"""


def test_a_change_stands_over_its_amount_and_its_rate_only_when_years_stand_beside_it():
    heads = [
        [Over("Increase/(Decrease)", 3, 4)],
        [Over("2022", 1, 1), Over("2021", 2, 2), Over("2022 vs. 2021", 3, 4)],
    ]
    table = lay(heads, CHANGES, stub="Years Ended May 31,")
    assert table.header[1:] == ("2022", "2021", *["Increase (Decrease) 2022 vs. 2021"] * 2)
    assert find(table, "Cost of tugs", "Increase") == ["4,611", "22.5"]


def test_three_levels_are_read_when_a_time_and_a_change_stand_over_years_and_signs():
    heads = [
        [Over("Change", 4, 7)],
        [Over("Year Ended May 31,", 1, 3), Over("2022 vs. 2021", 4, 5), Over("2021 vs. 2020", 6, 7)],
        [Over("2022", 1, 1), Over("2021", 2, 2), Over("2020", 3, 3),
         Over("Amount", 4, 4), Over("Rate", 5, 5), Over("Amount", 6, 6), Over("Rate", 7, 7)],
    ]  # fmt: skip
    table = lay(heads, "Dues|85|76|69|9|12.1 %|7|9.8 %\nTowage|56|55|57|1|2.2 %|(2)|(2.6)%")
    assert find(table, "Towage", "Year Ended", "2020") == ["57"]
    assert find(table, "Dues", "Change", "2022 vs. 2021", "Rate") == ["12.1 %"]
    assert find(table, "Towage", "Change", "2021 vs. 2020", "Amount") == ["(2)"]
    assert find(table, "Dues", "Change") == ["$9", "12.1 %", "$7", "9.8 %"]
    assert not any("Change" in head for head in table.header[1:4])


LOSSES = """
Short ropes:
Hemp|41,711|(162)|2,505|(2)|44,216|(164)
Wire|15,255|(14)|7|(8)|15,262|(22)
"""


def test_a_date_and_a_time_stand_over_their_columns_when_names_of_three_lines_are_below():
    pair = [("Fair Value", 0), ("Gross/Unrealized/Losses", 1)]
    heads = [
        [Over("May 31, 2020", 1, 6)],
        [Over("Less than 12 months", 1, 2), Over("Greater than 12 months", 3, 4), Over("Total", 5, 6)],
        [Over(text, first + step, first + step) for first in (1, 3, 5) for text, step in pair],
    ]
    table = lay(heads, LOSSES)
    assert all(head.startswith("May 31, 2020 ") for head in table.header[1:])
    assert find(table, "Hemp", "Less than 12 months", "Unrealized Losses") == ["(162)"]
    assert find(table, "Wire", "Greater than 12 months", "Fair Value") == ["7"]
    assert find(table, "Wire", "Total", "Losses") == ["(22)"]


PENSIONS = """
Interest rate|4.36 %|3.68 %|4.21 %|2.50 %|2.41 %|2.54 %
Growth|4.10|4.10|4.10|2.90|2.90|2.80
"""


def test_lands_stand_over_three_years_each_when_all_levels_have_one_distance():
    years = [Over(str(2018 - place % 3), place + 1, place + 1) for place in range(6)]
    heads = [[Over("Pension Plans", 1, 6)], [Over("Home", 1, 3), Over("Abroad", 4, 6)], years]
    for distance in (LEVEL, 830):
        table = lay(heads, PENSIONS, signs=False, pitch=distance)
        assert find(table, "Growth", "Pension Plans", "Abroad", "2016") == ["2.80"]
        assert find(table, "Interest rate", "Home", "2018") == ["4.36 %"]
        assert find(table, "Interest rate", "Home") == ["4.36 %", "3.68 %", "4.21 %"]


def test_a_name_over_two_years_each_is_spread_when_its_levels_stand_close():
    sheet = Sheet()
    years = [Over(year, place, place) for place, year in enumerate(("2018", "2017") * 2, 1)]
    for level in ([Over("Ropes", 1, 2), Over("Sails", 3, 4)], years):
        sheet.set_heads(level)
        sheet.y -= LEVEL - 820
    sheet.set_rows("Stock|7|8|9|10\nOrders|11|12|13|14")
    assert sheet.read().header[1:] == ("Ropes 2018", "Ropes 2017", "Sails 2018", "Sails 2017")


def test_a_year_stands_over_amount_and_rate_when_only_the_amounts_have_a_sign():
    table = lay(
        [[Over("2022", 1, 2), Over("2021", 3, 4)]], "Dues|3,642|100.0 %|3,507|100.0 %\nCosts|1,642|45.1 %|1,507|43.0 %"
    )
    assert table.header[1:] == ("2022", "2022", "2021", "2021")


def test_words_are_parted_when_they_were_read_as_one_head():
    sheet = Sheet()
    sheet.put("Other", edge(1) + 2475)
    sheet.put("Retained Treasury", edge(3) - 2805)
    sheet.y += 820
    for text, x in (("Income", edge(1) + 2310), ("Earnings", edge(3) - 2805), ("Stock", edge(3) + 660)):
        sheet.put(text, x)
    sheet.y += LEVEL
    sheet.set_rows("Opening|11,468|36,296|(23,308)\nClosing|12,468|37,296|(24,308)")
    assert sheet.read().header[1:] == ("Other Income", "Retained Earnings", "Treasury Stock")


def test_a_title_in_larger_type_heads_no_group_when_it_stands_in_the_middle_of_the_page():
    sheet = Sheet()
    sheet.set_heads([Over("2022", 1, 2), Over("2021", 3, 4)])
    sheet.set_heads([Over("Dues", 1, 1), Over("Costs", 2, 2), Over("Dues", 3, 3), Over("Costs", 4, 4)])
    sheet.set_rows("North|7|8|9|10\nSouth|11|12|13|14")
    title = "Summary of the Quays"
    middle = (3000 + edge(5)) // 2
    line = sheet.lines[0].model_copy(
        update={
            "text": title, "number": len(sheet.lines) + 1, "size": 1000,
            "box": (middle - 220 * len(title), 5600, middle + 220 * len(title), 6600),
        }
    )  # fmt: skip
    sheet.lines.append(line)
    table = sheet.read()
    assert len({title in head for head in table.header[1:]}) == 1
    assert find(table, "South", "2021", "Costs") == ["14"]


def test_marks_of_notes_make_no_column_when_they_follow_labels():
    sheet = Sheet()
    sheet.set_heads([Over("2022", 1, 1), Over("2021", 2, 2)])
    for row, (label, *values) in enumerate((("Ropes", "7", "8"), ("Sails", "9", "10"), ("Masts", "11", "12"))):
        sheet.put(label, 3000)
        sheet.put(f"({row + 1})", 3000 + 330 * len(label) + 200)
        for column, value in enumerate(values, 1):
            sheet.put(value, edge(column + 1) - 700 - 330 * len(value))
        sheet.y += LEVEL
    table = sheet.read()
    assert table.header == ("", "2022", "2021")
    assert find(table, "Sails (2)", "2021") == ["10"]


@given(
    sizes=st.lists(st.integers(1, 3), min_size=2, max_size=4),
    signs=st.booleans(),
    is_wrapped=st.booleans(),
)
def test_every_column_has_the_head_of_its_group_when_groups_have_any_size(sizes, signs, is_wrapped):
    groups, leaves, first = [], [], 1
    for place, size in enumerate(sizes):
        groups.append(Over(str(2022 - place), first, first + size - 1))
        names = ["Dues", "Costs", "Result/(Loss)" if is_wrapped else "Result"][:size]
        leaves += [Over(name, first + step, first + step) for step, name in enumerate(names)]
        first += size
    row = "|".join(str(100 + column) for column in range(1, first))
    table = lay([groups, leaves], f"North|{row}\nSouth|{row}", signs=signs)
    wanted = [
        f"{group.text} {leaf.text.replace('/', ' ')}"
        for group in groups
        for leaf in leaves
        if group.first <= leaf.first <= group.last
    ]
    assert list(table.header[1:]) == wanted


REPEATED = "Fern|10|20|30|40|11|21|31|41\nMoss|12|22|32|42|13|23|33|43"


def _lay_twice(upper: str, lower: str):
    """Two years over four columns each, where the name of the second one has two lines."""
    names = ("Ferns", f"{upper}/{lower}", "Other", "Total")
    heads = [
        [Over("Year 2022", 1, 4), Over("Year 2023", 5, 8)],
        [Over(name, at, at) for at, name in enumerate(names * 2, 1)],
    ]
    return lay(heads, REPEATED, signs=False)


@pytest.mark.parametrize(("upper", "lower"), [("Hard", "Planting"), ("Accumulated", "wear"), ("Pre-", "Season")])
def test_a_line_of_a_name_heads_no_group_when_it_comes_again_in_each_group(upper: str, lower: str):
    table = _lay_twice(upper, lower)
    assert [upper in head for head in table.header[1:]] == [False, True, False, False] * 2
    assert find(table, "Moss", "2023", lower) == ["23"]


def test_a_name_wider_than_what_is_below_it_heads_its_group_when_it_comes_again():
    heads = [
        [Over("Year 2022", 1, 3), Over("Year 2023", 4, 6)],
        [Over("Percent of all", 1, 3), Over("Percent of all", 4, 6)],
        [Over(name, at, at) for at, name in enumerate(("Ferns", "Moss", "Other") * 2, 1)],
    ]
    table = lay(heads, "North|10|20|30|11|21|31\nSouth|12|22|32|13|23|33", signs=False)
    assert all("Percent of all" in head for head in table.header[1:])
