"""Cells of tables that no passage leads to: row and column say the part, or the cell is not told."""

from __future__ import annotations

import pytest

from pipeline.generation.extractive.reached import NEAR, SEVERAL, SURE, read_reached
from pipeline.generation.extractive.reached_asked import list_days
from pipeline.generation.extractive.shapes import readers_of
from tests.unit.generation.pages import make_task, make_view

COVER = ["Annual report of Meridian"]
PROSE = [
    "Our water customers and our wastewater customers are served in six counties, and water customers count.",
    "The counties of Ashford and Brill grant the licences of water and of wastewater customers.",
]
COUNTIES = [
    "Customers served by county",
    "",
    [(30, "Water"), (45, "Wastewater"), (62, "Total")],
    [(0, "Ashford"), (31, "303"), (48, "37"), (63, "340")],
    [(0, "Brill"), (31, "679"), (48, "97"), (63, "776")],
    [(0, "Corran and other"), (31, "112"), (48, "4"), (63, "116")],
    [(0, "Total"), (30, "1,094"), (47, "138"), (62, "1,232")],
]
BUYBACKS = [
    "Purchases of shares in the fourth quarter",
    "",
    [(40, "Shares purchased"), (62, "Average price paid per share")],
    [(0, "April 1, 2021 - April 30, 2021"), (40, "11,464"), (65, "$53.72")],
    [(0, "May 1, 2021 - May 31, 2021"), (40, "11,691"), (65, "$51.02")],
    [(0, "June 1, 2021 - June 30, 2021"), (40, "10,206"), (65, "$50.31")],
]
TWO_YEARS = [
    "Employees by land",
    "",
    [(40, "2021"), (50, "2020")],
    [(0, "North"), (39, "1,240"), (49, "1,180")],
    [(0, "South"), (41, "390"), (51, "402")],
    [(0, "South, seasonal"), (42, "55"), (52, "71")],
]
STORES = [
    "Retail stores by format",
    "",
    [(30, "Leased"), (45, "Owned")],
    [(0, "Harbour stores"), (31, "210"), (46, "41")],
    [(0, "Quay stores"), (32, "18"), (47, "3")],
]
VOTES = [
    "The votes were cast as follows",
    "",
    [(30, "Votes For"), (45, "Votes Against"), (65, "Abstentions")],
    [(0, "Ada Brook"), (31, "9,658"), (48, "294"), (67, "107")],
    [(0, "Ben Carr"), (31, "9,483"), (48, "161"), (67, "77")],
]
LANDS = [
    "Units by land",
    "",
    [(30, "Outlet stores"), (50, "Factory stores"), (70, "Yards")],
    [(0, "Fenland"), (34, "12"), (54, "31"), (71, "5")],
    [(0, "Marsh"), (34, "14"), (54, "35"), (71, "9")],
]
SHARES = [
    "Customers of water by county in percent",
    "",
    [(30, "Water"), (45, "Wastewater")],
    [(0, "Dunmore"), (31, "54%"), (46, "35%")],
    [(0, "Elham"), (31, "12%"), (46, "61%")],
]


def ask(question, *pages):
    return read_reached(make_task(make_view(COVER, PROSE, *pages), question, pages=(2,)))


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("How many water customers are served in Brill?", "679"),
        ("How many wastewater customers does the company have in Ashford?", "37"),
        ("How many customers are served in Brill in total?", "776"),
        ("How many shares were purchased in May 2021?", "11691"),
        ("How many shares were purchased from June 1 to June 30, 2021?", "10206"),
        ("How many employees were there in the North in 2020?", "1180"),
        ("How many employees were there in the South in 2021?", "390"),
        ("How many Quay stores are leased?", "18"),
        ("How many Quay stores does the company own?", "3"),
        ("How many votes were cast against Ada Brook?", "294"),
        ("How many votes were cast for Ada Brook?", "9658"),
        ("How many outlet stores are there in Fenland?", "12"),
        ("How many customers are served in Ashford?", "340"),  # the column of all
    ],
)
def test_the_cell_is_read_when_row_and_column_say_what_is_counted(question, value):
    reading = ask(question, COUNTIES, BUYBACKS, TWO_YEARS, STORES, VOTES, LANDS)
    assert reading is not None
    assert [item.value for item in reading.items] == [value]
    assert reading.items[0].citations


@pytest.mark.parametrize(
    "question",
    [
        "How many water customers are served in Corran?",  # the row is of others too
        "How many water customers are served in Gorse?",  # no row is of that county
        "How many shares were purchased in July 2021?",
        "How many shares were purchased in May 2020?",
        "How many employees were there in the North in 2019?",
        "How many part-time employees were there in the North in 2020?",
        "How many Quay stores are there?",  # leased or owned
        "How many stores are there in Fenland?",  # outlet or factory
        "How many water customers are served in Dunmore?",  # a share is no number of customers
        "Which county has the most water customers?",
        "How many water customers were served in Brill in the first quarter of 2021?",
    ],
)
def test_no_cell_is_told_when_row_column_or_time_is_another(question):
    assert ask(question, COUNTIES, BUYBACKS, TWO_YEARS, STORES, LANDS, SHARES) is None


def test_no_cell_is_told_when_columns_have_no_heads():
    bare = [
        "Harbour stores by kind of lease",
        "",
        [(0, "Fenland"), (30, "210"), (45, "41")],
        [(0, "Marsh"), (30, "18"), (45, "3")],
    ]
    assert ask("How many harbour stores are leased in Fenland?", bare) is None


def test_the_newest_column_is_told_when_no_year_is_asked():
    reading = ask("How many employees are there in the North?", TWO_YEARS)
    assert reading is not None
    assert [(item.value, item.period) for item in reading.items] == [("1240", "2021")]


def test_confidence_is_full_only_when_row_and_column_say_every_word():
    whole = ask("How many shares were purchased in May 2021?", BUYBACKS)
    over = ask("How many water customers are served in Brill?", COUNTIES)
    assert whole is not None
    assert over is not None
    assert (whole.max_confidence, over.max_confidence) == (SURE, NEAR)


def test_confidence_is_not_full_when_a_row_says_another_form_of_the_word():
    rows = [[(0, "Options exercisable"), (40, "1,203")], [(0, "Options expired"), (40, "114")]]
    reading = ask("How many options were exercised in all?", ["Options", "", [(40, "Number of options")], *rows])
    assert reading is None or reading.max_confidence == NEAR


def test_both_are_shown_with_a_caveat_when_two_tables_differ():
    other = [*COUNTIES[:4], [(0, "Brill"), (31, "681"), (48, "99"), (63, "780")], *COUNTIES[5:]]
    reading = ask("How many water customers are served in Brill?", COUNTIES, other)
    assert reading is not None
    assert sorted(item.value or "" for item in reading.items) == ["679", "681"]
    assert reading.max_confidence == SEVERAL
    assert reading.caveats


def test_no_table_is_read_when_no_page_carries_the_words(monkeypatch):
    import pipeline.generation.extractive.reached as room

    def fail(*_):
        raise AssertionError

    monkeypatch.setattr(room, "list_entries", fail)
    assert ask("How many lamps are served in Brill by the lantern guild?", COUNTIES) is None


def test_cells_are_tried_before_a_list_is_counted_when_a_number_is_asked():
    names = [reader.__name__ for reader in readers_of(make_task(make_view(COVER), "How many berths are there?").part)]
    assert names.index("read_reached") < names.index("read_count")


def test_months_are_days_when_a_day_or_a_year_is_behind_them():
    assert list_days("from June 7 to July 4, 2021, or in May 2021; we may buy 4") == {(6, 7), (7, 4), (5, 0)}


def test_no_cell_is_told_when_only_a_name_over_its_rows_says_what_is_asked():
    page = [
        "The fare for a horse is subject to a note.",
        "",
        "Fares of goods",
        "",
        [(30, "Fare")],
        [(0, "Cart"), (31, "70")],
        [(0, "Crate"), (31, "9")],
    ]
    assert read_reached(make_task(make_view(COVER, page), "What is the fare for a horse?")) is None
