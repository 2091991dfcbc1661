"""Bodies of tables of values: labels over several lines, groups, and one cell for each column."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.structure.table_cells import Cell, Row, join_cells
from pipeline.structure.table_grid import Columns, find_band, place_values

Placed = tuple[int, int, Cell]
_JOINING_ENDS = frozenset("and of to for in the from by or on with e de da do por com".split())


def read_body(rows: Sequence[Row], columns: Columns) -> list[Placed]:
    """(row, column, cell) of the body; a label without values is a row of its own, unless it wraps into another."""
    return _BodyReader(columns).read(rows)


class _BodyReader:
    def __init__(self, columns: Columns) -> None:
        self._columns = columns
        self._shift = max(1, len(columns.words))
        self._cells: list[Placed] = []
        self._number = 0
        self._pending: list[Cell] = []
        self._last_label: Cell | None = None

    def read(self, rows: Sequence[Row]) -> list[Placed]:
        """All rows, one after the other."""
        for row in rows:
            placed = place_values(row, self._columns.values)
            used = {id(cell) for _, cell in placed}
            texts = [cell for cell in row.cells if id(cell) not in used]
            if placed:
                self._take_values(placed, texts)
            elif texts:
                self._take_label(join_cells(texts))
        self._flush()
        return self._cells

    def _take_label(self, label: Cell) -> None:
        limit = self._columns.left
        if self._last_label is not None and _wraps_after(self._last_label, label, limit):
            # the label is the last cell put into the first column
            place = max(index for index, (_, column, _) in enumerate(self._cells) if column == 0)
            row, _, upper = self._cells[place]
            self._last_label = join_cells([upper, label])
            self._cells[place] = (row, 0, self._last_label)
            return
        if self._pending and not _wraps_into(self._pending[-1], label, limit):
            self._flush()
        self._pending.append(label)
        self._last_label = None

    def _take_values(self, placed: Sequence[tuple[int, Cell]], texts: list[Cell]) -> None:
        words = self._columns.words
        parts: dict[int, list[Cell]] = {}
        for cell in texts:
            parts.setdefault(find_band(cell, words) if words else 0, []).append(cell)
        label = join_cells(parts.pop(0)) if 0 in parts else None
        if self._pending and (label is None or not _wraps_into(self._pending[-1], label, self._columns.left)):
            # totals have no label of their own; a group stands above its members
            self._flush()
        whole = [*self._pending, *([label] if label else [])]
        self._pending = []
        self._last_label = join_cells(whole) if whole else None
        if self._last_label is not None:
            self._cells.append((self._number, 0, self._last_label))
        self._cells += [(self._number, column, join_cells(cells)) for column, cells in sorted(parts.items())]
        self._cells += [(self._number, column + self._shift, cell) for column, cell in placed]
        self._number += 1

    def _flush(self) -> None:
        if self._pending:
            self._cells.append((self._number, 0, join_cells(self._pending)))
            self._pending = []
            self._number += 1


def _wraps_into(upper: Cell, lower: Cell, limit: int) -> bool:
    """Whether a label without values goes on in the label below it."""
    if lower.y0 - upper.y1 > (upper.y1 - upper.y0) * 8 // 10 or upper.bold != lower.bold or upper.text.endswith(":"):
        return False
    if lower.text[:1].islower() or lower.text[:1] in "(&$":
        return True
    # a short line before an indented one is a group and its member, a long one may have wrapped
    is_long = upper.x1 - upper.x0 > (limit - upper.x0) * 60 // 100
    last = upper.text.rsplit(" ", 1)[-1].casefold()
    return is_long and (last in _JOINING_ENDS or last[-1:] in ",-–—&")


def _wraps_after(upper: Cell, lower: Cell, limit: int) -> bool:
    """Whether a label beside values goes on in the line below it."""
    is_near = lower.y0 - upper.y1 < (lower.y1 - lower.y0) * 6 // 10
    is_cut = lower.text[:1].islower() or (lower.text[:1] == "(" and upper.x1 - upper.x0 > (limit - upper.x0) // 2)
    return is_near and is_cut and not lower.text.endswith(":")
