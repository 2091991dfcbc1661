"""Numbers written in words, up to a hundred."""

from __future__ import annotations

import re

from pipeline.text.grammar import CHINESE_DIGITS, NUMBER_WORDS


def parse_number_word(word: str, language: str = "en") -> int | None:
    """Return the value of a number word ("six", "twenty-five", "both", "dozen", "vinte e cinco", "二十五") or None."""
    plain = " ".join(word.casefold().split())
    if language == "zh":
        return parse_chinese_number(plain)
    words = NUMBER_WORDS.get(language)
    if words is None:
        return None
    if plain in words:
        return words[plain]
    # only a multiple of ten and a unit make one number; "two five" is none
    parts = re.split(r" e " if language == "pt" else r"[- \u2010\u2011]", plain)
    if len(parts) == 2 and parts[0] == "one" and parts[1] == "hundred":
        return 100
    if len(parts) == 2 and all(part in words for part in parts):
        tens, units = words[parts[0]], words[parts[1]]
        if 20 <= tens <= 90 and tens % 10 == 0 and 1 <= units <= 9:
            return tens + units
    return None


def parse_chinese_number(text: str) -> int | None:
    """Return the value of Chinese numerals ("十二", "两千零五", "一百二十万", "三亿") or None.

    What is short for a round number in speech ("一百二" for 120) is declined.
    """
    total = 0
    rest = text
    for mark, factor in (("亿", 10**8), ("万", 10**4)):
        before, found, after = rest.partition(mark)
        if not found:
            continue
        value = _parse_below_ten_thousand(before)
        if not value:
            return None
        total, rest = total + value * factor, after
        if rest and rest not in ("亿", "万") and not rest.startswith("零") and not _is_full(rest):
            return None
    value = _parse_below_ten_thousand(rest) if rest or not total else 0
    return None if value is None else total + value


def _is_full(rest: str) -> bool:
    """Whether the part behind a mark goes on at the next rank: 千 behind 万, 万 behind 亿."""
    return "千" in rest[:2] or "万" in rest


def _parse_below_ten_thousand(text: str) -> int | None:
    if not text or any(char not in CHINESE_DIGITS and char not in "十百千" for char in text):
        return None
    thousands_part, hundreds_part = r"(?:([一二两兩三四五六七八九])千)?零?", r"(?:([一二两兩三四五六七八九])百)?零?"
    tens_part = r"(?:([一二三四五六七八九])?(十))?"
    found = re.fullmatch(thousands_part + hundreds_part + tens_part + r"([一二两兩三四五六七八九零〇])?", text)
    if found is None:
        return None
    thousands = CHINESE_DIGITS[found[1]] * 1000 if found[1] else 0
    hundreds = CHINESE_DIGITS[found[2]] * 100 if found[2] else 0
    tens = (CHINESE_DIGITS[found[3]] if found[3] else 1) * 10 if found[4] else 0
    units = CHINESE_DIGITS[found[5]] if found[5] else 0
    if (hundreds or thousands) and not tens and units and "零" not in text:
        return None  # "一百二" is 120 in speech: declined
    return thousands + hundreds + tens + units
