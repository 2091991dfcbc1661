"""What time the columns and rows of figures are of: how many months, which quarter, to which day.

A head says it in parts ("Three Months Ended June 30," over "2023", "3rd" under "2018"), and a filing says a quarter by
its number or by the day it ends on. A calendar, read from the heads and words of the document, makes both comparable.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from pipeline.models.lexicon import Lexicon
from pipeline.text.grammar import MONTHS
from pipeline.text.numbers import find_years

MONTHS_KNOWN = (3, 6, 9, 12)
TO_DATE = -1
"""Months of what is counted from the start of a year on: as many as there are."""
_QUARTERS = (1, 2, 3, 4)
_EARLY_DAY = 7
"""A period that ends in the first days of a month is that of the month before: years of whole weeks end so."""


class Time(NamedTuple):
    """A time, 0 for what is not said: months it lasts, number of its quarter, and the day it ends on."""

    months: int = 0
    quarter: int = 0
    year: int = 0
    month: int = 0
    day: int = 0

    def order(self) -> tuple[int, int, int]:
        """Year, month and day, to put times in order; 0 for what it does not say."""
        return self.year, self.month, self.day

    @property
    def is_instant(self) -> bool:
        """Whether it is a day and no length of time."""
        return not self.months and bool(self.month)

    def fill(self, other: Time) -> Time:
        """This time with what it does not say itself and `other` does."""
        if other.month and self.month and not self.year and other.year:
            # the year of another day is not that of this one
            other = other._replace(month=0, day=0)
        own = self if self.month else self._replace(month=other.month, day=other.day)
        if own.quarter or self.months:
            return own._replace(year=own.year or other.year, quarter=own.quarter or other.quarter)
        return own._replace(months=other.months, quarter=other.quarter, year=own.year or other.year)


def read_time(text: str, lexicon: Lexicon) -> tuple[Time, str]:
    """(the time that a text says, the text without the words that say it)."""
    rest = text
    months, quarter, is_annual = 0, 0, False
    for label, pattern in _compile_cues(lexicon.calculation_cues and _list_cues(lexicon)):
        if pattern.search(rest) is None:
            continue
        kind, number = label
        if kind == "span" and number == TO_DATE and quarter:
            # "Q4 YTD" is all of the year up to that quarter
            months = 3 * quarter
        elif kind == "quarter":
            quarter, months = quarter or number, 3
        elif not quarter or number != 12:
            months = months or number
        is_annual = is_annual or (kind == "span" and number == 12)
        rest = pattern.sub(" ", rest)
    month, day, rest = _cut_day(rest)
    years = find_years(rest) or find_years(text)
    for start, end, _ in reversed(find_years(rest)):
        rest = f"{rest[:start]} {rest[end:]}"
    # "fiscal year ended January 31, 2020" over "Q3": the day is that of the year
    if quarter and is_annual:
        month, day = 0, 0
    return Time(months, quarter, years[0][2] if years else 0, month, day), _tidy(rest)


def _tidy(rest: str) -> str:
    plain = re.sub(r"\(\s*(?:unaudited)?\s*\)|\b(?:ended|ending|as of|at)\b", " ", rest, flags=re.IGNORECASE)
    return " ".join(plain.split()).strip(" ,;:")


def _list_cues(lexicon: Lexicon) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((cue.label, cue.phrases) for cue in lexicon.calculation_cues if cue.label in _LABELS)


_LABELS = {
    **{f"quarter {number}": ("quarter", number) for number in _QUARTERS},
    "span to date": ("span", TO_DATE),
    **{f"span {number}": ("span", number) for number in MONTHS_KNOWN},
}


@lru_cache(maxsize=8)
def _compile_cues(
    cues: tuple[tuple[str, tuple[str, ...]], ...],
) -> tuple[tuple[tuple[str, int], re.Pattern[str]], ...]:
    """Patterns of all lengths of time, quarters by number first: "third quarter" is more than "quarter"."""
    known = dict(cues)
    found = []
    for label, meant in _LABELS.items():
        phrases = sorted(known.get(label, ()), key=lambda phrase: (-len(phrase), phrase))
        if phrases:
            forms = "|".join(r"[\s\u2010-\u2015-]+".join(map(re.escape, phrase.split())) for phrase in phrases)
            found.append((meant, re.compile(rf"(?<![\w.])(?:{forms})(?!\w)", re.IGNORECASE)))
    return tuple(found)


@lru_cache(maxsize=1)
def _compile_day() -> re.Pattern[str]:
    names = "|".join(sorted(MONTHS, key=len, reverse=True))
    return re.compile(rf"(?<!\w)({names})\.?,?(?:\s+(\d{{1,2}})(?![\d]))?(?!\w),?", re.IGNORECASE)


def _cut_day(text: str) -> tuple[int, int, str]:
    for match in _compile_day().finditer(text):
        # "may" and "march" are words too: a month has a day or a year behind it
        if match[2] or re.match(r"\s*(?:19|20)\d\d\b", text[match.end() :]):
            rest = f"{text[: match.start()]} {text[match.end() :]}"
            return MONTHS[match[1].casefold()], int(match[2] or 0), rest
    return 0, 0, text


def read_rank(rest: str, lexicon: Lexicon) -> int:
    """The quarter that a head says by its place alone ("3rd"), 0 where it says anything else."""
    ranks = next((cue.phrases for cue in lexicon.calculation_cues if cue.label == "quarter rank"), ())
    plain = rest.strip().casefold()
    return ranks.index(plain) + 1 if plain in ranks else 0


def read_head_times(header: Sequence[str], lexicon: Lexicon) -> tuple[tuple[Time, str], ...]:
    """The time of each column with the other words of its head; what one column says of the year counts for all.

    Heads that only say places ("1st" to "4th") are quarters where all of them are there.
    """
    read = [read_time(head, lexicon) for head in header]
    # "1st" may be anything, but four places side by side are the quarters of a year
    ranks = [read_rank(rest, lexicon) if not time.quarter else 0 for time, rest in read]
    if set(_QUARTERS) <= set(ranks):
        read = [
            (time._replace(months=3, quarter=rank), "") if rank else (time, rest)
            for (time, rest), rank in zip(read, ranks, strict=True)
        ]
    # the year may stand over the column of the whole year only
    years = {time.year for time, _ in read if time.year}
    if len(years) == 1:
        year = next(iter(years))
        read = [(time if time.year or not time.quarter else time._replace(year=year), rest) for time, rest in read]
    return tuple(read)


class Calendar(NamedTuple):
    """The fiscal year of a document: the month it ends in, and what is added to the year of its end to name it."""

    end_month: int = 12
    shift: int = 0

    def place(self, time: Time) -> tuple[int, int]:
        """(fiscal year, quarter) of a time; 0 where it is not said."""
        if time.quarter or not time.month:
            return time.year, time.quarter
        month = (time.month - 2) % 12 + 1 if 0 < time.day <= _EARLY_DAY else time.month
        quarter = ((month - self.end_month - 1) % 12) // 3 + 1
        if not time.year:
            return 0, quarter
        year = time.year - 1 if month == 12 and time.month == 1 else time.year
        return year + (month > self.end_month) + self.shift, quarter

    def date(self, time: Time) -> Time:
        """A day without its year, in a fiscal year that is known, with the year of the day."""
        if not time.month or not time.year:
            return time
        return time._replace(year=time.year - (time.month > self.end_month) - self.shift)


def find_end_month(tables: Iterable[Sequence[Time]]) -> int:
    """The month in which the fiscal year ends, from the columns of tables; December where none says it."""
    for times in tables:
        days = [time for time in times if time.month and time.months]
        longest = max((time for time in days), key=lambda time: time.months, default=None)
        if longest is None:
            continue
        if longest.months > MONTHS_KNOWN[0]:
            return _step(longest, 12 - longest.months)
        if len({time.month for time in days}) == len(_QUARTERS):
            newest = max(days, key=lambda time: (time.year, time.month)) if days[0].year else days[len(_QUARTERS) - 1]
            return _step(newest, 0)
    return 12


def _step(time: Time, months: int) -> int:
    month = time.month - (0 < time.day <= _EARLY_DAY)
    return (month + months - 1) % 12 + 1


def find_shift(folded: Iterable[str], newest: Time, end_month: int) -> int:
    """-1 where the document names its fiscal years by the year they begin in, as some that end in January do; else 0.

    `newest` is the newest day of its columns; the fiscal year that the lines speak of most is the one of that day.
    """
    own, _ = Calendar(end_month).place(newest)
    if end_month > MONTHS_KNOWN[0] or not own:
        return 0
    wanted = {own: 0, own - 1: 0}
    for line in folded:
        if "fiscal" in line:
            for match in re.finditer(r"\bfiscal (?:year )?(20\d\d)\b", line):
                if int(match[1]) in wanted:
                    wanted[int(match[1])] += 1
    return -1 if wanted[own - 1] > 2 * wanted[own] else 0


def tell_time(time: Time, calendar: Calendar) -> str:
    """A time in short: "2018 Q3", "3 months to 2022-12-31", "2022-12-31"."""
    if time.month and time.year:
        day = f"{time.year}-{time.month:02d}" + (f"-{time.day:02d}" if time.day else "")
        return f"{time.months} months to {day}" if time.months > 0 else day
    year, quarter = calendar.place(time)
    if quarter and time.months in (0, 3):
        return f"{year} Q{quarter}" if year else f"Q{quarter}"
    return f"{time.months} months of {year}" if time.months > 0 else str(year or "")
