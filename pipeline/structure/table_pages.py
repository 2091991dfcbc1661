"""Tables on their pages: the grids of a page, read once, and what of them goes on over the end of a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pipeline.models.base import Position
from pipeline.models.document import Line, ParsedDocument
from pipeline.models.structure import Caption
from pipeline.structure.table_cells import Row, group_rows
from pipeline.structure.table_dates import part_dates
from pipeline.structure.table_grid import Grid
from pipeline.structure.table_prose import begin_grid, continue_grid, count_head_rows, find_prose_grids, goes_on_below
from pipeline.structure.table_rest import begin_head, begin_values, continue_values, list_hanging
from pipeline.structure.table_values import find_value_grids
from pipeline.text.late import compile_late
from pipeline.text.matching import squeeze

_EDGE_TOLERANCE = 600
_MAX_NOTE_ROWS = 6
_NOTE_SIZE = 92
_CONTINUED = compile_late(r"[\s(\[–—-]*(?:continued|cont[’']?d\.?|cont\.|continuação|续表?)[\s)\].:]*")


class PageGrid(NamedTuple):
    """A grid on its page: lines it begins and ends with, and the rows of its page or column.

    `is_last` when nothing but notes and labels of its next row stands below it.
    """

    grid: Grid
    start: Position
    end: Position
    rows: tuple[Row, ...]
    is_last: bool
    column: int

    @property
    def above(self) -> tuple[Row, ...]:
        """The rows of the page over the grid."""
        return self.rows[: self.grid.first_row]


class GridReader:
    """Reads the grids of each page once; lines in `skipped` (contents pages) belong to none."""

    def __init__(
        self, document: ParsedDocument, captions: tuple[Caption, ...] = (), skipped: frozenset[int] = frozenset()
    ) -> None:
        """Keep the document; nothing is read before it is asked for."""
        self._document = document
        self._captions = captions
        self._skipped = skipped
        self._pages: dict[tuple[int, bool], tuple[PageGrid, ...]] = {}
        self._rows: dict[tuple[int, bool], dict[int, tuple[Row, ...]]] = {}

    def read(self, page: int, is_whole: bool = False) -> tuple[PageGrid, ...]:
        """Grids of one page, top to bottom.

        Each text column is read for itself, unless `is_whole`: a wide table may look like columns of text.
        """
        key = (page, is_whole)
        if key not in self._pages:
            found: list[PageGrid] = []
            for column, rows in sorted(self._read_rows(page, is_whole).items()):
                width = max(cell.x1 for row in rows for cell in row.cells)
                width -= min(cell.x0 for row in rows for cell in row.cells)
                grids = find_value_grids(rows, width)
                grids += find_prose_grids(rows, [(grid.first_row, grid.last_row) for grid in grids])
                found += [_place_grid(grid, page, rows, column) for grid in grids]
            self._pages[key] = tuple(sorted(found, key=lambda each: (each.grid.y0, each.start)))
        return self._pages[key]

    def _read_rows(self, page: int, is_whole: bool) -> dict[int, tuple[Row, ...]]:
        key = (page, is_whole)
        if key not in self._rows:
            columns: dict[int, list[Line]] = {}
            low = self._document.index_of((page, 0))
            for place, line in enumerate(self._document.lines_on(page), low):
                if line.is_evidence and place not in self._skipped:
                    columns.setdefault(0 if is_whole else line.column, []).append(line)
            grouped = {column: tuple(map(part_dates, group_rows(members))) for column, members in columns.items()}
            self._rows[key] = {column: rows for column, rows in grouped.items() if rows}
        return self._rows[key]

    def find_caption(self, placed: PageGrid) -> Caption | None:
        """The caption right above a grid, else right below it."""
        page, first = placed.start
        mine = [c for c in self._captions if c.kind == "table" and c.extent.page == page]
        above = [c for c in mine if 0 <= first - c.extent.line_end <= 3 or first <= c.extent.line_start < placed.end[1]]
        below = [c for c in mine if 0 <= c.extent.line_start - placed.end[1] <= 2]
        return above[-1] if above else (below[0] if below else None)

    def find_rest(self, upper: PageGrid, head: Grid | None = None) -> PageGrid | None:
        """The grid at the head of the next page that goes on with one at the foot of its page; even a single row.

        `head` is the first part of the table, where `upper` is a later one.
        """
        page = upper.start[0] + 1
        if not upper.is_last or page > len(self._document.pages):
            return None
        hanging = list_hanging(upper.rows, upper.grid)
        # the rest of a wide table may look like columns of text to the parser
        for is_whole in (False, True):
            below = self.read(page, is_whole)
            does_go_on = bool(below) and self._goes_on(upper, below[0])
            for column, rows in sorted(self._read_rows(page, is_whole).items())[:1]:
                first = self._find_first(upper, rows)
                again = count_head_rows(rows[first:], head or upper.grid) if upper.grid.is_prose else 0
                if does_go_on and not hanging and not again:
                    return below[0]
                grid = _continue(upper, rows, first + again, hanging)
                if grid is not None and (does_go_on or not (below and _is_another(grid, below[0].grid))):
                    return _place_grid(grid, page, rows, column)
        return None

    def _find_first(self, upper: PageGrid, rows: Sequence[Row]) -> int:
        """The first row of a page below the lines that only say which table goes on there."""
        first = 0
        while first < len(rows) and self._repeats_title(upper, rows[first]):
            first += 1
        return first

    def _repeats_title(self, upper: PageGrid, row: Row) -> bool:
        """Whether a row says that a table goes on: "Table 3 (continued)", or its title with that word."""
        text = " ".join(cell.text for cell in row.cells)
        caption = self.find_caption(upper)
        for other in self._captions if caption is not None else ():
            lines = range(other.extent.line_start, other.extent.line_end + 1)
            places = {piece[0].position for cell in row.cells for piece in cell.pieces}
            if other.kind == "table" and any((other.extent.page, number) in places for number in lines):
                # a caption with another number is another table
                return caption is not None and other.label == caption.label
        plain, count = _CONTINUED.subn("", text.casefold())
        known = squeeze(f"{upper.grid.title} {caption.label if caption else ''} {caption.title if caption else ''}")
        return count > 0 and squeeze(plain) in known

    def _goes_on(self, upper: PageGrid, lower: PageGrid) -> bool:
        """Whether a grid goes on with one of the page before: the same columns and heads, nothing between."""
        if upper.grid.is_prose != lower.grid.is_prose:
            return False
        if not all(self._repeats_title(upper, row) for row in lower.above):
            return False
        # notes stand below the end of a table: what has heads of its own behind them is another one
        is_noted = upper.grid.last_row < len(upper.rows) - 1
        if is_noted and not lower.above and any(lower.grid.header[1:]):
            return False
        one, other = upper.grid.edges, lower.grid.edges
        if len(one) != len(other) or any(abs(a - b) > _EDGE_TOLERANCE for a, b in zip(one, other, strict=True)):
            return False
        return _has_same_heads(upper.grid, lower.grid)

    def find_start(self, page: int) -> PageGrid | None:
        """The first row, or the head alone, at the foot of a page of a table whose other rows stand on the next one."""
        if page >= len(self._document.pages) or any(grid.is_last for grid in self.read(page)):
            return None
        columns = self._read_rows(page, False)
        rows = columns[max(columns)] if columns else ()
        last = _skip_notes(rows, len(rows) - 1)
        # a page of text ends with one cell: nothing more is read for it
        if last < 0 or len(rows[last].cells) < 2:
            return None
        for is_whole in (False, True):
            below = self.read(page + 1, is_whole)
            grid = self._begin(rows[: last + 1], below[0], page) if below else None
            placed = _place_grid(grid, page, rows, max(columns)) if grid is not None else None
            # a cell of the row that the page break cut may stand above the first whole row
            if placed is not None and all(
                self._repeats_title(placed, row) or goes_on_below(row, below[0].grid) for row in below[0].above
            ):
                return placed
        return None

    def _begin(self, rows: Sequence[Row], lower: PageGrid, page: int) -> Grid | None:
        taken = max((grid.grid.last_row + 1 for grid in self.read(page) if grid.column == lower.column), default=0)
        if lower.grid.is_prose:
            return begin_grid(rows, taken, lower.grid)
        grid = begin_values(rows, taken, lower.grid) or begin_head(rows, taken, lower.grid)
        return grid if grid is not None and _has_same_heads(grid, lower.grid) else None


def _continue(upper: PageGrid, rows: Sequence[Row], first: int, hanging: Sequence[Row]) -> Grid | None:
    """What goes on with a grid from the row `first` of the next page on."""
    if upper.grid.is_prose:
        return continue_grid(rows, first, upper.grid.edges)
    return continue_values(rows, first, upper.grid, hanging)


def _has_same_heads(one: Grid, other: Grid) -> bool:
    """Whether two grids have the same column heads, or one of them has none."""
    corners = [squeeze(grid.header[0]) for grid in (one, other) if grid.header and not grid.is_prose]
    # "Q4" over one part and "Full Year" over the other are two tables with the same columns
    if len(corners) > 1 and all(corners) and corners[0] not in corners[1] and corners[1] not in corners[0]:
        return False
    names = [{squeeze(text) for text in grid.header[1:] if text} for grid in (one, other)]
    return not names[0] or not names[1] or names[0] == names[1]


def _is_another(rest: Grid, other: Grid) -> bool:
    """Whether what may be the rest of a table is another one: it has a head of its own, or only a part of it fits."""
    is_cut = other.first_row <= rest.last_row < other.last_row
    return is_cut or (other.first_row <= rest.last_row and any(other.header[1:]))


def _skip_notes(rows: Sequence[Row], last: int) -> int:
    """The last row of a page above the notes in small type at its foot."""
    sizes = [piece[0].size for row in rows for cell in row.cells for piece in cell.pieces]
    usual = sorted(sizes)[len(sizes) // 2] if sizes else 0
    floor = max(-1, last - _MAX_NOTE_ROWS)
    while last > floor and all(p[0].size * 100 <= usual * _NOTE_SIZE for c in rows[last].cells for p in c.pieces):
        last -= 1
    return last


def _place_grid(grid: Grid, page: int, rows: Sequence[Row], column: int) -> PageGrid:
    own = rows[grid.first_row : grid.last_row + 1]
    numbers = [piece[0].number for row in own for cell in row.cells for piece in cell.pieces]
    start, end = (page, min(numbers)), (page, max(numbers) + 1)
    last = len(rows) - 1
    is_last = grid.last_row == last
    if not is_last:
        is_last = grid.last_row + len(list_hanging(rows, grid)) >= _skip_notes(rows, last)
    return PageGrid(grid, start, end, tuple(rows), is_last, column)
