"""Cells put into the bytes of a sheet, each at its place; what is around them is not read and not written."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from xml.sax.saxutils import escape

from pipeline.batch.packages import read_area, write_reference

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pipeline.batch.sheets import RowPlace, SheetPlaces

_SPANS = re.compile(rb"\sspans\s*=\s*(?:\"[^\"]*\"|'[^']*')")
_REFERENCE = re.compile(rb"(\bref\s*=\s*[\"'])([A-Z0-9:]+)")
# a spreadsheet would read this as one character by its code (ST_Xstring, ECMA-376 part 1, 22.9.2.19)
_CODE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")


class NewCell(NamedTuple):
    """What a cell gets: a text, or a number as it is written, and a style by its number ("" for the usual one)."""

    text: str
    style: str
    is_number: bool = False


class Edit(NamedTuple):
    """Bytes that take the place of others; an insertion has `start` and `end` at the same place."""

    start: int
    end: int
    content: bytes


def patch_sheet(
    content: bytes, places: SheetPlaces, cells: Mapping[tuple[int, int], NewCell], widths: Mapping[int, int]
) -> bytes:
    """A sheet with new cells, by row and column from 1, and widths for columns that have none of their own."""
    by_row: dict[int, dict[int, NewCell]] = {}
    for (row, column), cell in cells.items():
        by_row.setdefault(row, {})[column] = cell
    edits = [edit for row in sorted(by_row) for edit in _patch_row(content, places, places.rows[row], by_row[row])]
    edits += _widen(content, places, widths)
    if places.dimension and by_row:
        edits.append(_stretch(content, places.dimension, max(column for _, column in cells)))
    return _apply(content, sorted(edits))


def _apply(content: bytes, edits: Sequence[Edit]) -> bytes:
    parts, at = [], 0
    for edit in edits:
        parts += [content[at : edit.start], edit.content]
        at = edit.end
    return b"".join([*parts, content[at:]])


def _patch_row(content: bytes, places: SheetPlaces, row: RowPlace, cells: Mapping[int, NewCell]) -> list[Edit]:
    written = {column: _write_cell(places.prefix, row.number, column, cells[column]) for column in sorted(cells)}
    # the columns that a row spans are told there too, as a hint that nobody needs
    tag = _SPANS.sub(b"", content[row.start : row.tag_end])
    if tag.endswith(b"/>"):
        whole = tag[:-2] + b">" + b"".join(written.values()) + f"</{places.prefix}row>".encode()
        return [Edit(row.start, row.tag_end, whole)]
    edits = [Edit(row.start, row.tag_end, tag)]
    inserted: dict[int, bytes] = {}
    for column, cell in written.items():
        old = next((each for each in row.cells if each.column == column), None)
        if old is not None:
            edits.append(Edit(old.start, old.end, cell))
            continue
        after = next((each.start for each in row.cells if each.column > column), row.end)
        inserted[after] = inserted.get(after, b"") + cell
    return edits + [Edit(at, at, made) for at, made in inserted.items()]


def _write_cell(prefix: str, row: int, column: int, cell: NewCell) -> bytes:
    name = f"{prefix}c"
    style = f' s="{cell.style}"' if cell.style else ""
    start = f'<{name} r="{write_reference(row, column)}"{style}'
    if not cell.text:
        return f"{start}/>".encode()
    if cell.is_number:
        return f"{start}><{prefix}v>{cell.text}</{prefix}v></{name}>".encode()
    text = escape(_CODE.sub("_x005F_", cell.text))
    inside = f'<{prefix}is><{prefix}t xml:space="preserve">{text}</{prefix}t></{prefix}is>'
    return f'{start} t="inlineStr">{inside}</{name}>'.encode()


def _widen(content: bytes, places: SheetPlaces, widths: Mapping[int, int]) -> list[Edit]:
    """Widths behind those that there are; a column that has one keeps it."""
    last = max((right for _, right in places.column_areas), default=0)
    made = "".join(
        f'<{places.prefix}col min="{column}" max="{column}" width="{width}" customWidth="1"/>'
        for column, width in sorted(widths.items())
        if column > last
    )
    if not made:
        return []
    if places.columns is None:
        whole = f"<{places.prefix}cols>{made}</{places.prefix}cols>"
        return [Edit(places.sheet_start, places.sheet_start, whole.encode())]
    at = content.find(f"</{places.prefix}cols".encode(), places.columns[1])
    return [Edit(at, at, made.encode())] if at >= 0 else []


def _stretch(content: bytes, span: tuple[int, int], column: int) -> Edit:
    """The size of the sheet, as it is told at its beginning, with the new columns in it."""

    def widen(match: re.Match[bytes]) -> bytes:
        area = read_area(match[2].decode())
        corners = write_reference(area.top, area.left), write_reference(area.bottom, max(area.right, column))
        return match[1] + ":".join(corners).encode()

    start, end = span
    return Edit(start, end, _REFERENCE.sub(widen, content[start:end], count=1))
