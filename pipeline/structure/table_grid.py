"""What the readers of tables share: a table before it becomes a model, and the columns of one."""

from __future__ import annotations

from typing import NamedTuple

from pipeline.structure.table_cells import Cell, Row

Band = tuple[int, int]
"""Left and right edge of a column, in hundredths of a point."""


class Columns(NamedTuple):
    """Columns of a table of values.

    Those of words at the left, numbers by their digits, and numbers with their signs.
    """

    words: tuple[Band, ...]
    values: tuple[Band, ...]
    wide: tuple[Band, ...]

    @property
    def left(self) -> int:
        """The left edge of the first column of values."""
        return self.values[0][0]


class Grid(NamedTuple):
    """A table before it becomes a model: cells as (row, column, cell), head texts, title, units, and its bounds.

    `edges` tell whether two grids have the same columns; `first_row` and `last_row` count rows of the page;
    `is_prose` is a table of words; `columns` are those of a table of values.
    """

    cells: tuple[tuple[int, int, Cell], ...]
    header: tuple[str, ...]
    title: str
    units: str
    edges: tuple[int, ...]
    y0: int
    y1: int
    first_row: int
    last_row: int
    is_prose: bool = False
    columns: Columns | None = None


def place_values(row: Row, bands: tuple[Band, ...] | list[Band]) -> list[tuple[int, Cell]]:
    """(column, cell) of what stands in the columns of values; of two cells in one column the first counts."""
    # a label that reaches over the first column is no value of it
    placed: dict[int, Cell] = {}
    for cell in row.cells:
        if not cell.is_value and cell.x0 < bands[0][0] - 200:
            continue
        shared, place = 0, -1
        for column, (x0, x1) in enumerate(bands):
            common = (cell.x1 if cell.x1 < x1 else x1) - (cell.x0 if cell.x0 > x0 else x0)
            if common > shared:
                shared, place = common, column
        if place >= 0 and place not in placed:
            placed[place] = cell
    return sorted(placed.items())


def find_band(cell: Cell, bands: tuple[Band, ...] | list[Band]) -> int:
    """The column that a cell shares most with, or the nearest one."""
    shared = [(min(cell.x1, x1) - max(cell.x0, x0), -place) for place, (x0, x1) in enumerate(bands)]
    return -max(shared)[1]
