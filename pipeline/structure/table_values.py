"""Tables of values: where they lie on a page, and columns from the places of their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pipeline.structure.table_body import read_body
from pipeline.structure.table_cells import Cell, Row, is_period, is_year
from pipeline.structure.table_dates import is_inner_head
from pipeline.structure.table_grid import Band, Columns, Grid, place_values
from pipeline.structure.table_heads import find_head, find_units, is_title_row, read_header, read_title

_MAX_INNER_ROWS = 7
_MAX_WORD_COLUMNS = 4
_MIN_SENTENCE = 45
_MAX_OFFSET = 1000


class _Counted(NamedTuple):
    x0: int
    x1: int
    row_count: int


def find_value_grids(rows: Sequence[Row], width: int) -> list[Grid]:
    """Tables of values among the rows of a page or text column that is `width` wide."""
    grids: list[Grid] = []
    taken = 0
    for first, last in _find_regions(rows, width):
        columns = _find_columns(rows[first : last + 1])
        if columns is None:
            continue
        top = find_head(rows, first, taken, columns.wide)
        grids.append(build_grid(rows, (top, first, last), columns))
        taken = last + 1
    return grids


def holds_values(row: Row) -> bool:
    """Whether a row holds values of a table: a number beside something else, and not years alone."""
    values = row.values
    if not values or len(row.cells) == 1 or all(is_year(cell.text) for cell in values):
        return False
    # "1 | Description": a lone number in front of words is a label
    return not (len(values) == 1 and values[0] is row.cells[0])


def _is_head_row(row: Row) -> bool:
    """Years, dates or quarters, two and more, and no other value: the head of a table."""
    periods = [cell for cell in row.cells if is_period(cell.text)]
    if len(periods) >= 2 and all(is_year(cell.text) for cell in row.values):
        return True
    return len(row.cells) > 2 and is_inner_head([cell.text for cell in row.cells])


def _find_regions(rows: Sequence[Row], width: int) -> list[tuple[int, int]]:
    """(first, last) data rows of each table: what lies between two data rows is narrow, close and no new head."""
    regions: list[list[int]] = []
    for index, row in enumerate(rows):
        if not holds_values(row):
            continue
        if regions and _goes_on(rows, regions[-1], index, width):
            regions[-1].append(index)
        else:
            regions.append([index])
    return [(places[0], places[-1]) for places in regions if len(places) >= 2]


def _goes_on(rows: Sequence[Row], current: Sequence[int], index: int, width: int) -> bool:
    between = rows[current[-1] + 1 : index]
    if len(between) > _MAX_INNER_ROWS or any(_is_head_row(row) for row in between):
        return False
    values = [cell for place in current[-6:] for cell in rows[place].values]
    left = min(cell.x0 for cell in values)
    previous = rows[current[-1]]
    for row in [*between, rows[index]]:
        if row.y0 - previous.y1 > 4 * (row.y1 - row.y0):
            return False
        previous = row
    lone = [row.cells[0] for row in between if len(row.cells) == 1 and not row.cells[0].is_value]
    if any(cell.x1 > left + width // 10 or _is_note(cell) for cell in lone):
        return False
    # columns that stand elsewhere are another table's, unless its rows follow without a break
    mine = rows[index].values
    return not between or any(cell.x0 < other.x1 and other.x0 < cell.x1 for cell in mine for other in values)


def _is_note(cell: Cell) -> bool:
    """Whether a lone line is a note to the table or a sentence, after which no row of it comes."""
    is_marked = cell.text[:1] in "*†‡" or (cell.text[:1] == "(" and cell.text[2:4] == ") ")
    return is_marked or (cell.text.endswith(".") and len(cell.text) > _MIN_SENTENCE and " " in cell.text)


def _find_columns(rows: Sequence[Row]) -> Columns | None:
    values = _find_bands(rows)
    if not values:
        return None
    words = _find_word_bands(rows, values)
    return Columns(tuple(words), tuple(values), tuple(_widen_bands(rows, values)))


def _find_bands(rows: Sequence[Row]) -> list[Band]:
    """Intervals of the value columns: numbers of data rows, merged where they lie over each other."""
    spans = [
        (_find_digits(cell), cell.x1, number)
        for number, row in enumerate(rows)
        if holds_values(row)
        for cell in (row.values if not row.cells[0].is_value or len(row.values) == len(row.cells) else row.values[1:])
        if not _is_mark(cell, row.cells[0])
    ]
    bands: list[_Counted] = []
    for members in _merge_spans(spans):
        counts: dict[int, int] = {}
        for _, _, number in members:
            counts[number] = counts.get(number, 0) + 1
        # a value centred under two columns joins them; rows with a value in each tell them apart
        apart = [span for span in members if counts[span[2]] > 1]
        groups = _merge_spans(apart) if apart else [members]
        if len(groups) < 2:
            groups = [members]
        bands += [
            _Counted(min(x0 for x0, _, _ in group), max(x1 for _, x1, _ in group), len({n for _, _, n in group}))
            for group in groups
        ]
    labels = sorted(row.cells[0].x1 for row in rows if holds_values(row) and not row.cells[0].is_value)
    edge = labels[len(labels) // 2] if labels else 0
    # a number that a label begins with stands among the labels and makes no column
    kept = [(x0, x1) for x0, x1, row_count in bands if x1 > edge or row_count * 10 > len(rows)]
    return _join_bands(kept, spans)


def _join_bands(bands: Sequence[Band], spans: Sequence[tuple[int, int, int]]) -> list[Band]:
    """Close columns that never both have a number in one row are one: amounts, and rates before their sign."""
    joined: list[Band] = []
    for band in bands:
        if joined and band[0] - joined[-1][1] < _MAX_OFFSET and len(bands) > 1:
            sides = [{row for x0, x1, row in spans if x0 >= low and x1 <= high} for low, high in (joined[-1], band)]
            if not sides[0] & sides[1]:
                joined[-1] = (joined[-1][0], band[1])
                continue
        joined.append(band)
    return joined


def _is_mark(cell: Cell, label: Cell) -> bool:
    """Whether "(1)" right behind a label is the mark of a note and no number."""
    is_short = len(cell.text) <= 4 and cell.text[0] == "(" and cell.text[-1] == ")"
    return is_short and not label.is_value and 0 <= cell.x0 - label.x1 < cell.y1 - cell.y0


def _merge_spans(spans: Sequence[tuple[int, int, int]]) -> list[list[tuple[int, int, int]]]:
    groups: list[list[tuple[int, int, int]]] = []
    right = 0
    for span in sorted(spans):
        if groups and span[0] < right - 100:
            groups[-1].append(span)
            right = max(right, span[1])
        else:
            groups.append([span])
            right = span[1]
    return groups


def _find_digits(cell: Cell) -> int:
    """The left edge of the digits: a currency sign at the left edge of its column must not widen the column."""
    if len(cell.pieces) > 1 and cell.text[:1] in "$€£¥RUAC":
        return cell.pieces[1][0].box[0]
    return cell.x0


def _widen_bands(rows: Sequence[Row], bands: Sequence[Band]) -> list[Band]:
    """Columns with their currency signs: heads are centred over sign and number together."""
    wide = list(bands)
    for row in rows:
        if holds_values(row):
            for column, cell in place_values(row, list(bands)):
                low = wide[column - 1][1] if column else 0
                wide[column] = (max(low, min(wide[column][0], cell.x0)), max(wide[column][1], cell.x1))
    return wide


def _find_word_bands(rows: Sequence[Row], values: Sequence[Band]) -> list[Band]:
    """Columns of words left of the values, where most rows have words in two and more places; else none."""
    left = values[0][0]
    data = [row for row in rows if holds_values(row)]
    parted = [row for row in data if sum(1 for cell in row.cells if not cell.is_value and cell.x1 <= left) >= 2]
    if len(parted) * 2 < len(data):
        return []
    cells = [cell for row in parted for cell in row.cells if not cell.is_value and cell.x1 <= left]
    bands: list[Band] = []
    for cell in sorted(cells, key=lambda each: each.x0):
        if bands and cell.x0 < bands[-1][1]:
            bands[-1] = (bands[-1][0], max(bands[-1][1], cell.x1))
        else:
            bands.append((cell.x0, cell.x1))
    return bands if 2 <= len(bands) <= _MAX_WORD_COLUMNS else []


def build_grid(rows: Sequence[Row], bounds: tuple[int, int, int], columns: Columns) -> Grid:
    """The grid of a table from its (first row of the head, first data row, last data row)."""
    top, first, last = bounds
    while top < first and is_title_row(rows[top], columns.wide):
        top += 1
    # a label alone right above the data is a group of the body, not a head
    while top < first and len(rows[first - 1].cells) == 1 and rows[first - 1].cells[0].x1 < columns.left - 200:
        if find_units(rows[first - 1].cells[0].text):
            break
        first -= 1
    head = rows[top:first]
    title, units = read_title(rows, top)
    inner = (found for row in head for cell in row.cells if (found := find_units(cell.text)))
    edges = (rows[first].cells[0].x0, *(x1 for _, x1 in columns.values))
    return Grid(
        cells=tuple(read_body(rows[first : last + 1], columns)),
        header=read_header(head, columns, min(row.cells[0].x0 for row in rows[top : last + 1])),
        title=title,
        units=next(inner, units),
        edges=edges,
        y0=rows[top].y0,
        y1=max(row.y1 for row in rows[first : last + 1]),
        first_row=top,
        last_row=last,
        columns=columns,
    )
