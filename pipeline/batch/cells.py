"""Cells that stay text: what a spreadsheet would take for a formula is written so that it is none.

After OWASP, "CSV Injection".
"""

from __future__ import annotations

import re
import unicodedata

_TRIGGERS = ("=", "+", "-", "@")
_NUMBER = re.compile(r"-?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?%?")
# as a spreadsheet keeps and shows it: no leading or trailing zero, and no more digits than a double has
_EXACT = re.compile(r"-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]*[1-9])?")
_MAX_DIGITS = 15
_MAX_UNITS = 32_767
_CUT_NOTE = " [cut: a cell holds no more; whole in results.jsonl]"
_INVISIBLE = "\ufeff\u200b\u200c\u200d\u2060"
# control characters would make a workbook invalid, and overrides of direction show names as what they are not;
# tabs and line ends are text
_CONTROLS = {
    code: f"\\x{code:02x}" for code in (*range(9), 11, 12, *range(14, 32), *range(127, 160))
} | {code: f"\\u{code:04x}" for code in (0xFFFE, 0xFFFF, *range(0x202A, 0x202F), *range(0x2066, 0x206A))}  # fmt: skip


def neutralise_cell(text: str) -> str:
    """A text with an apostrophe before it where a spreadsheet would compute it; negative numbers are left as they are.

    That is a text whose first visible character is = + - @ in any width, or that begins with a tab or a CR.
    """
    # most cells are plain, and all of them are looked at twice
    shown = text if text.isascii() and text.isprintable() else text.translate(_CONTROLS)
    if not shown or _NUMBER.fullmatch(shown):
        return shown
    first = shown.lstrip().lstrip(_INVISIBLE).lstrip()[:1]
    # full-width and small forms are folded by some spreadsheets
    if shown[:1] in ("\t", "\r") or unicodedata.normalize("NFKC", first)[:1] in _TRIGGERS:
        return f"'{shown}"
    return shown


def is_exact_number(text: str) -> bool:
    """Whether a text is a number that a spreadsheet gives back as it was written."""
    return text != "-0" and bool(_EXACT.fullmatch(text)) and sum(map(str.isdigit, text)) <= _MAX_DIGITS


def fit_cell(text: str) -> str:
    """A text as a cell of a workbook holds it: neutralised, lines ended by LF, and a note where it had to be cut.

    Its length is counted in units of UTF-16, and a CR would be shown as its code by some programs.
    """
    shown = neutralise_cell(text).replace("\r\n", "\n").replace("\r", "\n")
    # a character takes two units at most
    if 2 * len(shown) <= _MAX_UNITS or len(encoded := shown.encode("utf-16-le")) <= 2 * _MAX_UNITS:
        return shown
    kept = encoded[: 2 * (_MAX_UNITS - len(_CUT_NOTE))]
    # half a character at the end is left out
    return kept.decode("utf-16-le", "ignore") + _CUT_NOTE
