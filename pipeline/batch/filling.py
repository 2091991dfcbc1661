"""A questionnaire filled beside its questions: one sheet gets cells, every other part of the workbook stays as it is.

The bytes of the sheet are changed at the places of those cells only. A library that reads a workbook and writes it
anew would lose charts, macros, pictures and much else that it has no model of.
"""

from __future__ import annotations

import io
import re
import zipfile
from typing import TYPE_CHECKING, NamedTuple

from pipeline.audit.writing import replace_file
from pipeline.batch.cells import fit_cell, is_exact_number
from pipeline.batch.columns import find_reply_columns, find_sheet_columns, squeeze_title
from pipeline.batch.opening import JOURNAL_NAME
from pipeline.batch.packages import find_related, find_sheet_part
from pipeline.batch.patches import NewCell, patch_sheet
from pipeline.batch.repacking import STYLES, find_change, repack
from pipeline.batch.replies import TITLES, WIDTHS, Reply, collect_replies
from pipeline.batch.results import XLSX_NAME
from pipeline.batch.sheets import SheetPlaces, locate_cells
from pipeline.batch.stylesheets import Stylesheet
from pipeline.batch.workbooks import WORKBOOK_FAULTS, read_workbook
from pipeline.errors import UsageError
from pipeline.models.batch import BatchLimits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from pipeline.batch.matrix import Inputs, Matrix
    from pipeline.batch.running import Observer, Output
    from pipeline.models.batch import ResultRow

_DRAWING = "/drawing"
_ANCHOR = re.compile(rb"<(?:\w+:)?(from|to)>\s*<(?:\w+:)?col>([0-9]{1,5})<")
_MAX_COLUMN = 16_384
# what a change of one sheet would break, by the beginning of the name of a part
_BREAKS = (
    ("_xmlsignatures/", "it is signed, and a change would break the signature"),
    ("xl/revisions/", "it is shared and keeps a history of changes, which would not have this one"),
)


class _Target(NamedTuple):
    """A column that is filled; `title` is empty for one that was there."""

    column: int
    title: str


class Form:
    """A questionnaire that can be filled, with the columns that its replies go to.

    Raises:
        UsageError: it cannot be filled without a loss, and the message says of what.
    """

    def __init__(self, path: Path, content: bytes) -> None:
        self._path, self._content = path, content
        try:
            self._open()
            self._targets = self._choose_targets()
        except WORKBOOK_FAULTS as error:
            raise self._refuse(" ".join(str(error).split()) or type(error).__name__) from error

    def fill(self, replies: Mapping[int, Reply]) -> bytes:
        """The workbook with replies by the rows of their questions."""
        cells: dict[tuple[int, int], NewCell] = {}
        stylesheet = Stylesheet(self._parts.get(self._styles, b""))
        for target in self._targets:
            if target.title:
                cells[self._header, target.column] = NewCell(target.title, self._find_header_style())
        for row, reply in replies.items():
            for target, text in zip(self._targets, reply, strict=True):
                cells[row, target.column] = self._make_cell(row, target, text, stylesheet)
        widths = {target.column: width for target, width in zip(self._targets, WIDTHS, strict=True) if target.title}
        sheet = patch_sheet(self._parts[self._part], self._places, cells, widths)
        replaced = {self._part: sheet}
        if self._styles:
            replaced[self._styles] = stylesheet.write()
        return repack(self._content, replaced)

    def check(self) -> None:
        """Fill every row with a sample and compare: nothing but the cells of the targets may differ.

        Raises:
            UsageError: something else would be changed.
        """
        sample = Reply('Sample <&> "answer"', "Line 1\nLine 2", "0.5")
        try:
            filled = self.fill(dict.fromkeys(self.rows, sample))
            expected = {(row, target.column) for row in self.rows for target in self._targets}
            expected |= {(self._header, target.column) for target in self._targets if target.title}
            changed = find_change(self._content, filled, self._title, expected)
        except WORKBOOK_FAULTS as error:
            raise self._refuse(" ".join(str(error).split()) or type(error).__name__) from error
        if changed:
            raise self._refuse(f"filling it would change {changed}")

    def _open(self) -> None:
        sheet = read_workbook(self._content, str(self._path), BatchLimits())
        header, *records = sheet.records
        self._title, self._header, self._titles = sheet.title, header.line, header.cells
        self._question = find_sheet_columns(header.cells)["question"] + 1
        self.rows = tuple(
            record.line
            for record in records
            if not record.is_heading and len(record.cells) >= self._question and record.cells[self._question - 1]
        )
        with zipfile.ZipFile(io.BytesIO(self._content)) as packed:
            names = packed.namelist()
            if len(set(names)) < len(names):
                raise self._refuse("two of its parts have the same name")
            for start, words in _BREAKS:
                if any(name.startswith(start) for name in names):
                    raise self._refuse(words)
            self._part = find_sheet_part(packed, sheet.title)
            book = find_related(packed, "", "/officeDocument")[0]
            self._styles = next((name for name in find_related(packed, book, STYLES) if name in names), "")
            self._parts = {name: packed.read(name) for name in (self._part, self._styles) if name}
            drawn = [packed.read(name) for name in find_related(packed, self._part, _DRAWING)]
        self._places: SheetPlaces = locate_cells(self._parts[self._part], (self._header, *self.rows))
        # nothing is written below a chart, where nobody would see it
        self._covered = {column for part in drawn for column in _list_covered(part)}

    def _choose_targets(self) -> tuple[_Target, ...]:
        """Empty columns that are called so, and new ones to the right of the table for the others."""
        known = find_reply_columns(self._titles)
        named = (known.get("answer"), known.get("evidence", known.get("comments")), known.get("confidence"))
        asked = set(find_sheet_columns(self._titles).values())
        free = [
            place + 1 if place is not None and place not in asked and self._is_free(place + 1) else 0 for place in named
        ]
        taken = {squeeze_title(title) for title in self._titles}
        targets, last = [], self._find_last_column()
        for column, title in zip(free, TITLES, strict=True):
            if column:
                targets.append(_Target(column, ""))
                continue
            last = next(number for number in range(last + 1, _MAX_COLUMN + 4) if number not in self._covered)
            targets.append(_Target(last, f"{title} (pdfdocket)" if squeeze_title(title) in taken else title))
        if last > _MAX_COLUMN:
            raise self._refuse("there is no column left to the right of its table")
        return tuple(targets)

    def _is_free(self, column: int) -> bool:
        """Whether no row of a question has anything in a column, nor shares a cell there or says what may be in it."""
        areas = (*self._places.areas, *self._places.checked)
        return not any(
            any(cell.column == column and cell.has_content for cell in self._places.rows[row].cells)
            or any(area.has_cell(row, column) for area in areas)
            for row in self.rows
        )

    def _find_last_column(self) -> int:
        rows = [self._places.rows[row] for row in (self._header, *self.rows)]
        used = [cell.column for row in rows for cell in row.cells if cell.has_content]
        merged = [area.right for area in self._places.areas for row in rows if area.top <= row.number <= area.bottom]
        return max(*used, *merged)

    def _find_header_style(self) -> str:
        return [cell.style for cell in self._places.rows[self._header].cells if cell.has_content][-1]

    def _make_cell(self, row: int, target: _Target, text: str, stylesheet: Stylesheet) -> NewCell:
        styles = {cell.column: cell.style for cell in self._places.rows[row].cells}
        # a form has its own look; only the text is wrapped, so that all of it can be read
        usual = styles.get(self._question, "") if target.title else ""
        style = stylesheet.wrap(styles.get(target.column, usual))
        is_number = target is self._targets[-1] and is_exact_number(text)
        return NewCell(text if is_number else fit_cell(text), style, is_number)

    def _refuse(self, words: str) -> UsageError:
        return UsageError(f"{self._path}: cannot be filled: {words}", "leave out --fill, or save it in another way")


def _list_covered(drawing: bytes) -> Iterator[int]:
    """Columns that charts and pictures of a sheet lie over."""
    left = 1
    for match in _ANCHOR.finditer(drawing):
        column = int(match[2]) + 1
        if match[1] == b"from":
            left = column
            yield column
        else:
            yield from range(left, min(column, _MAX_COLUMN) + 1)


def prepare_fill(inputs: Inputs) -> Output:
    """Check a questionnaire before any question is asked; the output fills it.

    Raises:
        UsageError: the questions are in no workbook, or it cannot be filled without a loss.
    """
    target = inputs.out / _name_filled(inputs.questions)
    if target.exists():
        if target.samefile(inputs.questions):
            words = f"{target}: --fill would overwrite the questionnaire"
            raise UsageError(words, "give another folder to --out")
        if not (inputs.out / JOURNAL_NAME).exists():
            raise UsageError(f"{target}: there is a file of that name already", "give another folder to --out")
    try:
        content = inputs.questions.read_bytes()
    except OSError as error:
        words = f"{inputs.questions}: cannot be read: {error.strerror}"
        raise UsageError(words, "give a file of questions") from error
    if not content.startswith(b"PK"):
        raise UsageError(f"{inputs.questions}: --fill goes with a workbook", "give a questionnaire in XLSX")
    form = Form(inputs.questions, content)
    form.check()

    def fill(_: Matrix, walk_rows: Callable[[], Iterable[ResultRow]], observe: Observer) -> dict[str, object]:
        replies = {row: reply for row, reply in collect_replies(walk_rows()).items() if row in set(form.rows)}
        replace_file(target, (form.fill(replies),), "filled questionnaire")
        observe("filled", {"file": target.name, "rows": len(replies)})
        return {"filled_file": target.name, "filled_count": len(replies)}

    return fill


def _name_filled(questions: Path) -> str:
    name = questions.name
    # the results of the batch have that name
    return f"{questions.stem}-filled{questions.suffix}" if name.casefold() == XLSX_NAME else name
