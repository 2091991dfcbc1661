"""Tables near the evidence: which to read, and which lines belong to their cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.base import Position
    from pipeline.models.structure import Table

MAX_TABLE_PAGES = 6
FIRST_LINES = 12
"""A table that begins among the first lines of a page is no continuation of one on the page before."""


def list_tables(task: ReaderTask) -> tuple[Table, ...]:
    """Tables on the best pages of the evidence, best first, also where they began a page before."""
    found: dict[tuple[Position, Position], Table] = {}
    pages = dict.fromkeys(span.page for piece in task.evidence for span in piece.candidate.spans)
    # Recognising tables is dear, and the cell that answers is on one of the first pages or on none.
    for page in list(pages)[:MAX_TABLE_PAGES]:
        own = task.view.tables_on(page)
        is_cut = page > 1 and not any(table.start <= (page, FIRST_LINES) for table in own)
        for table in (*own, *(task.view.tables_on(page - 1) if is_cut else ())):
            if table.end >= (page, 1):
                found.setdefault((table.start, table.end), table)
    return tuple(found.values())


def list_table_lines(task: ReaderTask) -> frozenset[Position]:
    """The lines that stand in cells of figures: short cells, since a table of prose is read as prose too."""
    lines: set[Position] = set()
    for table in list_tables(task):
        for cell in table.cells:
            for extent in cell.extents if _is_short(table) else ():
                lines.update((extent.page, number) for number in range(extent.line_start, extent.line_end + 1))
    return frozenset(lines)


def _is_short(table: Table) -> bool:
    """Whether most cells of a table hold figures or names, not sentences."""
    lengths = sorted(len(cell.text) for cell in table.cells)
    return bool(lengths) and lengths[len(lengths) // 2] <= MAX_SHORT_CELL


MAX_SHORT_CELL = 24
