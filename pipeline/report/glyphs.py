"""The characters of a page with their boxes, read by the flags and in the coordinates of the parser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pymupdf

from pipeline.parsing.constants import MAX_SCRIPT_SIZE, TEXT_FLAGS
from pipeline.parsing.runs import to_box
from pipeline.report.places import Glyph

if TYPE_CHECKING:
    from pipeline.models.base import Box

# hundredths of a point by which rounding may put a box off its page
_ROUNDING = 100


class PageGlyphs:
    """A page as it is shown: its size in hundredths of a point and its runs of characters."""

    size: tuple[int, int]
    runs: list[tuple[Glyph, ...]]

    def __init__(self, document: Any, number: int) -> None:
        page = document.load_page(number - 1)
        self.size = (round(page.rect.width * 100), round(page.rect.height * 100))
        matrix = page.rotation_matrix if page.rotation else None
        # what lies off the page is left out by the engine unless it is asked for everything
        textpage = page.get_textpage(clip=pymupdf.INFINITE_RECT(), flags=TEXT_FLAGS)
        blocks = textpage.extractRAWDICT()["blocks"]
        lines = [line for block in blocks for line in block.get("lines", ())]
        runs = [run for line in lines for run in _read_runs(line, matrix)]
        self.runs = [tuple(run) for run in runs if run]

    def is_on_page(self, box: Box) -> bool:
        """Whether a box lies on the page, but for what rounding makes of it."""
        width, height = self.size
        return (
            -_ROUNDING <= box[0] < box[2] <= width + _ROUNDING and -_ROUNDING <= box[1] < box[3] <= height + _ROUNDING
        )


def _read_runs(line: dict[str, Any], matrix: Any) -> list[list[Glyph]]:
    """The characters of one line, parted where the font becomes much larger or smaller, as for a superscript."""
    runs: list[list[Glyph]] = [[]]
    size = 0.0
    for span in line["spans"]:
        low, high = sorted((span["size"], size))
        if runs[-1] and low * 1000 < MAX_SCRIPT_SIZE * high:
            runs.append([])
        size = span["size"]
        for char in span["chars"]:
            box = char["bbox"]
            runs[-1].append(Glyph(char["c"], to_box(tuple(pymupdf.Rect(box) * matrix) if matrix else box)))
    return runs
