"""Rows of tables of words: which baselines are one row, whether labels stand at the top or in the middle of theirs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from pipeline.structure.table_cells import Cell, Row
from pipeline.structure.table_grid import Band, find_band
from pipeline.text.late import compile_late

_FULL_SHARE = 80
_CODE_SHARE = 80
_MIN_CODES = 3
# Shares of the height of a line: white that parts rows, beyond the usual distance of lines, and a label set lower.
_CUT_PERCENT = 20
_LOWER_PERCENT = 30
_CODE = compile_late(
    r"(?:[A-Z]{0,3}\d{1,3}(?:\.\d{1,3}[A-Za-z]?){1,3}|\d{1,3}(?:\([a-z0-9]{1,4}\)){1,2}|\([a-z0-9]{1,4}\))"
    r"[*\u2020\u2021+#^]*"
)


def split_rows(rows: Sequence[Row], bands: list[Band]) -> list[list[Row]]:
    """Rows of the table: every baseline where cells never wrap, else where the first column begins beside others."""
    if coded := _split_coded(rows, bands):
        return coded
    if centred := _split_centred(rows, bands):
        return centred
    filled = [{find_band(cell, bands) for cell in row.cells} for row in rows]
    full = sum(1 for columns in filled if columns | {0} == set(range(len(bands))))
    words = [cell.text for row in rows for cell in row.cells if cell.text[:1].isalpha()]
    wrapped = sum(1 for text in words if text[0].islower())
    if full * 100 >= len(rows) * _FULL_SHARE and wrapped * 4 < len(words):
        blocks: list[list[Row]] = []
        for row, columns in zip(rows, filled, strict=True):
            if blocks and 0 not in columns and (len(columns) < len(bands) - 1 or _wraps(blocks[-1], row, bands)):
                blocks[-1].append(row)
            else:
                blocks.append([row])
        return blocks
    return _split_wrapped(rows, filled, bands)


def _wraps(block: Sequence[Row], row: Row, bands: list[Band]) -> bool:
    """Whether a row without a first cell goes on with the cells above it: closer than rows are, or after full lines."""
    if not all(cell.text[:1].islower() for cell in row.cells):
        return False
    above = {find_band(cell, bands): cell for cell in block[-1].cells}
    is_close = (row.y0 - block[-1].y1) * 2 < row.y1 - row.y0
    columns = [find_band(cell, bands) for cell in row.cells]
    ends = [(above[column].x1, bands[column]) for column in columns if column in above]
    is_full = all((x1 - band[0]) * 100 > (band[1] - band[0]) * _FULL_SHARE for x1, band in ends)
    return len(ends) == len(columns) and (is_close or is_full)


def _split_wrapped(rows: Sequence[Row], filled: Sequence[set[int]], bands: list[Band]) -> list[list[Row]]:
    blocks: list[list[Row]] = []
    last_first: Cell | None = None
    for row, columns in zip(rows, filled, strict=True):
        firsts = [cell for cell in row.cells if find_band(cell, bands) == 0]
        begins = not blocks
        if firsts and blocks and len(columns) > 1:
            gap = firsts[0].y0 - last_first.y1 if last_first is not None else firsts[0].y1
            is_apart = gap * 2 > firsts[0].y1 - firsts[0].y0
            begins = is_apart or (last_first is not None and firsts[0].bold and not last_first.bold)
        if begins:
            blocks.append([row])
        else:
            blocks[-1].append(row)
        last_first = firsts[-1] if firsts else last_first
    return blocks


def _split_coded(rows: Sequence[Row], bands: list[Band]) -> list[list[Row]]:
    """Rows that begin with a number of their own ("10.11*" of an exhibit), and what goes on below; else none."""
    firsts = [cell for row in rows for cell in row.cells if find_band(cell, bands) == 0]
    coded = sum(1 for cell in firsts if _CODE.fullmatch(cell.text))
    if coded < _MIN_CODES or coded * 100 < len(firsts) * _CODE_SHARE:
        return []
    blocks: list[list[Row]] = []
    for row in rows:
        if not blocks or any(find_band(cell, bands) == 0 for cell in row.cells):
            blocks.append([row])
        else:
            blocks[-1].append(row)
    return blocks


def _split_centred(rows: Sequence[Row], bands: list[Band]) -> list[list[Row]]:
    """Rows with white between them in all columns, where some label stands in the middle of its row; else none."""
    columns: dict[int, list[Cell]] = {}
    for row in rows:
        for cell in row.cells:
            columns.setdefault(find_band(cell, bands), []).append(cell)
    gaps = sorted(lower.y0 - upper.y1 for cells in columns.values() for upper, lower in pairwise(cells))
    if not gaps:
        return []
    # lines of one cell stand closest
    usual = gaps[len(gaps) // 4]
    blocks: list[list[Row]] = [[rows[0]]]
    for row in rows[1:]:
        white = row.y0 - max(each.y1 for each in blocks[-1])
        if (white - usual) * 100 >= (row.y1 - row.y0) * _CUT_PERCENT:
            blocks.append([row])
        else:
            blocks[-1].append(row)
    labels = [[cell for row in block for cell in row.cells if find_band(cell, bands) == 0] for block in blocks]
    if len(blocks) < 2 or not all(labels):
        return []
    is_lower = [
        (cells[0].y0 - block[0].y0) * 100 > (cells[0].y1 - cells[0].y0) * _LOWER_PERCENT
        for cells, block in zip(labels, blocks, strict=True)
    ]
    return blocks if sum(is_lower) * 2 >= len([block for block in blocks if len(block) > 1]) > 0 else []
