"""Dates in heads of tables: several set in one line, and days that stand over the year they go on with."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipeline.structure.table_cells import Cell, Row, is_value, is_year
from pipeline.text.late import compile_late

_NAME = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.?"
_PART = rf"(?:{_NAME}\s\d{{1,2}}(?!\d)(?:,?\s(?:19|20)\d\d(?!\d)|,)?|(?:19|20)\d\d(?![\d,.]))"
_DATE = compile_late(_PART)
_DATES = compile_late(rf"{_PART}(?:\s+{_PART})+")
_CUT = compile_late(rf"{_NAME}\s\d{{1,2}},?")
_INNER = compile_late(
    rf"(?:1st|2nd|3rd|4th|Q[1-4]|[1-4]Q|(?:first|second|third|fourth)(?:\squarter)?|{_NAME}\s\d{{1,2}},?)",
    re.IGNORECASE,
)
_FIRST = frozenset("JFMASOND12")
_MIN_DATES, _MAX_DATES = 8, 90
_MIN_INNER = 3


def part_dates(row: Row) -> Row:
    """The row with each of several dates that were set in one line as a cell of its own."""
    if not any(cell.text[0] in _FIRST and _MIN_DATES < len(cell.text) < _MAX_DATES for cell in row.cells):
        return row
    return row._replace(cells=tuple(part for cell in row.cells for part in _split_dates(cell)))


def _split_dates(cell: Cell) -> list[Cell]:
    text = cell.text
    if text[0] not in _FIRST or not _MIN_DATES < len(text) < _MAX_DATES or len(cell.pieces) != 1:
        return [cell]
    line, start, _ = cell.pieces[0]
    if not _DATES.fullmatch(text) or line.text[start : start + len(text)] != text:
        return [cell]
    places = [match.span() for match in _DATE.finditer(text)]
    width, length = cell.x1 - cell.x0, len(text)
    return [
        cell._replace(
            text=text[low:high],
            x0=cell.x0 + low * width // length,
            x1=cell.x0 + high * width // length,
            pieces=((line, start + low, start + high),),
            is_value=is_value(text[low:high]),
        )
        for low, high in places
    ]


def keep_cut(cell: Cell, columns: Sequence[int], below: Sequence[Cell | None]) -> list[int]:
    """The columns that a cell stands over: a day without its year only those whose head below is a year alone.

    `below` is the head below of each of the columns.
    """
    if not _CUT.fullmatch(cell.text):
        return list(columns)
    kept = [column for column, head in zip(columns, below, strict=True) if head is not None and is_year(head.text)]
    return kept or list(columns)


def is_inner_head(texts: Sequence[str]) -> bool:
    """Whether a row of these texts says quarters or days over columns, and so begins another table."""
    return sum(1 for text in texts if _INNER.fullmatch(text)) >= _MIN_INNER
