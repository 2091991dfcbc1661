"""Rows of a table of values that a page break cut off: known by the columns of the part on the other page."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.structure.table_body import read_body
from pipeline.structure.table_cells import Cell, Row
from pipeline.structure.table_grid import Columns, Grid, place_values
from pipeline.structure.table_heads import find_head, is_over_all, read_header, read_title
from pipeline.structure.table_values import build_grid, holds_values
from pipeline.text.matching import squeeze

_EDGE_TOLERANCE = 600
_MAX_HANGING = 2
_MAX_REST_ROWS = 80
_MAX_HEAD_ROWS = 7


def list_hanging(rows: Sequence[Row], grid: Grid) -> tuple[Row, ...]:
    """Labels below the last values of a table: of a group, or of a row whose values stand on the next page."""
    if grid.columns is None:
        return ()
    found: list[Row] = []
    for row in rows[grid.last_row + 1 : grid.last_row + 2 + _MAX_HANGING]:
        if len(found) == _MAX_HANGING or not _is_label(row, grid.columns, grid.edges[0]):
            return () if len(found) == _MAX_HANGING else tuple(found)
        found.append(row)
    return tuple(found)


def _is_label(row: Row, columns: Columns, left: int) -> bool:
    """Whether a row is a label without values: one cell among the labels, and no sentence."""
    cell = row.cells[0]
    is_alone = len(row.cells) == 1 and not cell.is_value
    is_inside = left - _EDGE_TOLERANCE <= cell.x0 and cell.x1 < columns.left
    return is_alone and is_inside and cell.text[-1:] not in ".;" and cell.text[:1] not in "(*†‡"


def _fits(row: Row, columns: Columns, left: int) -> bool:
    """Whether a row has its label and each of its values where the columns are."""
    placed = place_values(row, columns.values)
    used = [cell for _, cell in placed]
    if not placed or any(not _is_in_column(cell, columns, column) for column, cell in placed):
        return False
    rest = [cell for cell in row.cells if not any(cell is other for other in used)]
    return all(not cell.is_value and left - _EDGE_TOLERANCE <= cell.x0 and cell.x1 < columns.left for cell in rest)


def _is_in_column(cell: Cell, columns: Columns, column: int) -> bool:
    # numbers are set right or centred; a wider one reaches further left but not over its right edge
    return abs(cell.x1 - columns.values[column][1]) <= _EDGE_TOLERANCE or (
        columns.wide[column][0] <= cell.x0 and cell.x1 <= columns.wide[column][1]
    )


def _count_usual(grid: Grid) -> int:
    """How many values most rows of a table have."""
    counts: dict[int, int] = {}
    for row, column, _ in grid.cells:
        if column >= len(grid.header) - len(grid.columns.values if grid.columns else ()):
            counts[row] = counts.get(row, 0) + 1
    return sorted(counts.values())[len(counts) // 2] if counts else 1


def _repeats_head(row: Row, header: Sequence[str]) -> bool:
    """Whether a row only says again what stands over the columns."""
    known = [squeeze(text) for text in header if text]
    return bool(known) and all(any(squeeze(cell.text) in text for text in known) for cell in row.cells)


def continue_values(rows: Sequence[Row], first: int, upper: Grid, hanging: Sequence[Row] = ()) -> Grid | None:
    """What stands at the head of a page in the columns of a table that ended the page before it; even a single row.

    `first` is the row to begin with, `hanging` the labels that the page before left without values.
    """
    columns = upper.columns
    if columns is None:
        return None
    start = first
    while start < min(len(rows), first + _MAX_HEAD_ROWS) and _repeats_head(rows[start], upper.header):
        start += 1
    last, most = -1, 0
    for index in range(start, min(len(rows), start + _MAX_REST_ROWS)):
        row = rows[index]
        if index > start and row.y0 - rows[index - 1].y1 > 3 * (row.y1 - row.y0):
            break
        if holds_values(row) and _fits(row, columns, upper.edges[0]):
            last, most = index, max(most, len(row.values))
        elif not _is_label(row, columns, upper.edges[0]):
            break
    # a row with fewer values than the others may as well be a line of something else
    if last < 0 or most < _count_usual(upper):
        return None
    body = [*hanging, *rows[start : last + 1]]
    return Grid(
        cells=tuple(read_body(body, columns)),
        header=upper.header,
        title="",
        units="",
        edges=upper.edges,
        y0=rows[first].y0,
        y1=rows[last].y1,
        first_row=first,
        last_row=last,
        columns=columns,
    )


def begin_values(rows: Sequence[Row], taken: int, lower: Grid) -> Grid | None:
    """The first row at the foot of a page, under its head, of a table whose other rows stand on the next page."""
    last = len(rows) - 1
    columns = lower.columns
    if columns is None or last < taken or not holds_values(rows[last]):
        return None
    if not _fits(rows[last], columns, lower.edges[0]) or len(rows[last].values) < _count_usual(lower):
        return None
    grid = build_grid(rows, (find_head(rows, last, taken, columns.wide), last, last), columns)
    # without a head a single row is a table only where all columns agree with those of the next page
    is_headed = any(grid.header[1:])
    return grid if is_headed or (len(columns.values) > 1 and not any(lower.header[1:])) else None


def begin_head(rows: Sequence[Row], taken: int, lower: Grid) -> Grid | None:
    """The head at the foot of a page of a table whose rows all stand on the next page."""
    last = len(rows) - 1
    columns = lower.columns
    if columns is None or last < taken or any(lower.header[1:]) or not is_over_all(rows[last], columns.wide):
        return None
    top = find_head(rows, last, taken, columns.wide)
    title, units = read_title(rows, top)
    header = read_header(rows[top : last + 1], columns, lower.edges[0])
    return Grid((), header, title, units, lower.edges, rows[top].y0, rows[last].y1, top, last, columns=columns)
