"""Values of a type in a text: amounts, percentages, dates, lengths of time, each where it stands."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from pipeline.models.lexicon import singular
from pipeline.question.terms import cue_of
from pipeline.text.numbers import Quantity, find_dates, find_quantities, find_years

if TYPE_CHECKING:
    from pipeline.models.lexicon import Lexicon
    from pipeline.models.question import ValueType


class Typed(NamedTuple):
    """A value at a verbatim place: canonical `value`, `unit` as printed, and its number where it has one."""

    start: int
    end: int
    text: str
    value: str
    unit: str
    number: Decimal | None


def find_typed(text: str, value_type: ValueType, lexicon: Lexicon) -> tuple[Typed, ...]:
    """All values of the type in `text`, in order; none for a type that no grammar reads."""
    if value_type == "date":
        return _find_dates(text)
    if value_type == "duration":
        return (*_find_lengths(text, lexicon), *_find_frequencies(text, lexicon))
    quantities = find_quantities(text)
    if value_type == "money":
        coins = cue_of(lexicon.value_cues, "coins")
        return tuple(_read(item) for item in quantities if item.currency or singular(item.unit.casefold()) in coins)
    if value_type == "percent":
        return tuple(_read(item) for item in quantities if item.is_percent)
    if value_type == "number":
        # A small number in parentheses is the number of an equation or a note.
        return tuple(_read(item) for item in quantities if not item.is_year and not item.is_negative_by_parens)
    return ()


def _read(item: Quantity) -> Typed:
    unit = item.currency or item.unit
    return Typed(item.start, item.end, item.text.strip(), format(item.amount, "f"), unit, item.amount)


def _find_dates(text: str) -> tuple[Typed, ...]:
    found = []
    for item in find_dates(text):
        day = f"-{item.day:02d}" if item.day else ""
        value = f"{item.year:04d}-{item.month:02d}{day}"
        found.append(Typed(item.start, item.end, item.text, value, "", None))
    taken = [(item.start, item.end) for item in found]
    for start, end, year in find_years(text):
        if not any(start < stop and end > begin for begin, stop in taken):
            found.append(Typed(start, end, text[start:end], str(year), "", None))
    return tuple(sorted(found))


def _find_lengths(text: str, lexicon: Lexicon) -> tuple[Typed, ...]:
    units = cue_of(lexicon.value_cues, "duration")
    return tuple(
        _read(item) for item in find_quantities(text) if singular(item.unit.casefold()) in units and not item.is_year
    )


def _find_frequencies(text: str, lexicon: Lexicon) -> tuple[Typed, ...]:
    folded = text.casefold()
    found = []
    for word in cue_of(lexicon.value_cues, "frequency"):
        at = folded.find(word)
        if at >= 0 and not folded[at - 1 : at].isalnum() and not folded[at + len(word) : at + len(word) + 1].isalnum():
            found.append(Typed(at, at + len(word), text[at : at + len(word)], word, "", None))
    return tuple(sorted(found))
