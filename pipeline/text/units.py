"""What stands after a number: scale word, percent, currency, unit."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from pipeline.text.chinese import read_chinese_currency, read_chinese_unit
from pipeline.text.folding import is_cjk
from pipeline.text.grammar import (
    CURRENCY_CODES,
    CURRENCY_SIGNS,
    CURRENCY_WORDS,
    GLUED_SCALES,
    NOT_UNITS,
    SCALE_WORDS,
    UNIT_SYMBOLS,
)


class Tail(NamedTuple):
    """What belongs to a number behind it, and where that ends."""

    end: int
    unit: str
    currency: str
    scale: int
    is_percent: bool


def read_tail(text: str, at: int, has_currency: bool) -> Tail:
    """Read scale, percent, currency and unit after the number that ends at `at`."""
    scale, end = _read_scale(text, at, has_currency)
    percent = re.compile(r"\s?(?:%|per\s?cent\b|pct\b|por cento\b)").match(text, end)
    if percent:
        return Tail(percent.end(), "%", "", scale, True)
    if has_currency:
        return Tail(end, "", "", scale, False)
    if is_cjk(text[end : end + 1]):
        currency, stop = read_chinese_currency(text, end)
        measure, stop = ("", stop) if currency else read_chinese_unit(text, end)
        return Tail(stop, measure, currency, scale, False)
    money = re.compile(r"\s?([€£¥]|R\$|[^\W\d_]+)").match(text, end)
    if money:
        name = money[1]
        code = name if name in CURRENCY_CODES else CURRENCY_SIGNS.get(name) or CURRENCY_WORDS.get(name.casefold())
        if code:
            return Tail(money.end(), "", code, scale, False)
    unit, unit_end = read_unit(text, end)
    return Tail(unit_end if unit else end, unit, "", scale, False)


def read_unit(text: str, at: int) -> tuple[str, int]:
    """Return the unit after `at` and where it ends; ("", at) where none follows.

    A unit is a symbol, the noun of "30-day", or the first plural among the next three words.
    """
    words: list[tuple[str, int]] = []
    position = at
    while len(words) < 3:
        hit = _compile_unit_word().match(text, position)
        if hit is None:
            break
        word, position = hit[1], hit.end()
        if word in UNIT_SYMBOLS and (not words or len(word) > 2):
            return word, position
        if word in NOT_UNITS or (words and not word.islower() and words[-1][0].islower()):
            break
        words.append((word, position))
    # an adjective may stand between: the plural of "6 identical layers" is what is counted
    for word, end in words:
        if word.endswith("s") and not word.endswith(("ss", "us", "is")):
            return word, end
    return words[0] if words and words[0][0].islower() else ("", at)


def _read_scale(text: str, at: int, has_currency: bool) -> tuple[int, int]:
    """The power of ten after a number and where its word ends."""
    glued = re.compile(r"[A-Za-z]{1,2}(?![A-Za-z])").match(text, at)
    if glued and glued[0] in GLUED_SCALES and (has_currency or glued[0] in CLEAR_SCALES):
        return GLUED_SCALES[glued[0]], glued.end()
    word = re.compile(r"[\s-]?(mil milhões|百万|万亿|[万亿萬億]|[^\W\d_]+)").match(text, at)
    power = SCALE_WORDS.get(word[1].casefold(), 0) if word else 0
    if word is None or not power or (word[1] == "mm" and not has_currency):
        return 0, at
    return power, word.end()


# The glued scales that are no unit of measure as well; "K" may be kelvin, "B" bytes, "m" metres.
CLEAR_SCALES = frozenset(("bn", "mn", "BN", "MN", "M", "k"))


@cache
def _compile_unit_word() -> re.Pattern[str]:
    return re.compile(r"[\s\u2010\u2011-]?(?:[A-Z]+\d+ )?([^\W\d_]+(?:-[a-z]+)?[\u00b2\u00b3]?|\u00b0[CF])(?!\w)")
