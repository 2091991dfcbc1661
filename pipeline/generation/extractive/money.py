"""Amounts of money and counts in the unit that is asked for: exact conversion between scales, and how they are told."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from pipeline.text.grammar import CURRENCY_SIGNS, SCALE_WORDS

if TYPE_CHECKING:
    from pipeline.generation.extractive.figures import Figure
    from pipeline.structure.view import DocumentView

_SCALE_NAMES = {3: "thousand", 6: "million", 9: "billion"}


def read_unit_scale(unit: str) -> int | None:
    """The power of ten that an asked unit names ("USD millions" is 6), None where it names none."""
    for word in unit.casefold().split():
        if word in SCALE_WORDS:
            return SCALE_WORDS[word]
    return None


def convert(figure: Figure, unit: str) -> tuple[Decimal, str, bool]:
    """The figure in the asked unit, else as printed: amount, unit, and whether it was converted.

    A figure whose page does not say its scale is never converted.
    """
    wanted = read_unit_scale(unit)
    # Without a stated scale a conversion would be a guess by a factor of a thousand or a million.
    if figure.scale is None or figure.is_percent:
        return figure.value, "%" if figure.is_percent else "", False
    scale = figure.scale if wanted is None else wanted
    if wanted is None and not scale:
        return figure.value, unit, False
    currency = unit.split()[0] if wanted is not None else ""
    amount = figure.value.scaleb(-scale)
    name = f"{_SCALE_NAMES[scale]}s" if scale in _SCALE_NAMES else ""
    return _trim(amount), f"{currency} {name}".strip(), scale != figure.scale


def tell_amount(view: DocumentView, figure: Figure, amount: Decimal, unit: str) -> str:
    """An amount in words with its currency and scale, thousands parted: "$1,577 million"."""
    sign = find_currency(view, figure.lines[0].page)
    digits = f"{abs(amount):,f}"
    minus = "-" if amount < 0 else ""
    if unit == "%":
        return f"{minus}{digits}%"
    name = next((name for name in _SCALE_NAMES.values() if f"{name}s" in unit), "")
    return f"{minus}{sign}{digits}{f' {name}' if name else ''}"


def tell_printed(figure: Figure) -> str:
    """A figure as it is printed, with its scale in words."""
    name = _SCALE_NAMES.get(figure.scale or 0, "")
    return f"{figure.printed} in {name}s" if name else figure.printed


def find_currency(view: DocumentView, page: int) -> str:
    """The currency sign that a page prints most, "" where it prints none."""
    text = "".join(line.text for line in view.document.lines_on(page))
    counts = [(text.count(sign), sign) for sign in CURRENCY_SIGNS if len(sign) == 1 and sign in text]
    return max(counts, default=(0, ""))[1]


def _trim(amount: Decimal) -> Decimal:
    """Without trailing zeros after the point and without an exponent."""
    text = format(amount, "f")
    return Decimal(text.rstrip("0").rstrip(".")) if "." in text else amount
