"""Numbers of headings as printed: `5.4`, `Appendix A`, `Item 7A`, `Article V`, roman chapters."""

from __future__ import annotations

import re
from typing import NamedTuple

from pipeline.text.late import compile_late

_KEYWORD = compile_late(
    r"(part|item|section|sec\.|article|clause|chapter|appendix|annex|schedule|exhibit|note"
    r"|parte|capítulo|seção|secção|artigo|cláusula|anexo|apêndice|nota|título)(?:\s*(?=\d)|\s+)(?:n[oº]\.?\s*)?"
    r"(\d{1,3}[A-Za-z]?(?:\.\d{1,3}[A-Za-z]?)*|[IVXLC]{1,7}|[A-Z])(?:\.?\s?[ºª°](?!\w))?(?![A-Za-z0-9’'])[\s.:)\-–—|]*",
    re.IGNORECASE,
)
_DECIMAL = compile_late(r"(?:§\s*)?((?:\d{1,3}|[A-Z](?=\.\d))(?:\.\d{1,3}){0,5})([.):]?)(?:\s+|$)(?!\d*[%$€£])")
_LETTER = compile_late(r"([A-Z]|[IVXLC]{1,6})\.(?:\s+|$)")
_HAN = compile_late(r"第\s*([0-9一二三四五六七八九十百]{1,5})\s*([章节節条條编編部])\s*")
_FOREIGN = {
    "sec.": "section", "parte": "part", "capítulo": "chapter", "título": "part", "seção": "section", "secção":
    "section",
    "artigo": "article", "cláusula": "clause", "anexo": "annex", "apêndice": "appendix", "nota": "note", "章":
    "chapter",
    "节": "section", "節": "section", "条": "article", "條": "article", "编": "part", "編": "part", "部": "part",
}  # fmt: skip
_HEADS = frozenset(
    "par ite sec art cla cha app ann sch exh not cap seç clá ane apê tít".split()
)  # the first letters of every keyword: most lines are told apart by them alone
_ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}


class HeadingNumber(NamedTuple):
    """A number at the start of a heading.

    `kind` is decimal, letter, roman or a keyword (item, part, appendix, note ...); `label` the number alone; `printed`
    with its keyword; `depth` the count of its parts; `length` the characters that it takes; `is_dotted` whether it
    ends in a mark or has several parts, so that it cannot be a mere count ("12 months").
    """

    kind: str
    label: str
    printed: str
    depth: int
    length: int
    is_dotted: bool


def parse_heading_number(text: str) -> HeadingNumber | None:
    """The number at the start of a heading's text, or None."""
    if not text:
        return None
    first = text[0]
    if first.isdigit() or first == "§" or (len(text) > 2 and text[1] == "." and text[2].isdigit()):
        return _parse_decimal(text)
    if first.isalpha():
        if text[:3].casefold() in _HEADS and (match := _KEYWORD.match(text)):
            return _parse_keyword(text, match)
        if first < "[" and "." in text[1:7] and (match := _LETTER.match(text)):
            label = match.group(1)
            kind = "roman" if len(label) > 1 or label in "IVX" else "letter"
            return HeadingNumber(kind, label, label, 1, match.end(), True)
        if first == "第" and (match := _HAN.match(text)):
            kind = _FOREIGN[match.group(2)]
            return HeadingNumber(kind, match.group(1), match.group().strip(), 1, match.end(), True)
    return None


def _parse_decimal(text: str) -> HeadingNumber | None:
    match = _DECIMAL.match(text)
    if match is None:
        return None
    label = match.group(1)
    depth = label.count(".") + 1
    return HeadingNumber("decimal", label, label, depth, match.end(), depth > 1 or bool(match.group(2)))


def _parse_keyword(text: str, match: re.Match[str]) -> HeadingNumber | None:
    word, label = match.group(1).casefold(), match.group(2)
    # "Part of ..." and "Note a" are prose: a single letter or a roman number is a label only in capitals
    if not label[0].isdigit() and not label.isupper():
        return None
    kind = _FOREIGN.get(word, word)
    printed = text[: match.end(2)]
    return HeadingNumber(kind, label, " ".join(printed.split()), label.count(".") + 1, match.end(), True)


def read_ordinal(label: str) -> int:
    """The last part of a label as a number ("5.4" is 4, "7A" is 7, "IV" is 4, "C" is 3); 0 where it has none."""
    last = label.rsplit(".", 1)[-1].rstrip("ABCDEFGHabcdefgh") or label[-1:]
    if last.isdigit():
        return int(last)
    if len(label) == 1 and label.isalpha() and label not in "IVX":
        return ord(label.upper()) - 64
    return read_roman(label)


def read_roman(label: str) -> int:
    """The value of a roman number in capitals; 0 where it is none."""
    values = [_ROMAN.get(letter, 0) for letter in label]
    if not values or 0 in values:
        return 0
    pairs = zip(values, [*values[1:], 0], strict=True)
    return sum(-value if value < following else value for value, following in pairs)
