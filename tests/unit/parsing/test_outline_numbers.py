"""Numbers of headings as printed, and which numbers are none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.parsing.numbering import parse_heading_number, read_ordinal, read_roman


@pytest.mark.parametrize(
    ("text", "kind", "printed", "rest"),
    [
        ("5.4 Regularization", "decimal", "5.4", "Regularization"),
        ("3.2.1. Scope", "decimal", "3.2.1", "Scope"),
        ("A.1 Terms", "decimal", "A.1", "Terms"),
        ("§ 12 Fees", "decimal", "12", "Fees"),
        ("Item 7A. Risk", "item", "Item 7A", "Risk"),
        ("Appendix B - Terms", "appendix", "Appendix B", "Terms"),
        ("ARTICLE V: Fees", "article", "ARTICLE V", "Fees"),
        ("Artigo 5.º – Prazos", "article", "Artigo 5", "Prazos"),
        ("Note 12 — Leases", "note", "Note 12", "Leases"),
        ("IV. Fees", "roman", "IV", "Fees"),
        ("C. Fees", "letter", "C", "Fees"),
        ("第三章 借阅", "chapter", "第三章", "借阅"),
    ],
)
def test_a_number_is_read_when_a_heading_begins_with_it(text: str, kind: str, printed: str, rest: str):
    number = parse_heading_number(text)
    assert number is not None
    assert (number.kind, number.printed, text[number.length :]) == (kind, printed, rest)


@pytest.mark.parametrize(
    "text", ["Notes to the accounts", "Part of the port", "Items", "Note a rule", "Scope", "", "1,204 ships"]
)
def test_words_are_no_number_when_they_only_look_like_one(text: str):
    assert parse_heading_number(text) is None


def test_a_count_is_told_apart_when_it_has_no_mark():
    number = parse_heading_number("12 months of fees")
    assert number is not None
    assert not number.is_dotted


@pytest.mark.parametrize(("label", "value"), [("5.4", 4), ("7A", 7), ("IV", 4), ("C", 3), ("XLII", 42), ("A.12", 12)])
def test_the_last_part_counts_when_ordinals_are_read(label: str, value: int):
    assert read_ordinal(label) == value


@given(st.integers(1, 399))
def test_roman_numbers_come_back_when_written_and_read(value: int):
    signs = [(100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]
    rest, text = value, ""
    for worth, sign in signs:
        while rest >= worth:
            rest, text = rest - worth, text + sign
    assert read_roman(text) == value


@given(st.text(max_size=40))
def test_nothing_raises_and_lengths_hold_when_any_text_is_parsed(text: str):
    number = parse_heading_number(text)
    assert number is None or 0 < number.length <= len(text)
