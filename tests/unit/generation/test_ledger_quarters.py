"""The highest or lowest quarter of a year: only over rows that have all four of them."""

from __future__ import annotations

import pytest

from pipeline.generation.extractive.ledger_top import read_top
from tests.unit.generation.pages import make_task, make_view

COVER = ["Annual report of Meridian"]


def _row(name, *cells):
    return [(0, name), *((24 + 14 * at, cell) for at, cell in enumerate(cells))]


YEARS = [
    "Statement of income (in millions)",
    "",
    [(24, "2022"), (38, "2021")],
    _row("Towage revenue", "1,010", "990"),
    _row("Pilotage revenue", "700", "610"),
]
DAYS = [
    "Quarterly figures (unaudited, in millions)",
    "",
    _row("", "Dec. 31, 2022", "Sep. 30, 2022", "Jun. 30, 2022", "Mar. 31, 2022"),
    _row("Towage revenue", "258", "241", "262", "249"),
    _row("Pilotage revenue", "180", "165", "190", "165"),
]
NAMES = [
    "Figures by quarter of 2021 (in millions)",
    "",
    _row("", "First Quarter", "Second Quarter", "Third Quarter", "Fourth Quarter"),
    _row("Towage revenue", "240", "251", "238", "261"),
    _row("Pilotage revenue", "150", "152", "149", "159"),
]
OTHER_DAYS = [
    "Moorings at dates of survey",
    "",
    _row("", "Dec. 31, 2022", "Nov. 30, 2022", "Jun. 30, 2022", "Feb. 28, 2022"),
    _row("Towage revenue", "258", "241", "262", "249"),
]


def ask(question, *pages):
    return read_top(make_task(make_view(COVER, *pages), question))


@pytest.mark.parametrize(
    ("question", "winner", "value"),
    [
        ("Which quarter of 2022 had the highest Towage revenue?", "Jun. 30, 2022", "262"),
        ("Which quarter of 2022 had the lowest Towage revenue?", "Sep. 30, 2022", "241"),
        ("In which quarter of 2021 was Towage revenue lowest?", "Third Quarter, 2021", "238"),
        ("Which quarter of 2021 had the highest Pilotage revenue?", "Fourth Quarter, 2021", "159"),
    ],
)
def test_the_quarter_is_picked_when_a_row_has_all_four(question, winner, value):
    reading = ask(question, YEARS, DAYS, NAMES)
    assert reading is not None
    assert reading.text.startswith(f"{winner} ({value}")


@pytest.mark.parametrize(
    "pages",
    [
        (YEARS,),
        (YEARS, OTHER_DAYS),
        (YEARS, [*DAYS[:2], *[row[:4] for row in DAYS[2:]]]),
    ],
)
def test_no_quarter_is_picked_when_one_is_missing_or_the_days_are_of_something_else(pages):
    assert ask("Which quarter of 2022 had the highest Towage revenue?", *pages) is None


def test_a_year_is_no_quarter_when_only_years_are_printed():
    assert ask("Which quarter had the highest Towage revenue?", YEARS) is None
    assert ask("Which year had the highest Towage revenue?", YEARS) is not None
