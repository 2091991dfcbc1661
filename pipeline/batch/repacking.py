"""A package with some of its parts exchanged, and what else differs between two of them."""

from __future__ import annotations

import io
import warnings
import zipfile
from typing import TYPE_CHECKING

from pipeline.batch.packages import find_related, find_sheet_part

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

STYLES = "/styles"
"""How the type of the relation to the styles of a workbook ends."""


def repack(content: bytes, replaced: Mapping[str, bytes]) -> bytes:
    """A package with some parts in place of others; order, names and dates stay."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(made, "w") as new:
        for part in old.infolist():
            kept = zipfile.ZipInfo(part.filename, part.date_time)
            is_stored = part.compress_type == zipfile.ZIP_STORED
            kept.compress_type = zipfile.ZIP_STORED if is_stored else zipfile.ZIP_DEFLATED
            kept.external_attr, kept.create_system = part.external_attr, part.create_system
            new.writestr(kept, replaced.get(part.filename, old.read(part)))
    return made.getvalue()


def find_change(before: bytes, after: bytes, title: str, expected: Collection[tuple[int, int]]) -> str:
    """The first part or cell that differs and should not, or does not and should, in words; empty for none.

    Of the sheet `title` the cells in `expected`, by row and column from 1, are meant to differ.
    """
    with zipfile.ZipFile(io.BytesIO(before)) as old, zipfile.ZipFile(io.BytesIO(after)) as new:
        if old.namelist() != new.namelist():
            return "its parts"
        own = {find_sheet_part(old, title), *find_related(old, find_related(old, "", "/officeDocument")[0], STYLES)}
        for name in old.namelist():
            if name not in own and old.read(name) != new.read(name):
                return f"its part {name}"
    rows = [_read_rows(content, title) for content in (before, after)]
    for row in range(max(map(len, rows))):
        pair = [cells[row] if row < len(cells) else () for cells in rows]
        for column in range(max(map(len, pair))):
            old_value, new_value = (values[column] if column < len(values) else None for values in pair)
            if ((row + 1, column + 1) in expected) == (old_value == new_value):
                return f"the cell in row {row + 1} and column {column + 1}"
    return ""


def _read_rows(content: bytes, title: str) -> list[tuple[object, ...]]:
    """Values and formulas of a sheet, read by another program than the one that wrote them."""
    import openpyxl

    with warnings.catch_warnings():
        # about styles and extensions that say nothing of the cells
        warnings.simplefilter("ignore")
        book = openpyxl.load_workbook(io.BytesIO(content), read_only=True)
        try:
            sheet = book[title]
            sheet.reset_dimensions()
            return [tuple(row) for row in sheet.iter_rows(values_only=True)]
        finally:
            book.close()
