"""Numbers and quantities: right or declined, never wrong (promise P23)."""

from __future__ import annotations

from pipeline.text.decimals import format_decimal, parse_number
from pipeline.text.number_words import parse_number_word
from pipeline.text.periods import DateMention, find_dates, find_years
from pipeline.text.quantities import Quantity, find_quantities

__all__ = [
    "DateMention",
    "Quantity",
    "find_dates",
    "find_quantities",
    "find_years",
    "format_decimal",
    "parse_number",
    "parse_number_word",
]
