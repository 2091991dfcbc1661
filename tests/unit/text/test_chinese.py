"""Amounts in Chinese: numerals, and digits inside a sentence without spaces."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.text.number_words import parse_number_word
from pipeline.text.numbers import find_dates, find_quantities

DIGITS = "\u96f6\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d"


def _spell(number: int) -> str:
    """A number below 10,000 in numerals, written out in full."""
    text = ""
    for power, mark in ((1000, "\u5343"), (100, "\u767e"), (10, "\u5341"), (1, "")):
        digit = number // power % 10
        if digit:
            text += DIGITS[digit] + mark
        elif text and number % power and not text.endswith("\u96f6"):
            text += "\u96f6"
    return text


@given(st.integers(1, 9999))
def test_the_value_comes_back_when_a_number_is_spelled(number: int):
    assert parse_number_word(_spell(number), "zh") == number
    assert parse_number_word(f"{_spell(number)}\u4e07", "zh") == number * 10_000


@pytest.mark.parametrize(
    ("text", "amounts"),
    [
        ("\u5e94\u5f53\u7f34\u7eb3\u62bc\u91d1\u4e00\u767e\u5143\u3002", [("100", "", "CNY")]),
        ("\u5408\u540c\u91d1\u989d\u4e3a\u4e00\u767e\u4e8c\u5341\u4e07\u5143", [("1200000", "", "CNY")]),
        ("\u8d39\u7528120\u4e07\u5143", [("1200000", "", "CNY")]),
        ("\u5229\u7387\u4e3a\u767e\u5206\u4e4b\u4e94", [("5", "%", "")]),
        ("\u5728\u4e09\u65e5\u5185\u6302\u5931", [("3", "\u65e5", "")]),
        ("\u7b2c\u5341\u4e8c\u6761", []),
        ("\u7edf\u4e00\u89c4\u5b9a", []),
        ("\u4e00\u767e\u4e8c\u5143", []),
    ],
)
def test_amounts_are_read_or_declined_when_they_stand_in_chinese(text: str, amounts: list[tuple[str, str, str]]):
    found = [(format(item.amount, "f"), item.unit, item.currency) for item in find_quantities(text)]
    assert found == amounts


def test_a_date_holds_no_amounts_when_words_stand_right_before_it():
    text = "\u672c\u529e\u6cd5\u81ea2021\u5e743\u67081\u65e5\u8d77\u65bd\u884c"
    assert find_quantities(text) == ()
    assert [(item.year, item.month, item.day) for item in find_dates(text)] == [(2021, 3, 1)]
