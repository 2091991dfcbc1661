"""What the child knows of lines and pages before they become models: plain slots, cheap to make and to send."""

from __future__ import annotations

from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

from pipeline.models.document import PageCheck, PageState

Box = tuple[int, int, int, int]
Ranges = tuple[tuple[int, int], ...]


@dataclass(slots=True)
class DraftLine:
    """A line while its page is put in order; lengths in hundredths of a point.

    `baseline`, `paint` (place in the painting order), `colour` (0xRRGGBB) and `is_upright` serve the page alone and do
    not leave it.
    """

    text: str
    box: Box
    size: int
    bold: bool = False
    bold_prefix: int = 0
    italic: bool = False
    column: int = 0
    block: int = 0
    hidden: str = ""
    raised: Ranges = ()
    lowered: Ranges = ()
    is_furniture: bool = False
    baseline: int = 0
    paint: int = 0
    colour: int = 0
    is_upright: bool = True


@dataclass(slots=True)
class DraftPage:
    """A page while the document is put together; `error` and `warnings` are the engine's words on it.

    With an `error` the page has failed. `links` are (box, target page, target y).
    """

    number: int
    width: int = 0
    height: int = 0
    rotation: int = 0
    label: str = ""
    printed: str = ""
    state: PageState = "ok"
    column_count: int = 1
    image_cover: int = 0
    failed_checks: tuple[PageCheck, ...] = ()
    text_hash: str = ""
    error: str = ""
    warnings: tuple[str, ...] = ()
    links: tuple[tuple[Box, int | None, int | None], ...] = ()
    lines: list[DraftLine] = field(default_factory=list)


_LINE_FIELDS = (
    "text", "box", "size", "bold", "bold_prefix", "italic", "column", "block", "hidden", "raised", "lowered",
)  # fmt: skip
_PAGE_FIELDS = tuple(name for name in DraftPage.__dataclass_fields__ if name != "lines")
_read_line = attrgetter(*_LINE_FIELDS)
_read_page = attrgetter(*_PAGE_FIELDS)


def pack_pages(pages: list[DraftPage]) -> list[Any]:
    """Plain rows of pages and their lines, for the pipe between two children."""
    return [[_read_page(page), [_read_line(line) for line in page.lines]] for page in pages]


def unpack_pages(rows: list[Any]) -> list[DraftPage]:
    """The inverse of `pack_pages`."""
    pages: list[DraftPage] = []
    for page_row, line_rows in rows:
        page = DraftPage(*page_row)
        page.lines = [DraftLine(*row) for row in line_rows]
        pages.append(page)
    return pages


def unite_boxes(first: Box, second: Box) -> Box:
    """The smallest box around two boxes."""
    return (min(first[0], second[0]), min(first[1], second[1]), max(first[2], second[2]), max(first[3], second[3]))
