"""Page labels of the file (PDF 32000-1, 12.4.2), worked out here: the engine does it page by page."""

from __future__ import annotations

import re
from typing import Any

from pipeline.parsing.objects import decode_string

_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"))
_ROMAN_ONES = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")


def build_labels(rules: list[dict[str, Any]], page_count: int) -> list[str]:
    """The label of every page; "" before the first rule. `rules` is the output of PyMuPDF's `get_page_labels`."""
    labels = [""] * page_count
    ordered = sorted(rules, key=lambda rule: int(rule.get("startpage", 0)))
    for at, rule in enumerate(ordered):
        start = max(0, int(rule.get("startpage", 0)))
        stop = int(ordered[at + 1].get("startpage", 0)) if at + 1 < len(ordered) else page_count
        first = int(rule.get("firstpagenum") or 1)
        for index in range(start, min(stop, page_count)):
            labels[index] = _clean(rule.get("prefix", "")) + _format(rule.get("style", ""), first + index - start)
    return labels


def _clean(prefix: str) -> str:
    """A prefix without what cannot be shown; hexadecimal strings come from the engine as they are written."""
    if re.fullmatch(r"<[0-9A-Fa-f\s]*>", prefix):
        prefix = decode_string(prefix)
    return "".join(char for char in prefix if char.isprintable() and char != "\ufffd")


def _format(style: str, number: int) -> str:
    if style == "D":
        return str(number)
    if style in ("r", "R"):
        roman = write_roman(number)
        return roman.upper() if style == "R" else roman
    if style in ("a", "A"):
        letters = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
        return letters.upper() if style == "A" else letters
    return ""


def write_roman(number: int) -> str:
    """A positive number in small roman numerals; arabic figures beyond 4999 and below 1."""
    if not 1 <= number < 5000:
        return str(number)
    written = ""
    for value, letters in _ROMAN:
        while number >= value:
            written += letters
            number -= value
    return written + _ROMAN_ONES[number]
