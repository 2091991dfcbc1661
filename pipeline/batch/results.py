"""The files of a batch: JSONL, CSV and XLSX, the same bytes each time, in the order of the input."""

from __future__ import annotations

import csv
import io
import os
import re
import shutil
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from pipeline.audit.writing import replace_file, sync_folder
from pipeline.batch.cells import fit_cell, is_exact_number, neutralise_cell
from pipeline.canonical import encode_model
from pipeline.errors import RecordError
from pipeline.text.urls import is_url

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet

    from pipeline.models.batch import LeftOut, ResultRow

JSONL_NAME, CSV_NAME, XLSX_NAME = "results.jsonl", "results.csv", "results.xlsx"
LEFT_OUT_NAME = "left_out.jsonl"
_DRAFTS = ".drafts"
_DRAFTED = (JSONL_NAME, CSV_NAME, "report.html", LEFT_OUT_NAME, "ceilings.json")
# a workbook says when it was made; this one does not
_CREATED = datetime(2000, 1, 1, tzinfo=UTC)
# each costs a kilobyte of memory until the workbook is closed
_MAX_LINKS = 5000
# the usual height of a line, and as many of them as a row can have (409 points)
_LINE_POINTS, _MAX_LINES = 15, 27
_LAST_NARROW = "\u2e7f"


class Column(NamedTuple):
    """A column of the tables: its title, its width in characters, and what of a row stands in it."""

    title: str
    width: int
    read: Callable[[ResultRow], str]


COLUMNS = (
    Column("id", 12, lambda row: row.id),
    Column("question", 40, lambda row: row.question),
    Column("document", 24, lambda row: row.document),
    Column("status", 11, lambda row: row.status.replace("_", " ")),
    Column("answer", 60, lambda row: spell_answer(row)),
    Column("page", 8, lambda row: ", ".join(map(str, row.pages))),
    Column("quote", 60, lambda row: _join_quotes(row)),
    Column("confidence", 11, lambda row: spell_share(row)),
    Column("stop reason", 16, lambda row: (row.stop_reason or "").replace("_", " ")),
    Column("reason", 40, lambda row: row.reason or row.clarification or row.absence_reason),
    Column("link", 28, lambda row: row.link),
    Column("complete", 10, lambda row: _spell_fact(row.complete if row.status == "answered" else None)),
    Column("caveats", 40, lambda row: "\n".join(row.caveats)),
    Column("expected", 24, lambda row: row.expected),
    Column("expected seen", 10, lambda row: _spell_fact(row.is_expected_seen)),
    Column("tags", 14, lambda row: ", ".join(row.tags)),
    Column("line", 6, lambda row: str(row.line)),
    Column("run", 18, lambda row: row.run_id),
)
_NUMERIC = frozenset(("answer", "page", "confidence", "line"))


def write_results(
    out: Path, rows: Callable[[], Iterable[ResultRow]], lines: Callable[[], Iterable[bytes]] | None = None
) -> tuple[Path, ...]:
    """Write the three files, each whole or not at all; `rows` gives all rows, `lines` the same as canonical JSON.

    Raises:
        RecordError: a file cannot be written, for instance because the disk is full.
    """
    encoded = lines() if lines is not None else map(encode_model, rows())
    replace_file(out / JSONL_NAME, (line + b"\n" for line in encoded))
    _replace_tables(out, rows())
    return (out / JSONL_NAME, out / CSV_NAME, out / XLSX_NAME)


def write_left_out(out: Path, left_out: tuple[LeftOut, ...]) -> None:
    """Write which documents filters left out, one object a line; no file where nothing was.

    Raises:
        RecordError: the file cannot be written.
    """
    if left_out:
        replace_file(out / LEFT_OUT_NAME, (encode_model(each) + b"\n" for each in left_out))
    else:
        (out / LEFT_OUT_NAME).unlink(missing_ok=True)


def remove_drafts(out: Path) -> None:
    """Remove what an earlier call was writing when it was killed."""
    shutil.rmtree(out / _DRAFTS, ignore_errors=True)
    for name in _DRAFTED:
        for draft in sorted(out.glob(f".{name}.*.tmp")):
            draft.unlink(missing_ok=True)


def _encode_record(cells: list[str]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerow(cells)
    return text.getvalue().encode()


def _replace_tables(out: Path, rows: Iterable[ResultRow]) -> None:
    """Write both tables in one pass, since reading a row takes longer than writing it."""
    drafts = out / _DRAFTS
    try:
        drafts.mkdir(exist_ok=True)
        try:
            draft = drafts / XLSX_NAME
            workbook = _Workbook(draft)
            replace_file(out / CSV_NAME, _write_both(rows, workbook))
            workbook.close()
            with draft.open("rb") as file:
                os.fsync(file.fileno())
            draft.replace(out / XLSX_NAME)
        finally:
            remove_drafts(out)
        sync_folder(out)
    except OSError as error:
        words = f"{out / XLSX_NAME}: cannot be written: {error.strerror or error}"
        raise RecordError(words, "free some space, then go on with --resume") from error


def _write_both(rows: Iterable[ResultRow], workbook: _Workbook) -> Iterator[bytes]:
    """The records of the CSV, each of which goes into the workbook on its way."""
    # the mark at the beginning tells Excel that it is UTF-8
    yield "\ufeff".encode()
    yield _encode_record([column.title for column in COLUMNS])
    for row in rows:
        cells = [column.read(row) for column in COLUMNS]
        workbook.add(cells)
        yield _encode_record([neutralise_cell(cell) for cell in cells])


class _Workbook:
    """The results as a sheet, row by row."""

    def __init__(self, path: Path) -> None:
        import xlsxwriter

        # rows go to the disk one by one, into a folder of our own; nothing is guessed from what a text looks like
        options = {"constant_memory": True, "tmpdir": str(path.parent)}
        options |= {f"strings_to_{kind}": False for kind in ("formulas", "urls", "numbers")}
        self._book = xlsxwriter.Workbook(str(path), options)
        self._book.set_properties({"created": _CREATED})
        self._sheet = self._book.add_worksheet("Results")
        self._text = self._book.add_format({"text_wrap": True, "valign": "top"})
        self._count = 0
        head = self._book.add_format({"bold": True, "valign": "top", "bg_color": "#D9E2EC", "bottom": 1})
        for place, column in enumerate(COLUMNS):
            self._sheet.set_column(place, place, column.width)
            self._sheet.write_string(0, place, column.title, head)

    def add(self, cells: list[str]) -> None:
        """Write one row."""
        self._count += 1
        # LibreOffice leaves every row at one line, and wrapped texts lie over one another
        lines = max(count_lines(cell, column.width) for column, cell in zip(COLUMNS, cells, strict=True))
        self._sheet.set_row(self._count, _LINE_POINTS * min(lines, _MAX_LINES))
        for place, (column, cell) in enumerate(zip(COLUMNS, cells, strict=True)):
            _write_cell(self._sheet, (self._count, place), column, cell, self._text)

    def close(self) -> None:
        """Bring everything into the file. Raises OSError."""
        from xlsxwriter.exceptions import FileCreateError

        self._sheet.freeze_panes(1, 0)
        self._sheet.autofilter(0, 0, self._count, len(COLUMNS) - 1)
        try:
            self._book.close()
        except FileCreateError as error:
            raise OSError(str(error)) from error


def count_lines(text: str, width: int) -> int:
    """How many lines a text takes about in a column, at least one; characters of East Asia are twice as wide."""
    count = 0
    for line in text.split("\n"):
        size = len(line) if line.isascii() else sum(1 + (sign > _LAST_NARROW) for sign in line)
        count += max(1, -(-size // width))
    return count


def _write_cell(sheet: Worksheet, place: tuple[int, int], column: Column, value: str, style: Format) -> None:
    if column.title in _NUMERIC and is_exact_number(value):
        sheet.write_number(*place, float(value), style)
        return
    shown = fit_cell(value)
    is_link = column.title == "link" and "#page=" in value and shown == value and place[0] <= _MAX_LINKS
    # a relative path, so that the folder can be moved together with its documents; no program follows those of a store
    target = f"external:{value}" if not is_url(value) else value if value.startswith("http") else ""
    if is_link and target and sheet.write_url(*place, target, style, value) == 0:
        return
    if shown:
        sheet.write_string(*place, shown, style)
    else:
        sheet.write_blank(*place, None, style)


def spell_answer(row: ResultRow) -> str:
    """The answer with dots before its items: a spreadsheet would take a hyphen at the beginning for a formula."""
    lines = row.answer.splitlines()
    is_list = len(row.items) > 1 and len(lines) > 1 and lines[0].startswith("- ")
    return "\n".join(re.sub(r"^( *)- ", r"\1• ", line) for line in lines) if is_list else row.answer


def _join_quotes(row: ResultRow) -> str:
    quotes = (citation.quote for item in row.items for citation in item.citations)
    return "\n".join(dict.fromkeys(quotes))


def spell_share(row: ResultRow) -> str:
    """Confidence: thousandths as a decimal number; nothing where nothing was asked."""
    if row.status == "failed":
        return ""
    return f"{row.confidence // 1000}.{row.confidence % 1000:03}".rstrip("0").rstrip(".")


def _spell_fact(fact: bool | None) -> str:
    return "" if fact is None else ("yes" if fact else "no")
