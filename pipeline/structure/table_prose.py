"""Tables of words: columns from the gutters that no line crosses, rows from where the first column begins anew."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.structure.table_blocks import split_rows
from pipeline.structure.table_cells import Cell, Row, join_cells
from pipeline.structure.table_grid import Band, Grid, find_band
from pipeline.text.matching import squeeze

_MIN_ROWS = 3
_OVERLAP = 150
_WRAP_PERCENT = 60
_TOLERANCE = 400
_MARKS = frozenset("•●▪■◦○‣·–—-*☐☒☑")


def find_prose_grids(rows: Sequence[Row], taken: Sequence[tuple[int, int]]) -> list[Grid]:
    """Tables of words among rows that no table of values has taken; `taken` are (first, last) rows of those."""
    grids: list[Grid] = []
    used = frozenset(index for first, last in taken for index in range(first, last + 1))
    index = 0
    while index < len(rows):
        if index in used or len(rows[index].cells) < 2:
            index += 1
            continue
        last, bands = _grow(rows, index, used)
        if not _is_table(rows[index : last + 1], bands):
            index += 1
            continue
        free = max((at + 1 for at in used if at < index), default=0)
        floor = max(free, grids[-1].last_row + 1) if grids else free
        grids.append(_build_grid(rows, _find_head_top(rows, index, floor, bands), last, bands))
        index = last + 1
    return grids


def _grow(rows: Sequence[Row], first: int, used: frozenset[int]) -> tuple[int, list[Band]]:
    """The last row and the columns of a region.

    It grows while every cell keeps to one column and the gaps are small.
    """
    bands: list[Band] = [(cell.x0, cell.x1) for cell in rows[first].cells]
    last = first
    for index in range(first + 1, len(rows)):
        row, before = rows[index], rows[last]
        if index in used or row.y0 - before.y1 > 3 * (row.y1 - row.y0):
            break
        grown = list(bands)
        if not all(_add_to(grown, cell) for cell in row.cells):
            break
        # what ends the table often begins at its left edge: a short line below a wide gap
        if len(row.cells) == 1 and row.y0 - before.y1 > (row.y1 - row.y0) * 12 // 10:
            break
        bands, last = grown, index
    while last > first and len(rows[last].cells) == 1 and rows[last].cells[0].bold:
        last -= 1
    return last, sorted(bands)


def _add_to(bands: list[Band], cell: Cell) -> bool:
    """Put a cell into the column that it overlaps, or open a new one; False where it would join two columns."""
    hits = [place for place, (x0, x1) in enumerate(bands) if cell.x0 < x1 - _OVERLAP and x0 < cell.x1 - _OVERLAP]
    if len(hits) > 1:
        return False
    if hits:
        x0, x1 = bands[hits[0]]
        wide = (min(x0, cell.x0), max(x1, cell.x1))
        others = [band for place, band in enumerate(bands) if place != hits[0]]
        if any(wide[0] < other[1] - _OVERLAP and other[0] < wide[1] - _OVERLAP for other in others):
            return False
        bands[hits[0]] = wide
    else:
        bands.append((cell.x0, cell.x1))
    return True


def _is_table(rows: Sequence[Row], bands: list[Band]) -> bool:
    """At least three rows, two of them with several columns; a column of bullets or check boxes is no column."""
    if len(rows) < _MIN_ROWS or len(bands) < 2:
        return False
    # numbered and bulleted paragraphs also keep to two left edges
    counts = [0] * len(bands)
    marks = 0
    beside = 0
    total = 0
    for row in rows:
        columns = [find_band(cell, bands) for cell in row.cells]
        beside += len(set(columns)) >= 2
        for cell, column in zip(row.cells, columns, strict=True):
            counts[column] += 1
            total += 1
            marks += cell.text in _MARKS or len(cell.text) == 1
    return (
        beside >= 2 and beside * 3 >= len(rows) and marks * 4 < total and sum(1 for count in counts if count >= 2) >= 2
    )


def _build_grid(rows: Sequence[Row], first: int, last: int, bands: list[Band]) -> Grid:
    body = first
    header: list[str] = [""] * len(bands)
    while body < last and all(cell.bold for cell in rows[body].cells) and not all(c.bold for c in rows[last].cells):
        for cell in rows[body].cells:
            column = find_band(cell, bands)
            header[column] = f"{header[column]} {cell.text}".strip()
        body += 1
    bands, header = _drop_headed(rows[body : last + 1], bands, header)
    blocks = split_rows(rows[body : last + 1], bands)
    cells: list[tuple[int, int, Cell]] = []
    spanning: Cell | None = None
    for number, block in enumerate(blocks):
        columns: dict[int, list[Cell]] = {}
        for row in block:
            for cell in row.cells:
                columns.setdefault(find_band(cell, bands), []).append(cell)
        own = {column: join_cells(parts) for column, parts in sorted(columns.items())}
        # a first cell beside several rows stands for all of them
        spanning = own.get(0, spanning)
        if 0 not in own and spanning is not None:
            own[0] = spanning
        cells += [(number, column, cell) for column, cell in sorted(own.items())]
    y1 = max(row.y1 for row in rows[first : last + 1])
    edges = tuple(x0 for x0, _ in bands)
    return Grid(tuple(cells), tuple(header), _read_title(rows, first), "", edges, rows[first].y0, y1, first, last, True)


def _find_head_top(rows: Sequence[Row], first: int, floor: int, bands: list[Band]) -> int:
    """The first line of the head of a table: names over several lines begin above the line that all columns share."""
    while first > floor and all(cell.bold for cell in rows[first].cells):
        above, row = rows[first - 1], rows[first]
        is_close = (row.y0 - above.y1) * 100 < (row.y1 - row.y0) * _WRAP_PERCENT
        if not is_close or not all(cell.bold and _stands_over_one(cell, bands) for cell in above.cells):
            break
        first -= 1
    return first


def _stands_over_one(cell: Cell, bands: list[Band]) -> bool:
    """Whether a cell stands over one column and no other, and not over the first, above which a title may begin."""
    over = [place for place, (x0, x1) in enumerate(bands) if min(cell.x1, x1) > max(cell.x0, x0)]
    return len(over) == 1 and over[0] > 0


def _drop_headed(rows: Sequence[Row], bands: list[Band], header: list[str]) -> tuple[list[Band], list[str]]:
    """The columns without those that only a head has: one set in the middle over short labels heads those labels."""
    filled = {find_band(cell, bands) for row in rows for cell in row.cells}
    for place in range(len(bands) - 1, 0, -1):
        if place not in filled and not header[place - 1]:
            bands = [*bands[: place - 1], (bands[place - 1][0], bands[place][1]), *bands[place + 1 :]]
            header = [*header[: place - 1], header[place], *header[place + 1 :]]
    return bands, header


def continue_grid(rows: Sequence[Row], first: int, edges: Sequence[int]) -> Grid | None:
    """What stands from the row `first` of a page on in the columns of a table that ended the page before it.

    Even a single row.
    """
    last = first - 1
    for index, row in enumerate(rows[first:], first):
        if not _fits(row, edges) or (last >= first and row.y0 - rows[last].y1 > 2 * (row.y1 - row.y0)):
            break
        last = index
    taken = rows[first : last + 1]
    # a lone column is the rest of a cell where it goes on with a sentence, else it is text
    is_cell = bool(taken) and _fits(taken[0], edges[1:]) and taken[0].cells[0].text[:1].islower()
    if not is_cell and not any(len(row.cells) > 1 for row in taken):
        return None
    return _build_grid(rows, first, last, _make_bands(taken, edges))


def count_head_rows(rows: Sequence[Row], upper: Grid) -> int:
    """How many rows at the head of a page only say again what the first row of a table says."""
    named = any(upper.header)
    texts = list(upper.header) if named else [cell.text for row, _, cell in upper.cells if row == 0]
    rest = [squeeze(text) for text in texts]
    count = 0
    for row in rows:
        # the head may have several lines: each of them takes away the beginning of what is to be said
        taken = [_find_head(cell, rest) for cell in row.cells]
        if any(place < 0 for place in taken) or not any(rest):
            break
        for cell, place in zip(row.cells, taken, strict=True):
            rest[place] = rest[place][len(squeeze(cell.text)) :]
        count += 1
    return count if not any(rest) else 0


def _find_head(cell: Cell, rest: Sequence[str]) -> int:
    """Which of the texts a cell begins with; -1 for none."""
    text = squeeze(cell.text)
    return next((place for place, known in enumerate(rest) if text and known.startswith(text)), -1)


def begin_grid(rows: Sequence[Row], taken: int, lower: Grid) -> Grid | None:
    """The head and first row, or one of them, at the foot of a page of a table that goes on over the page.

    `taken` are the rows above that belong to another table, `lower` is the part on the next page.
    """
    first, top = len(rows), len(rows)
    while first > taken and _fits(rows[first - 1], lower.edges):
        if first < len(rows) and rows[first].y0 - rows[first - 1].y1 > 2 * (rows[first].y1 - rows[first].y0):
            break
        first -= 1
        # its first row has all columns: a line of text above it has one
        top = first if len(rows[first].cells) == len(lower.edges) else top
    if top == len(rows):
        return None
    grid = _build_grid(rows, top, len(rows) - 1, _make_bands(rows[top:], lower.edges))
    return grid if not any(lower.header) or grid.header == lower.header else None


def goes_on_below(row: Row, lower: Grid) -> bool:
    """Whether a row above a table of words is the rest of a row on the page before: cells, but none in the first."""
    return lower.is_prose and _fits(row, lower.edges[1:])


def _fits(row: Row, edges: Sequence[int]) -> bool:
    return all(any(abs(cell.x0 - edge) <= _TOLERANCE for edge in edges) for cell in row.cells)


def _make_bands(rows: Sequence[Row], edges: Sequence[int]) -> list[Band]:
    """The columns between the left edges of a table that stands on another page."""
    rights = [*edges[1:], max(cell.x1 for row in rows for cell in row.cells) + _OVERLAP]
    return [(left, max(left + 1, right - _OVERLAP)) for left, right in zip(edges, rights, strict=True)]


def _read_title(rows: Sequence[Row], first: int) -> str:
    """The line above the table where it reads as a title."""
    if first == 0:
        return ""
    row = rows[first - 1]
    is_title = len(row.cells) == 1 and (row.cells[0].bold or row.cells[0].text[-1:] not in ".,;:")
    return row.cells[0].text if is_title and len(row.cells[0].text) < 160 else ""
