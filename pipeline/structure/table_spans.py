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
from pipeline.structure.table_dates import keep_cut
from pipeline.structure.table_grid import Band
from pipeline.structure.table_parting import are_lines, find_middle, find_tight, measure_off, measure_shared, part_words
from pipeline.text.late import compile_late

# Shares of the height of a line: how far the lines of one name stand apart, and a name from what heads it.
_MAX_WRAP_PERCENT = 60
_LEVEL_PERCENT = 12
_TITLE_PERCENT = 110
_MIN_OFF_MIDDLE = 400
_GOES_ON = compile_late(r"[a-zà-ÿ(&)/%-]")
_TIME = compile_late(
    r"\b(?:19|20)\d\d\b|\b(?:years?|months?|weeks?|quarters?)\b.*\b(?:ended|ending)\b|\bfiscal\b|^(?:at|as of)\b"
    r"|\b(?:ano|anos|meses|exercício)s?\b.*\b(?:findos?|encerrados?)\b|年",
    re.IGNORECASE,
)

Span = tuple[int, int]


class _Head(NamedTuple):
    """A cell of the head with the first and last column that it stands over."""

    cell: Cell
    first: int
    last: int


def spread_heads(rows: Sequence[Sequence[Cell]], bands: Sequence[Band], left: int) -> list[list[Cell | None]]:
    """For each row of a head, top to bottom, the cell that stands over each column; `left` is that of the table."""
    reader = _SpanReader(rows, bands, left)
    placed = [reader.place_row(number) for number in range(len(rows) - 1, -1, -1)]
    return placed[::-1]


class _SpanReader:
    """Places rows from the bottom up; knows what stands over each column below the row that it is at."""

    def __init__(self, rows: Sequence[Sequence[Cell]], bands: Sequence[Band], left: int) -> None:
        self._rows = rows
        self._bands = list(bands)
        self._left = left
        # where the lowest heads of the columns stand, which those above are centred over
        self._extents: list[Band | None] = [None] * len(bands)
        self._tops: list[_Head | None] = [None] * len(bands)
        self._pitch = (bands[-1][1] - bands[0][0]) // len(bands)
        self._tight = find_tight(rows)
        self._above: Sequence[Cell] = ()
        # a column without a head of its own may be one of a group
        near = {self._find_nearest(cell) for cells in rows for cell in cells}
        self._has_own = [column in near for column in range(len(bands))]

    def place_row(self, number: int) -> list[Cell | None]:
        """The cell over each column in one row."""
        row = self._rows[number]
        self._above = self._rows[number - 1] if number else ()
        cells = [part for cell in row for part in (self._split(cell) if len(row) > 1 else [cell])]
        chosen: list[Cell | None] = [None] * len(self._bands)
        for cell, span in zip(cells, self._choose_spans(cells), strict=True):
            if span is None:
                continue
            columns = range(span[0], span[1] + 1)
            below = [head.cell if (head := self._tops[column]) else None for column in columns]
            for column in keep_cut(cell, columns, below):
                chosen[column] = cell
            # what stands above is over all of them, whoever goes on with the day
            for column in columns:
                self._tops[column] = _Head(cell, *span)
            if span[0] == span[1]:
                left, right = self._extents[span[0]] or (cell.x0, cell.x1)
                self._extents[span[0]] = (min(left, cell.x0), max(right, cell.x1))
        return chosen

    def _split(self, cell: Cell) -> list[Cell]:
        heads = [
            head
            for head in dict.fromkeys(self._tops)
            if head and measure_shared(cell, (head.cell.x0, head.cell.x1)) > 0
        ]
        return part_words(cell, [head.cell for head in heads])

    def _choose_spans(self, cells: Sequence[Cell]) -> list[Span | None]:
        width = len(self._bands)
        if len(cells) == width and (width == 1 or self._is_each(cells)):
            return [(column, column) for column in range(width)]
        cores = self._find_cores(cells)
        free = self._fit(cells, cores, [None] * len(cells))
        covered = {column for span in free if span for column in range(span[0], span[1] + 1)}
        # groups that leave out no column are no lines of wrapped names, which stand over some columns only
        are_groups = len(cells) > 1 and all(span and span[0] < span[1] for span in free)
        wrapped = [self._find_wrapped(cell, core) for cell, core in zip(cells, cores, strict=True)]
        lowers = [head.cell for span in wrapped if span and (head := self._tops[span[0]])]
        if are_groups and are_lines(cells, lowers, self._above):
            return self._fit(cells, cores, wrapped)
        if are_groups and len(covered) == width:
            return self._even_out(cells, free)
        if any(wrapped):
            # one name over several groups is no line of the names below
            goes_on = any(head and _GOES_ON.match(head.cell.text) for head in self._tops)
            is_one = are_groups and not goes_on and len({cell.text for cell in cells}) == 1
            return free if is_one else self._fit(cells, cores, wrapped)
        return free if len(covered) == width else self._divide(cells, free)

    def _even_out(self, cells: Sequence[Cell], spans: Sequence[Span | None]) -> list[Span | None]:
        """Groups of one size, where the marks of notes moved heads a little from their middles."""
        groups, rest = self._list_groups(len(cells))
        off = [self._miss(cell, span) for cell, span in zip(cells, groups, strict=True)]
        return list(groups) if not rest and max(off) * 5 < self._pitch * 2 else list(spans)

    def _list_groups(self, count: int) -> tuple[list[Span], int]:
        """So many groups of one size, and how many columns that leaves over."""
        size, rest = divmod(len(self._bands), count)
        return [(place * size, place * size + size - 1) for place in range(count)], rest

    def _is_each(self, cells: Sequence[Cell]) -> bool:
        """Whether each cell is the one of its column: nearest to it, or a period where the numbers stand off."""
        return all(is_period(cell.text) for cell in cells) or all(
            measure_shared(cell, self._bands[column]) > 0 or self._find_nearest(cell) == column
            for column, cell in enumerate(cells)
        )

    def _find_cores(self, cells: Sequence[Cell]) -> list[Span | None]:
        """The columns that each cell certainly stands over: the nearest, and those below it that have heads already."""
        owners: list[int | None] = []
        for column in range(len(self._bands)):
            shared = [(self._reach(cell, column), -place) for place, cell in enumerate(cells)]
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

    def _reach(self, cell: Cell, column: int) -> int:
        extent = self._extents[column]
        return max(measure_shared(cell, self._bands[column]), measure_shared(cell, extent) if extent else 0)

    def _is_under(self, cell: Cell, column: int) -> bool:
        """Whether a cell reaches over most of a column that has a head below it, or none at all."""
        sizes = [right - left for left, right in (self._bands[column], self._extents[column] or self._bands[column])]
        return self._may_head(column) and self._reach(cell, column) * 2 > min(sizes)

    def _find_nearest(self, cell: Cell) -> int:
        return min(range(len(self._bands)), key=lambda column: measure_off(cell, self._bands[column]))

    def _is_nearest(self, cell: Cell, column: int, cells: Sequence[Cell]) -> bool:
        return min(cells, key=lambda each: measure_off(each, self._bands[column])) == cell

    def _find_wrapped(self, cell: Cell, core: Span | None) -> Span | None:
        """The columns of the head below, where a cell is a line of its name; None where it heads what is below."""
        heads = [head for head in self._tops[core[0] : core[1] + 1] if head is not None] if core else []
        below = [head for head in dict.fromkeys(heads) if measure_shared(cell, (head.cell.x0, head.cell.x1)) > 0]
        if len(below) != 1 or core is None or core[0] < below[0].first or core[1] > below[0].last:
            return None
        lower = below[0].cell
        gap, height = lower.y0 - cell.y1, max(1, lower.y1 - lower.y0)
        offset = min(abs(cell.x0 - lower.x0), abs(cell.x1 - lower.x1), abs(find_middle(cell) - find_middle(lower)))
        if gap * 100 > height * _MAX_WRAP_PERCENT or offset > height:
            return None
        span = (below[0].first, below[0].last)
        if _GOES_ON.match(lower.text) or cell.text.count("(") > cell.text.count(")"):
            return span
        is_level = (gap - self._tight) * 100 > height * _LEVEL_PERCENT
        return None if is_level or self._is_over_periods(cell, lower) else span

    def _is_over_periods(self, cell: Cell, lower: Cell) -> bool:
        """Whether a cell is no line of the name below: it says the time of a name, or stands over several periods."""
        periods = {head.cell for head in self._tops if head is not None and is_period(head.cell.text)}
        if lower in periods and len(periods) > 1:
            return True
        return bool(_TIME.search(cell.text)) and not _TIME.search(lower.text)

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
        return [self._even_twins(cells, spans, place) for place in range(len(cells))]

    def _even_twins(self, cells: Sequence[Cell], spans: Sequence[Span | None], place: int) -> Span | None:
        """The columns of a cell that comes again in its row: as many as the others have, if it has one head twice."""
        own, cell = spans[place], cells[place]
        below = [head.cell.text for head in self._tops[own[0] : own[1] + 1] if head] if own else []
        if len(set(below)) == len(below):
            return own
        sizes = [
            span[1] - span[0] for other, span in zip(cells, spans, strict=True) if span and other.text == cell.text
        ]
        if own is None or own[1] - own[0] == min(sizes):
            return own
        near = min(max(self._find_nearest(cell), own[0]), own[1])
        firsts = range(max(own[0], near - min(sizes)), min(own[1] - min(sizes), near) + 1)
        return min(((first, first + min(sizes)) for first in firsts), key=lambda span: self._miss(cell, span))

    def _widen(self, cell: Cell, core: Span, bounds: Span) -> Span:
        low, high = bounds
        while low < core[0] and not all(map(self._may_head, range(low, core[0]))):
            low += 1
        while high > core[1] and not all(map(self._may_head, range(core[1] + 1, high + 1))):
            high -= 1
        own = self._miss(cell, core)
        options = [
            (first - last, self._miss(cell, (first, last)), (first, last))
            for first in range(low, core[0] + 1)
            for last in range(core[1], max(high, core[1]) + 1)
        ]
        limit = max(_MIN_OFF_MIDDLE, self._pitch // 4)
        # a head in the middle of its own column is also that of as many columns on both sides, but of no other group
        fitting = [
            option
            for option in options
            if option[1] <= limit and (option[1] <= own or core[0] - option[2][0] == option[2][1] - core[1])
        ]
        return min(fitting)[2] if fitting else core

    def _may_head(self, column: int) -> bool:
        """Whether a column beside a cell may be of its group: it has a head below, or none of its own anywhere."""
        return self._tops[column] is not None or not self._has_own[column]

    def _divide(self, cells: Sequence[Cell], spans: Sequence[Span | None]) -> list[Span | None]:
        """Where columns are left over: a lone head over all, or groups of one size, if that is where the cells are."""
        width = len(self._bands)
        size, rest = divmod(width, len(cells))
        covered = {column for span in spans if span for column in range(span[0], span[1] + 1)}
        left_over = [column for column in range(width) if column not in covered]
        if rest or size < 2:
            return list(spans)
        is_open = all(self._may_head(column) for column in left_over)
        if len(cells) == 1:
            return [(0, width - 1)] if is_open and self._is_over_all(cells[0], spans[0]) else list(spans)
        groups, _ = self._list_groups(len(cells))
        off = [self._miss(cell, span) for cell, span in zip(cells, groups, strict=True)]
        if is_open and not any(self._has_own[column] for column in left_over):
            # a column without a head of its own is of the group that it lies in
            is_even = all(
                self._bands[span[0]][0] <= find_middle(cell) <= self._bands[span[1]][1]
                for cell, span in zip(cells, groups, strict=True)
            )
        else:
            is_even = max(off) <= (self._pitch // 2 if is_open else self._pitch // 4)
        return list(groups) if is_even else list(spans)

    def _is_over_all(self, cell: Cell, span: Span | None) -> bool:
        """Whether a lone head is roughly over all columns, or a title in the middle of the whole table."""
        middle = find_middle(cell)
        low, high = self._bands[0][0], self._bands[-1][1]
        is_over = abs(2 * middle - low - high) < (high - low) * 3 // 5
        is_central = abs(2 * middle - self._left - high) <= self._pitch
        if (is_central and self._is_larger(cell)) or (is_over and self._is_only_time(cell)):
            return True
        if span is not None and span[0] < span[1] and self._miss(cell, span) <= self._pitch // 8:
            return False
        is_off = span is None or self._miss(cell, span) > self._pitch // 4
        return is_central or (is_off and is_over)

    def _is_larger(self, cell: Cell) -> bool:
        """Whether a cell is set in larger type than the heads below: a title over the table."""
        below = self._rows[-1][0]
        return (cell.y1 - cell.y0) * 100 > (below.y1 - below.y0) * _TITLE_PERCENT

    def _is_only_time(self, cell: Cell) -> bool:
        """Whether a cell says a time and no other row does, so that it is that of all columns."""
        others = [other for cells in self._rows for other in cells if other is not cell]
        return bool(_TIME.search(cell.text)) and not any(_TIME.search(other.text) for other in others)

    def _miss(self, cell: Cell, span: Span) -> int:
        """How far the middle of a cell is from that of a group: of the heads below, or of the numbers without any."""
        places = [self._extents[column] or self._bands[column] for column in span]
        edges = places[0][0] + places[1][1]
        middles = sum(left + right for left, right in places) // 2
        return min(abs(cell.x0 + cell.x1 - middle) // 2 for middle in (edges, middles))
