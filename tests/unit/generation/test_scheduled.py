"""Schedules of years to come: the row of the year that is asked for, or nothing."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.generation.extractive.scheduled import read_scheduled
from pipeline.generation.extractive.schedules import find_schedules
from tests.unit.generation.pages import Row, make_task, make_view

LEASES: list[Row] = [
    "The company rents its kilns and its carts for terms of up to twelve years in all.",
    "",
    "Future lease payments as of June 30, 2021 are expected to be paid as follows (in millions):",
    [(0, "Fiscal year"), (50, "Kiln leases"), (70, "Cart leases")],
    [(0, "2022"), (52, "$"), (55, "431"), (72, "$"), (75, "38")],
    [(0, "2023"), (55, "402"), (75, "31")],
    [(0, "2024"), (55, "377"), (75, "—")],
    [(0, "Thereafter"), (53, "1,206"), (75, "12")],
    [(0, "Total lease payments"), (51, "$2,416"), (75, "$81")],
    [(0, "Less interest"), (55, "216"), (75, "6")],
]
OBLIGATIONS: list[Row] = [
    "The following table shows what the company has to pay under its contracts (in thousands).",
    [(40, "2022"), (50, "2023"), (60, "2024"), (68, "Thereafter"), (85, "Total")],
    [(0, "Senior notes"), (40, "$150"), (50, "$175"), (60, "$—"), (68, "$900"), (85, "$1,225")],
    [(0, "Interest on senior notes"), (40, "61"), (50, "55"), (60, "48"), (68, "310"), (85, "474")],
    [(0, "Clay purchases"), (40, "22"), (50, "11"), (60, "5"), (68, "—"), (85, "38")],
]
PAST: list[Row] = [
    "The annual number of kilns was as follows.",
    [(0, "Year"), (50, "Kilns"), (70, "Carts")],
    [(0, "2019"), (50, "311"), (70, "40")],
    [(0, "2020"), (50, "318"), (70, "41")],
    [(0, "2021"), (50, "322"), (70, "44")],
]


def _read(question: str, *pages: list[Row]) -> list[tuple[str | None, str]]:
    reading = read_scheduled(make_task(make_view(*pages), question))
    return [] if reading is None else [(item.value, item.period) for item in reading.items]


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What lease payments are due in 2023?", [("402", "2023"), ("31", "2023")]),
        ("What kiln lease payments are due in 2023?", [("402", "2023")]),
        ("What cart lease payments are due in 2024?", [("0", "2024")]),
        ("How much in kiln lease payments is due after 2024?", [("1206", "after 2024")]),
        ("What kiln lease payments are due thereafter?", [("1206", "after 2024")]),
        ("What is the total of future kiln lease payments?", [("2416", "total")]),
        ("How much of the senior notes is due in 2023?", [("175", "2023")]),
        ("How much interest on senior notes is due in 2024?", [("48", "2024")]),
        ("What are the total payments due for clay purchases?", [("38", "total")]),
    ],
)
def test_the_cells_of_the_year_and_name_are_told_when_a_schedule_says_both(question, told):
    assert _read(question, LEASES, OBLIGATIONS) == told


@pytest.mark.parametrize(
    "question",
    [
        "What lease payments are due in 2019?",
        "What royalty payments are due in 2023?",
        "What were kiln leases in 2023?",
        "What lease payments are due in the second quarter of 2023?",
        "How many kilns are expected in 2020?",
    ],
)
def test_nothing_is_read_when_no_schedule_has_the_year_or_says_the_words(question):
    assert _read(question, LEASES, OBLIGATIONS, PAST) == []


def test_a_table_of_past_years_is_no_schedule_when_nothing_says_what_is_to_come():
    assert list(find_schedules(make_view(PAST))) == []


def test_an_amount_of_several_years_is_doubted_when_one_of_them_is_asked():
    rows: list[Row] = [*LEASES[:7], [(0, "2025 to 2029"), (55, "980"), (75, "9")]]
    reading = read_scheduled(make_task(make_view(rows), "What kiln lease payments are due in 2027?"))
    assert reading is not None
    assert [(item.value, item.period) for item in reading.items] == [("980", "2025 to 2029")]
    assert reading.max_confidence < 700
    assert any("2025 to 2029" in caveat for caveat in reading.caveats)


def test_the_row_and_the_sentence_are_cited_when_a_schedule_answers():
    reading = read_scheduled(make_task(make_view(LEASES), "What kiln lease payments are due in 2022?"))
    assert reading is not None
    quotes = " | ".join(citation.quote.replace("\n", " ") for citation in reading.items[0].citations)
    assert "2022 $ 431" in quotes
    assert "expected to be paid as follows" in quotes


@settings(max_examples=40, deadline=None)
@given(
    first=st.integers(2015, 2040),
    amounts=st.lists(st.tuples(st.integers(10, 9999), st.integers(10, 9999)), min_size=3, max_size=7),
    asked=st.integers(2010, 2050),
)
def test_the_row_of_the_year_is_told_or_nothing_when_a_schedule_is_made_up(first, amounts, asked):
    rows: list[Row] = [
        "Pension payments are expected to be made as follows:",
        [(0, "Year"), (50, "Miners"), (70, "Clerks")],
        *(
            [(0, str(first + at)), (50, f"{one:>6,}"), (70, f"{other:>6,}")]
            for at, (one, other) in enumerate(amounts)
        ),
    ]  # fmt: skip
    told = _read(f"What pension payments are expected in {asked}?", rows)
    row = amounts[asked - first] if 0 <= asked - first < len(amounts) else None
    wanted = [] if row is None else [(str(value), str(asked)) for value in row]
    assert told in (wanted, wanted[:1] if row is not None and row[0] == row[1] else wanted)
