"""The outline as the file has it, walked object by object, because PyMuPDF's own list drops broken ones in silence."""

from __future__ import annotations

from typing import Any

from pipeline.models.document import Diagnostic
from pipeline.parsing.constants import MAX_OUTLINE_ENTRIES
from pipeline.parsing.engine import ENGINE_ERRORS
from pipeline.parsing.outline import RawEntry


def read_bookmarks(document: Any) -> tuple[tuple[RawEntry, ...], tuple[Diagnostic, ...]]:
    """Bookmarks in order, and a diagnostic for each kind of fault among them."""
    entries: list[RawEntry] = []
    diagnostics: list[Diagnostic] = []
    try:
        for level, title, page, *rest in document.get_toc(simple=False)[:MAX_OUTLINE_ENTRIES]:
            to = rest[0].get("to") if rest else None
            y = round(to.y * 100) if isinstance(to, pymupdf_point()) else None
            entries.append(RawEntry(level, title, page if page > 0 else None, y))
    except ENGINE_ERRORS as error:
        diagnostics.append(Diagnostic(code="outline-unreadable", message=f"the outline cannot be read: {error}"))
    return tuple(entries), tuple(diagnostics)


def pymupdf_point() -> type[Any]:
    """The point class of the engine."""
    import pymupdf

    point: type[Any] = pymupdf.Point
    return point
