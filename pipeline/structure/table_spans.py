"""Which columns each cell of a head stands over: one that is centred over several columns heads all of them.

Read from the bottom row up. A head is either a line of the head below it (a wrapped name) or a head over a group of
columns, told by its middle: the widest group of columns whose middle it has, up to the groups of its neighbours, and
never a column that has another head in the same row. Spanning heads as in Nurminen's thesis (see `tables`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from pipeline.structure.table_cells import Cell, is_period
from pipeline.structure.table_grid import Band
from pipeline.text.late import compile_late

# Shares of the height of a line: how far the lines of one name stand apart, and a name from what heads it.
_MAX_WRAP_PERCENT = 60
_LEVEL_PERCENT = 12
_MIN_OFF_MIDDLE = 400
_GOES_ON = compile_late(r"[a-zà-ÿ(&)/%-]")
_TIME = compile_late(
    r"\b(?:19|20)\d\d\b|\b(?:years?|months?|weeks?|quarters?)\b.*\b(?:ended|ending)\b|\bfiscal\b|^(?:at|as of)\b"
    r"|\b(?:ano|anos|meses|exercício)s?\b.*\b(?:findos?|encerrados?)\b|年",
    re.IGNORECASE,
)

Span = tuple[int, int]


class _Head(NamedTuple):
    """A cell of the head with the first and last column that it stands over; `low` is the foot of its name."""

    cell: Cell
    first: int
    last: int


def spread_heads(rows: Sequence[Sequence[Cell]], bands: Sequence[Band]) -> list[list[Cell | None]]:
    """For each row of a head, top to bottom, the cell that stands over each column."""
    reader = _SpanReader(rows, bands)
    placed = [reader.place_row(number) for number in range(len(rows) - 1, -1, -1)]
    return placed[::-1]


class _SpanReader:
    """Places rows from the bottom up; knows what stands over each column below the row that it is at."""

    def __init__(self, rows: Sequence[Sequence[Cell]], bands: Sequence[Band]) -> None:
        self._rows = rows
        self._bands = list(bands)
        self._extents = list(bands)
        self._tops: list[_Head | None] = [None] * len(bands)
        self._pitch = (bands[-1][1] - bands[0][0]) // len(bands)
        self._tight = _find_tight(rows)
        # a column without a head of its own may be one of a group
        near = {self._find_nearest(cell) for cells in rows for cell in cells}
        self._has_own = [column in near for column in range(len(bands))]

    def place_row(self, number: int) -> list[Cell | None]:
        """The cell over each column in one row."""
        cells = self._rows[number]
        spans = self._choose_spans(cells)
        chosen: list[Cell | None] = [None] * len(self._bands)
        for cell, span in zip(cells, spans, strict=True):
            for column in range(span[0], span[1] + 1) if span is not None else ():
                chosen[column] = cell
                self._tops[column] = _Head(cell, *span) if span is not None else None
            if span is not None and span[0] == span[1]:
                left, right = self._extents[span[0]]
                self._extents[span[0]] = (min(left, cell.x0), max(right, cell.x1))
        return chosen

    def _choose_spans(self, cells: Sequence[Cell]) -> list[Span | None]:
        width = len(self._bands)
        if len(cells) == width and (width == 1 or self._is_each(cells)):
            return [(column, column) for column in range(width)]
        cores = self._find_cores(cells)
        free = self._fit(cells, cores, [None] * len(cells))
        parted = {column for span in free if span for column in range(span[0], span[1] + 1)}
        # groups that leave out no column are no lines of wrapped names, which stand over some columns only
        if len(cells) > 1 and len(parted) == width and all(span and span[0] < span[1] for span in free):
            return free
        wrapped = [self._find_wrapped(cell, core) for cell, core in zip(cells, cores, strict=True)]
        return self._fit(cells, cores, wrapped) if any(wrapped) else free

    def _is_each(self, cells: Sequence[Cell]) -> bool:
        """Whether each cell is the one of its column: over it, or a period where the numbers stand off to one side."""
        pairs = list(zip(cells, self._bands, strict=True))
        return all(is_period(cell.text) for cell in cells) or all(_shares(cell, band) > 0 for cell, band in pairs)

    def _find_cores(self, cells: Sequence[Cell]) -> list[Span | None]:
        """The columns that each cell certainly stands over: the nearest, and those below it that have heads already."""
        owners: list[int | None] = []
        for extent, band in zip(self._extents, self._bands, strict=True):
            shared = [(max(_shares(cell, band), _shares(cell, extent)), -place) for place, cell in enumerate(cells)]
            most, place = max(shared)
            owners.append(-place if most > 0 else None)
        cores: list[Span | None] = []
        for place, cell in enumerate(cells):
            own = [column for column, owner in enumerate(owners) if owner == place]
            near = self._find_nearest(cell)
            if not own:
                # both must be each other's nearest, or a head would spread to columns without one
                own = [near] if owners[near] is None and self._is_nearest(cell, near, cells) else []
            best = min(own, key=lambda column: self._miss(cell, (column, column)), default=None)
            kept = [column for column in own if column == best or self._is_under(cell, column)]
            cores.append((min(kept), max(kept)) if kept else None)
        return cores

    def _is_under(self, cell: Cell, column: int) -> bool:
        """Whether a cell reaches over most of a column that has a head below it, or none at all."""
        left, right = self._extents[column]
        is_open = self._tops[column] is not None or not self._has_own[column]
        reach = max(_shares(cell, self._extents[column]), _shares(cell, self._bands[column]))
        return is_open and reach * 2 > min(right - left, self._bands[column][1] - self._bands[column][0])

    def _find_nearest(self, cell: Cell) -> int:
        return min(range(len(self._bands)), key=lambda column: _measure(cell, self._bands[column]))

    def _is_nearest(self, cell: Cell, column: int, cells: Sequence[Cell]) -> bool:
        return min(cells, key=lambda each: _measure(each, self._bands[column])) == cell

    def _find_wrapped(self, cell: Cell, core: Span | None) -> Span | None:
        """The columns of the head below, where a cell is a line of its name; None where it heads what is below."""
        heads = [head for head in self._tops[core[0] : core[1] + 1] if head is not None] if core else []
        below = [head for head in dict.fromkeys(heads) if _shares(cell, (head.cell.x0, head.cell.x1)) > 0]
        if len(below) != 1 or core is None or core[0] < below[0].first or core[1] > below[0].last:
            return None
        lower = below[0].cell
        gap, height = lower.y0 - cell.y1, max(1, lower.y1 - lower.y0)
        if gap * 100 > height * _MAX_WRAP_PERCENT or cell.bold != lower.bold:
            return None
        span = (below[0].first, below[0].last)
        if _GOES_ON.match(lower.text):
            return span
        is_level = (gap - self._tight) * 100 > height * _LEVEL_PERCENT
        return None if is_level or self._is_time_over(cell, lower) else span

    def _is_time_over(self, cell: Cell, lower: Cell) -> bool:
        """Whether a cell says the time of what is below it: of a name, or ("years ended") of several periods."""
        if not _TIME.search(cell.text):
            return False
        periods = {head.cell for head in self._tops if head is not None and is_period(head.cell.text)}
        return not _TIME.search(lower.text) or (lower in periods and len(periods) > 1)

    def _fit(
        self, cells: Sequence[Cell], cores: Sequence[Span | None], fixed: Sequence[Span | None]
    ) -> list[Span | None]:
        """The widest groups of columns, in order, that the cells are in the middle of."""
        known = [span or core for span, core in zip(fixed, cores, strict=True)]
        spans: list[Span | None] = []
        for place, (cell, core) in enumerate(zip(cells, cores, strict=True)):
            if core is None or fixed[place] is not None:
                spans.append(fixed[place])
                continue
            low = max((span[1] + 1 for span in [*known[:place], *spans] if span), default=0)
            high = min((span[0] - 1 for span in known[place + 1 :] if span), default=len(self._bands) - 1)
            spans.append(self._widen(cell, core, (low, high)))
        return spans

    def _widen(self, cell: Cell, core: Span, bounds: Span) -> Span:
        low, high = bounds
        while low < core[0] and not all(map(self._may_head, range(low, core[0]))):
            low += 1
        while high > core[1] and not all(map(self._may_head, range(core[1] + 1, high + 1))):
            high -= 1
        options = [
            (self._miss(cell, (first, last)), (first, last))
            for first in range(low, core[0] + 1)
            for last in range(core[1], max(high, core[1]) + 1)
        ]
        limit = max(_MIN_OFF_MIDDLE, self._pitch * 3 // 10)
        fitting = [(span[0] - span[1], miss, span) for miss, span in options if miss <= limit]
        return min(fitting)[2] if fitting else core

    def _may_head(self, column: int) -> bool:
        """Whether a column beside a cell may be of its group: it has a head below, or none of its own anywhere."""
        return self._tops[column] is not None or not self._has_own[column]

    def _miss(self, cell: Cell, span: Span) -> int:
        """How far the middle of a cell is from that of a group, by the numbers or by the heads below."""
        middle = cell.x0 + cell.x1
        first, last = span
        sides = ((places[first][0], places[last][1]) for places in (self._bands, self._extents))
        return min(abs(middle - left - right) // 2 for left, right in sides)


def _find_tight(rows: Sequence[Sequence[Cell]]) -> int:
    """The least distance between a cell and one right below it: that of the lines of one name."""
    gaps = [
        lower.y0 - upper.y1
        for number, cells in enumerate(rows)
        for upper in cells
        for below in rows[number + 1 :]
        for lower in below
        if _shares(upper, (lower.x0, lower.x1)) > 0
    ]
    return min(gaps, default=0)


def _shares(cell: Cell, band: Band) -> int:
    return min(cell.x1, band[1]) - max(cell.x0, band[0])


def _measure(cell: Cell, band: Band) -> tuple[int, int]:
    gap = max(cell.x0 - band[1], band[0] - cell.x1, 0)
    return gap, abs(cell.x0 + cell.x1 - band[0] - band[1])
