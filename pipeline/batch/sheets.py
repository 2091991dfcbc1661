"""A sheet as bytes: where its rows and cells begin and end, so that some can be changed and all others stay."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pipeline.batch.packages import Area, make_parser, parse_part, read_area, read_reference

if TYPE_CHECKING:
    from collections.abc import Collection

_TAG_END = re.compile(rb"(?:[^>\"']|\"[^\"]*\"|'[^']*')*>")


class CellPlace(NamedTuple):
    """A cell: its column, its bytes from `start` to `end`, its style, and whether anything is in it."""

    column: int
    start: int
    end: int
    style: str
    has_content: bool


class RowPlace(NamedTuple):
    """A row: its start tag, where its cells end (at `end` for a row that is one empty tag), and its cells."""

    number: int
    start: int
    tag_end: int
    end: int
    cells: tuple[CellPlace, ...]


class SheetPlaces(NamedTuple):
    """What of a sheet is changed: some rows, and the elements around them by their start tags.

    `prefix` is that of its names ("x:"), `areas` are merged cells, `checked` cells with rules for what they may hold.
    """

    prefix: str
    rows: dict[int, RowPlace]
    dimension: tuple[int, int] | None
    columns: tuple[int, int] | None
    column_areas: tuple[tuple[int, int], ...]
    sheet_start: int
    areas: tuple[Area, ...]
    checked: tuple[Area, ...]


def locate_cells(content: bytes, wanted: Collection[int]) -> SheetPlaces:
    """Places in a sheet; of its rows only those that are wanted.

    Raises:
        ValueError: it is no sheet that can be changed: no UTF-8, no rows, or not well formed.
    """
    head = content[:200]
    if head.startswith((b"\xff\xfe", b"\xfe\xff")) or re.search(rb"encoding\s*=\s*[\"'](?!utf-8)", head, re.IGNORECASE):
        raise ValueError("the sheet is not written in UTF-8")
    reader = _Reader(content, frozenset(wanted))
    places = reader.read()
    if places.sheet_start < 0:
        raise ValueError("the sheet has no rows")
    return places


class _Reader:
    """Walks over the elements of a sheet and notes where they are."""

    def __init__(self, content: bytes, wanted: frozenset[int]) -> None:
        self._content = content
        self._wanted = wanted
        self._parser = make_parser()
        self._parser.StartElementHandler = self._begin
        self._parser.EndElementHandler = self._finish
        self._parser.CharacterDataHandler = self._read_text
        self._rows: dict[int, RowPlace] = {}
        self._row = (0, 0, 0)
        self._cell = (0, 0, "")
        self._cells: list[CellPlace] = []
        self._row_number = self._column = 0
        self._is_in_cell = self._has_content = self._is_checked = False
        self._ranges: list[str] | None = None
        self._spans: dict[str, tuple[int, int]] = {}
        self._prefix = ""
        self._column_areas: list[tuple[int, int]] = []
        self._areas: list[Area] = []
        self._checked: list[Area] = []

    def read(self) -> SheetPlaces:
        """All places."""
        parse_part(self._parser, self._content)
        spans = self._spans
        return SheetPlaces(
            self._prefix, self._rows, spans.get("dimension"), spans.get("cols"), tuple(self._column_areas),
            spans.get("sheetData", (-1, -1))[0], tuple(self._areas), tuple(self._checked),
        )  # fmt: skip

    def _begin(self, name: str, told: dict[str, str]) -> None:
        prefix, colon, local = name.rpartition(":")
        at = self._parser.CurrentByteIndex
        if local in ("dimension", "cols", "sheetData"):
            self._spans.setdefault(local, (at, self._find_tag_end(at)))
            self._prefix = prefix + colon
        elif local == "col":
            self._column_areas.append((int(told["min"]), int(told["max"])))
        elif local == "mergeCell":
            self._areas.append(read_area(told["ref"]))
        elif local == "dataValidation":
            self._checked += [read_area(part) for part in told.get("sqref", "").split()]
            self._is_checked = True
        elif local == "sqref" and self._is_checked:
            # newer rules have their cells in an element of its own
            self._ranges = []
        elif local == "row":
            self._row_number = int(told.get("r") or self._row_number + 1)
            self._row = (self._row_number, at, self._find_tag_end(at))
            self._cells, self._column = [], 0
        elif local == "c":
            self._column = read_reference(told["r"])[1] if "r" in told else self._column + 1
            self._cell = (self._column, at, told.get("s", ""))
            self._is_in_cell, self._has_content = True, False
        elif local == "f":
            self._has_content = True

    def _read_text(self, text: str) -> None:
        if self._is_in_cell and text.strip():
            self._has_content = True
        elif self._ranges is not None:
            self._ranges.append(text)

    def _finish(self, name: str) -> None:
        local = name.rpartition(":")[2]
        if local == "c":
            column, start, style = self._cell
            self._is_in_cell = False
            if self._row_number in self._wanted:
                self._cells.append(CellPlace(column, start, self._find_end(start), style, self._has_content))
        elif local == "row" and self._row_number in self._wanted:
            number, start, tag_end = self._row
            end = tag_end if self._is_empty_tag(tag_end) else self._parser.CurrentByteIndex
            self._rows[number] = RowPlace(number, start, tag_end, end, tuple(self._cells))
        elif local == "sqref" and self._ranges is not None:
            self._checked += [read_area(part) for part in "".join(self._ranges).split()]
            self._ranges = None
        elif local == "dataValidation":
            self._is_checked = False

    def _find_end(self, start: int) -> int:
        """Where an element ends whose end the parser just met."""
        tag_end = self._find_tag_end(start)
        return tag_end if self._is_empty_tag(tag_end) else self._find_tag_end(self._parser.CurrentByteIndex)

    def _find_tag_end(self, start: int) -> int:
        match = _TAG_END.match(self._content, start)
        if match is None:
            raise ValueError("a tag of the sheet has no end")
        return match.end()

    def _is_empty_tag(self, tag_end: int) -> bool:
        return self._content[tag_end - 2 : tag_end] == b"/>"
