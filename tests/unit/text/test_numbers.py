from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.text.numbers import (
    find_dates,
    find_quantities,
    find_years,
    format_decimal,
    parse_number,
    parse_number_word,
)

FORMATS = {"en": (",", "."), "pt": (".", ","), "fr": ("\u202f", ","), "ch": ("\u2019", "."), "si": ("\u00a0", ".")}


def write_number(value: Decimal, locale: str) -> str:
    group, mark = FORMATS[locale]
    whole, _, fraction = format_decimal(abs(value)).partition(".")
    parts = []
    while len(whole) > 3:
        parts.insert(0, whole[-3:])
        whole = whole[:-3]
    return group.join([whole, *parts]) + (mark + fraction if fraction else "")


@given(
    st.decimals(0, 10**12, places=2), st.sampled_from(sorted(FORMATS)), st.sampled_from(["", "-", "\u2212", "(", "$ ("])
)
@settings(max_examples=400)
def test_value_round_trips_or_is_declined_when_written_in_any_locale(value: Decimal, locale: str, sign: str) -> None:
    written = sign + write_number(value, locale) + (")" if "(" in sign else "")
    expected = -value if sign else value
    assert parse_number(written) in (expected, None)
    assert parse_number(written, decimal_mark=FORMATS[locale][1]) == expected


@given(st.integers(0, 10**9), st.integers(0, 4), st.sampled_from(sorted(FORMATS)))
@settings(max_examples=400)
def test_value_is_exact_when_the_mark_of_decimals_is_known(digits: int, places: int, locale: str) -> None:
    value = Decimal(digits).scaleb(-places)
    mark = FORMATS[locale][1]
    written = write_number(value, locale)
    assert parse_number(written, decimal_mark=mark) == value
    found = find_quantities(f"total {written} euros", decimal_mark=mark)
    assert [item.value for item in found] == [value]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,234", "1234"),
        ("(1,234)", "-1234"),
        ("\u22125", "-5"),
        ("1.234,56", "1234.56"),
        ("1 234,56", "1234.56"),
        ("1\u00a0234", "1234"),
        ("$1,234.5", "1234.5"),
        ("-$5", "-5"),
        ("12%", "12"),
        ("(5)%", "-5"),
        ("(5%)", "-5"),
        ("0.5", "0.5"),
        ("1,23", "1.23"),
        ("1.234.567", "1234567"),
        ("12,34,567", "1234567"),
        ("１２", "12"),
    ],
)
def test_number_is_read_when_it_has_one_reading(text: str, value: str) -> None:
    assert parse_number(text) == Decimal(value)


@pytest.mark.parametrize(
    "text",
    [
        "1.234",
        "1 234",
        "007",
        "\u2014",
        "-",
        "",
        "5-3",
        "(5",
        "5)",
        "1e5",
        "1,234,5",
        "12 months",
        "(-5)",
        "1.2.3",
        "NaN",
    ],
)
def test_number_is_declined_when_it_is_open_or_none(text: str) -> None:
    assert parse_number(text) is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "trained for 3.5 days on eight P100 GPUs, 100,000 steps",
            [("3.5", "days"), ("8", "GPUs"), ("100000", "steps")],
        ),
        ("N = 6 identical layers", [("6", "layers")]),
        ("thirty (30) days notice", [("30", "days")]),
        ("a 30-day period, 15 per cent, 25 bps, 16 GB", [("30", "day"), ("15", "%"), ("25", "bps"), ("16", "GB")]),
        ("One of the six Functions", [("6", "Functions")]),
        ("twenty-five employees", [("25", "employees")]),
        ("increase of 5-10%", [("5", ""), ("10", "%")]),
        ("-5.2% and \u22123", [("-5.2", "%"), ("-3", "")]),
        ("106 Subcategories", [("106", "Subcategories")]),
        ("Depreciation(1) 12,234 13,000", [("12234", ""), ("13000", "")]),
        ("Revenue $ 1,234 $ (567) (8)", [("1234", ""), ("-567", ""), ("-8", "")]),
        ("Net loss (1,234)", [("-1234", "")]),
        ("d_ff = 2048", [("2048", "")]),
        ("36M sentences at 0.375% Notes", [("36", "sentences"), ("0.375", "%")]),
    ],
)
def test_quantities_carry_value_and_unit_when_read_in_text(text: str, found: list[tuple[str, str]]) -> None:
    assert [(str(item.value), item.unit) for item in find_quantities(text)] == found


@pytest.mark.parametrize(
    "text",
    [
        "5.4 Regularization",
        "see Table 2, Section 5.4 and GV.SC-01",
        "On December 31 and on 31/12/2018",
        "1.234",
        "call 1-800-555-1234, number 41-0417775",
        "a ratio of 1.5:1, 1/2 and 24/7",
        "3.3 · 10 18",
        "- 5 items",
        "300K",
        "two hundred days",
        "rose (5%)",
        "a score (28.4)",
        "a fee ($1,000)",
        "items 1,2 and x",
        "the 10th and x86",
        "1,234,5 x",
        "made by 3M and under Rule 12b and Schedule 14A",
        "as shown [13, 35] and (1)",
        "Item  9A. Controls",
    ],
)
def test_nothing_is_read_when_digits_are_no_certain_amount(text: str) -> None:
    assert find_quantities(text) == ()


@pytest.mark.parametrize(
    ("text", "currency", "amount"),
    [
        ("$4.2 billion", "USD", "4200000000"),
        ("€3.5bn", "EUR", "3500000000"),
        ("US$40 million", "USD", "40000000"),
        ("12.5 亿元", "CNY", "1250000000"),
        ("R$ 10 mil", "BRL", "10000"),
        ("EUR 7", "EUR", "7"),
        ("7 dollars", "USD", "7"),
        ("-$4", "USD", "-4"),
        ("(2018: $1,000)", "USD", "1000"),
        ("$5K", "USD", "5000"),
    ],
)
def test_money_has_currency_and_scale_when_signs_or_words_say_so(text: str, currency: str, amount: str) -> None:
    money = [item for item in find_quantities(text) if item.currency]
    assert [(item.currency, item.amount) for item in money] == [(currency, Decimal(amount))]


def test_years_are_flagged_when_numbers_stand_bare() -> None:
    assert [item.is_year for item in find_quantities("2018 and $2,018 and 2018%")] == [True, False, False]
    assert find_quantities("(1,234) 5")[0].is_negative_by_parens


@given(st.text(alphabet="0123456789.,-()$% abcM\u2212\u00a0", max_size=40))
@settings(max_examples=300)
def test_places_are_verbatim_and_apart_when_any_text_is_read(text: str) -> None:
    found = find_quantities(text)
    assert all(text[item.start : item.end] == item.text for item in found)
    assert all(left.end <= right.start for left, right in pairwise(found))


@pytest.mark.parametrize(
    ("word", "language", "value"),
    [
        ("six", "en", 6),
        ("both", "en", 2),
        ("dozen", "en", 12),
        ("Twenty-five", "en", 25),
        ("one hundred", "en", 100),
        ("vinte e cinco", "pt", 25),
        ("duas", "pt", 2),
        ("二十五", "zh", 25),
        ("十", "zh", 10),
        ("两", "zh", 2),
        ("一百", "zh", 100),
        ("one two", "en", None),
        ("many", "en", None),
        ("六", "xx", None),
        ("一百二", "zh", None),
        ("二一", "zh", None),
    ],
)
def test_number_words_have_values_when_the_language_is_known(word: str, language: str, value: int | None) -> None:
    assert parse_number_word(word, language) == value


def test_years_are_found_when_written_as_fiscal_years_and_spans() -> None:
    text = "FY2018 FY18 2017-18 2018, 2019-2020 $2018 CVE-2021-44228 12018"
    assert [(text[start:end], year) for start, end, year in find_years(text)] == [
        ("FY2018", 2018),
        ("FY18", 2018),
        ("2017", 2017),
        ("18", 2018),
        ("2018", 2018),
        ("2019", 2019),
        ("2020", 2020),
    ]


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("December 31, 2018", (2018, 12, 31)),
        ("31 de dezembro de 2018", (2018, 12, 31)),
        ("31/12/2018", (2018, 12, 31)),
        ("12/31/2018", (2018, 12, 31)),
        ("2018-12-31", (2018, 12, 31)),
        ("2018年12月31日", (2018, 12, 31)),
        ("Dec. 2018", (2018, 12, 0)),
        ("05/05/2018", (2018, 5, 5)),
    ],
)
def test_dates_are_read_when_day_and_month_are_certain(text: str, date: tuple[int, int, int]) -> None:
    assert [(item.year, item.month, item.day) for item in find_dates(text)] == [date]


@pytest.mark.parametrize("text", ["05/06/2018", "December 31", "2018-13-01", "no date", "May we"])
def test_dates_are_declined_when_their_order_is_open(text: str) -> None:
    assert find_dates(text) == ()


def test_decimal_is_plain_when_it_is_large_or_small() -> None:
    assert format_decimal(Decimal("1E+6")) == "1000000"
    assert format_decimal(Decimal("0.00000010")) == "0.00000010"
