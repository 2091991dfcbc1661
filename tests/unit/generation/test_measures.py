"""Values that are put in order or added up: only where that is certain."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.generation.extractive.measures import (
    add,
    bound_months,
    find_measures,
    order,
    read_cell_measure,
    tell_size,
)
from tests.unit.generation.pages import read_lexicons

LEXICON = read_lexicons().of("en")
DAY = 1440


def _read(text: str):
    (measure,) = find_measures(text, LEXICON)
    return measure


@pytest.mark.parametrize(
    ("one", "other", "verdict"),
    [
        ("2 weeks", "10 days", 1),
        ("12 months", "1 year", 0),
        ("6 months", "45 days", 1),
        ("1 month", "2 weeks", 1),
        ("1 month", "30 days", None),
        ("1 year", "365 days", None),
        ("1 year", "367 days", -1),
        ("36 hours", "1 day", 1),
        ("12 consecutive months", "6 months", 1),
        ("10 business days", "10 days", None),
        ("10 business days", "12 business days", -1),
        ("EUR 5", "USD 4", None),
        ("EUR 1.5 million", "EUR 900,000", 1),
        ("40 metres", "12 litres", None),
        ("12.5 %", "7.5 %", 1),
        ("3 March 2026", "17 February 2026", 1),
        ("March 2026", "3 April 2026", -1),
        ("March 2026", "3 March 2026", None),
    ],
)
def test_order_is_given_only_where_it_is_certain_when_two_values_meet(one: str, other: str, verdict: int | None):
    first, second = _read(one), _read(other)
    assert order(first, second) == verdict
    assert order(second, first) == (None if verdict is None else -verdict)


@given(st.dates(date(1990, 1, 1), date(2090, 1, 1)), st.integers(0, 200))
def test_months_stay_in_their_bounds_when_they_begin_anywhere(start: date, months: int):
    year, month = divmod(start.year * 12 + start.month - 1 + months, 12)
    first = start.replace(day=1)
    length = date(year, month + 1, 1) - first
    low, high = bound_months(Decimal(months))
    assert low <= length // timedelta(days=1) * DAY <= high


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        (("EUR 1.10", "EUR 2.20"), "EUR 3.30"),
        (("$1,000", "$250"), "$1,250"),
        (("2 weeks", "3 days"), "17 days"),
        (("1 year", "6 months"), "18 months"),
        (("2 weeks", "1 month"), None),
        (("EUR 1", "USD 1"), None),
        (("1 March 2026", "2 March 2026"), None),
    ],
)
def test_sums_are_exact_or_declined_when_values_are_added(texts: tuple[str, ...], told: str | None):
    measures = [_read(text) for text in texts]
    total = add(measures)
    assert told is None if total is None else tell_size(total, measures)[2] == told
    assert (total is None) == (told is None)


def test_a_bare_cell_takes_its_unit_from_the_header_when_that_says_percent():
    assert read_cell_measure("4.1", "Share, percent", LEXICON).unit == "%"
    assert read_cell_measure("4.1", "Share", LEXICON).unit == ""
    assert read_cell_measure("3 of the 4 members that stay", "", LEXICON) is None
