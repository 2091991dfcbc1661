"""Years and dates, exact or not at all."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from pipeline.text.grammar import MONTHS

_YEAR = r"(?:19|20)\d\d"
# A date needs the start of a month's name or digits parted by marks; one cheap look before the pattern.
_MONTH_STEMS = (
    "jan",
    "feb",
    "fev",
    "mar",
    "apr",
    "abr",
    "may",
    "mai",
    "jun",
    "jul",
    "aug",
    "ago",
    "sep",
    "set",
    "oct",
    "out",
    "nov",
    "dec",
    "dez",
)
_DASH = r"[-/\u2010-\u2013]"


class DateMention(NamedTuple):
    """One date at a verbatim place; `day` is 0 for a month of a year ("December 2018")."""

    start: int
    end: int
    text: str
    year: int
    month: int
    day: int


def find_years(text: str) -> tuple[tuple[int, int, int], ...]:
    """Return (start, end, year) of every year: "2018", "FY2018", "FY18", "'18" after FY, "2017-18" as two years."""
    years: list[tuple[int, int, int]] = []
    if not any(map(text.__contains__, ("20", "19", "FY", "CY", "iscal", "fy"))):
        return ()
    for found in _compile_years().finditer(text):
        if found["fiscal"]:
            years.append((found.start(), found.end(), _widen_year(found["fiscal"])))
            continue
        first = int(found["first"])
        years.append((found.start("first"), found.end("first"), first))
        second = found["second"]
        if second:
            year = int(second) if len(second) == 4 else first - first % 100 + int(second)
            if first < year <= first + 60 and (len(second) == 4 or year == first + 1):
                years.append((found.start("second"), found.end("second"), year))
    return tuple(years)


def find_dates(text: str) -> tuple[DateMention, ...]:
    """Return every date whose order of day and month is certain ("05/06/2018" is declined, "31/12/2018" is not)."""
    if not _may_hold_date(text):
        return ()
    dates: list[DateMention] = []
    for found in _compile_dates().finditer(text):
        year, month, day = _read_date({name: part for name, part in found.groupdict().items() if part})
        if year and 1 <= month <= 12 and 0 <= day <= 31:
            dates.append(DateMention(found.start(), found.end(), found[0], year, month, day))
    return tuple(dates)


@cache
def _compile_years() -> re.Pattern[str]:
    fiscal = r"\b(?:FY|CY|fiscal\s+year\s+|fiscal\s+)\s?['\u2019]?(?P<fiscal>(?:19|20)\d\d|\d\d)(?![\d,.]\d|\d)"
    second = rf"(?:{_DASH}(?P<second>{_YEAR}|\d\d)(?!{_DASH}?\d))?"
    plain = rf"(?<![\w$€£¥.,#/-])(?P<first>{_YEAR}){second}(?![\d%]|[.,]\d|-[A-Za-z\d])"
    return re.compile(rf"(?i:{fiscal})|{plain}")


@cache
def _compile_dates() -> re.Pattern[str]:
    month = "|".join(sorted(MONTHS, key=len, reverse=True))
    return re.compile(
        rf"(?<![^\W\u3400-\u9fff])(?<!/)(?:(?P<y1>{_YEAR})-(?P<m1>\d\d)-(?P<d1>\d\d)(?!\d)"
        rf"|(?P<y2>{_YEAR})\s*年\s*(?P<m2>\d{{1,2}})\s*月(?:\s*(?P<d2>\d{{1,2}})\s*日)?"
        rf"|(?P<n1>(?i:{month}))\.?\s+(?P<d3>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y3>{_YEAR})(?!\d)"
        rf"|(?P<d4>\d{{1,2}})(?:st|nd|rd|th|º)?\s+(?:de\s+|of\s+)?(?P<n2>(?i:{month}))\.?,?\s+(?:de\s+)?(?P<y4>{_YEAR})(?!\d)"
        rf"|(?P<n3>(?i:{month}))\.?,?\s+(?:de\s+|of\s+)?(?P<y5>{_YEAR})(?!\d)"
        rf"|(?P<n4>(?i:{month}))\.?\s+(?P<d6>\d{{1,2}})(?:st|nd|rd|th)?(?![\d,.]\d|\d|\s*%)"
        rf"|(?P<a>\d{{1,2}})[/.](?P<b>\d{{1,2}})[/.](?P<y6>{_YEAR})(?!\d))"
    )


def _read_date(parts: dict[str, str]) -> tuple[int, int, int]:
    """Year, month and day of one match; year 0 where the order of day and month is open or no year is given."""
    # two numbers up to twelve leave day and month open, unless they are equal
    if "a" in parts:
        left, right, year = int(parts["a"]), int(parts["b"]), int(parts["y6"])
        if left > 12 >= right or left == right:
            return year, right, left
        return (year, left, right) if right > 12 else (0, 0, 0)
    year = next((int(part) for name, part in parts.items() if name[0] == "y"), 0)
    name = next((part for key, part in parts.items() if key[0] == "n"), "")
    month = MONTHS[name.casefold()] if name else next(int(part) for key, part in parts.items() if key[0] == "m")
    day = next((int(part) for key, part in parts.items() if key[0] == "d"), 0)
    return year, month, day


def _may_hold_date(text: str) -> bool:
    if not any(map(text.__contains__, "0123456789")):
        return False
    lowered = text.lower()
    if any(map(lowered.__contains__, _MONTH_STEMS)):
        return True
    return re.search(r"[0-9][-/.\s]*[-/.\u5e74][0-9\s]", text) is not None


def find_day_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Return the places of all dates, certain or not, with or without a year: their digits are no quantities."""
    if not _may_hold_date(text):
        return ()
    return tuple(found.span() for found in _compile_dates().finditer(text))


def _widen_year(digits: str) -> int:
    """Read a fiscal year of two digits as 1970 to 2069."""
    year = int(digits)
    if len(digits) == 4:
        return year
    return 1900 + year if year >= 70 else 2000 + year
