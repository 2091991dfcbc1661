"""Times of columns: lengths, quarters and days from heads, made comparable by the fiscal year of the document."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.models.lexicon import Lexicon
from pipeline.structure.times import (
    TO_DATE,
    Calendar,
    Time,
    find_end_month,
    find_shift,
    read_head_times,
    read_time,
    tell_time,
)
from tests.unit.generation.pages import read_lexicons
from tests.unit.structure.printed_heads import Over, lay

LENGTHS = {
    "Three Months Ended": 3,
    "Six months ended": 6,
    "Nine Months Ended": 9,
    "13 Weeks Ended": 3,
    "Year Ended": 12,
}
DAYS = {"June 30,": (6, 30), "Dec. 31,": (12, 31), "March 31,": (3, 31)}


def english() -> Lexicon:
    return read_lexicons().of("en")


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("(Unaudited) Three Months Ended June 30, 2023", Time(3, 0, 2023, 6, 30)),
        ("52 weeks ended January 29, 2022", Time(12, 0, 2022, 1, 29)),
        ("3RD QUARTER 2018 (1)", Time(3, 3, 2018)),
        ("Q4 FY2022", Time(3, 4, 2022)),
        ("fourth quarter of fiscal 2021", Time(3, 4, 2021)),
        ("Q3 YTD 2022", Time(9, 3, 2022)),
        ("Fiscal Year Ended January 31, 2020 Q3", Time(3, 3, 2020)),
        ("December 31, 2021", Time(0, 0, 2021, 12, 31)),
        ("year-to-date", Time(TO_DATE)),
        ("the march of the may flies", Time()),
        ("2017 High", Time(0, 0, 2017)),
    ],
)
def test_a_time_is_read_when_a_head_or_question_says_it(text, time):
    assert read_time(text, english())[0] == time


def test_the_other_words_are_kept_when_the_time_is_taken_out():
    assert read_time("Comparable Dues Three Months Ended July 29, 2023", english())[1] == "Comparable Dues"


def test_places_are_quarters_when_all_four_stand_side_by_side():
    heads = ("", "2018 4th", "2018 3rd", "2018 2nd", "2018 1st")
    assert [time.quarter for time, _ in read_head_times(heads, english())] == [0, 4, 3, 2, 1]
    assert [time.quarter for time, _ in read_head_times(("", "1st", "2nd"), english())] == [0, 0, 0]


def test_quarters_have_the_year_when_only_the_column_of_the_year_says_it():
    heads = ("(in millions)", "First Quarter", "Second Quarter", "Year 2022")
    assert [time.year for time, _ in read_head_times(heads, english())] == [0, 2022, 2022, 2022]


@pytest.mark.parametrize(
    ("calendar", "time", "place"),
    [
        (Calendar(12), Time(3, 0, 2023, 6, 30), (2023, 2)),
        (Calendar(1), Time(3, 0, 2023, 7, 29), (2024, 2)),
        (Calendar(1, -1), Time(3, 0, 2023, 1, 28), (2022, 4)),
        (Calendar(6), Time(3, 0, 2016, 3, 31), (2016, 3)),
        (Calendar(6), Time(3, 0, 2015, 9, 30), (2016, 1)),
        (Calendar(12), Time(3, 0, 2022, 10, 2), (2022, 3)),
        (Calendar(12), Time(12, 0, 2023, 1, 1), (2022, 4)),
        (Calendar(6), Time(3, 2, 2015), (2015, 2)),
    ],
)
def test_a_day_is_in_its_fiscal_quarter_when_the_end_of_the_year_is_known(calendar, time, place):
    assert calendar.place(time) == place


def test_a_day_has_its_own_year_when_the_rows_say_the_fiscal_year():
    assert Calendar(6).date(Time(3, 0, 2016, 9, 30)).year == 2015
    assert Calendar(6).date(Time(3, 0, 2016, 3, 31)).year == 2016


def test_the_end_of_the_year_is_found_when_long_or_four_columns_say_it():
    assert find_end_month([[Time(3, 0, 2023, 7, 29), Time(6, 0, 2023, 7, 29)]]) == 1
    assert find_end_month([[Time(3, 0, 0, month, 30) for month in (9, 12, 3, 6)]]) == 6
    assert find_end_month([[Time(0, 0, 2023, 12, 31)]]) == 12


def test_years_are_named_by_their_beginning_when_the_document_speaks_so():
    newest = Time(12, 0, 2023, 1, 28)
    assert find_shift(["fiscal 2022 was good", "in fiscal 2022", "fiscal year 2022"], newest, 1) == -1
    assert find_shift(["fiscal 2023 was good", "in fiscal 2022"], newest, 1) == 0
    assert find_shift(["fiscal 2022"] * 3, Time(12, 0, 2023, 6, 30), 6) == 0


def test_a_time_is_told_in_short_when_it_is_known():
    assert tell_time(Time(3, 2, 2023), Calendar()) == "2023 Q2"
    assert tell_time(Time(6, 0, 2023, 6, 30), Calendar()) == "6 months to 2023-06-30"
    assert tell_time(Time(0, 0, 2023, 6, 30), Calendar()) == "2023-06-30"


@given(
    spans=st.lists(st.sampled_from(sorted(LENGTHS)), min_size=1, max_size=3, unique_by=LENGTHS.__getitem__),
    day=st.sampled_from(sorted(DAYS)),
    years=st.sampled_from(((2023, 2022), (2023, 2022, 2021))),
    is_wrapped=st.booleans(),
)
def test_every_column_has_the_time_of_its_group_when_spans_stand_over_years(spans, day, years, is_wrapped):
    groups, leaves, first = [], [], 1
    for span in spans:
        groups.append(Over(f"{span}{'/' if is_wrapped else ' '}{day}", first, first + len(years) - 1))
        leaves += [Over(str(year), first + place, first + place) for place, year in enumerate(years)]
        first += len(years)
    row = "|".join(str(100 + column) for column in range(1, first))
    table = lay([groups, leaves], f"North|{row}\nSouth|{row}")
    wanted = [Time(LENGTHS[span], 0, year, *DAYS[day]) for span in spans for year in years]
    read = [time for time, _ in read_head_times(table.header, english())][1:]
    assert all(time == true or not (time.months and time.year) for time, true in zip(read, wanted, strict=True))
    assert read == wanted
