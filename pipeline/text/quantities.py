"""Quantities in running text and table lines: value, unit, currency, scale; what is not certain is left out."""
from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from typing import NamedTuple

from pipeline.text.decimals import parse_digits
from pipeline.text.grammar import (
    CURRENCY_CODES,
    CURRENCY_SIGNS,
    CURRENCY_WORDS,
    GLUED_SCALES,
    NOT_UNITS,
    NUMBER_WORDS,
    SCALE_WORDS,
    UNIT_SYMBOLS,
)
from pipeline.text.headings import parse_heading_number
from pipeline.text.number_words import parse_number_word
from pipeline.text.periods import find_day_spans, find_years

_MINUS = "-\u2212\u2010\u2011\u2012\u2013"
_DIGITS = (
    r"\d{1,3}(?: \d{3})+,\d{1,2}(?![\d,.])|\d{1,3}(?:[\u00a0\u202f\u2009\u2007]\d{3})+(?:[.,]\d+)?|\d+(?:[.,'\u2019]\d+)*"
)
_LAST_YEAR = 2099
_WORD_HINTS = ("one", "two", "three", "four", "five", "six", "seven", "eigh", "nine", "ten", "eleven", "twel", "teen",
               "twen", "thir", "fort", "fift")


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
    if not any(map(text.casefold().__contains__, _WORD_HINTS)):
        return tuple(found)
    taken = [(item.start, item.end) for item in found]
    found.extend(item for item in _find_worded(text) if not any(item.start < end and item.end > start for start, end in taken))
    return tuple(sorted(found, key=lambda item: item.start))


def _find_blocked(text: str) -> list[tuple[int, int]]:
    """Places whose digits are no amounts: dates, references, identifiers, the number of a heading, powers of ten."""
    from pipeline.text.identifiers import find_identifiers  # late: identifiers need the reference grammar, not numbers

    blocked = list(find_day_spans(text))
    blocked.extend((item.start, item.end) for item in find_identifiers(text) if not _is_counting(item.text))
    number, rest = parse_heading_number(text)
    if number and rest[:1].isalpha():
        start = text.index(number)
        blocked.append((start, start + len(number)))
    blocked.extend(hit.span() for hit in re.finditer(
        r"\d[\d.,]*\s*(?:[x×·*⋅]\s*10\s*[\^]?\s*[-\u2212]?\d+|[eE][-+]?\d+)|\d+\s*[/\u2044:]\s*\d+(?:[/:]\d+)*|\d+\s?\^\s?\d+"
        rf"|\d+(?:[{_MINUS}]\d+){{2,}}|\d+[{_MINUS}]0\d+", text))
    blocked.extend((start, end) for start, end, _ in find_years(text) if end - start == 2)  # the "18" of "2017-18"
    return blocked


def _is_counting(text: str) -> bool:
    """Tell whether an identifier-like text is an amount after all ("US$40", "A10" is not)."""
    return "$" in text


def _match_amounts(text: str) -> Iterator[re.Match[str]]:
    """Match each number with what stands around it, looking back only from digits: most characters are none."""
    done = 0
    for number in re.finditer(_DIGITS, text):
        if number.start() < done:
            continue
        at = number.start()
        lead = re.search(r"[^\w.,;:%]*(?:[A-Z]{1,3}[$(\s]{1,2})?[^\w.,;:%]*$", text[max(done, at - 9):at])
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
        rf"(?P<lead>(?P<sign0>[{_MINUS}])?(?:(?P<currency>{signs})|(?<![A-Za-z])(?P<code>{codes}))\s*)?"
        rf"(?P<open>\(\s*(?:(?P<inner>{signs})\s*)?)?(?P<sign>[{_MINUS}+])?\s?(?:(?P<after>{signs})\s*)?"
        rf"(?<![\w.,'])(?P<digits>{_DIGITS})(?P<percent0>\s?%)?(?P<close>\s*\))?(?P<percent>\s?%)?"
    )


def _read_amount(text: str, hit: re.Match[str], decimal_mark: str) -> Quantity | None:
    digits = hit["digits"]
    value = parse_digits(digits, decimal_mark)
    if value is None or _is_glued(text, hit):
        return None
    start, end = hit.start(), hit.end()
    is_wrapped = bool(hit["open"]) and bool(hit["close"])
    if not is_wrapped:
        # an opening or closing parenthesis alone belongs to the text around the number
        end = hit.end("percent0") if hit["percent0"] else hit.end("digits")
        start = hit.start("digits")
    is_percent = bool(hit["percent0"] or (is_wrapped and hit["percent"]))
    sign = hit["currency"] or hit["inner"] or hit["after"] or ""
    currency = CURRENCY_SIGNS.get(sign, "") or (hit["code"] or "")
    is_negative = _is_minus(text, hit)
    by_parens = False
    if is_wrapped:
        verdict = _read_parens(text, hit, value)
        if verdict is None or (verdict and is_negative):
            return None
        by_parens = verdict
    elif is_negative is not None:
        start = _find_start(hit, is_negative)
    if is_negative is None:
        return None
    unit_end, unit, currency_after, scale, percent_word = _read_tail(text, hit.end() if is_wrapped else end, bool(currency))
    is_percent = is_percent or percent_word
    is_year = digits.isdigit() and len(digits) == 4 and 1900 <= value <= _LAST_YEAR and not (
        currency or currency_after or is_percent or scale or by_parens or text[:start].rstrip().endswith("=")
    )
    value = -value if by_parens or is_negative else value
    if not decimal_mark and re.fullmatch(r"\d{1,2},\d", digits) and not (unit or currency or currency_after or is_percent):
        return None  # "1,2" may be two items of a list
    end = max(end, unit_end)
    return Quantity(start, end, text[start:end], value, "%" if is_percent else unit, currency or currency_after, scale,
                    is_percent, by_parens, is_year)


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
    rest = text[hit.end("digits"):]
    if re.match(r"[\u2019']?[A-Za-z_]", rest):
        glued = re.match(r"[A-Za-zµ]+", rest)
        word = glued[0] if glued else ""
        if word in ("K", "B"):
            return not (hit["lead"] or hit["after"])  # kelvin or thousand, bytes or billion
        return not (word in GLUED_SCALES or word in UNIT_SYMBOLS or word in ("bps", "x"))
    return re.match(rf"[{_MINUS}][A-Z\d]|[/:]\d|[.,]\d", rest) is not None and not re.match(r"[\u2012\u2013-]\d", rest)


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
    if text[at + 1: at + 2].isspace():
        return True if mark == "\u2212" and before.strip() else None  # a bullet, or a dash between words
    if mark in "\u2010\u2012\u2013" and before.strip():
        return None
    return True


def _read_parens(text: str, hit: re.Match[str], value: Decimal) -> bool | None:
    """Whether parentheses mean negative; None where they may as well hold a note mark or a year."""
    digits = hit["digits"]
    is_amount = not digits.isdigit() or hit["inner"] or hit["currency"] or hit["percent"] or hit["percent0"]
    before, after = text[:hit.start()].rstrip(), text[hit.end():]
    word = re.search(r"[^\W\d_]+(?:[- ][^\W\d_]+)?$", before)
    if word is not None and _spells(word[0], value):
        return False  # "thirty (30) days"
    if hit["percent0"] and not hit["open"].strip(" (") and before and before[-1].isalpha():
        return None  # "rose (5%)" may be an aside
    if is_amount:
        return True
    if not before and not after.strip():
        return True if len(digits) < 4 else None
    is_in_row = bool(re.search(r"[\d)%$€£\u2014-]$", before)) and not text[hit.start() - 1: hit.start()].isalnum()
    if re.match(r"\s+[a-z]", after) or (len(digits) == 4 and 1900 <= value <= _LAST_YEAR):
        return None
    return True if is_in_row and text[hit.start() - 1: hit.start()].isspace() else None


def _spells(word: str, value: Decimal) -> bool:
    pieces = [word, word.split()[-1]]
    return any(parse_number_word(piece, language) == value for piece in pieces for language in NUMBER_WORDS)


def _read_tail(text: str, at: int, has_currency: bool) -> tuple[int, str, str, int, bool]:
    """Read scale, currency and unit after a number: (end, unit, currency, scale, is percent)."""
    scale, end, currency = 0, at, ""
    glued = re.match(r"[A-Za-z]{1,2}(?![A-Za-z])", text[at:])
    if glued and glued[0] in GLUED_SCALES and (has_currency or glued[0] in ("bn", "mn", "BN", "MN", "M", "k")):
        if has_currency or glued[0] not in UNIT_SYMBOLS:
            scale, end = GLUED_SCALES[glued[0]], at + glued.end()
    while scale == 0 or end == at:
        word = re.match(r"[\s-]?(mil milhões|百万|万亿|[万亿萬億]|[^\W\d_]+)", text[end:])
        power = SCALE_WORDS.get(word[1].casefold(), 0) if word else 0
        if not word or not power or (word[1] == "mm" and not has_currency):
            break
        scale, end = scale + power, end + word.end()
    percent = re.match(r"\s?(?:%|per\s?cent\b|pct\b|por cento\b)", text[end:])
    if percent:
        return end + percent.end(), "%", "", scale, True
    money = re.match(r"\s?(?:of\s)?([A-Z]{3}\b|[€£¥]|R\$|[^\W\d_]+|元)", text[end:])
    if money and not has_currency:
        name = money[1]
        currency = name if name in CURRENCY_CODES else CURRENCY_SIGNS.get(name, "") or CURRENCY_WORDS.get(name.casefold(), "")
        if currency and not text[end:].lstrip().startswith("of "):
            return end + money.end(), "", currency, scale, False
    unit = "" if has_currency else _read_unit(text, end)
    if unit:
        return end + text[end:].index(unit) + len(unit), unit, "", scale, False
    return end, "", "", scale, False


def _read_unit(text: str, at: int) -> str:
    """The unit after a number: a symbol, the noun of "30-day", or the first plural of the next three words."""
    words: list[str] = []
    position = at
    while len(words) < 3:
        hit = _compile_unit_word().match(text, position)
        if hit is None:
            break
        word, position = hit[1], hit.end()
        if word in UNIT_SYMBOLS and (not words or len(word) > 2):
            return word
        if word in NOT_UNITS or (words and not word.islower() and words[-1].islower()):
            break
        words.append(word)
    plural = next((word for word in words if word.endswith("s") and not word.endswith(("ss", "us", "ous", "is"))), "")
    return plural or (words[0] if words and words[0].islower() else "")


@cache
def _compile_unit_word() -> re.Pattern[str]:
    return re.compile(r"[\s\u2010\u2011-]?(?:(?:[A-Z]+\d+) )?((?:[^\W\d_]+(?:-[a-z]+)?[\u00b2\u00b3]?)|\u00b0[CF])(?!\w)")


def _find_worded(text: str) -> Iterator[Quantity]:
    """Number words that count a noun ("six Functions" and "thirty days"); "one of" and unread compounds are left out."""
    for hit in _compile_words().finditer(text):
        value = parse_number_word(hit["word"], "en")
        following = re.match(r"[\s-]([^\W\d_]+)", text[hit.end():])
        if value is None or following is None or following[1] in NOT_UNITS:
            continue
        before = re.search(r"([^\W\d_]+)[\s-]$", text[:hit.start()])
        neighbours = [following[1].casefold()] + ([before[1].casefold()] if before else [])
        if any(word in NUMBER_WORDS["en"] or word in SCALE_WORDS for word in neighbours):
            continue
        unit = _read_unit(text, hit.end())
        if not unit:
            continue
        end = hit.end() + text[hit.end():].index(unit) + len(unit)
        yield Quantity(hit.start(), end, text[hit.start():end], Decimal(value), unit, "", 0, False, False, False)


@cache
def _compile_words() -> re.Pattern[str]:
    words = [word for word in NUMBER_WORDS["en"] if word not in ("zero", "both", "pair", "dozen", "hundred")]
    tens = "|".join(word for word in words if word.endswith("ty"))
    ones = "|".join(sorted(words, key=len, reverse=True))
    return re.compile(rf"(?<![\w-])(?P<word>(?i:(?:{tens})[- ](?:one|two|three|four|five|six|seven|eight|nine)|one hundred|{ones}))\b")
