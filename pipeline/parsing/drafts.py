"""What the child knows of lines and pages before they become models: plain slots, cheap to make and to send."""

from __future__ import annotations

from dataclasses import dataclass, field
from operator import attrgetter

Box = tuple[int, int, int, int]
Ranges = tuple[tuple[int, int], ...]


@dataclass(slots=True)
class DraftLine:
    """A line of one page while its page is put in order; lengths in hundredths of a point, `baseline` too."""

    text: str
    box: Box
    size: int
    baseline: int
    bold: bool = False
    bold_prefix: int = 0
    italic: bool = False
    column: int = 0
    block: int = 0
    hidden: str = ""
    raised: Ranges = ()
    lowered: Ranges = ()
    is_furniture: bool = False


@dataclass(slots=True)
class DraftPage:
    """A page while the document is put together; `error` is the engine's word on a page that failed."""

    number: int
    width: int = 0
    height: int = 0
    rotation: int = 0
    label: str = ""
    printed: str = ""
    state: str = "ok"
    column_count: int = 1
    image_cover: int = 0
    failed_checks: tuple[str, ...] = ()
    text_hash: str = ""
    error: str = ""
    links: tuple[tuple[Box, int | None, int | None], ...] = ()
    lines: list[DraftLine] = field(default_factory=list)


_LINE_FIELDS = tuple(DraftLine.__dataclass_fields__)
_PAGE_FIELDS = tuple(name for name in DraftPage.__dataclass_fields__ if name != "lines")
_read_line = attrgetter(*_LINE_FIELDS)
_read_page = attrgetter(*_PAGE_FIELDS)


def pack_pages(pages: list[DraftPage]) -> list[object]:
    """JSON-ready rows of pages and their lines, for the pipe between two children."""
    return [[_read_page(page), [_read_line(line) for line in page.lines]] for page in pages]


def unpack_pages(rows: list[list[list[object]]]) -> list[DraftPage]:
    """The inverse of `pack_pages`; JSON made lists of the tuples."""
    pages: list[DraftPage] = []
    for page_row, line_rows in rows:
        page = DraftPage(*(_freeze(value) for value in page_row))  # type: ignore[arg-type]
        for row in line_rows:
            line = DraftLine(*row)  # type: ignore[misc]
            line.box = tuple(line.box)  # type: ignore[assignment]
            if line.raised:
                line.raised = tuple(map(tuple, line.raised))  # type: ignore[arg-type]
            if line.lowered:
                line.lowered = tuple(map(tuple, line.lowered))  # type: ignore[arg-type]
            page.lines.append(line)
        pages.append(page)
    return pages


def _freeze(value: object) -> object:
    return tuple(_freeze(item) for item in value) if isinstance(value, list) else value
