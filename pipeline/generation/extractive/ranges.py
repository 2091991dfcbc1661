"""Labels that hold a range of numbers: "6 to 10", "up to 2", "more than 10"."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING

from pipeline.question.terms import cue_of
from pipeline.text.late import compile_late
from pipeline.text.matching import contains_folded, fold

if TYPE_CHECKING:
    from pipeline.models.lexicon import Lexicon

_RANGE = compile_late(r"[^\w\s]{0,2}\d[\d.,]*\s*([^\W\d_]+|[-\u2013])\s*[^\w\s]{0,2}\d[\d.,]*(?:\s*[^\W\d_]{1,12}|%)?")
_NUMBER = compile_late(r"\d+(?:\.\d+)?")


def is_range(text: str, lexicon: Lexicon) -> bool:
    """Whether a text is nothing but two numbers with "to" or a dash between: neither is its value alone."""
    match = _RANGE.fullmatch(text.strip())
    return match is not None and (not match[1].isalpha() or fold(match[1]) in cue_of(lexicon.value_cues, "to"))


def covers_number(label: str, number: str, lexicon: Lexicon) -> bool:
    """Whether a label is a range that holds a number; a label without a range covers nothing."""
    bounds = [Decimal(found) for found in _NUMBER.findall(label)]
    if not bounds or len(bounds) > 2 or not _NUMBER.fullmatch(number):
        return False
    value, folded = Decimal(number), fold(label)
    if len(bounds) == 2:
        low, high = bounds
        is_range = any(contains_folded(cue, folded) for cue in cue_of(lexicon.value_cues, "to")) or bool(
            re.search(r"\d\s*[-\u2013]\s*\d", label)
        )
        return is_range and low <= value <= high
    bound = bounds[0]
    # "more than 10" does not hold 10 itself, "10 or more" and "at least 10" do.
    for name, is_inside in (
        ("at most", value <= bound),
        ("at least", value >= bound),
        ("above", value > bound),
        ("below", value < bound),
    ):
        if any(contains_folded(cue, folded) for cue in cue_of(lexicon.value_cues, name)):
            return is_inside
    return False
