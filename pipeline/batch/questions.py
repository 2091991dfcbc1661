"""Reading questions: CSV, XLSX, JSONL or a line each; a row that cannot be asked is kept and says why."""

from __future__ import annotations

import codecs
import json
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.batch.columns import (
    find_column,
    find_columns,
    find_sheet_columns,
    split_filters,
    split_names,
    split_tags,
    strip_cell,
)
from pipeline.batch.decoding import DELIMITERS, Record, decode_text, is_binary, read_records, split_lines
from pipeline.batch.workbooks import read_workbook
from pipeline.canonical import hash_bytes
from pipeline.errors import UsageError
from pipeline.models.batch import BatchLimits, BatchQuestion, QuestionList
from pipeline.text.surrogates import escape_surrogates

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pipeline.models.batch import QuestionFormat

_SUFFIXES: Mapping[str, QuestionFormat] = {
    ".csv": "csv", ".tsv": "csv", ".tab": "csv", ".xlsx": "xlsx", ".xlsm": "xlsx", ".jsonl": "jsonl",
    ".ndjson": "jsonl", ".json": "jsonl", ".txt": "text", ".md": "text", ".text": "text",
}  # fmt: skip
_HEAD = 1024
_ZIP = b"PK\x03\x04"
_OLD_OFFICE = b"\xd0\xcf\x11\xe0"
_OTHERS = (
    (b"%pdf-", "a PDF"), (b"{\\rtf", "a text with formats (RTF)"),
    (b"<!doctype", "a page of the web"), (b"<html", "a page of the web"),
)  # fmt: skip


def read_questions(path: Path, limits: BatchLimits | None = None) -> QuestionList:
    """The questions of a file in their order, with what it was taken for; empty rows are no rows.

    Raises:
        UsageError: the file cannot be read, has no column of questions or none at all, or is too large.
    """
    limits = limits or BatchLimits()
    content = _read_file(path, limits)
    kind = _find_format(path, content)
    known: dict[str, object] = {"name": path.name, "sha256": hash_bytes(content), "format": kind}
    if kind == "xlsx":
        sheet = read_workbook(content, str(path), limits)
        found = _read_sheet(sheet.records)
        known |= {"sheet": sheet.title, "unread_sheets": sheet.unread}
        known["heading_lines"] = tuple(record.line for record in sheet.records if record.is_heading)
        used = find_sheet_columns(sheet.records[0].cells).values()
        titles = [title for place, title in enumerate(sheet.records[0].cells) if place not in used]
        known["ignored_columns"] = _list_ignored(titles)
    else:
        text, known["encoding"] = decode_text(content)
        lines = split_lines(text)
        if kind == "csv":
            known["delimiter"] = delimiter = _find_delimiter(lines, path)
            records = [record for record in read_records(lines, delimiter) if record.fault or any(record.cells)]
            found = _read_table(records)
            known["ignored_columns"] = _list_ignored(records[0].cells)
        elif kind == "jsonl":
            found = [_read_object(number, line) for number, line in enumerate(lines, 1) if strip_cell(line)]
        else:
            found = [BatchQuestion(line=n, id="", question=strip_cell(line)) for n, line in enumerate(lines, 1)]
            found = [question for question in found if question.question]
    if not found:
        raise UsageError(f"{path}: there is no question in it", "write a question into each row")
    if len(found) > limits.max_questions:
        raise UsageError(f"{path}: more than {limits.max_questions} questions", "split the file")
    return QuestionList.model_validate({**known, "questions": _complete(found, limits)})


def _read_file(path: Path, limits: BatchLimits) -> bytes:
    try:
        if path.exists() and not path.is_file():
            raise UsageError(f"{path}: not a regular file", "give a file of questions")
        if path.stat().st_size > limits.max_file_bytes:
            raise UsageError(f"{path}: more than {limits.max_file_bytes} bytes", "split the file")
        return path.read_bytes()
    except (OSError, ValueError) as error:
        words = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"{path}: cannot be read: {words}", "give a file of questions") from error


def _find_format(path: Path, content: bytes) -> QuestionFormat:
    """By what it holds where that is plain, else by its name, else by its first line."""
    if content.startswith(_ZIP):
        return "xlsx"
    if content.startswith(_OLD_OFFICE):
        raise UsageError(f"{path}: an old Office document or an encrypted one", "save it as XLSX without a password")
    # its lines would be asked, thousands of them, without a word
    head = content[:_HEAD].removeprefix(codecs.BOM_UTF8).lstrip().lower()
    other = next((words for start, words in _OTHERS if head.startswith(start)), "")
    if other or is_binary(content):
        words = f"{path}: {other or 'no text'}, and no file of questions"
        raise UsageError(words, "give CSV, XLSX, JSONL or a question a line")
    named = _SUFFIXES.get(path.suffix.casefold())
    if named == "xlsx":
        raise UsageError(f"{path}: not a workbook", "save it as XLSX")
    if named is not None:
        return named
    lines = [line for line in split_lines(decode_text(content)[0]) if strip_cell(line)]
    if lines and strip_cell(lines[0]).startswith("{"):
        return "jsonl"
    return "csv" if lines and any("question" in found for found in _try_delimiters(lines).values()) else "text"


def _try_delimiters(lines: list[str]) -> dict[str, dict[str, int]]:
    heads = {delimiter: next(iter(read_records(lines, delimiter)), Record(1, ())) for delimiter in DELIMITERS}
    return {delimiter: find_columns(head.cells) for delimiter, head in heads.items()}


def _find_delimiter(lines: list[str], path: Path) -> str:
    """The delimiter that gives the most known columns; the first line that is not empty names them."""
    lines = [line for line in lines if strip_cell(line)]
    if not lines:
        raise UsageError(f"{path}: there is no question in it", "write a question into each row")
    tried = _try_delimiters(lines)
    best = max(DELIMITERS, key=lambda delimiter: ("question" in tried[delimiter], len(tried[delimiter])))
    if "question" not in tried[best]:
        shown = escape_surrogates(lines[0][:80])
        words = f"{path}: the first line names no column question: {shown}"
        raise UsageError(words, "name the columns there, or call the file .txt when it has a question a line")
    return best


def _list_ignored(header: Iterable[str]) -> tuple[str, ...]:
    return tuple(
        escape_surrogates(strip_cell(title)) for title in header if strip_cell(title) and not find_column(title)
    )


def _read_table(records: list[Record]) -> list[BatchQuestion]:
    columns = find_columns(records[0].cells)
    width = len(records[0].cells)
    found = []
    for record in records[1:]:
        cells = tuple(map(strip_cell, record.cells))
        if not any(cells) and not record.fault:
            continue
        fault = record.fault
        if not fault and any(cells[width:]):
            # a question cut at a delimiter that nobody quoted would be another question
            fault = f"it has {len(cells)} cells where the header has {width}: a delimiter in a cell needs quotes"
        read = {name: cells[place] for name, place in columns.items() if place < len(cells)}
        found.append(_build(record.line, read, fault))
    return found


def _read_sheet(records: list[Record]) -> list[BatchQuestion]:
    """The rows of a sheet; what stands beside the table is no part of it, and ids may begin anew below a heading."""
    columns = find_sheet_columns(records[0].cells)
    titled = [place for place, title in enumerate(records[0].cells) if strip_cell(title)]
    found = []
    above: set[str] = set()
    here: set[str] = set()
    for record in records[1:]:
        if record.is_heading:
            above, here = above | here, set()
            continue
        cells = tuple(map(strip_cell, record.cells))
        if not any(cells[place] for place in titled if place < len(cells)):
            continue
        read = {name: cells[place] for name, place in columns.items() if place < len(cells)}
        name = read.get("id", "")
        if name in above and name not in here:
            read["id"] = f"{name} (row {record.line})"
        here.add(name)
        found.append(_build(record.line, read))
    return found


def _build(line: int, cells: Mapping[str, str], fault: str = "") -> BatchQuestion:
    return BatchQuestion(
        line=line,
        id=cells.get("id", ""),
        question=cells.get("question", ""),
        documents=split_names(cells.get("document", "")),
        expected=cells.get("expected", ""),
        rulebook=cells.get("rulebook", ""),
        tags=split_tags(cells.get("tags", "")),
        where=split_filters(cells.get("where", "")),
        fault=fault,
    )


def _read_object(number: int, line: str) -> BatchQuestion:
    """One line of JSONL: an object by the names of columns, or the question alone as a string."""
    try:
        value = json.loads(strip_cell(line))
    except (ValueError, RecursionError) as error:
        return _build(number, {}, f"not JSON: {' '.join(str(error).split())}")
    if isinstance(value, str):
        return _build(number, {"question": strip_cell(value)})
    if not isinstance(value, dict):
        return _build(number, {}, "neither a JSON object nor a string")
    cells: dict[str, str] = {}
    for title, content in value.items():
        column = find_column(title)
        if not column or column in cells:
            continue
        if isinstance(content, list) and column in ("document", "tags", "expected", "where"):
            content = "\n".join(map(str, content))
        if isinstance(content, (dict, list)):
            return _build(number, cells, f"{escape_surrogates(title)} is neither text nor a number")
        cells[column] = "" if content is None else strip_cell(str(content))
    return _build(number, cells)


def _complete(found: list[BatchQuestion], limits: BatchLimits) -> tuple[BatchQuestion, ...]:
    """Every question with an id of its own and, where it cannot be asked, the reason."""
    lines: dict[str, int] = {question.id: question.line for question in reversed(found) if question.id}
    finished = []
    for number, question in enumerate(found, 1):
        fault = question.fault or _find_fault(question, limits)
        if not fault and lines.get(question.id, question.line) != question.line:
            fault = f"the id {escape_surrogates(question.id)} stands in line {lines[question.id]} already"
        name = question.id
        if not name:
            name = f"q{number}"
            while name in lines:
                name += "+"
        kept = _clean(question, limits) if fault else question
        finished.append(
            kept.model_copy(update={"id": escape_surrogates(name)[: limits.max_cell_characters], "fault": fault})
        )
    return tuple(finished)


def _find_fault(question: BatchQuestion, limits: BatchLimits) -> str:
    if not question.question:
        return "there is no question in the row"
    lists = (*question.documents, *question.tags, *question.where)
    texts = (question.id, question.question, question.expected, question.rulebook, *lists)
    if sum(map(len, texts)) > limits.max_cell_characters:
        return f"it has more than {limits.max_cell_characters} characters"
    if any(text != escape_surrogates(text) for text in texts):
        return "it holds bytes that are no text in the encoding of the file"
    return ""


def _clean(question: BatchQuestion, limits: BatchLimits) -> BatchQuestion:
    """A row that fails anyhow, in a form that can be written."""
    size = limits.max_cell_characters
    return question.model_copy(
        update={
            "question": escape_surrogates(question.question)[:size],
            "expected": escape_surrogates(question.expected)[:size],
            "documents": tuple(escape_surrogates(name)[:size] for name in question.documents[:20]),
            "tags": tuple(escape_surrogates(tag)[:size] for tag in question.tags[:20]),
            "where": tuple(escape_surrogates(text)[:size] for text in question.where[:20]),
        }
    )
