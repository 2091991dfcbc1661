"""Shapes in which numbers stand: digits that are tied to other digits, and numbers in words."""

from __future__ import annotations

import re
from functools import cache

from pipeline.text.grammar import NUMBER_WORDS

MINUS = "-\u2212\u2010\u2011\u2012\u2013"


@cache
def compile_knots() -> re.Pattern[str]:
    """Digits tied to other digits: powers of ten, fractions, ratios and times, telephone and registration numbers."""
    powers = r"\d[\d.,]*\s*(?:[x×·*⋅]\s*10\s*\^?\s*[-\u2212]?\d+|[eE][-+]?\d+)|\d+\s?\^\s?\d+"
    ratios = r"\d+\s*[/\u2044:]\s*\d+(?:[/:]\d+)*"
    chains = rf"\d+(?:[{MINUS}]\d+){{2,}}|\d+[{MINUS}]0\d+"
    return re.compile(rf"{powers}|{ratios}|{chains}")


@cache
def compile_words() -> re.Pattern[str]:
    """English number words from one to a hundred."""
    words = [word for word in NUMBER_WORDS["en"] if word not in ("zero", "both", "pair", "dozen", "hundred")]
    tens = "|".join(word for word in words if word.endswith("ty"))
    units = "|".join(words[:9])
    ones = "|".join(sorted(words, key=len, reverse=True))
    return re.compile(rf"(?<![\w-])(?P<word>(?i:(?:{tens})[- ](?:{units})|one hundred|{ones}))\b")
