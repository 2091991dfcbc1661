"""Tables of values: columns from the places of numbers, labels to their left, heads above them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from pipeline.structure.table_cells import Cell, Row, is_period, is_year, join_cells

_UNITS = re.compile(
    r"(?:amounts? |dollars? |shares? |u\.?s\.? |\$ ?|€ ?|£ ?|expressed |stated )*"
    r"\(?\s*\b(?:in|em|\$|us\$) (?:[\w.]+ )?(?:millions?|thousands?|billions?|milhões|milhares|percent|percentages?)\b[^()]*\)?"
    r"|\((?:dollars|amounts)[^()]*\)|\([^()]*\b(?:millions|thousands|billions)\b[^()]*\)|[（(]?单位[:：][^)）]*[)）]?",
    re.IGNORECASE,
)
_MAX_HEAD_ROWS = 7
_MAX_INNER_ROWS = 7


Band = tuple[int, int]
"""Left and right edge of a column, in hundredths of a point."""


class _Band(NamedTuple):
    x0: int
    x1: int
    count: int


class Grid(NamedTuple):
    """A table before it becomes a model: cells as (row, column, cell), head texts, title, units, and its bounds."""

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


def find_value_grids(rows: Sequence[Row], width: int) -> list[Grid]:
    """Tables of values among the rows of a page or column; `width` is that of the text."""
    grids: list[Grid] = []
    taken = 0
    for first, last in _find_regions(rows, width):
        bands = _find_bands(rows[first : last + 1])
        if not bands:
            continue
        wide = _widen_bands(rows[first : last + 1], bands)
        top = _find_head(rows, first, taken, wide)
        grids.append(_build_grid(rows, (top, first, last), bands, wide))
        taken = last + 1
    return grids


def _is_data_row(row: Row) -> bool:
    values = row.values
    if not values or all(is_year(cell.text) for cell in values):
        return False
    if len(row.cells) == 1:
        return False
    if len(values) == 1 and values[0] is row.cells[0]:
        # "1 | Description": a number in front of words is a label, unless it has a fraction or a currency
        return False
    return True


def _is_head_row(row: Row) -> bool:
    """Two and more years (or periods) and no other value: the head of a table."""
    years = [cell for cell in row.cells if is_period(cell.text)]
    others = [cell for cell in row.values if not is_year(cell.text)]
    return len(years) >= 2 and not others


def _find_regions(rows: Sequence[Row], width: int) -> list[Band]:
    """(first, last) data rows of each table: what lies between two data rows is narrow, close and no new head."""
    regions: list[tuple[int, int]] = []
    current: list[int] = []
    for index, row in enumerate(rows):
        if not _is_data_row(row):
            continue
        if current and not _goes_on(rows, current, index, width):
            regions.append((current[0], current[-1]))
            current = []
        current.append(index)
    if current:
        regions.append((current[0], current[-1]))
    return [(first, last) for first, last in regions if _count_data(rows, first, last) >= 2]


def _count_data(rows: Sequence[Row], first: int, last: int) -> int:
    return sum(1 for row in rows[first : last + 1] if _is_data_row(row))


def _goes_on(rows: Sequence[Row], current: Sequence[int], index: int, width: int) -> bool:
    between = rows[current[-1] + 1 : index]
    if len(between) > _MAX_INNER_ROWS:
        return False
    values = [cell for place in current[-6:] for cell in rows[place].values]
    left = min(cell.x0 for cell in values)
    previous = rows[current[-1]]
    for row in [*between, rows[index]]:
        height = row.y1 - row.y0
        if row.y0 - previous.y1 > 4 * height:
            return False
        previous = row
    prose = 0
    for row in between:
        if _is_head_row(row):
            return False
        if len(row.cells) == 1 and row.cells[0].x1 > left + width // 10 and not row.cells[0].is_value:
            prose += 1
    # columns that stand elsewhere are another table's, unless its rows follow without a break
    mine = rows[index].values
    return prose == 0 and (not between or any(_overlaps(cell, other) for cell in mine for other in values))


def _overlaps(one: Cell, other: Cell) -> bool:
    return one.x0 < other.x1 and other.x0 < one.x1


def _find_bands(rows: Sequence[Row]) -> list[Band]:
    """Intervals of the value columns: numbers of data rows, merged where they lie over each other."""
    spans = [
        (_find_digits(cell), cell.x1, number)
        for number, row in enumerate(rows)
        if _is_data_row(row)
        for cell in (row.values if not row.cells[0].is_value or len(row.values) == len(row.cells) else row.values[1:])
    ]
    bands: list[_Band] = []
    for members in _merge_spans(spans):
        counts: dict[int, int] = {}
        for _, _, number in members:
            counts[number] = counts.get(number, 0) + 1
        # a value centred under two columns joins them; rows with a value in each tell them apart
        apart = [span for span in members if counts[span[2]] > 1]
        groups = _merge_spans(apart) if apart else [members]
        if len(groups) < 2:
            groups = [members]
        bands += [_Band(min(x0 for x0, _, _ in g), max(x1 for _, x1, _ in g), len({n for _, _, n in g})) for g in groups]
    labels = sorted(row.cells[0].x1 for row in rows if _is_data_row(row) and not row.cells[0].is_value)
    edge = labels[len(labels) // 2] if labels else 0
    # a number that a label begins with stands among the labels and makes no column
    return [(x0, x1) for x0, x1, count in bands if x1 > edge or count * 10 > len(rows)]


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


def _find_head(rows: Sequence[Row], first: int, floor: int, bands: Sequence[Band]) -> int:
    """The first row of the head: rows above the data that stand close and have cells over the columns, or say units."""
    top = first
    for index in range(first - 1, max(floor, first - _MAX_HEAD_ROWS) - 1, -1):
        row, below = rows[index], rows[index + 1]
        if below.y0 - row.y1 > 3 * (row.y1 - row.y0) or _is_data_row(row) or _is_prose(row, bands):
            break
        over = [cell for cell in row.cells if cell.x1 > bands[0][0] - 200]
        is_units = len(row.cells) == 1 and _UNITS.search(row.cells[0].text) is not None and len(row.cells[0].text) < 90
        # the head of the labels may stand between two rows of heads, or lie right above the data
        is_label = len(row.cells) == 1 and len(row.cells[0].text) < 60
        if over or is_units:
            top = index
        elif not is_label:
            break
    return top


def _is_prose(row: Row, bands: Sequence[Band]) -> bool:
    """A line that starts among the labels and runs over the columns: text, or a title centred over all."""
    return any(
        cell.x0 < bands[0][0] - 2500 and cell.x1 > bands[0][0] + 200 and not _is_units(cell.text)
        for cell in row.cells[:1]
    )


def _is_title_row(row: Row, bands: Sequence[Band]) -> bool:
    """A title at the left and a name at the right of one row, as over statements: bold words without any number."""
    if len(row.cells) < 2 or row.cells[0].x1 > bands[0][0] or not all(cell.bold for cell in row.cells):
        return False
    return not any(c.isdigit() for cell in row.cells for c in cell.text) and len(row.cells[-1].text) > 20


def _widen_bands(rows: Sequence[Row], bands: Sequence[Band]) -> list[Band]:
    """Columns with their currency signs: heads are centred over sign and number together."""
    wide = list(bands)
    for row in rows:
        if _is_data_row(row):
            for column, cell in _place_values(row, bands):
                low = wide[column - 1][1] if column else 0
                wide[column] = (max(low, min(wide[column][0], cell.x0)), max(wide[column][1], cell.x1))
    return wide


def _build_grid(
    rows: Sequence[Row], bounds: tuple[int, int, int], bands: Sequence[Band], wide: Sequence[Band]
) -> Grid:
    top, first, last = bounds
    while top < first and _is_title_row(rows[top], wide):
        top += 1
    # a label alone right above the data is a group of the body, not a head
    while top < first and len(rows[first - 1].cells) == 1 and rows[first - 1].cells[0].x1 < bands[0][0] - 200:
        if _UNITS.search(rows[first - 1].cells[0].text):
            break
        first -= 1
    head = rows[top:first]
    header, label_head = _read_header(head, wide)
    body = _read_body(rows[first : last + 1], bands)
    title, units = _read_title(rows, top)
    inner = (match for row in head for cell in row.cells if (match := _UNITS.search(cell.text)))
    if (match := next(inner, None)) is not None:
        units = match.group().strip(" ,;()")
    edges = (rows[first].cells[0].x0, *(x1 for _, x1 in bands))
    y1 = max(row.y1 for row in rows[first : last + 1])
    return Grid(tuple(body), (label_head, *header), title, units, edges, rows[top].y0, y1, top, last)


def _read_header(head: Sequence[Row], bands: Sequence[Band]) -> tuple[list[str], str]:
    columns: list[list[str]] = [[] for _ in bands]
    labels: list[str] = []
    middles = [(x0 + x1) // 2 for x0, x1 in bands]
    for row in head:
        over = [cell for cell in row.cells if _stands_over(cell, bands)]
        labels += [cell.text for cell in row.cells if cell not in over]
        over = [cell for cell in over if not _is_units(cell.text)]
        if not over:
            continue
        for column, (x0, x1) in enumerate(bands):
            cell = min(over, key=lambda each: (_measure_gap(each, x0, x1), abs((each.x0 + each.x1) // 2 - middles[column])))
            gap = _measure_gap(cell, x0, x1)
            # a lone cell in the middle over all columns heads them all; another one only those below it
            heads_all = len(over) == 1 and abs((cell.x0 + cell.x1) - (bands[0][0] + bands[-1][1])) < (
                bands[-1][1] - bands[0][0]
            ) * 3 // 5
            if gap <= 0 or heads_all or (len(over) > 1 and gap < max(2500, (x1 - x0))):
                columns[column].append(cell.text)
    return [" ".join(parts) for parts in columns], " ".join(labels)


def _stands_over(cell: Cell, bands: Sequence[Band]) -> bool:
    """Whether a head stands over the columns: a head wider than its numbers reaches a little into the labels."""
    reach = max(6000, bands[0][1] - bands[0][0])
    return cell.x1 > bands[0][0] - 200 and (cell.x0 > bands[0][0] - reach or (cell.x0 + cell.x1) // 2 > bands[0][0])


def _is_units(text: str) -> bool:
    match = _UNITS.search(text)
    return match is not None and len(match.group()) * 3 > len(text) * 2


def _measure_gap(cell: Cell, x0: int, x1: int) -> int:
    return max(cell.x0 - x1, x0 - cell.x1, 0)


def _read_body(rows: Sequence[Row], bands: Sequence[Band]) -> list[tuple[int, int, Cell]]:
    """Rows of the body: a label over several lines is one cell, and a label without values is a row of its own."""
    cells: list[tuple[int, int, Cell]] = []
    number = 0
    pending: list[Cell] = []
    last_label: Cell | None = None
    limit = bands[0][0]
    for row in rows:
        placed = _place_values(row, bands)
        used = {id(cell) for _, cell in placed}
        texts = [cell for cell in row.cells if id(cell) not in used]
        label = join_cells(texts) if texts else None
        if not placed:
            if label is None:
                continue
            if last_label is not None and _wraps_after(last_label, label, limit):
                place, last_label = _extend_label(cells, label)
                number = place + 1
                continue
            if pending and not _wraps_into(pending[-1], label, limit):
                number = _flush(cells, number, pending)
            pending.append(label)
            last_label = None
            continue
        if pending and (label is None or not _wraps_into(pending[-1], label, limit)):
            number = _flush(cells, number, pending)
        if label is not None or pending:
            whole = join_cells([*pending, *([label] if label else [])])
            cells.append((number, 0, whole))
            last_label = whole
        else:
            last_label = None
        pending = []
        cells += [(number, column + 1, cell) for column, cell in placed]
        number += 1
    _flush(cells, number, pending)
    return cells


def _flush(cells: list[tuple[int, int, Cell]], number: int, pending: list[Cell]) -> int:
    if pending:
        cells.append((number, 0, join_cells(pending)))
        pending.clear()
        return number + 1
    return number


def _place_values(row: Row, bands: Sequence[Band]) -> list[tuple[int, Cell]]:
    placed: dict[int, Cell] = {}
    for cell in row.cells:
        if not cell.is_value and cell.x0 < bands[0][0] - 200:
            continue
        overlaps = [(min(cell.x1, x1) - max(cell.x0, x0), -column) for column, (x0, x1) in enumerate(bands)]
        shared, column = max(overlaps)
        if shared > 0 and -column not in placed:
            placed[-column] = cell
    return sorted(placed.items())


def _wraps_into(upper: Cell, lower: Cell, limit: int) -> bool:
    """Whether a label without values goes on in the label below it."""
    if lower.y0 - upper.y1 > (upper.y1 - upper.y0) * 8 // 10 or upper.bold != lower.bold or upper.text.endswith(":"):
        return False
    is_long = upper.x1 - upper.x0 > (limit - upper.x0) * 60 // 100
    return lower.text[:1].islower() or lower.text[:1] in "(&$" or (is_long and upper.text[-1:] in ",-–—&") or (
        is_long and upper.text.rsplit(" ", 1)[-1].casefold() in ("and", "of", "to", "for", "in", "the", "from", "by", "or", "e", "de")
    )


def _wraps_after(upper: Cell, lower: Cell, limit: int) -> bool:
    """Whether a label beside values goes on in the line below it."""
    is_near = lower.y0 - upper.y1 < (lower.y1 - lower.y0) * 6 // 10
    is_cut = lower.text[:1].islower() or (lower.text[:1] == "(" and upper.x1 - upper.x0 > (limit - upper.x0) // 2)
    return is_near and is_cut and not lower.text.endswith(":")


def _extend_label(cells: list[tuple[int, int, Cell]], label: Cell) -> tuple[int, Cell]:
    place = max(index for index, (_, column, _) in enumerate(cells) if column == 0)
    row, _, upper = cells[place]
    whole = join_cells([upper, label])
    cells[place] = (row, 0, whole)
    return row, whole


def _read_title(rows: Sequence[Row], top: int) -> tuple[str, str]:
    """The title above the head: short lines, bold or centred, up to three; units may stand among them."""
    parts: list[str] = []
    units = ""
    for index in range(top - 1, max(top - 6, -1), -1):
        row, below = rows[index], rows[index + 1]
        if len(row.cells) > 2 or any(each.is_value for each in row.cells) or below.y0 - row.y1 > 3 * (row.y1 - row.y0):
            break
        cell = join_cells(row.cells)
        if match := _UNITS.search(cell.text):
            units = units or match.group().strip(" ,;()")
            if _is_units(cell.text):
                continue
        is_heading = cell.bold or (len(cell.text) < 90 and cell.text[-1:] not in ".,;")
        if not is_heading or len(parts) == 3 or len(cell.text) > 160:
            break
        parts.append(cell.text)
    return " ".join(reversed(parts)), units
