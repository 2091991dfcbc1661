"""Questions in a workbook: the first sheet that has a column of them. Formulas give the value last computed."""

from __future__ import annotations

import datetime
import io
import warnings
import zipfile
import zlib
from typing import TYPE_CHECKING

from pipeline.batch.columns import find_columns
from pipeline.batch.decoding import Record
from pipeline.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pipeline.models.batch import BatchLimits

_HEADER_ROWS = 20
_REMEDY = "open it and save it again as XLSX, or save the sheet as CSV"
# what openpyxl and the modules under it raise on files that are no workbooks, or broken ones
_FAULTS = (
    OSError, ValueError, KeyError, TypeError, AttributeError, IndexError, EOFError, SyntaxError, RuntimeError,
    NotImplementedError, zipfile.BadZipFile, zlib.error,
)  # fmt: skip


def read_workbook(content: bytes, name: str, limits: BatchLimits) -> tuple[str, list[Record]]:
    """The name of the sheet and its records, the header first; empty rows are left out.

    Raises:
        UsageError: it is no workbook, is too large unpacked, or no sheet has a column of questions.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            size = sum(part.file_size for part in packed.infolist())
        if size > limits.max_unpacked_bytes:
            raise UsageError(f"{name}: {size} bytes unpacked, more than {limits.max_unpacked_bytes}", _REMEDY)
        return _find_sheet(content, name, limits)
    except _FAULTS as error:
        words = " ".join(str(error).split()) or type(error).__name__
        raise UsageError(f"{name}: cannot be read as a workbook: {words}", _REMEDY) from error


def _find_sheet(content: bytes, name: str, limits: BatchLimits) -> tuple[str, list[Record]]:
    # 50 ms that only workbooks cost
    import openpyxl

    with warnings.catch_warnings():
        # about styles and extensions that say nothing of the cells
        warnings.simplefilter("ignore")
        book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)
        try:
            for sheet in book.worksheets:
                # some programs write a wrong size, and cells beyond it would be lost
                sheet.reset_dimensions()
                records = _read_rows(sheet.iter_rows(values_only=True), limits)
                if records:
                    return str(sheet.title), records
        finally:
            book.close()
    raise UsageError(f"{name}: no sheet has a column called question", "name the columns in the first rows")


def _read_rows(rows: Iterable[tuple[object, ...]], limits: BatchLimits) -> list[Record]:
    """The records of a sheet from its header on; none when there is no header in its first rows."""
    records: list[Record] = []
    for number, row in enumerate(rows, 1):
        cells = tuple(map(_spell, row))
        if not records:
            if "question" in find_columns(cells):
                records.append(Record(number, cells))
            elif number >= _HEADER_ROWS:
                return []
        elif any(cells):
            records.append(Record(number, cells))
            if len(records) > limits.max_questions + 1:
                break
    return records


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
