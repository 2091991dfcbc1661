"""Page numbers as printed: what stands at the edge of a page and goes up by one from page to page."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple, Protocol

from pipeline.parsing.constants import MAX_HEAD_CHARACTERS, MIN_NUMBERED_PAGES, NUMBER_WINDOW
from pipeline.text.late import compile_late

_EDGE = r"[-–—|•·.\[\]<>/\s]*"
_WHOLE = compile_late(_EDGE + r"(?:[^\W\d_]{1,9}\.?\s*)?(\d{1,4})(?:\s*(?:/|[^\W\d_]{1,4})\s*\d{1,5})?" + _EDGE)
_ROMAN = compile_late(
    _EDGE + r"((?=[ivxlcIVXLC])(?:[xX]{0,3}[lL]?[xX]{0,3})(?:[iI][xX]|[iI][vV]|[vV]?[iI]{0,3}))" + _EDGE
)
_LETTERED = compile_late(r"[\W_]*([A-Z]{1,3}[-–.]?)(\d{1,4})[\W_]*")
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


class EdgeLine(Protocol):
    """What of a line tells furniture."""

    @property
    def text(self) -> str:
        """Verbatim text."""

    @property
    def box(self) -> tuple[int, int, int, int]:
        """x0, y0, x1, y1 in hundredths of a point."""

    @property
    def hidden(self) -> str:
        """Why it cannot be seen, or ""."""


class Numbering(NamedTuple):
    """A reading of a line as a page number: the family it counts in, its value and the number as printed."""

    family: str
    value: int
    printed: str


def read_numbers(text: str) -> list[Numbering]:
    """Every way a line may say a page number: "5", "Page 5 of 90", "- iv -", "A-3", "Annual report 12"."""
    if len(text) < 30:
        if match := _WHOLE.fullmatch(text):
            return [Numbering("#", int(match[1]), match[1])]
        if (match := _ROMAN.fullmatch(text)) and match[1]:
            return [Numbering("roman", read_roman(match[1]), match[1])]
        if match := _LETTERED.fullmatch(text):
            return [Numbering(match[1], int(match[2]), match[1] + match[2])]
    found = []
    # In a running head the words beside the number recur; in "1 Scope", "2 Terms", ... they do not.
    words = text.split()
    if len(words) > 1 and len(text) <= MAX_HEAD_CHARACTERS:
        for number, rest in ((words[-1], words[:-1]), (words[0], words[1:])):
            figure = number.strip("|•·-–—[]")
            if figure.isdecimal() and len(figure) <= 4 and not all(word.isdecimal() for word in rest):
                found.append(Numbering("# " + " ".join(rest), int(figure), figure))
    return found


def read_roman(text: str) -> int:
    """Value of a roman numeral, small or capital."""
    values = [_ROMAN_VALUES[char] for char in text.lower()]
    return sum(-value if value < after else value for value, after in zip(values, [*values[1:], 0], strict=True))


def find_printed(edges: dict[int, list[EdgeLine]]) -> dict[int, tuple[str, EdgeLine]]:
    """Printed number and its line by physical page, from the lines at the edges of each page.

    A number counts when its distance to the physical page is that of other pages nearby, in the same family.
    """
    readings: dict[int, list[tuple[Numbering, EdgeLine]]] = {}
    support: dict[tuple[str, int], list[int]] = defaultdict(list)
    for page, lines in edges.items():
        readings[page] = [(number, line) for line in lines for number in read_numbers(line.text)]
        for key in sorted({(number.family, page - number.value) for number, _ in readings[page]}):
            support[key].append(page)
    # One coincidence of figures is common, three in a row are a count.
    needed = min(MIN_NUMBERED_PAGES, max(2, len(edges)))
    printed: dict[int, tuple[str, EdgeLine]] = {}
    for page, found in readings.items():
        best: tuple[int, int] | None = None
        for number, line in found:
            pages = support[number.family, page - number.value]
            near = sum(abs(other - page) <= NUMBER_WINDOW for other in pages)
            rank = (near, len(pages))
            if near >= needed and (best is None or rank > best):
                best = rank
                printed[page] = (number.printed, line)
    return printed
