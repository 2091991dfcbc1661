"""Rows of figures on a page: a label and amounts on one baseline, each amount with the year of its column.

Statements of figures are set without rules and across the page, so that rows are read by geometry alone: what shares a
baseline is a row, and the nearest row of years above says which column is which year.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from pipeline.text.late import compile_late
from pipeline.text.numbers import find_years, parse_number
from pipeline.text.periods import find_day_spans

if TYPE_CHECKING:
    from collections.abc import Sequence
    from decimal import Decimal

    from pipeline.models.document import Line
    from pipeline.structure.view import DocumentView

SAME_ROW_OVERLAP = 50
"""Percent of the lower line's height that two lines of one row share."""
MAX_HEADER_CHARACTERS = 40
"""A column header with a year is short; a sentence with a year is none."""
MAX_HEADER_ROWS = 4
"""Rows above a row of years that may say what the years are of ("three months ended")."""
_SCALES = (("thousand", 3), ("million", 6), ("billion", 9))
_AMOUNT_AT_END = compile_late(r"(?<=[\s.…])[$€£]?\s*\(?[$€£]?\s*\d[\d,]*(?:\.\d+)?\)?\s*%?\s*$|(?<=\s)[—–-]\s*$")


class Amount(NamedTuple):
    """A figure in a row: as printed, its value, the year and the words of its column, and the line it stands on."""

    text: str
    value: Decimal
    year: int | None
    header: str
    line: Line
    is_percent: bool


class FigureRow(NamedTuple):
    """A row of figures: its label, the lines of the label, and its amounts from left to right."""

    label: str
    label_lines: tuple[Line, ...]
    amounts: tuple[Amount, ...]
    heading: str


class _Column(NamedTuple):
    centre: int
    year: int
    header: str


def read_rows(view: DocumentView, page: int) -> tuple[FigureRow, ...]:
    """All rows of figures on a page, top to bottom; rows without an amount become part of the next row's label."""
    bands = group_rows([line for line in view.document.lines_on(page) if not line.hidden and line.text.strip()])
    columns: tuple[_Column, ...] = ()
    found: list[FigureRow] = []
    pending: list[Line] = []
    heading = ""
    for index, band in enumerate(bands):
        # Furniture is read here too: a header that recurs on many pages still names the columns of this one.
        years = _read_columns(band)
        if years:
            columns = _name_columns(years, bands[max(0, index - MAX_HEADER_ROWS) : index])
            pending = []
            continue
        labels = [line for line in band if line.is_evidence and _is_label(line)]
        amounts = _read_amounts(band, columns)
        if not amounts:
            pending = _continue_label(pending, labels)
            heading = labels[0].text.strip() if labels else heading
            continue
        lines = (*_lead_of(pending, labels), *labels)
        is_apart = all(amount.line not in labels for amount in amounts)
        label = " ".join(_cut_leaders(line.text) if is_apart else _cut_amounts(line.text) for line in lines)
        found.append(FigureRow(label, lines, amounts, heading))
        pending = []
    return tuple(found)


def group_rows(lines: Sequence[Line]) -> list[list[Line]]:
    """Lines that share a baseline, top to bottom, each row from left to right."""
    bands: list[list[Line]] = []
    for line in sorted(lines, key=lambda entry: (entry.box[1] + entry.box[3], entry.box[0])):
        if bands and _share_row(bands[-1][0], line):
            bands[-1].append(line)
        else:
            bands.append([line])
    return [sorted(band, key=lambda entry: (entry.box[0], entry.number)) for band in bands]


def _share_row(one: Line, other: Line) -> bool:
    overlap = min(one.box[3], other.box[3]) - max(one.box[1], other.box[1])
    lower = min(one.box[3] - one.box[1], other.box[3] - other.box[1])
    return overlap * 100 >= lower * SAME_ROW_OVERLAP


def find_scale(view: DocumentView, page: int, top: int | None) -> int | None:
    """The power of ten that amounts below `top` are in ("in millions"): as the nearest line above says, else the page.

    None where the page says nothing; `top` None means the foot of the page.
    """
    document = view.document
    start, end = document.index_of((page, 0)), document.index_of((page + 1, 0))
    above: tuple[int, int] | None = None
    first: int | None = None
    for index in range(start, end):
        power = _read_scale(document.folded[index])
        if power is None:
            continue
        first = power if first is None else first
        place = document.lines[index].box[1]
        if (top is None or place <= top) and (above is None or place >= above[0]):
            above = (place, power)
    return above[1] if above is not None else first


def _read_scale(folded: str) -> int | None:
    if not ("illion" in folded or "thousand" in folded or "000" in folded):
        return None
    for word, power in _SCALES:
        if word in folded and re.search(rf"\b(?:in|us\$|\$) ?{word}|{word}s of |\({word}s\b|^{word}s?$", folded):
            # "cost $3 in million-dollar steps" is rare; a sentence that ends with an amount is not: no digits around
            return power if not re.search(rf"\d[\d.,]* ?{word}", folded) else None
    return 3 if re.search(r"\((?:in )?\$? ?(?:in )?000", folded) else None


def _read_columns(band: Sequence[Line]) -> list[_Column]:
    """The years of a row that holds nothing but column headers; empty for any other row."""
    columns: list[_Column] = []
    for line in band:
        text = line.text.strip()
        years = find_years(text) if _may_hold_year(text) else ()
        if not years:
            if not text.isdigit() and not any(map(str.isalpha, text)) and parse_number(text) is not None:
                return []
            continue
        undated = re.sub(r"\d{1,2},\s*\d{4}|[A-Za-z.]+\s*\d{1,2},", "", text)
        if len(text) > MAX_HEADER_CHARACTERS * len(years) or "," in undated:
            return []
        width = line.box[2] - line.box[0]
        for start, end, year in years:
            centre = line.box[0] + width * (start + end) // (2 * max(1, len(text)))
            columns.append(_Column(centre, year, text))
    return columns


def _may_hold_year(text: str) -> bool:
    return "20" in text or "19" in text or "FY" in text or "iscal" in text


def _name_columns(columns: Sequence[_Column], above: Sequence[Sequence[Line]]) -> tuple[_Column, ...]:
    """Give each column the words above it, such as "three months ended"; a head over several columns is of each."""
    heads = [_spread_heads(columns, band) for band in above]
    return tuple(
        column._replace(header=" ".join([*(head for texts in heads if (head := texts[index])), column.header]))
        for index, column in enumerate(columns)
    )


def _spread_heads(columns: Sequence[_Column], band: Sequence[Line]) -> list[str]:
    """The words of one row above the years for each column: by order where they part the columns evenly."""
    # a sentence above a table is no head of its columns
    lines = [line for line in band if len(line.text) <= 2 * MAX_HEADER_CHARACTERS]
    over = [line for line in lines if columns[0].centre <= (line.box[0] + line.box[2]) // 2 <= columns[-1].centre]
    if over and len(over) < len(columns) and len(columns) % len(over) == 0 and _reads_on(columns):
        size = len(columns) // len(over)
        return [over[index // size].text.strip() for index in range(len(columns))]
    return [
        " ".join(line.text.strip() for line in lines if line.box[0] <= column.centre <= line.box[2])
        for column in columns
    ]


def _reads_on(columns: Sequence[_Column]) -> bool:
    """Whether columns run from left to right, as those of one row of years do."""
    return all(one.centre < other.centre for one, other in pairwise(columns))


def _is_label(line: Line) -> bool:
    text = line.text.strip()
    if not any(map(str.isalpha, text)):
        return False
    return not any(map(str.isdigit, text)) or parse_number(text) is None


def _cut_amounts(text: str) -> str:
    """A label without the amounts that the same line ends with, and without its dot leaders."""
    text = text.strip()
    while found := _AMOUNT_AT_END.search(text):
        text = text[: found.start()].strip(" .…$€£")
    return _cut_leaders(text)


def _cut_leaders(text: str) -> str:
    return re.sub(r"[\s.…]{3,}$", "", text.strip())


def _read_amounts(band: Sequence[Line], columns: tuple[_Column, ...]) -> tuple[Amount, ...]:
    printed: list[tuple[Line, str, int]] = []
    for line in band:
        text = _close(line.text)
        if any(map(str.isdigit, text)) and parse_number(text) is not None:
            printed.append((line, text, (line.box[0] + line.box[2]) // 2))
    if not printed:
        # Only a line that holds its whole row ends in amounts; else the label does ("net of allowances of $95").
        printed = [part for line in band if line.is_evidence and _is_label(line) for part in _split_tail(line)]
    amounts: list[Amount] = []
    for position, (line, text, centre) in enumerate(printed):
        value = parse_number(text)
        if value is None:
            continue
        column = _choose_column(columns, centre, position, len(printed))
        year, header = (column.year, column.header) if column else (None, "")
        amounts.append(Amount(text, value, year, header, line, "%" in text))
    return tuple(amounts)


def _close(text: str) -> str:
    """An amount without a sign of the next column, and with the parenthesis that was set as a line of its own."""
    text = text.strip().rstrip("$€£ ").lstrip()
    return f"{text})" if "(" in text and ")" not in text else text


def _split_tail(line: Line) -> list[tuple[Line, str, int]]:
    """The amounts at the end of a line that also holds the label, left to right."""
    text = line.text.rstrip()
    if any(end >= len(text) for _, end in find_day_spans(text)):
        return []
    width = line.box[2] - line.box[0]
    parts: list[tuple[Line, str, int]] = []
    length = max(1, len(text))
    while found := _AMOUNT_AT_END.search(text):
        centre = line.box[0] + width * (found.start() + found.end()) // (2 * length)
        parts.append((line, found[0].strip(), centre))
        text = text[: found.start()].rstrip()
    return parts[::-1]


def _choose_column(columns: tuple[_Column, ...], centre: int, position: int, count: int) -> _Column | None:
    """The column of an amount: by order where there are as many amounts as years, else the nearest year."""
    if not columns:
        return None
    # Amounts hang to the right of their headers on some pages; as many as headers need no measuring.
    if len(columns) == count:
        return columns[position]
    return min(columns, key=lambda column: (abs(column.centre - centre), column.centre))


def _continue_label(pending: list[Line], labels: list[Line]) -> list[Line]:
    """Lines that may begin the label of the next row."""
    return [*pending, *labels][-2:] if labels else pending


def _lead_of(pending: list[Line], labels: list[Line]) -> tuple[Line, ...]:
    """The pending lines that this row's label goes on from: it begins in lower case, or it has none of its own."""
    if not pending or pending[-1].text.rstrip().endswith(":"):
        return ()
    if not labels:
        return (pending[-1],)
    # A label that begins in small letters goes on from the line above.
    first = labels[0].text.lstrip()
    return (pending[-1],) if first[:1].islower() else ()
