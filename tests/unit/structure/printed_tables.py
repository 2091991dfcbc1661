"""Tables printed on pages by hand: cut after any row, with or without their head again, with notes and furniture."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

from hypothesis import strategies as st

from pipeline.models.document import Line
from tests.unit.structure.pages import PITCH, make_line
from tests.unit.structure.printed import NOUNS

CHARACTER = 480
VALUE_XS = (7200, 30000, 38000, 46000)
WORD_XS = (7200, 22000, 38000)
TOP, FOOT = 7200, 66000
NOTE = "(a) The harbour master counts what is not in the books."
MORE = "is kept by the harbour office and shown to whoever asks for it at the gate".split()


@dataclass
class PrintedTable:
    """The rows of a table as texts of cells, its head and its lines."""

    head: list[str]
    rows: list[list[str]]
    lines: list[Line]


class _Sheet:
    """Pages with furniture, on which rows are set one below the other."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.page, self._number, self.y = 0, 0, 0
        self.turn(TOP)

    def turn(self, y: int) -> None:
        if self.page:
            self.put(f"{self.page}", 30000, 76000, is_furniture=True)
        self.page, self._number, self.y = self.page + 1, 0, y
        self.put("Books of the harbour", 7200, 3000, is_furniture=True)

    def put(self, text: str, x: int, y: int | None = None, **fields: object) -> None:
        self._number += 1
        self.lines.append(make_line(text, self.page, self._number, (x, self.y if y is None else y), **fields))

    def set_row(self, cells: list[list[str]], xs: tuple[int, ...], is_right: bool, **fields: object) -> None:
        """A row of cells, each of one or more lines; numbers are set right."""
        for depth in range(max(len(cell) for cell in cells)):
            for column, cell in enumerate(cells):
                if depth < len(cell) and cell[depth]:
                    shift = CHARACTER * len(cell[depth]) if is_right and column else 0
                    self.put(cell[depth], xs[column] - shift, **fields)
            self.y += PITCH


@st.composite
def value_tables(draw: st.DrawFn) -> PrintedTable:
    """A table of numbers, cut after its head, its first row, its last row but one, or anywhere else."""
    width = draw(st.integers(2, 4))
    head = ["Name", *[str(2020 + column) for column in range(1, width)]]
    names = [name.capitalize() for name in draw(st.permutations(NOUNS))[: draw(st.integers(3, 12))]]
    rows = [[name, *[f"{draw(st.integers(100, 9999)):,}" for _ in head[1:]]] for name in names]
    # a single column of numbers is known as one only by two rows of it
    least = (0, 1) if width > 2 else (2,)
    cut = draw(st.sampled_from((*least, len(rows) - 1, len(rows) // 2, len(rows))))
    is_again, has_note = draw(st.booleans()) and cut > 0, draw(st.booleans())
    sheet = _Sheet()
    caption = draw(st.sampled_from(("", "Table 1. Dues of last year")))
    used = cut + 3
    sheet.y = FOOT - used * PITCH
    if caption:
        sheet.put(caption, 7200)
        sheet.y += PITCH
    sheet.set_row([[text] for text in head], VALUE_XS, True)
    for row in rows[:cut]:
        sheet.set_row([[text] for text in row], VALUE_XS, True)
    # what has its head again behind the notes of a table would be another one
    if has_note and not is_again and cut:
        sheet.put(NOTE, 7200, FOOT + 2 * PITCH, size=700)
    if rows[cut:]:
        sheet.turn(TOP)
        if caption and is_again and draw(st.booleans()):
            sheet.put(draw(st.sampled_from(("Table 1 (continued)", "Table 1. Dues of last year (continued)"))), 7200)
            sheet.y += PITCH
        for row in [head] * is_again + rows[cut:]:
            sheet.set_row([[text] for text in row], VALUE_XS, True)
    return _finish(sheet, head, rows, draw(st.booleans()))


@st.composite
def word_tables(draw: st.DrawFn) -> PrintedTable:
    """A table of words whose cells may wrap, cut between any two of its rows."""
    head = ["Book", "Keeper", "Where it lies"][: draw(st.integers(2, 3))]
    names = [name.capitalize() for name in draw(st.permutations(NOUNS))[: draw(st.integers(4, 9))]]
    is_wrapped = draw(st.booleans())
    rows = []
    for name in names:
        tail = " ".join(MORE[: draw(st.integers(2, 12))]) if is_wrapped else "is in the tower"
        rows.append([name, f"The book {tail}", f"Room {name.lower()}"][: len(head)])
    cut = draw(st.sampled_from((1, len(rows) - 1, len(rows) // 2, len(rows))))
    # a cell may go on over the page; its neighbours end before it
    split = draw(st.integers(0, len(rows) - 1)) if is_wrapped and draw(st.booleans()) else -1
    is_again, is_bold = draw(st.booleans()), draw(st.booleans())
    sheet = _Sheet()
    sheet.put("Table 1. Keepers of the books", 7200)
    sheet.y += 2 * PITCH
    for number, row in enumerate([head, *rows]):
        cells = [textwrap.wrap(text, 28) for text in row]
        is_cut = number == cut + 1 if split < 0 else number == split + 1 and len(cells[1]) > 1
        if is_cut and split >= 0:
            sheet.set_row([cell[:1] for cell in cells], WORD_XS, False)
            cells = [cell[1:] for cell in cells]
        if is_cut:
            sheet.turn(TOP)
            if is_again:
                sheet.set_row([[text] for text in head], WORD_XS, False, bold=is_bold)
        sheet.set_row(cells, WORD_XS, False, bold=is_bold and number == 0)
        sheet.y += PITCH if is_wrapped else 0
    return _finish(sheet, head, rows, draw(st.booleans()))


@st.composite
def table_pairs(draw: st.DrawFn) -> tuple[PrintedTable, PrintedTable, list[Line]]:
    """Two tables with the same columns at the foot of a page and the head of the next, and all their lines.

    What tells them apart is a caption, other heads, a sentence, or notes below the first one.
    """
    width = draw(st.integers(3, 4))
    names = [name.capitalize() for name in NOUNS]
    heads = [["Name", *[str(2020 + column) for column in range(1, width)]]] * 2
    sizes = (draw(st.integers(2, 6)), draw(st.integers(2, 6)))
    bodies = [[[name, *["1,234"] * (width - 1)] for name in names[: sizes[0]]]]
    bodies.append([[name, *["5,678"] * (width - 1)] for name in names[6 : 6 + sizes[1]]])
    divider = draw(st.sampled_from(("caption", "heads", "sentence", "notes")))
    if divider == "heads":
        heads[1] = ["Name", *[str(2010 + column) for column in range(1, width)]]
    sheet = _Sheet()
    sheet.y = FOOT - (sizes[0] + 3) * PITCH
    if divider == "caption":
        sheet.put("Table 1. Dues of the harbour", 7200)
        sheet.y += PITCH
    for row in [heads[0], *bodies[0]]:
        sheet.set_row([[text] for text in row], VALUE_XS, True)
    if divider == "notes":
        sheet.put(NOTE, 7200, FOOT + 2 * PITCH, size=700)
    sheet.turn(TOP)
    if divider in ("caption", "sentence"):
        sheet.put(
            "Table 2. Fees of the harbour" if divider == "caption" else "The fees of the harbour were as follows:", 7200
        )
        sheet.y += PITCH
    for row in [heads[1], *bodies[1]]:
        sheet.set_row([[text] for text in row], VALUE_XS, True)
    first, second = (PrintedTable(head, body, []) for head, body in zip(heads, bodies, strict=True))
    return first, second, sheet.lines


def _finish(sheet: _Sheet, head: list[str], rows: list[list[str]], has_text: bool) -> PrintedTable:
    if has_text:
        sheet.y += 3 * PITCH
        sheet.put("What is not in the table is known to the harbour master alone, who tells nobody.", 7200)
    return PrintedTable(head, rows, sheet.lines)
