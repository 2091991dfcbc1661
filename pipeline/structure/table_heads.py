"""Heads of tables: which rows they are, what stands over which column, titles and units."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipeline.structure.table_cells import Cell, Row, is_period, join_cells
from pipeline.structure.table_grid import Band, Columns, find_band
from pipeline.structure.table_spans import spread_heads
from pipeline.text.late import compile_late

_UNITS = compile_late(
    r"(?:amounts? |dollars? |shares? |u\.?s\.? |\$ ?|€ ?|£ ?|expressed |stated )*"
    r"\(?\s*\b(?:in|em|\$|us\$) (?:[\w.]+ )?(?:millions?|thousands?|billions?|milhões|milhares|percent|percentages?)\b"
    r"[^()]*\)?"
    r"|\((?:dollars|amounts)[^()]*\)|\([^()]*\b(?:millions?|thousands?|billions?)\b[^()]*\)|[（(]?单位[:：][^)）]*[)）]?",
    re.IGNORECASE,
)
_MAX_HEAD_ROWS = 7
_MAX_TITLE_ROWS = 5
_MAX_TITLE_PARTS = 3
_MAX_HEAD_CHARACTERS = 60
_SLACK = 1500


def find_units(text: str) -> str:
    """The words that say in what a table counts ("in millions, except per share data"), without parentheses.

    "" if none.
    """
    match = _UNITS.search(text)
    return match.group().strip(" ,;()") if match else ""


def _is_units(text: str) -> bool:
    match = _UNITS.search(text)
    return match is not None and len(match.group()) * 3 > len(text) * 2


def find_head(rows: Sequence[Row], first: int, floor: int, bands: Sequence[Band]) -> int:
    """The first row of the head over the data row `first`.

    Rows that stand close and reach over columns, or say units.
    """
    top = first
    for index in range(first - 1, max(floor, first - _MAX_HEAD_ROWS) - 1, -1):
        row, below = rows[index], rows[index + 1]
        is_data = any(
            cell.is_value and any(c.isdigit() for c in cell.text) and len(cell.text) > 4 for cell in row.cells
        )
        if below.y0 - row.y1 > 3 * (row.y1 - row.y0) or is_data or _is_prose(row, bands):
            break
        over = [cell for cell in row.cells if _stands_over(cell, bands)]
        is_units = len(row.cells) == 1 and bool(find_units(row.cells[0].text)) and len(row.cells[0].text) < 90
        # the head of the labels may stand between two rows of heads, or lie right above the data
        is_label = len(row.cells) == 1 and len(row.cells[0].text) < 60
        if len(row.cells) == 1 and over and not is_units and len(row.cells[0].text) > _MAX_HEAD_CHARACTERS:
            break
        if over or is_units:
            top = index
        elif not is_label:
            break
    return top


def _is_prose(row: Row, bands: Sequence[Band]) -> bool:
    """A lone line that starts among the labels and runs over the columns: text, or a title centred over all."""
    cell = row.cells[0]
    is_over = cell.x0 < bands[0][0] - 2500 and cell.x1 > bands[0][0] + 200
    return len(row.cells) == 1 and is_over and not _is_units(cell.text)


def is_title_row(row: Row, bands: Sequence[Band]) -> bool:
    """A title at the left and a name at the right of one row, as over statements: bold words without any number."""
    if len(row.cells) < 2 or row.cells[0].x1 > bands[0][0] or not all(cell.bold for cell in row.cells):
        return False
    return not any(c.isdigit() for cell in row.cells for c in cell.text) and len(row.cells[-1].text) > 20


def read_header(head: Sequence[Row], columns: Columns, left: int) -> tuple[str, ...]:
    """The head of every column, top to bottom: words first, then values; one that spans columns heads each of them.

    `left` is the left edge of the table.
    """
    bands = columns.wide
    heads: list[list[str]] = [[] for _ in bands]
    words: list[list[str]] = [[] for _ in columns.words or (0,)]
    levels: list[list[Cell]] = []
    lead = None if columns.words else _find_lead(head, bands, left)
    for row in head:
        over = _list_over(row, bands, lead)
        for cell in row.cells:
            if cell not in over:
                words[find_band(cell, columns.words) if columns.words else 0].append(cell.text)
        levels.append([cell for cell in over if not _is_units(cell.text) and not _is_mark(cell, row)])
    for placed in spread_heads([cells for cells in levels if cells], bands, left):
        for column, chosen in enumerate(placed):
            if chosen is not None:
                heads[column].append(chosen.text)
    return (*(" ".join(parts) for parts in words), *(" ".join(parts) for parts in heads))


def _find_lead(head: Sequence[Row], bands: Sequence[Band], left: int) -> Cell | None:
    """The head of the first column where short numbers at the right stand off from it: one of a row with all heads."""
    for row in reversed(head):
        cells = [cell for cell in row.cells if cell.x0 > left + _SLACK]
        over = [cell for cell in cells if _stands_over(cell, bands)]
        if len(cells) == len(bands) == len(over) + 1 and len(cells) + 1 >= len(row.cells):
            return cells[0]
    return None


def _list_over(row: Row, bands: Sequence[Band], lead: Cell | None) -> list[Cell]:
    """The cells of a row of the head that stand over the columns."""
    # as many periods as columns head them one by one, even where the numbers stand off to one side
    if len(row.cells) == len(bands) > 1 and all(is_period(cell.text) for cell in row.cells):
        return list(row.cells)
    over = [cell for cell in row.cells if _stands_over(cell, bands)]
    if lead is not None:
        near = [cell for cell in row.cells if cell.x0 < lead.x1 and lead.x0 < (cell.x0 + cell.x1) // 2]
        over = [*(cell for cell in near if cell not in over), *over]
    return over


def _is_mark(cell: Cell, row: Row) -> bool:
    """Whether a cell is the mark of a note behind another cell."""
    is_short = len(cell.text) <= 4 and cell.text[0] == "(" and cell.text[-1] == ")"
    return is_short and any(0 <= cell.x0 - other.x1 < cell.y1 - cell.y0 for other in row.cells)


def _measure_gap(cell: Cell, band: Band) -> int:
    return max(cell.x0 - band[1], band[0] - cell.x1, 0)


def _stands_over(cell: Cell, bands: Sequence[Band]) -> bool:
    """Whether a head stands over the columns: a head wider than its numbers reaches a little into the labels."""
    reach = max(6000, bands[0][1] - bands[0][0])
    return cell.x1 > bands[0][0] - 200 and (cell.x0 > bands[0][0] - reach or (cell.x0 + cell.x1) // 2 > bands[0][0])


def is_over_all(row: Row, bands: Sequence[Band]) -> bool:
    """Whether a row is a head by itself: one cell over each of two and more columns, and none of them a value."""
    over = [cell for cell in row.cells if _stands_over(cell, bands)]
    if len(bands) < 2 or len(over) != len(bands) or len(row.cells) > len(bands) + 1:
        return False
    is_named = all(is_period(cell.text) or not cell.is_value for cell in over)
    return is_named and all(_measure_gap(cell, band) <= 0 for cell, band in zip(over, bands, strict=True))


def read_title(rows: Sequence[Row], top: int) -> tuple[str, str]:
    """(title, units) above the head: short lines, bold or without a sentence's end, up to three."""
    parts: list[str] = []
    units = ""
    for index in range(top - 1, max(top - _MAX_TITLE_ROWS - 1, -1), -1):
        row, below = rows[index], rows[index + 1]
        is_far = below.y0 - row.y1 > 3 * (row.y1 - row.y0)
        if len(row.cells) > 2 or any(each.is_value for each in row.cells) or is_far:
            break
        cell = join_cells(row.cells)
        if found := find_units(cell.text):
            units = units or found
            if _is_units(cell.text):
                continue
        is_heading = cell.bold or (len(cell.text) < 90 and cell.text[-1:] not in ".,;")
        if not is_heading or len(parts) == _MAX_TITLE_PARTS or len(cell.text) > 160:
            break
        parts.append(cell.text)
    return " ".join(reversed(parts)), units
