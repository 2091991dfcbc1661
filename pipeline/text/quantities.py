"""Quantities in running text and table lines: value, unit, currency, scale; what is not certain is left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from typing import NamedTuple

from pipeline.text.chinese import find_chinese_amounts
from pipeline.text.decimals import parse_digits
from pipeline.text.folding import is_cjk
from pipeline.text.grammar import (
    CURRENCY_CODES,
    CURRENCY_SIGNS,
    GLUED_SCALES,
    NOT_UNITS,
    NUMBER_WORDS,
    SCALE_WORDS,
    UNIT_SYMBOLS,
)
from pipeline.text.headings import parse_heading_number
from pipeline.text.identifiers import find_identifiers
from pipeline.text.late import compile_late
from pipeline.text.number_words import parse_number_word
from pipeline.text.periods import find_day_spans, find_years
from pipeline.text.shapes import MINUS, compile_knots, compile_words
from pipeline.text.units import CLEAR_SCALES, Tail, read_tail, read_unit

_DIGITS = (
    r"\d{1,3}(?: \d{3})+,\d{1,2}(?![\d,.])"
    r"|\d{1,3}(?:[\u00a0\u202f\u2009\u2007]\d{3})+(?:[.,]\d+)?|\d+(?:[.,'\u2019]\d+)*"
)
_LAST_YEAR = 2099
_WORD_HINTS = tuple("one two three four five six seven eigh nine ten eleven twel teen twen thir fort fift".split())

_CHINESE_HINTS = tuple("一二两三四五六七八九十百千")

_find_knot_hint = compile_late(r"\d\s*[-x\u00d7\u00b7*\u22c5eE/\u2044:^\u2010-\u2013\u2212]").search


class Quantity(NamedTuple):
    """One amount at a verbatim place.

    `value` is the number as printed, with its sign; `amount` is the value times ten to the `scale`. `unit` is the
    unit as printed ("days", "GB", "bps"; "%" for percent), `currency` an ISO code or "". A bare number from 1900 to
    2099 has `is_year`; it may still be an amount.
    """

    start: int
    end: int
    text: str
    value: Decimal
    unit: str
    currency: str
    scale: int
    is_percent: bool
    is_negative_by_parens: bool
    is_year: bool

    @property
    def amount(self) -> Decimal:
        """The value with its scale word applied ("4.2 billion" is 4200000000)."""
        return self.value.scaleb(self.scale) if self.scale else self.value


def find_quantities(text: str, *, decimal_mark: str = "") -> tuple[Quantity, ...]:
    """Return the quantities of a line, in order.

    Days of dates, labels of references ("Table 2"), heading numbers, identifiers and powers of ten are none.
    `decimal_mark` ("." or ",") settles what "1.234" is; without it such a number is left out.
    """
    has_digit = any(map(text.__contains__, "0123456789"))
    found: list[Quantity] = []
    if has_digit:
        blocked = _find_blocked(text)
        for hit in _match_amounts(text):
            at, end = hit.span("digits")
            if any(at < stop and end > start for start, stop in blocked):
                continue
            quantity = _read_amount(text, hit, decimal_mark)
            if quantity is not None:
                found.append(quantity)
    taken = [(item.start, item.end) for item in found]
    if any(map(text.__contains__, _CHINESE_HINTS)):
        found.extend(
            item
            for item in _find_chinese(text)
            if not any(item.start < end and item.end > start for start, end in taken)
        )
    if not any(map(text.casefold().__contains__, _WORD_HINTS)):
        return tuple(sorted(found, key=lambda item: item.start))
    # "thirty (30) days" says one amount twice; the digits are kept
    for item in _find_worded(text):
        if not any(item.start < end and item.end > start for start, end in taken):
            found.append(item)
    return tuple(sorted(found, key=lambda item: item.start))


def _find_chinese(text: str) -> Iterator[Quantity]:
    days = find_day_spans(text)
    for item in find_chinese_amounts(text):
        if not any(item.start < end and item.end > start for start, end in days):
            is_percent = item.unit == "%"
            piece = text[item.start : item.end]
            yield Quantity(
                item.start, item.end, piece, item.value, item.unit, item.currency, 0, is_percent, False, False
            )


def _find_blocked(text: str) -> list[tuple[int, int]]:
    """Places whose digits are no amounts: dates, references, identifiers, the number of a heading, powers of ten."""
    blocked = list(find_day_spans(text))
    blocked.extend((item.start, item.end) for item in find_identifiers(text))
    number, rest = parse_heading_number(text)
    start = len(text) - len(text.lstrip())
    if number and rest[:1].isalpha() and text.startswith(number, start):
        blocked.append((start, start + len(number)))
    if "[" in text:  # bracketed numbers cite the bibliography
        blocked.extend(hit.span() for hit in re.finditer(r"\[\d+(?:\s?[,;\u2013-]\s*\d+)*\]?|^\s*[\d, ]+\]", text))
    if _find_knot_hint(text):
        blocked.extend(hit.span() for hit in compile_knots().finditer(text))
    blocked.extend((start, end) for start, end, _ in find_years(text) if end - start == 2)  # the "18" of "2017-18"
    return blocked


def _match_amounts(text: str) -> Iterator[re.Match[str]]:
    """Match each number with what stands around it, looking back only from digits: most characters are none."""
    done = 0
    for number in re.finditer(_DIGITS, text):
        if number.start() < done:
            continue
        at = number.start()
        lead = re.search(r"[^\w.,;:%]*(?:[A-Z]{1,3}[$(\s]{1,2})?[^\w.,;:%]*$", text[max(done, at - 9) : at])
        begin = at - len(lead[0]) if lead else at
        hit = next((hit for hit in _compile_amounts().finditer(text, begin, len(text))), None)
        if hit is not None and hit.start("digits") == at:
            done = hit.end()
            yield hit


@cache
def _compile_amounts() -> re.Pattern[str]:
    signs = "|".join(re.escape(sign) for sign in sorted(CURRENCY_SIGNS, key=len, reverse=True))
    codes = "|".join(sorted(CURRENCY_CODES))
    return re.compile(
        rf"(?P<lead>(?P<sign0>[{MINUS}])?(?:(?P<currency>{signs})|(?<![A-Za-z])(?P<code>{codes}))\s*)?"
        rf"(?P<open>\(\s*(?:(?P<inner>{signs})\s*)?)?(?P<sign>[{MINUS}+])?\s?(?:(?P<after>{signs})\s*)?"
        rf"(?<![^\W\u3400-\u9fff])(?<![.,'])(?P<digits>{_DIGITS})(?P<percent0>\s?%)?(?P<close>\s*\))?(?P<percent>\s?%)?"
    )


class _Place(NamedTuple):
    """Where an amount stands with its sign, and where its unit may begin."""

    start: int
    end: int
    is_negative: bool
    is_wrapped: bool


def _read_amount(text: str, hit: re.Match[str], decimal_mark: str) -> Quantity | None:
    digits = hit["digits"]
    value = parse_digits(digits, decimal_mark)
    place = None if value is None or _is_glued(text, hit) else _place_amount(text, hit, value)
    if value is None or place is None:
        return None
    sign = hit["currency"] or hit["inner"] or hit["after"] or ""
    currency = CURRENCY_SIGNS.get(sign, "") or (hit["code"] or "")
    has_sign = text[: place.end].endswith("%")
    tail = Tail(place.end, "%", "", 0, True) if has_sign else read_tail(text, place.end, bool(currency))
    is_percent = tail.is_percent
    currency = currency or tail.currency
    has_measure = bool(tail.unit or currency or is_percent or tail.scale)
    if not decimal_mark and not has_measure and re.fullmatch(r"\d{1,2},\d", digits):
        return None  # "1,2" may be two items of a list
    # a year carries nothing that measures; "$2,018" and "(2018)" as a loss are amounts
    is_bare = not currency and not is_percent and not tail.scale and not place.is_negative
    is_year = is_bare and len(digits) == 4 and digits.isdigit() and 1900 <= value <= _LAST_YEAR
    return Quantity(
        start=place.start,
        end=tail.end,
        text=text[place.start : tail.end],
        value=-value if place.is_negative else value,
        unit="%" if is_percent else tail.unit,
        currency=currency,
        scale=tail.scale,
        is_percent=is_percent,
        is_negative_by_parens=place.is_wrapped and place.is_negative,
        is_year=is_year and not text[: place.start].rstrip().endswith("="),
    )


def _place_amount(text: str, hit: re.Match[str], value: Decimal) -> _Place | None:
    """Settle sign and extent; None where a dash or parentheses leave the sign open."""
    is_minus = _is_minus(text, hit)
    if is_minus is None:
        return None
    if hit["open"] and hit["close"]:
        if is_minus:
            return _Place(hit.start(), hit.end(), True, False)
        verdict = _read_parens(text, hit, value)
        return None if verdict is None else _Place(hit.start(), hit.end(), verdict, True)
    # an opening or closing parenthesis alone belongs to the text around the number
    end = hit.end("percent0") if hit["percent0"] else hit.end("digits")
    return _Place(_find_start(hit, is_minus), end, is_minus, False)


def _find_start(hit: re.Match[str], is_negative: bool) -> int:
    """Where an amount outside parentheses begins: at its sign or currency, not at the dash of a range."""
    if hit["open"] and hit["inner"]:
        return hit.start("inner")
    if hit["lead"] and not hit["open"]:
        return hit.start() if is_negative or not hit["sign0"] else hit.start() + 1
    if hit["sign"] and is_negative:
        return hit.start("sign")
    return hit.start("after") if hit["after"] else hit.start("digits")


def _is_glued(text: str, hit: re.Match[str]) -> bool:
    """Tell whether the digits are part of a longer code ("3D", "x86", "10th", "12-B")."""
    rest = text[hit.end("digits") :]
    letters = re.match(r"[\u2019']?([^\W\d]+)", rest)
    if letters and not is_cjk(letters[1][0]):
        word = letters[1]
        if hit["lead"] or hit["after"]:
            return word not in GLUED_SCALES
        if len(word) == 1 and word.isupper():
            return word != "M" or len(hit["digits"]) == 1  # "14A", "300K" and "3M" may be names
        return not (word in CLEAR_SCALES or word in UNIT_SYMBOLS or word == "x")
    return re.match(rf"[{MINUS}][A-Z\d]|[/:]\d|[.,]\d", rest) is not None and not re.match(r"[\u2012\u2013-]\d", rest)


def _is_minus(text: str, hit: re.Match[str]) -> bool | None:
    """Whether a minus makes the number negative; None where a dash may as well join a range or a word."""
    mark, at = (hit["sign0"], hit.start("sign0")) if hit["sign0"] else (hit["sign"], hit.start("sign"))
    if not mark or mark == "+":
        return False
    before = text[:at]
    if before[-1:].isdigit() or before[-1:] in ("%", ")"):
        return False  # the second end of a range
    if before[-1:].isalpha():
        return None
    if text[at + 1 : at + 2].isspace():
        return True if mark == "\u2212" and before.strip() else None  # a bullet, or a dash between words
    if mark in "\u2010\u2012\u2013" and before.strip():
        return None
    return True


def _read_parens(text: str, hit: re.Match[str], value: Decimal) -> bool | None:
    """Whether parentheses mean negative; None where they may as well hold a note mark, a year or an aside."""
    digits = hit["digits"]
    before, after = text[: hit.start()].rstrip(), text[hit.end() :]
    word = re.search(r"[^\W\d_]+(?:[- ][^\W\d_]+)?$", before)
    if word is not None and _spells(word[0], value):
        return False  # "thirty (30) days"
    if re.match(r"\s*[^\W\d_]", after):
        return None
    has_space = not text[hit.start() - 1 : hit.start()].isalnum()
    is_in_row = bool(re.search(r"[\d)%$€£\u2014-]$", before)) and has_space
    has_marks = not digits.isdigit() or bool(hit["inner"] or hit["currency"] or hit["percent"] or hit["percent0"])
    if not has_marks:
        # alone on its line "(5)" may as well number an equation
        is_year = len(digits) == 4 and 1900 <= value <= _LAST_YEAR
        return True if is_in_row and not is_year else None
    if not before or is_in_row:
        return True
    if not has_space or not re.fullmatch(r"[\s\d.,()%$€£\u2012-\u2014-]*", after):
        return None
    # after words: a row of numbers goes on, or the number is grouped and stands bare at the end of the row
    is_bare_group = re.fullmatch(r"\d{1,3}(?:,\d{3})+", digits) is not None and not hit["inner"]
    return True if after.strip() or is_bare_group else None


def _spells(word: str, value: Decimal) -> bool:
    pieces = [word, word.split()[-1]]
    return any(parse_number_word(piece, language) == value for piece in pieces for language in NUMBER_WORDS)


def _find_worded(text: str) -> Iterator[Quantity]:
    """Number words that count a noun ("six Functions", "thirty days"); "one of" and unread compounds are left out."""
    for hit in compile_words().finditer(text):
        value = parse_number_word(hit["word"], "en")
        following = re.match(r"[\s-]([^\W\d_]+)", text[hit.end() :])
        if value is None or following is None or following[1] in NOT_UNITS:
            continue
        before = re.search(r"([^\W\d_]+)[\s-]$", text[: hit.start()])
        neighbours = [following[1].casefold(), before[1].casefold() if before else ""]
        if any(word in NUMBER_WORDS["en"] or word in SCALE_WORDS for word in neighbours):
            continue
        unit, end = read_unit(text, hit.end())
        if unit:
            piece = text[hit.start() : end]
            yield Quantity(hit.start(), end, piece, Decimal(value), unit, "", 0, False, False, False)
