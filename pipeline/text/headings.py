"""The number at the start of a heading."""

from __future__ import annotations

import re
from functools import cache

from pipeline.text.folding import is_cjk
from pipeline.text.grammar import CHINESE_UNIT_KINDS, KIND_WORDS, MONTHS, NOT_UNITS, SCALE_WORDS

# Capitalised nouns of time and amount: "30 Days" and "12 Months" are quantities, not numbered headings.
_AMOUNT_NOUNS = frozenset(
    "day days week weeks month months year years hour hours minute minutes percent quarter quarters times "
    "dias meses anos usd eur gbp".split()
)
_NEVER_HEADINGS = frozenset(("page", "row", "column", "footnote"))
_FIRST = frozenset("0123456789(ABCDEFGHIJKLMNOPQRSTUVWXYZaicsnfte")
_ROMAN = r"(?=[IVXLC])(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})"


def parse_heading_number(title: str) -> tuple[str, str]:
    """Split a heading into its number and the rest: "5.4 Regularization" is ("5.4", "Regularization").

    The number is verbatim without closing marks ("Appendix A", "Item 7A", "IV", "3", "(a)", "第三章"), empty where the
    heading has none; a year or a quantity at the start ("2018 Overview", "100 Days") is none.
    """
    text = title.strip()
    if not text or not (text[0] in _FIRST or text[0] > "\u00a0" or re.match(r"[A-Za-z]\)", text)):
        return "", text
    # named labels before bare ones, so that "Item 7A." is not read as a lettered heading
    for found in (_match_named(text), _match_chinese(text), _match_decimal(text), _match_lettered(text)):
        if found is not None:
            return found
    return "", text


def _match_named(text: str) -> tuple[str, str] | None:
    found = _compile_named().match(text)
    if found is None:
        return None
    rest = text[found.end() :]
    # "Section 5 applies to ..." is a sentence: without a mark between, the rest must open with a capital.
    if rest[:1] in tuple(",;/") or (not found[2].strip() and rest[:1].islower()):
        return None
    return " ".join(found[1].split()), _clean_rest(rest)


@cache
def _compile_named() -> re.Pattern[str]:
    named = {word for word, kind in KIND_WORDS.items() if kind not in _NEVER_HEADINGS and len(word) > 2}
    words = "|".join(sorted(named, key=lambda word: (-len(word), word)))
    label = rf"(?:\d+(?:\.\d+)*[A-Za-z]?(?:\.?º)?(?:\([0-9a-z]+\))*|{_ROMAN}|[A-Z](?:[.-]?\d+)*)(?![\w])"
    head = rf"(?i:{words})\.?\s*(?:§\s*)?{label}|§\s*\d+(?:\.\d+)*"
    return re.compile(rf"({head})(\s*[.:)\u2013\u2014-]*\s*)")


def _match_chinese(text: str) -> tuple[str, str] | None:
    units = "|".join(CHINESE_UNIT_KINDS)
    numeral, mark = r"[一二三四五六七八九十]+", r"\s*[、.．:：]?\s*"
    found = (
        re.match(rf"(第\s*[0-9零〇一二两兩三四五六七八九十百]+(?:\.[0-9]+)*\s*(?:{units})){mark}", text)
        or re.match(rf"((?:附录|附件|附表|表|图)\s*(?:[A-Z]|[0-9]+(?:[.-][0-9]+)*|{numeral})){mark}", text)
        or re.match(rf"({numeral})、\s*", text)
        or re.match(rf"([（(]{numeral}[)）])\s*", text)
    )
    if found is None:
        return None
    return found[1], _clean_rest(text[found.end() :])


def _match_decimal(text: str) -> tuple[str, str] | None:
    found = re.match(r"(\(?)(\d{1,3}(?:\.\d{1,3})*)(\.?[:)]|\.?\s*[\u2013\u2014]|\.|)(\s*)", text)
    if found is None or (found[1] and ")" not in found[3]):
        return None
    number, mark, rest = found[2], found[3], text[found.end() :]
    if not rest:
        # a number alone is a heading number only with several levels or its mark ("5.4", "3.")
        has_levels = "." in number and not re.search(r"(?:^|\.)0|\d{3}", number)
        return (number, "") if has_levels and not mark else None
    if not found[4] and (not mark or not rest[0].isalpha()):
        return None
    if _is_quantity(number, mark, rest) or not (rest[0].isalpha() or rest[0] in "\"'(\u201c\u2018["):
        return None
    if number.startswith("0") and "." not in number:
        return None
    return number, _clean_rest(rest)


def _is_quantity(number: str, mark: str, rest: str) -> bool:
    word = re.match(r"[^\W\d_]*", rest)
    first = word[0] if word else ""
    folded = first.casefold()
    if folded in _AMOUNT_NOUNS or folded in SCALE_WORDS or folded in MONTHS:
        return not mark
    if mark:
        return len(number) > 2 and "." not in number  # "106) and so on" goes on from the line before
    if first[:1] in SCALE_WORDS:
        return True
    whole, _, levels = number.partition(".")
    if not levels:
        return len(number) > 2 or not (first[:1].isupper() or is_cjk(first[:1] or " "))
    if "." in levels or not first[:1].islower():
        return False
    return folded in NOT_UNITS or len(whole) > 2 or folded.endswith("s")


def _match_lettered(text: str) -> tuple[str, str] | None:
    found = (
        re.match(rf"({_ROMAN})(?:[.)]|\s*[\u2013\u2014:])\s+(?=\S)", text)
        or re.match(r"([A-Z](?:\.\d+)+)\.?\s+(?=\S)", text)
        or re.match(r"([A-Z])[.)]\s+(?=[^\W\d_]{2})", text)
        or re.match(r"(\((?:[a-z]{1,2}|[ivx]+|[A-Z])\))\s+(?=\S)", text)
        or re.match(r"([a-z])\)\s+(?=\S)", text)
    )
    if found is None or not found[1]:
        return None
    return found[1], _clean_rest(text[found.end() :])


def _clean_rest(rest: str) -> str:
    return rest.strip(" \t\u2013\u2014:-").strip()
