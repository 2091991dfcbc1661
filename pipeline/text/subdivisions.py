"""Parts of a reference that stand apart from its label: "alínea b) do n.º 2 do artigo 4.º", "第五条第二款"."""

from __future__ import annotations

import re
from typing import NamedTuple

from pipeline.text.late import compile_late
from pipeline.text.number_words import parse_chinese_number

_ITEM = r"(?:al[íi]nea\s*|al\.\s*)?(?P<item>[a-z])\)"
_NUMBER = r"n\.?\s?[º°o]\s*(?P<number>\d+)"
_BEFORE = compile_late(rf"(?:{_ITEM}\s*(?:,|do|da|e)?\s*)?(?:{_NUMBER}\s*)?(?:,|do|da|d[oa]s)\s+$", re.IGNORECASE)
_AFTER = compile_late(rf"\s*,\s*{_NUMBER}(?:\s*,\s*{_ITEM})?", re.IGNORECASE)
_CHINESE = compile_late(
    r"\s*第\s*[（(]?([0-9一二三四五六七八九十]+)[)）]?\s*款(?:\s*第?\s*[（(]([0-9一二三四五六七八九十]+)[)）]\s*项)?"
)


class Subdivision(NamedTuple):
    """What belongs to a label: from where to where the whole reference goes, and the parts as "(2)(b)"."""

    start: int
    end: int
    sublabel: str


def find_portuguese_parts(text: str, start: int, end: int) -> Subdivision | None:
    """The number and letter that a Portuguese reference to an article names around itself; None without any."""
    if (after := _AFTER.match(text, end)) is not None:
        return Subdivision(start, after.end(), _write(after["number"], after["item"]))
    window = max(0, start - 40)
    before = _BEFORE.search(text[window:start])
    if before is None or not (before["item"] or before["number"]):
        return None
    return Subdivision(window + before.start(), end, _write(before["number"], before["item"]))


def find_chinese_parts(text: str, start: int, end: int) -> Subdivision | None:
    """The paragraph and item behind an article: "第五条第二款第（三）项"; None without any."""
    found = _CHINESE.match(text, end)
    if found is None:
        return None
    numbers = [None if part is None else str(parse_chinese_number(part) or part) for part in found.groups()]
    return Subdivision(start, found.end(), _write(*numbers))


def _write(*parts: str | None) -> str:
    return "".join(f"({part.lower()})" for part in parts if part)
