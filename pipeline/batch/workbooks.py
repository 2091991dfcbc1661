"""Questions in a workbook: the first sheet that has a column of them. Formulas give the value last computed."""

from __future__ import annotations

import datetime
import io
import warnings
import zipfile
import zlib
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from pipeline.batch.columns import find_reply_columns, find_sheet_columns, strip_cell
from pipeline.batch.decoding import Record
from pipeline.batch.packages import read_merged
from pipeline.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pipeline.batch.packages import Area
    from pipeline.models.batch import BatchLimits

_HEADER_ROWS = 20
_REMEDY = "open it and save it again as XLSX, or save the sheet as CSV"
WORKBOOK_FAULTS = (
    OSError, ValueError, KeyError, TypeError, AttributeError, IndexError, EOFError, SyntaxError, RuntimeError,
    NotImplementedError, zipfile.BadZipFile, zlib.error,
)  # fmt: skip
"""What openpyxl and the modules under it raise on files that are no workbooks, or broken ones."""

Row: TypeAlias = tuple[int, tuple[str, ...]]
"""The number of a row and its cells."""


class Sheet(NamedTuple):
    """A sheet with questions: its title, its records, the header first, and other sheets with a column of questions."""

    title: str
    records: list[Record]
    unread: tuple[str, ...] = ()


def read_workbook(content: bytes, name: str, limits: BatchLimits) -> Sheet:
    """The first sheet with a column of questions; empty rows are left out, headings between the rows are marked.

    The header is whichever of the first rows names the most columns, since titles stand above it.

    Raises:
        UsageError: it is no workbook, is too large unpacked, or no sheet has a column of questions.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            size = sum(part.file_size for part in packed.infolist())
            if size > limits.max_unpacked_bytes:
                raise UsageError(f"{name}: {size} bytes unpacked, more than {limits.max_unpacked_bytes}", _REMEDY)
            return _find_sheet(content, packed, name, limits)
    except WORKBOOK_FAULTS as error:
        words = " ".join(str(error).split()) or type(error).__name__
        raise UsageError(f"{name}: cannot be read as a workbook: {words}", _REMEDY) from error


def _find_sheet(content: bytes, packed: zipfile.ZipFile, name: str, limits: BatchLimits) -> Sheet:
    # 50 ms that only workbooks cost
    import openpyxl

    found: Sheet | None = None
    unread: list[str] = []
    with warnings.catch_warnings():
        # about styles and extensions that say nothing of the cells
        warnings.simplefilter("ignore")
        book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)
        try:
            for sheet in book.worksheets:
                # some programs write a wrong size, and cells beyond it would be lost
                sheet.reset_dimensions()
                rows = enumerate((tuple(map(_spell, row)) for row in sheet.iter_rows(values_only=True)), 1)
                head = list(islice(rows, _HEADER_ROWS))
                header = _choose_header(head)
                if header and found:
                    unread.append(str(sheet.title))
                elif header:
                    merged = read_merged(packed, str(sheet.title))
                    below = (row for row in chain(head, rows) if row[0] > header[0])
                    found = Sheet(str(sheet.title), _read_rows(header, below, merged, limits))
        finally:
            book.close()
    if found is None:
        raise UsageError(f"{name}: no sheet has a column called question", "name the columns in the first rows")
    return found._replace(unread=tuple(unread))


def _choose_header(head: Iterable[Row]) -> Row | None:
    """The row that names a question and the most other columns; the first of equal ones."""
    best, most = None, 0
    for row in head:
        columns = find_sheet_columns(row[1])
        count = len(columns) + len(find_reply_columns(row[1]))
        if "question" in columns and count > most:
            best, most = row, count
    return best


def _read_rows(header: Row, rows: Iterable[Row], merged: tuple[Area, ...], limits: BatchLimits) -> list[Record]:
    """The records of a sheet from its header on."""
    records = [Record(*header)]
    columns = find_sheet_columns(header[1])
    usual = _find_span(merged, header[0], columns["question"])
    for number, cells in rows:
        if not any(cells):
            continue
        span = _find_span(merged, number, columns["question"])
        is_heading = _is_heading(cells, columns, is_wide=span != usual and span[1] > span[0])
        records.append(Record(number, cells, is_heading=is_heading))
        if len(records) > limits.max_questions + 1:
            break
    return records


def _is_heading(cells: tuple[str, ...], columns: Mapping[str, int], *, is_wide: bool) -> bool:
    """Whether a row has one text, and that beside the column of questions or across it (`is_wide`).

    An id without a question is no heading but a row that lacks something.
    """
    filled = [place for place, cell in enumerate(cells) if strip_cell(cell)]
    if len(filled) != 1:
        return False
    text = strip_cell(cells[filled[0]])
    if is_wide:
        return not text.endswith("?")
    is_id = filled[0] == columns.get("id") and " " not in text and any(map(str.isdigit, text))
    return filled[0] not in (columns[name] for name in columns if name != "id") and not is_id


def _find_span(merged: tuple[Area, ...], row: int, column: int) -> tuple[int, int]:
    """The first and the last column (from 0) of the cell that a place belongs to."""
    for area in merged:
        if area.top <= row <= area.bottom and area.left <= column + 1 <= area.right:
            return (area.left - 1, area.right - 1)
    return (column, column)


def _spell(value: object) -> str:
    """A cell as a person reads it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    return str(value)
