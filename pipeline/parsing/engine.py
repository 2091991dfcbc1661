"""The only place that talks to PyMuPDF while parsing; runs in a child process."""

from __future__ import annotations

import hashlib
from typing import Any

import pymupdf

from pipeline.parsing.constants import TEXT_FLAGS
from pipeline.parsing.drafts import DraftPage
from pipeline.parsing.lines import build_lines

ENGINE_ERRORS = (RuntimeError, ValueError, IndexError, KeyError, TypeError, AttributeError, pymupdf.mupdf.FzErrorBase)
"""What PyMuPDF raises on a damaged page; a memory error is no such thing and ends the child."""


def open_document(content: bytes) -> Any:
    """The document from memory. Raises one of ENGINE_ERRORS when the engine cannot make a document of it."""
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    return pymupdf.open(stream=content, filetype="pdf")


def read_pages(document: Any, start: int, stop: int) -> list[DraftPage]:
    """Pages `start` to `stop` (0-based, stop excluded); a page that fails is kept with its error."""
    pages: list[DraftPage] = []
    for index in range(start, stop):
        try:
            pages.append(read_page(document, index))
        except ENGINE_ERRORS as error:
            pages.append(DraftPage(index + 1, state="failed", error=str(error)))
    return pages


def read_page(document: Any, index: int) -> DraftPage:
    """One page: its size, its lines, their text hash."""
    page = document.load_page(index)
    rect = page.rect
    rotation = page.rotation
    draft = DraftPage(index + 1, round(rect.width * 100), round(rect.height * 100), rotation)
    textpage = page.get_textpage(clip=pymupdf.INFINITE_RECT(), flags=TEXT_FLAGS)
    blocks = textpage.extractDICT()["blocks"]
    draft.lines = build_lines(blocks)
    draft.links = read_links(page)
    text = "\n".join([line.text for line in draft.lines])
    draft.text_hash = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    if not text or text.isspace():
        draft.state = "without_text"
    return draft


def read_links(page: Any) -> tuple[tuple[tuple[int, int, int, int], int | None, int | None], ...]:
    """Internal links of a page: box, target page (1-based) and target y in hundredths of a point as the file says."""
    links = []
    for link in page.get_links():
        if link["kind"] not in (pymupdf.LINK_GOTO, pymupdf.LINK_NAMED):
            continue
        rect = link["from"]
        box = (round(rect.x0 * 100), round(rect.y0 * 100), round(rect.x1 * 100), round(rect.y1 * 100))
        target = link.get("page", -1)
        to = link.get("to")
        y = round(to.y * 100) if isinstance(to, pymupdf.Point) else None
        links.append((box, target + 1 if isinstance(target, int) and target >= 0 else None, y))
    return tuple(links)
