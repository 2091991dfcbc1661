"""Tables under heads of several levels, set on a page as filings have them: centred heads, numbers at the right."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import NamedTuple

from pipeline.models.document import Line
from pipeline.models.structure import Table
from tests.unit.structure.pages import make_view

LEFT, FIRST, WIDTH = 3000, 21000, 6600
SIZE, CHARACTER = 800, 330
WRAP, LEVEL = 820, 1150


class Over(NamedTuple):
    """A head over the columns `first` to `last` (from 1); lines of a wrapped one are parted by "/"."""

    text: str
    first: int
    last: int


class Sheet:
    """Rows set one below the other on one page."""

    def __init__(self, pitch: int = WRAP) -> None:
        """Begin at the top; `pitch` is the distance between the lines of one name."""
        self.lines: list[Line] = []
        self.y = 7200
        self._pitch = pitch

    def put(self, text: str, x: int, y: int | None = None, *, bold: bool = False) -> None:
        """One line at a place."""
        top = self.y if y is None else y
        box = (x, top, x + CHARACTER * len(text), top + SIZE)
        number = len(self.lines) + 1
        self.lines.append(Line(page=1, number=number, text=text, box=box, size=SIZE, block=number, bold=bold))

    def set_heads(self, heads: Sequence[Over], stub: str = "") -> None:
        """One level of heads, each centred over its columns, their last lines on one baseline."""
        parts = [head.text.split("/") for head in heads]
        depth = max(map(len, parts))
        for level in range(depth):
            for head, lines in zip(heads, parts, strict=True):
                place = level - (depth - len(lines))
                if place >= 0:
                    middle = (edge(head.first) + edge(head.last + 1)) // 2
                    self.put(lines[place], middle - CHARACTER * len(lines[place]) // 2, bold=True)
            if stub and level == depth - 1:
                self.put(stub, LEFT)
            self.y += self._pitch if level < depth - 1 else LEVEL

    def set_rows(self, rows: str, signs: bool = False) -> None:
        """Rows of a text: cells parted by "|", a deeper label indented; signs stand at the left of their columns."""
        for number, row in enumerate(textwrap.dedent(rows).strip("\n").split("\n")):
            label, *values = [cell for cell in row.split("|")]
            self.put(label.strip(), LEFT + 900 * (len(label) - len(label.lstrip())) // 2)
            for column, value in enumerate(map(str.strip, values), 1):
                if signs and not number and value[:1].isdigit() and "%" not in value:
                    self.put("$", edge(column) + 300)
                if value:
                    self.put(value, edge(column + 1) - 700 - CHARACTER * len(value))
            self.y += LEVEL

    def read(self) -> Table:
        """The one table of the page."""
        (table,) = make_view(self.lines).tables_on(1)
        return table


def edge(column: int) -> int:
    """The left edge of a column, counted from 1."""
    return FIRST + WIDTH * (column - 1)


def lay(levels: Sequence[Sequence[Over]], rows: str, *, stub: str = "", signs: bool = True, pitch: int = WRAP) -> Table:
    """The table read from levels of heads, top to bottom, and rows."""
    sheet = Sheet(pitch)
    for level in levels:
        sheet.set_heads(level, stub if level is levels[-1] else "")
    sheet.set_rows(rows, signs)
    return sheet.read()


def find(table: Table, label: str, *path: str) -> list[str]:
    """The cells in rows with this label under heads that hold all parts of a path."""
    columns = [place for place, head in enumerate(table.header) if place and all(part in head for part in path)]
    rows = [cell.row for cell in table.cells if cell.column == 0 and cell.text == label]
    return [cell.text for cell in table.cells if cell.row in rows and cell.column in columns]
