"""Values that can be put in order or added up: money, shares, lengths of time, dates and counted things, exactly.

Two values are only compared where the order is certain: one currency, one unit, or units of time that convert. A month
has 28 to 31 days, so that 1 month and 30 days have no order, and 1 month and 2 weeks have.
"""

from __future__ import annotations

import re
from datetime import date, timedelta
from decimal import ROUND_FLOOR, Decimal
from typing import TYPE_CHECKING, Literal, NamedTuple

from pipeline.models.lexicon import singular
from pipeline.question.terms import cue_of
from pipeline.text.grammar import CURRENCY_CODES, CURRENCY_SIGNS
from pipeline.text.matching import fold
from pipeline.text.numbers import find_dates, find_quantities, parse_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.models.lexicon import Lexicon

Kind = Literal["money", "percent", "duration", "date", "quantity"]
KINDS: tuple[Kind, ...] = ("money", "percent", "duration", "date", "quantity")
# units of time: how many minutes or months one of them has; the two never convert into each other
MINUTES = {"minutes": 1, "hours": 60, "days": 1440, "weeks": 10080}
MONTHS = {"months": 1, "quarters": 3, "years": 12, "decades": 120}
DAY = 1440
_MONTH_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
MAX_CELL_WORDS = 4
_SAFE_LEAP_YEARS = 8  # so many years may pass without a leap year (1896 to 1904)


class Measure(NamedTuple):
    """A value of a kind at [start, end) of a text.

    `amount` is the number in the unit as `printed`. `size` is the number in `unit`, the unit that must agree for a sum:
    a currency, "%", minutes or months, a counted thing. `low` and `high` bound the value on the scale of its kind
    (minutes for lengths of time, days for dates); they are equal where it is exact.
    """

    kind: Kind
    size: Decimal
    unit: str
    low: Decimal
    high: Decimal
    amount: Decimal
    printed: str
    text: str
    start: int = 0
    end: int = 0


def find_measures(text: str, lexicon: Lexicon) -> tuple[Measure, ...]:
    """All values in a text in order; numbers that are years, and numbers that can be read in two ways, are left out."""
    found = [
        _read_date(item.text, item.year, item.month, item.day)._replace(start=item.start, end=item.end)
        for item in find_dates(text)
    ]
    taken = [(item.start, item.end) for item in found]
    for quantity in find_quantities(text):
        if quantity.is_year or any(quantity.start < end and quantity.end > start for start, end in taken):
            continue
        printed = quantity.text.strip()
        if quantity.currency:
            measure = _build("money", quantity.amount, quantity.currency, printed)
        elif quantity.is_percent:
            measure = _build("percent", quantity.amount, "%", printed)
        else:
            measure = _read_counted(printed, quantity.amount, quantity.unit, lexicon)
        found.append(measure._replace(start=quantity.start, end=quantity.end))
    return tuple(sorted(found, key=lambda entry: entry.start))


def read_cell_measure(text: str, context: str, lexicon: Lexicon) -> Measure | None:
    """The one value of a cell; `context` are its header and units, which may say what a bare number is of."""
    plain = " ".join(text.split())
    found = find_measures(plain, lexicon)
    if len(found) == 1 and (found[0].kind != "quantity" or found[0].unit):
        rest = f"{plain[: found[0].start]} {plain[found[0].end :]}"
        return found[0] if len(re.findall(r"[^\W\d_]+", rest)) <= MAX_CELL_WORDS else None
    number = parse_number(plain)
    if number is None:
        return None
    if "%" in context or "percent" in fold(context):
        return _build("percent", number, "%", plain)
    return _build("quantity", number, "", plain)


def order(one: Measure, other: Measure) -> int | None:
    """-1, 0 or 1 where the order of two values is certain, else None."""
    if not is_comparable(one, other):
        return None
    if one.unit == other.unit and one.kind != "date":
        return (one.size > other.size) - (one.size < other.size)
    if (one.low, one.high) == (other.low, other.high):
        return 0
    return 1 if one.low > other.high else -1 if one.high < other.low else None


def is_comparable(one: Measure, other: Measure) -> bool:
    """Whether two values are of one kind and unit; lengths of time are, though not every two have a certain order."""
    is_timed = one.kind == "date" or (one.kind == "duration" and {one.unit, other.unit} <= {"minutes", "months"})
    return one.kind == other.kind and (is_timed or one.unit == other.unit)


def add(measures: Sequence[Measure]) -> Decimal | None:
    """The sum in the unit that all share; None for dates and for units that do not convert."""
    units = {(measure.kind, measure.unit) for measure in measures}
    if len(units) != 1 or measures[0].kind == "date":
        return None
    return sum((measure.size for measure in measures), Decimal(0))


def tell_size(size: Decimal, like: Sequence[Measure]) -> tuple[str, str, str]:
    """A size as number, unit and text, in the unit that the values are printed in, the least where they differ."""
    first = like[0]
    if first.kind == "duration":
        least = min(like, key=lambda measure: measure.size / measure.amount if measure.amount else Decimal(1))
        factor = least.size / least.amount if least.amount else Decimal(1)
        number = trim(size / factor)
        return format(number, "f"), least.printed, f"{format(number, ',f')} {least.printed}"
    number = size
    digits = format(number, ",f")
    if first.kind == "percent":
        return format(number, "f"), "%", f"{digits} %"
    if first.kind == "money":
        return format(number, "f"), first.unit, _tell_money(digits, first)
    return format(number, "f"), first.printed, f"{digits} {first.printed}".strip()


def trim(number: Decimal) -> Decimal:
    """A number without trailing zeros after the point and without an exponent."""
    text = format(number, "f")
    return Decimal(text.rstrip("0").rstrip(".")) if "." in text else number


def _tell_money(digits: str, first: Measure) -> str:
    """Money with the sign or code that the values carry, before or behind as they have it."""
    found = re.search(r"[^\d\s.,'\u2019()+-]+", first.text)
    sign = found[0] if found is not None else next((s for s, code in CURRENCY_SIGNS.items() if code == first.unit), "")
    if sign not in CURRENCY_SIGNS and sign not in CURRENCY_CODES:
        sign = first.unit
    gap = "" if sign in CURRENCY_SIGNS else " "
    digits = digits if first.unit in CURRENCY_CODES else f"{digits} {first.unit}".strip()
    is_behind = first.text[:1].isdigit() and sign in first.text
    return f"{digits} {sign}" if is_behind else f"{sign}{gap}{digits}"


def _build(kind: Kind, amount: Decimal, unit: str, text: str) -> Measure:
    return Measure(kind, amount, unit, amount, amount, amount, unit, text)


def _read_counted(text: str, amount: Decimal, unit: str, lexicon: Lexicon) -> Measure:
    """A length of time where the unit is one, else a number of things."""
    folded = fold(unit)
    for label, factor in (*MINUTES.items(), *MONTHS.items()):
        if folded in cue_of(lexicon.value_cues, f"time {label}"):
            between = re.sub(r"[\W\d_]+", " ", fold(text)).split()
            if any(word in cue_of(lexicon.value_cues, "working") for word in between):
                # working days are no days of the calendar, and nothing says how many holidays lie between
                printed = " ".join(word for word in between if word)
                return Measure("duration", amount, printed, amount, amount, amount, printed, text)
            return _build_duration(amount, unit, text, factor, label in MINUTES)
    return Measure("quantity", amount, singular(folded), amount, amount, amount, unit, text)


def _build_duration(amount: Decimal, printed: str, text: str, factor: int, is_exact: bool) -> Measure:
    size = amount * factor
    low, high = (size, size) if is_exact else bound_months(size)
    return Measure("duration", size, "minutes" if is_exact else "months", low, high, amount, printed, text)


def bound_months(months: Decimal) -> tuple[Decimal, Decimal]:
    """The least and the most minutes that so many months can have, wherever in the calendar they begin."""
    whole = int(months.to_integral_value(ROUND_FLOOR))
    low, high = _bound_whole(whole)
    if months == whole:
        return Decimal(low * DAY), Decimal(high * DAY)
    return Decimal(low * DAY), Decimal(_bound_whole(whole + 1)[1] * DAY)


def _bound_whole(months: int) -> tuple[int, int]:
    years, rest = divmod(max(0, months), 12)
    starts = [sum(_MONTH_DAYS[(first + step) % 12] for step in range(rest)) for first in range(12)]
    with_leap = [
        sum(_MONTH_DAYS[(first + step) % 12] + ((first + step) % 12 == 1) for step in range(rest))
        for first in range(12)
    ]
    # one leap year in four, but for the century that has none
    fewest = max(0, (years - _SAFE_LEAP_YEARS) // 4 + 1) if years >= _SAFE_LEAP_YEARS else 0
    return 365 * years + fewest + min(starts), 365 * years + (years + 3) // 4 + max(with_leap)


def _read_date(text: str, year: int, month: int, day: int) -> Measure:
    first = date(year, month, day or 1)
    following = date(year + month // 12, month % 12 + 1, 1)
    last = first if day else following - timedelta(days=1)
    low, high = Decimal(first.toordinal()), Decimal(last.toordinal())
    value = f"{year:04d}-{month:02d}" + (f"-{day:02d}" if day else "")
    return Measure("date", low, value, low, high, low, "", text)
