"""Tables read from the boxes of lines: rows and columns from positions, ruling lines not needed.

Values are assigned to columns by their horizontal place, as in pdffigures and Nurminen's thesis on algorithmic
extraction of tables (Tampere 2013): rows from baselines, columns from the gaps that all rows share.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pipeline.models.base import Position
from pipeline.models.document import Line, ParsedDocument
from pipeline.models.structure import Caption, Table, TableCell
from pipeline.structure.table_cells import Cell, Row, group_rows
from pipeline.structure.table_grid import Grid
from pipeline.structure.table_prose import continue_grid, find_prose_grids
from pipeline.structure.table_values import find_value_grids

_EDGE_TOLERANCE = 600
_MAX_CONTINUED_PAGES = 12


class PageGrid(NamedTuple):
    """A grid on its page: lines it begins and ends with, and whether text stands above or below it on the page."""

    grid: Grid
    start: Position
    end: Position
    is_first: bool
    is_last: bool
    column: int


def read_page(
    document: ParsedDocument, page: int, skipped: frozenset[int] = frozenset(), is_whole: bool = False
) -> tuple[PageGrid, ...]:
    """Grids of one page, top to bottom; lines in `skipped` (contents pages) belong to none.

    Each text column is read for itself, unless `is_whole`: a wide table may look like columns of text.
    """
    low = document.index_of((page, 0))
    lines = document.lines_on(page)
    kept = [line for place, line in enumerate(lines, low) if line.is_evidence and place not in skipped]
    columns: dict[int, list[Line]] = {}
    for line in kept:
        columns.setdefault(0 if is_whole else line.column, []).append(line)
    found: list[PageGrid] = []
    for column, members in sorted(columns.items()):
        rows = group_rows(members)
        if not rows:
            continue
        width = max(line.box[2] for line in members) - min(line.box[0] for line in members)
        grids = find_value_grids(rows, width)
        grids += find_prose_grids(rows, [(grid.first_row, grid.last_row) for grid in grids])
        found += [_place_grid(grid, page, rows, column) for grid in grids]
    return tuple(sorted(found, key=lambda each: (each.grid.y0, each.start)))


def _place_grid(grid: Grid, page: int, rows: Sequence[Row], column: int) -> PageGrid:
    own = rows[grid.first_row : grid.last_row + 1]
    numbers = [piece[0].number for row in own for cell in row.cells for piece in cell.pieces]
    start, end = (page, min(numbers)), (page, max(numbers) + 1)
    return PageGrid(grid, start, end, grid.first_row == 0, grid.last_row == len(rows) - 1, column)


def find_tables(
    document: ParsedDocument, page: int, captions: tuple[Caption, ...] = (), skipped: frozenset[int] = frozenset()
) -> tuple[Table, ...]:
    """Tables that begin on a physical page, top to bottom; one that goes on over the page is read to its end."""
    grids = read_page(document, page, skipped)
    # a table that began on the page before is not found a second time here
    before = read_page(document, page - 1, skipped) if page > 1 else ()
    end = (page, 0)
    if before and (rest := _find_rest(document, before[-1], skipped)) is not None:
        end = rest.end
    tables: list[Table] = []
    for index, placed in enumerate(grids):
        if placed.start < end:
            continue
        parts = [placed]
        while index == len(grids) - 1 and len(parts) < _MAX_CONTINUED_PAGES:
            rest = _find_rest(document, parts[-1], skipped)
            if rest is None:
                break
            parts.append(rest)
        tables.append(_make_table(parts, captions))
    return tuple(tables)


def _find_rest(document: ParsedDocument, upper: PageGrid, skipped: frozenset[int]) -> PageGrid | None:
    """The grid at the head of the next page that goes on with one at the foot of its page."""
    page = upper.start[0] + 1
    if not upper.is_last or page > len(document.pages):
        return None
    # the rest of a wide table may look like columns of text to the parser
    for is_whole in (False, True):
        below = read_page(document, page, skipped, is_whole)
        if below and _goes_on(upper, below[0]):
            return below[0]
    if not upper.grid.is_prose:
        return None
    rows = group_rows(line for line in document.lines_on(page) if line.is_evidence)
    grid = continue_grid(rows, upper.grid.edges)
    return _place_grid(grid, page, rows, upper.column) if grid is not None else None


def _goes_on(upper: PageGrid, lower: PageGrid) -> bool:
    """Whether a table at the foot of a page goes on at the head of the next: the same columns, nothing between."""
    if not (upper.is_last and lower.is_first) or upper.grid.is_prose != lower.grid.is_prose:
        return False
    one, other = upper.grid.edges, lower.grid.edges
    if len(one) != len(other) or any(abs(a - b) > _EDGE_TOLERANCE for a, b in zip(one, other, strict=True)):
        return False
    return not lower.grid.title or lower.grid.title == upper.grid.title


def _make_table(parts: Sequence[PageGrid], captions: tuple[Caption, ...]) -> Table:
    first = parts[0]
    cells: list[TableCell] = []
    height = 0
    for part in parts:
        own = list(part.grid.cells)
        # the first row of a continued table of prose goes on with the last row when its first cell is empty
        joins = bool(cells) and part.grid.is_prose and not any(row == 0 and column == 0 for row, column, _ in own)
        offset = height - 1 if joins else height
        for row, column, cell in own:
            cells.append(_make_cell(row + offset, column, cell))
        height = max((cell.row for cell in cells), default=-1) + 1
    caption = _find_caption(first, captions)
    return Table(
        label=caption.label if caption else "",
        title=caption.title if caption else first.grid.title,
        start=first.start,
        end=parts[-1].end,
        header=tuple(_strip_caption(text, caption) for text in first.grid.header),
        cells=tuple(_merge_cells(cells)),
        units=first.grid.units,
        is_continued=len(parts) > 1,
    )


def _strip_caption(text: str, caption: Caption | None) -> str:
    """A column header without the caption, which stands over all columns where it is close to them."""
    at = text.find(caption.title) if caption is not None and caption.title else -1
    is_over = caption is not None and at > 0 and caption.label in text[:at]
    return text[at + len(caption.title) :].strip() if caption is not None and is_over else text


def _make_cell(row: int, column: int, cell: Cell) -> TableCell:
    return TableCell(row=row, column=column, text=cell.text, extents=cell.extents)


def _merge_cells(cells: Sequence[TableCell]) -> list[TableCell]:
    """Parts of one cell on two pages as one cell."""
    merged: dict[tuple[int, int], TableCell] = {}
    for cell in cells:
        known = merged.get((cell.row, cell.column))
        if known is None:
            merged[cell.row, cell.column] = cell
        else:
            text = f"{known.text} {cell.text}"
            merged[cell.row, cell.column] = known.model_copy(
                update={"text": text, "extents": known.extents + cell.extents}
            )
    return [merged[key] for key in sorted(merged)]


def _find_caption(placed: PageGrid, captions: tuple[Caption, ...]) -> Caption | None:
    """The caption right above the table, else right below it."""
    page, first = placed.start
    mine = [c for c in captions if c.kind == "table" and c.extent.page == page]
    above = [c for c in mine if 0 <= first - c.extent.line_end <= 3 or first <= c.extent.line_start < placed.end[1]]
    below = [c for c in mine if 0 <= c.extent.line_start - placed.end[1] <= 2]
    return above[-1] if above else (below[0] if below else None)
