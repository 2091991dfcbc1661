"""Markers of list items: bullets, numbers, letters, roman numbers, identifiers."""

from __future__ import annotations

import re
from typing import NamedTuple

from pipeline.text.late import compile_late
from pipeline.text.number_words import parse_number_word

_BULLETS = "•●▪■◦○‣⁃∙·➢➤✓✔✗✘❖◆◇□▫►▶☐☑☒❑❏❍\uf0b7\uf0a7\uf0d8\uf0fc"
_DASHES = "–—-−*"
_ROMAN = compile_late(r"x{0,3}(?:ix|iv|v?i{0,3})", re.IGNORECASE)
_MARK = compile_late(r"(\()?(\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})([.):]|\.\))(?=\s|$)(?!\s*\d+[.,]\d)")
_CODE = compile_late(
    r"([A-Z][A-Z0-9]{0,9}(?:\.[A-Z]{1,6}){0,2}[-\u2010\u2011](\d{1,5})(?:\([0-9a-z]{1,3}\))?)\s*[:.–—)]?(?=\s|$)"
)
# a number in full-width parentheses needs no space behind it
_WIDE = compile_late(r"[(\uff08](\d{1,2}|[一二三四五六七八九十]{1,3})[)\uff09](?=\s*\S)")
# entries of a bibliography: "[12] A. Author. ..."
_BRACKETED = compile_late(r"\[(\d{1,3})\](?=\s|$)")
_HAN_DIGITS = "一二三四五六七八九"
_CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩"
_ROMAN_PARTS = ((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))
_VALUES = {"i": 1, "v": 5, "x": 10}


class Marker(NamedTuple):
    """A marker at the start of a line.

    `style` tells lists apart ("•", "1.", "(a)", "GV.SC-#"); `ordinal` is its number (0 for bullets); `text` as printed;
    `length` the characters up to the item's text.
    """

    kind: str
    style: str
    ordinal: int
    text: str
    length: int


def read_markers(text: str) -> tuple[Marker, ...]:
    """All readings of the marker at the start of a line: "(i)" may be roman one or the ninth letter; empty for none."""
    lead = len(text) - len(text.lstrip())
    body = text[lead:]
    if not body:
        return ()
    first = body[0]
    if first in _BULLETS:
        return _read_bullet(text, body, lead)
    if first in _DASHES or (first == "o" and body[1:2].isspace()):
        rest = body[1:].lstrip()
        is_item = (body[1:2].isspace() and (rest[:1].isalpha() or rest[:1] in '“"(')) or not rest
        # "-Your name" has lost its space; "-based" goes on from the line before
        is_item = is_item or (first in _DASHES and body[1:2].isupper() and (body[2:3].islower() or body[2:3] == " "))
        # the letter o stands for a hollow bullet in many exports; before a small letter it is a word
        if not is_item or (first == "o" and rest[:1].islower()):
            return ()
        return _read_bullet(text, body, lead)
    if first in _CIRCLED:
        return (Marker("numbered", "①", _CIRCLED.index(first) + 1, first, lead + 1),)
    if first in "(\uff08" and (match := _WIDE.match(body)) and ("\uff08" in match[0] or not match[1].isdigit()):
        style = "\uff081\uff09" if match[1].isdigit() else "\uff08一\uff09"
        ordinal = int(match[1]) if match[1].isdigit() else parse_number_word(match[1], "zh")
        return (Marker("numbered", style, ordinal, match[0], _skip(text, lead + match.end())),) if ordinal else ()
    if first == "[" and (match := _BRACKETED.match(body)):
        return (Marker("numbered", "[1]", int(match[1]), match[0], _skip(text, lead + match.end())),)
    if first.isupper() and (match := _CODE.match(body)):
        family = match.group(1)[: match.start(2)]
        return (
            Marker("identifier", f"{family}#", int(match.group(2)), match.group(1), _skip(text, lead + match.end())),
        )
    match = _MARK.match(body)
    if match is None or (match.group(1) and not match.group(3).startswith(")")):
        return ()
    return _read_numbered(text, lead, match)


def _read_bullet(text: str, body: str, lead: int) -> tuple[Marker, ...]:
    """A bullet; before an identifier ("o GV.OC-01:") the identifier is the marker."""
    first = body[0]
    after = _skip(text, lead + 1)
    if match := _CODE.match(text[after:]):
        family = match.group(1)[: match.start(2)]
        end = _skip(text, after + match.end())
        return (Marker("identifier", f"{first}{family}#", int(match.group(2)), match.group(1), end),)
    return (Marker("bullet", first, 0, first, after),)


def _read_numbered(text: str, lead: int, match: re.Match[str]) -> tuple[Marker, ...]:
    label = match.group(2)
    printed = match.group()
    end = _skip(text, lead + match.end())
    frame = f"{match.group(1) or ''}%{match.group(3)}"
    # years and amounts also stand at line starts before a full stop
    if label.isdigit():
        return (Marker("numbered", frame.replace("%", "1"), int(label), printed, end),) if int(label) < 200 else ()
    case = "A" if label.isupper() else "a"
    # "i" and "v" are letters too; which one is meant only the list around them tells
    readings: list[Marker] = []
    if _ROMAN.fullmatch(label):
        readings.append(
            Marker("numbered", frame.replace("%", "I" if case == "A" else "i"), read_roman(label), printed, end)
        )
    if len(label) == 1:
        readings.append(Marker("lettered", frame.replace("%", case), ord(label.lower()) - 96, printed, end))
    return tuple(readings)


def read_roman(label: str) -> int:
    """The number that the letters i, v and x say, in the order in which they stand."""
    values = [_VALUES[letter] for letter in label.lower()]
    pairs = zip(values, [*values[1:], 0], strict=True)
    return sum(-value if value < following else value for value, following in pairs)


def _skip(text: str, at: int) -> int:
    while at < len(text) and (text[at].isspace() or text[at] == "\u200b"):
        at += 1
    return at


def name_ordinal(style: str, ordinal: int) -> str:
    """The marker that a list of this style gives a number, for naming what is missing."""
    if "#" in style:
        return style.lstrip(_BULLETS + _DASHES + "o").replace("#", f"{ordinal:02d}")
    if "1" in style:
        return style.replace("1", str(ordinal))
    if "一" in style:
        tens, ones = divmod(ordinal, 10)
        written = ("" if not tens else _HAN_DIGITS[tens - 1] * (tens > 1) + "十") + (
            _HAN_DIGITS[ones - 1] if ones else ""
        )
        return style.replace("一", written)
    if ("a" in style or "A" in style) and ordinal <= 26:
        letter = chr(96 + ordinal)
        return style.replace("a", letter).replace("A", letter.upper())
    if "i" in style or "I" in style:
        label = _write_roman(ordinal)
        return style.replace("i", label).replace("I", label.upper())
    return str(ordinal)


def _write_roman(ordinal: int) -> str:
    written = ""
    for value, letters in ((100, "c"), (90, "xc"), (50, "l"), (40, "xl"), *_ROMAN_PARTS):
        written += letters * (ordinal // value)
        ordinal %= value
    return written
