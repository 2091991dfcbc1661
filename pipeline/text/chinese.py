"""Amounts in Chinese: numerals with the measure word behind them, and what follows digits in a Chinese sentence."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from pipeline.text.grammar import CURRENCY_WORDS
from pipeline.text.late import compile_late
from pipeline.text.number_words import parse_chinese_number

NUMERALS = "零〇一二两兩三四五六七八九十百千万亿"
_UNITS = "个月|個月|工作日|小时|小時|分钟|星期|公里|平方米|[天日月年周次册冊本人件倍米岁名家页]"
_AMOUNT = compile_late(rf"(?<![第{NUMERALS}])(百分之)?([{NUMERALS}]+)(?:(元|美元|欧元)|({_UNITS}))?")
_UNIT = compile_late(rf"\s?({_UNITS})")
_CURRENCIES = {"元": CURRENCY_WORDS["元"], "美元": "USD", "欧元": "EUR"}


class ChineseAmount(NamedTuple):
    """An amount in numerals at [start, end): its value, its measure word, and its currency or "%" where it has one."""

    start: int
    end: int
    value: Decimal
    unit: str
    currency: str


def find_chinese_amounts(text: str) -> Iterator[ChineseAmount]:
    """Amounts written in numerals, in order; a numeral with nothing behind it may be part of any word and is none."""
    for hit in _AMOUNT.finditer(text):
        value = parse_chinese_number(hit[2])
        if value is None or not (hit[1] or hit[3] or hit[4]):
            continue
        unit = "%" if hit[1] else hit[4] or ""
        yield ChineseAmount(hit.start(), hit.end(), Decimal(value), unit, _CURRENCIES.get(hit[3] or "", ""))


def read_chinese_unit(text: str, at: int) -> tuple[str, int]:
    """The measure word right after `at` and where it ends; ("", at) where none follows."""
    hit = _UNIT.match(text, at)
    return (hit[1], hit.end()) if hit is not None else ("", at)


def read_chinese_currency(text: str, at: int) -> tuple[str, int]:
    """The currency whose word stands right after `at`, and where it ends; ("", at) where none does."""
    for word in sorted(_CURRENCIES, key=len, reverse=True):
        if text.startswith(word, at):
            return _CURRENCIES[word], at + len(word)
    return "", at
