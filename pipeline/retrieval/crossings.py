"""Tables whose row and column a question both names by their labels: "the HIGH impact on availability"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.retrieval.candidates import CandidateMaker, Finding
from pipeline.text.anchors import find_anchor
from pipeline.text.matching import fold

if TYPE_CHECKING:
    from pipeline.models.question import Anchor
    from pipeline.models.structure import Table

CROSSED_LEAD = 1.1
"""A table where two labels that the question names cross stands so far above the best window."""
MAX_CROSSED_PAGES = 4
_SHAPES = frozenset({"text", "definition"})


def find_crossed(maker: CandidateMaker, best: float) -> tuple[Finding, ...]:
    """Rows of tables where the header of a column and the name of the row are each an anchor, a line of its own.

    Only pages on which two anchors stand alone on lines are looked at, since recognising tables is dear.
    """
    if maker.brief.shape not in _SHAPES:
        return ()
    alone: dict[int, set[str]] = {}
    anchors = [anchor for anchor in maker.brief.anchors if anchor.source != "compound"]
    for anchor in anchors:
        for page in _list_alone(maker, anchor):
            alone.setdefault(page, set()).add(anchor.key)
    pages = [page for page, keys in sorted(alone.items()) if len(keys) > 1]
    found: list[Finding] = []
    for page in pages[:MAX_CROSSED_PAGES]:
        for table in maker.view.tables_on(page):
            lines = _cross(maker, table, anchors)
            if lines:
                why = f"the question names a row and a column of the table on page {page}"
                found.append(Finding(lines, "caption", CROSSED_LEAD * max(best, 1.0), why))
    return tuple(found)


def _list_alone(maker: CandidateMaker, anchor: Anchor) -> list[int]:
    """Pages where an anchor is all that a line says."""
    document = maker.view.document
    pages = []
    for position in maker.view.positions_of(anchor):
        text = document.folded[document.index_of(position)].strip(" :.()")
        if any(find_anchor(anchor, text)) and len(text.split()) <= max(len(form.split()) for form in anchor.forms):
            pages.append(position[0])
    return pages


def _cross(maker: CandidateMaker, table: Table, anchors: list[Anchor]) -> tuple[int, ...]:
    """Lines from the head of a table to the row that an anchor names, where another one names a column."""
    columns = [anchor.key for anchor in anchors for head in table.header[1:] if _names(anchor, head)]
    rows = {
        cell.row: anchor.key
        for anchor in anchors
        for cell in table.cells
        if cell.column == 0 and _names(anchor, cell.text)
    }
    kept = [row for row, key in rows.items() if any(other != key for other in columns)]
    if len(kept) != 1:
        return ()
    extents = [extent for cell in table.cells if cell.row == kept[0] for extent in cell.extents]
    lines = set(
        maker.list_lines(table.start, (table.start[0], min(cell.extents[0].line_start for cell in table.cells)))
    )
    for extent in extents:
        lines.update(maker.list_lines((extent.page, extent.line_start), (extent.page, extent.line_end + 1)))
    return tuple(sorted(lines))


def _names(anchor: Anchor, text: str) -> bool:
    """Whether a header or a row's label begins with an anchor."""
    folded = fold(text).strip()
    return any(start == 0 for start, _ in find_anchor(anchor, folded))
