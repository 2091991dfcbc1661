"""One written number: its value, or None where two readings are possible."""

from __future__ import annotations

import re
from decimal import Decimal

_SPACES = "\u00a0\u202f\u2009\u2007\u2008"
_MINUS = "-\u2212\u2010\u2011\u2012\u2013\ufe63\uff0d"
_SIGNS = r"(?:US\$|R\$|[A-Z]{1,2}\$|[$€£¥￥₹₩])"
# Every way to write a number: its shape, the marks between groups, the mark of decimals.
_SHAPES = (
    (re.compile(r"\d+"), "", ""),
    (re.compile(r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?"), ",", "."),
    (re.compile(r"[1-9]\d?(?:,\d{2})+,\d{3}(?:\.\d+)?"), ",", "."),  # Indian grouping
    (re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?"), ".", ","),
    (re.compile(r"[1-9]\d{0,2}(?:['\u2019]\d{3})+(?:[.,]\d+)?"), "'\u2019", ".,"),
    (re.compile(rf"[1-9]\d{{0,2}}(?:[{_SPACES}]\d{{3}})+(?:[.,]\d+)?"), _SPACES, ".,"),
    (re.compile(r"[1-9]\d{0,2}(?: \d{3})+,\d+"), " ", ","),
    (re.compile(r"\d+\.\d+"), "", "."),
    (re.compile(r"\d+,\d+"), "", ","),
)


def parse_number(text: str, *, decimal_mark: str = "") -> Decimal | None:
    """Return the value of a written number, or None where it is none or can be read in two ways.

    Reads separators of thousands (comma, full stop, apostrophe, thin and no-break space), decimals, a minus of any
    form, parentheses as negative, and drops a currency sign or percent sign ("12%" is 12). "1,234" is a thousand;
    "1.234" is declined unless `decimal_mark` ("." or ",") says which mark of decimals the document uses; "1 234"
    with a plain space is declined, since it may be two cells.
    """
    plain = text.strip().translate(_FULL_WIDTH)
    is_negative = False
    wrapped = re.fullmatch(rf"({_SIGNS})?\s*\(\s*(.+?)\s*(\))?\s*(%)?\s*(\))?", plain)
    if wrapped is not None:
        if bool(wrapped[3]) == bool(wrapped[5]):
            return None
        is_negative, plain = True, wrapped[2]
    found = re.fullmatch(rf"(?:{_SIGNS}\s*)?([{_MINUS}+])?\s*(?:{_SIGNS}\s*)?(\d.*?)\s*(?:%|{_SIGNS})?", plain)
    if found is None or (is_negative and found[1]):
        return None
    value = parse_digits(found[2], decimal_mark)
    if value is None:
        return None
    return -value if is_negative or (found[1] and found[1] != "+") else value


def parse_digits(digits: str, decimal_mark: str = "") -> Decimal | None:
    """Return the value of an unsigned number, or None where its marks can be read in two ways or in none."""
    values: list[Decimal] = []
    for shape, groups, marks in _SHAPES:
        if shape.fullmatch(digits) is None or (decimal_mark and decimal_mark in groups):
            continue
        whole = digits.translate({ord(mark): None for mark in groups})
        mark = next((mark for mark in marks if mark in whole), "")
        if mark and decimal_mark and mark != decimal_mark:
            continue
        if whole[0] == "0" and whole[1:2].isdigit():
            return None  # leading zeros: a code, not an amount
        values.append(Decimal(whole.replace(",", ".")))
    if not values or (len(set(values)) > 1 and "." in digits):
        return None
    return values[0]  # of the two readings of "1,234" the thousand, as the shapes are ordered


def format_decimal(value: Decimal) -> str:
    """Return `value` in plain digits, without exponent and with the decimals it has."""
    return format(value, "f")


_FULL_WIDTH = {0xFF10 + digit: str(digit) for digit in range(10)} | {
    0xFF0E: ".",
    0xFF0C: ",",
    0xFF08: "(",
    0xFF09: ")",
    0xFF05: "%",
    0xFF04: "$",
}
