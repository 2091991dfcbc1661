"""Regions of one page by the layout model of `pymupdf-layout` (extra pdfdocket[layout]); runs in a child, offline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pipeline.parsing.ocr import ReadLine

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.models.base import Box
    from pipeline.models.document import Line

MISSING = "the layout model is not installed: install the extra pdfdocket[layout] to have tables and columns read by it"
TABLE = "table"


def find_regions(document: Any, index: int) -> tuple[str, tuple[ReadLine, ...]]:
    """Name of the model, and the regions of a page (0-based index) in reading order: their class and their box.

    Raises:
        ImportError: the extra is not installed.
    """
    from importlib.metadata import version

    import pymupdf
    import pymupdf.layout

    page = document.load_page(index)
    matrix = page.rotation_matrix
    regions = []
    page.get_layout()
    for number, (x0, y0, x1, y1, kind) in enumerate(page.layout_information or (), start=1):
        rect = pymupdf.Rect(x0, y0, x1, y1) * matrix
        box = (round(rect.x0 * 100), round(rect.y0 * 100), round(rect.x1 * 100), round(rect.y1 * 100))
        regions.append(ReadLine(str(kind), box, 1000, 0, number))
    if page.rotation:
        # the model saw the page as it lies in the file, and its order with it
        regions.sort(key=lambda region: (region.box[1], region.box[0]))
    return f"pymupdf-layout {version('pymupdf-layout')}", tuple(regions)


def order_by_regions(lines: Sequence[Line], regions: Sequence[ReadLine]) -> tuple[Line, ...]:
    """Lines in the order of the regions that hold them; lines that none holds stay behind the line before them."""
    placed: list[tuple[int, int, Line]] = []
    region = 0
    for order, line in enumerate(lines):
        found = find_region(line.box, regions)
        region = region if found is None else found
        placed.append((region, order, line))
    return tuple(line for _, _, line in sorted(placed, key=lambda entry: entry[:2]))


def find_region(box: Box, regions: Sequence[ReadLine]) -> int | None:
    """The first region that holds the middle of a box."""
    x, y = (box[0] + box[2]) // 2, (box[1] + box[3]) // 2
    for at, region in enumerate(regions):
        if region.box[0] <= x <= region.box[2] and region.box[1] <= y <= region.box[3]:
            return at
    return None
