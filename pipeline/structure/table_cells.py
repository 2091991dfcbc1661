"""Cells and rows: lines of a page with their place, grouped by baseline, told apart as labels, values and marks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from pipeline.models.document import Line
from pipeline.models.structure import Extent
from pipeline.structure.paragraphs import make_extents
from pipeline.text.late import compile_late

if TYPE_CHECKING:
    from pipeline.text.scripts import Script

_VALUE = compile_late(
    r"[-–—−(]*\s*(?:[A-Z]{0,3}[$€£¥]|R\$|US\$)?\s*[-–—−(]*\s*"
    r"(?:\d[\d,. \u00a0]*|\.\d+)(?:[·×x*]\s?10\^?[-−]?\d*)?\s*"
    r"(?:%|x|pts?|bps|pp|[KMB]n?)?\s*\)?\s*(?:%|x|pts?|bps|pp)?\s*"
    r"(?:\([a-z0-9]{1,2}\)|[*†‡])*"
)
_EMPTY = compile_late(r"[$€£¥]?\s*(?:[-–—−]{1,3}|n/?a|n\.?a\.?|nm|n\.?m\.?|\*{1,2}|—\s*%)\s*%?\)?", re.IGNORECASE)
_CURRENCY = compile_late(r"(?:[A-Z]{0,3}[$€£¥]|R\$|US\$|[A-Z]{3})\s*\(?")
_TAIL = compile_late(r"\)?\s*(?:%|x|pts?|bps|pp)?\s*\)?(?:\([a-z0-9]{1,2}\)|[*†‡])*")
_SIGN_END = compile_late(r"(?<=\S)\s+[$€£¥]$")
_LEADERS = compile_late(r"(?:\s*[.·…_‥]){4,}\s*[$€£¥]?\s*$")
_POWERS = ("power", "mark or power")
_YEAR = compile_late(r"(?:fy|f)?\s*['’]?(?:19|20)\d\d(?:\s*\([a-z0-9]\))?[*†‡]?", re.IGNORECASE)

_PERIOD = compile_late(
    r"(?:[QHTF][1-4YH]?\s*)?(?:\w{3,9}\.?\s+\d{1,2},?\s+)?(?:fiscal\s+)?['’]?(?:19|20)\d\d(?:\s*\([a-z0-9]\))?[*†‡]?",
    re.IGNORECASE,
)


class Cell(NamedTuple):
    """Text at a place: pieces are (line, first offset, end offset); the box is in hundredths of a point."""

    text: str
    x0: int
    y0: int
    x1: int
    y1: int
    pieces: tuple[tuple[Line, int, int], ...]
    is_value: bool
    bold: bool = False

    @property
    def extents(self) -> tuple[Extent, ...]:
        """Lines of the cell."""
        return make_extents(self.pieces)


class Row(NamedTuple):
    """Cells on one baseline, left to right."""

    cells: tuple[Cell, ...]
    y0: int
    y1: int

    @property
    def values(self) -> list[Cell]:
        """Cells that hold a number, a dash or a mark for none."""
        return [cell for cell in self.cells if cell.is_value]


def read_cell(line: Line) -> Cell:
    """A line as a cell: leaders dropped, raised footnote marks at its end kept out of the text."""
    start, end = 0, len(line.text.rstrip())
    while start < end and (line.text[start].isspace() or line.text[start] == "\u200b"):
        start += 1
    scripts = _list_scripts(line) if line.raised else ()
    for kind, low, high in reversed(scripts):
        # a raised mark at the end of a cell is a footnote's; an exponent belongs to its number or variable
        is_short = kind == "mark" or high - low <= 5
        if high >= end and low > start and is_short and kind not in _POWERS:
            end = len(line.text[:low].rstrip())
    if match := _LEADERS.search(line.text[:end]):
        end = max(start, match.start())
    text = _mark_exponents(line, scripts, start, end).replace("\u00a0", " ").strip()
    x0, y0, x1, y1 = line.box
    if (blank := len(line.text) - (end - start)) and blank < len(line.text):
        # spaces count in the box of a line but not in the place of its number
        step = (x1 - x0) * 6 // (10 * len(line.text))
        x0, x1 = x0 + start * step, x1 - (len(line.text) - end) * step
    return Cell(text, x0, y0, x1, y1, ((line, start, end),), is_value(text), line.bold)


def _list_scripts(line: Line) -> tuple[Script, ...]:
    # few lines have anything raised, and telling what it is takes its time to import
    from pipeline.text.scripts import find_scripts

    return tuple(find_scripts(line.text, line.raised, line.lowered))


def _mark_exponents(line: Line, scripts: Sequence[Script], start: int, end: int) -> str:
    """The text with a caret in front of raised digits behind a digit: 10 to the 19 is not 1019."""
    text = line.text[start:end]
    for kind, low, high in reversed(scripts):
        before = line.text[start:low].rstrip()[-1:] if low > start else ""
        is_power = kind in _POWERS and line.text[low:high].strip("-\u2212").isdigit()
        if high <= end and before.isdigit() and is_power:
            text = f"{text[: low - start].rstrip()}^{text[low - start :].lstrip()}"
    return text


def is_value(text: str) -> bool:
    """Whether a cell holds a number with at most a currency, a sign, a unit and footnote marks; or stands for none."""
    # "30," is the end of a day whose year stands below it
    if not text or len(text) > 28 or text[-1] == ",":
        return False
    return bool(_VALUE.fullmatch(text) or _EMPTY.fullmatch(text))


def is_year(text: str) -> bool:
    """Whether a cell holds a year and nothing else."""
    return bool(_YEAR.fullmatch(text))


def is_period(text: str) -> bool:
    """Whether a cell holds a year, a date or a quarter and nothing else."""
    return bool(_PERIOD.fullmatch(text))


def group_rows(lines: Iterable[Line]) -> list[Row]:
    """Rows of a page or column, top to bottom: lines whose middles lie within the height of each other."""
    cells = [cell for line in lines if (cell := read_cell(line)).text]
    cells.sort(key=lambda cell: (cell.y0 + cell.y1, cell.x0))
    groups: list[list[Cell]] = []
    for cell in cells:
        if groups and _shares_baseline(groups[-1], cell):
            groups[-1].append(cell)
        else:
            groups.append([cell])
    return [_make_row(group) for group in groups]


def _shares_baseline(group: Sequence[Cell], cell: Cell) -> bool:
    first = group[0]
    height = min(first.y1 - first.y0, cell.y1 - cell.y0)
    if abs(first.y0 + first.y1 - cell.y0 - cell.y1) >= height:
        return False
    return all(cell.x0 >= other.x1 - 150 or cell.x1 <= other.x0 + 150 for other in group)


def _make_row(group: Sequence[Cell]) -> Row:
    cells = _join_marks(sorted(group, key=lambda cell: cell.x0))
    return Row(tuple(cells), min(cell.y0 for cell in group), max(cell.y1 for cell in group))


def _join_marks(cells: list[Cell]) -> list[Cell]:
    """Join a currency sign with the number after it.

    So is a lone parenthesis or percent sign with the number before it.
    """
    cells = [part for cell in cells for part in _split_sign(cell)]
    joined: list[Cell] = []
    index = 0
    while index < len(cells):
        cell = cells[index]
        after = cells[index + 1] if index + 1 < len(cells) else None
        is_sign = _CURRENCY.fullmatch(cell.text) and not cell.text[-1].isalpha()
        if is_sign and after is not None and after.is_value:
            joined.append(_merge(cell, after))
            index += 2
            continue
        before = joined[-1] if joined else None
        is_tail = len(cell.text) <= 4 and not cell.text[0].isdigit() and _TAIL.fullmatch(cell.text)
        if is_tail and before is not None and before.is_value and cell.x0 - before.x1 < 900:
            joined[-1] = _merge(before, cell)
        else:
            joined.append(cell)
        index += 1
    return joined


def _split_sign(cell: Cell) -> list[Cell]:
    """Part a currency sign from the label or number before it: it belongs to the number of the next column."""
    match = _SIGN_END.search(cell.text)
    if match is None or len(cell.pieces) != 1:
        return [cell]
    line, start, end = cell.pieces[0]
    width = max(300, cell.y1 - cell.y0) // 2
    text = cell.text[: match.start()]
    head = cell._replace(
        text=text,
        x1=max(cell.x0 + 1, cell.x1 - 2 * width),
        pieces=((line, start, start + len(text)),),
        is_value=is_value(text),
    )
    at = end - len(match.group().strip())
    return [
        head,
        Cell(match.group().strip(), cell.x1 - width, cell.y0, cell.x1, cell.y1, ((line, at, end),), False, cell.bold),
    ]


def _merge(left: Cell, right: Cell) -> Cell:
    text = left.text + right.text
    return Cell(
        text, left.x0, min(left.y0, right.y0), right.x1, max(left.y1, right.y1), left.pieces + right.pieces, True,
        left.bold and right.bold,
    )  # fmt: skip


def join_cells(cells: Sequence[Cell]) -> Cell:
    """Several cells read one after the other as one: a label over several lines, a header of several rows."""
    from pipeline.text.matching import join_lines

    if len(cells) == 1:
        return cells[0]
    pieces = tuple(piece for cell in cells for piece in cell.pieces)
    text = join_lines([cell.text for cell in cells]).display.strip()
    return Cell(
        text, min(c.x0 for c in cells), min(c.y0 for c in cells), max(c.x1 for c in cells), max(c.y1 for c in cells),
        pieces, False, all(cell.bold for cell in cells),
    )  # fmt: skip
