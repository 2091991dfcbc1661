"""Periods that a question asks for: calendar and fiscal years, quarters, ranges of years."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from pipeline.text.late import compile_late
from pipeline.text.periods import find_years

_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}
_RANGE_GAP = compile_late(r"\s*(?:-|\u2013|\u2014|to|through|until|a|\u81f3|\u5230)\s*(?:FY\s?|fiscal\s)?")
_MAX_RANGE_YEARS = 12


class Period(NamedTuple):
    """A period where it stands: `key` is "2018" or "2023 Q2"; `year` its year."""

    start: int
    end: int
    key: str
    year: int


def find_periods(text: str) -> tuple[Period, ...]:
    """Periods in `text`, in order. A year inside a name ("WMT 2014 English-to-French") is none."""
    years = [(start, end, year) for start, end, year in find_years(text) if not _is_in_name(text, start, end)]
    found: list[Period] = []
    for start, end, year in years:
        quarter = _find_quarter(text, start, end)
        if quarter is None:
            found.append(Period(start, end, str(year), year))
        else:
            number, first, last = quarter
            found.append(Period(first, last, f"{year} Q{number}", year))
    return tuple(found)


def list_period_keys(text: str, periods: tuple[Period, ...]) -> tuple[str, ...]:
    """Keys of the periods in order, each once; "FY2015 - FY2017" and "from 2015 to 2017" hold the year between."""
    keys: list[str] = []
    for index, period in enumerate(periods):
        before = periods[index - 1] if index else None
        is_range = before is not None and _RANGE_GAP.fullmatch(text[before.end : period.start]) is not None
        if before is not None and is_range and len(before.key) == len(period.key):
            # a range as long as this is a slip, not a period
            last = period.year if period.year - before.year <= _MAX_RANGE_YEARS else before.year
            keys.extend(map(str, range(before.year + 1, last)))
        keys.append(period.key)
    return tuple(dict.fromkeys(keys))


def list_forms(period: Period, text: str) -> tuple[str, ...]:
    """Folded forms of a period, as asked first."""
    own = " ".join(text[period.start : period.end].casefold().split())
    year = period.year
    if period.key.isdigit():
        return tuple(
            dict.fromkeys((own, str(year), f"fy{year}", f"fy {year}", f"fiscal {year}", f"fiscal year {year}"))
        )
    quarter = period.key[-1]
    word = next(word for word, number in _ORDINALS.items() if str(number) == quarter)
    return tuple(
        dict.fromkeys((own, f"q{quarter} {year}", f"{year} q{quarter}", f"q{quarter} fy{year}", f"{word} quarter"))
    )


@cache
def _compile_quarters() -> tuple[re.Pattern[str], re.Pattern[str]]:
    ordinal = "|".join(_ORDINALS)
    quarter = rf"(?:Q(?P<digit>[1-4])|(?P<word>{ordinal})\s+(?:fiscal\s+)?quarter)"
    before = re.compile(rf"\b{quarter}(?:\s*,)?\s*(?:of\s+)?(?:the\s+)?(?:fiscal\s+)?(?:year\s+)?$", re.IGNORECASE)
    after = re.compile(rf"(?:\s*,)?\s*{quarter}\b", re.IGNORECASE)
    return before, after


def _find_quarter(text: str, start: int, end: int) -> tuple[int, int, int] | None:
    """The quarter next to a year: its number and where year and quarter together stand."""
    before, after = _compile_quarters()
    window = max(0, start - 48)
    match = before.search(text[window:start])
    if match is not None:
        return _read_quarter(match), window + match.start(), end
    match = after.match(text, end)
    return (_read_quarter(match), start, match.end()) if match is not None else None


def _read_quarter(match: re.Match[str]) -> int:
    return int(match["digit"]) if match["digit"] else _ORDINALS[match["word"].casefold()]


def _is_in_name(text: str, start: int, end: int) -> bool:
    """A bare year between two capitalised words, the first in capitals, belongs to a name."""
    before = re.search(r"\b[A-Z]{2,}[ -]$", text[max(0, start - 16) : start])
    return before is not None and re.match(r" [A-Z]\w+", text[end : end + 16]) is not None
