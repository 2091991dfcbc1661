"""What a report is made of: a run, a ledger, or the results of a batch, read one entry at a time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

from pydantic import ValidationError

from pipeline.audit.layout import RECORD, LineFault
from pipeline.audit.lines import LINE_START
from pipeline.audit.record import load_record
from pipeline.audit.rotation import list_full_segments
from pipeline.audit.verify import read_record
from pipeline.canonical import encode_json
from pipeline.errors import RecordError, UsageError
from pipeline.models.answer import Answer
from pipeline.models.batch import BatchLimits, BatchQuestion, ResultRow
from pipeline.report.entries import Entry
from pipeline.report.ledgers import index_runs, read_line, walk_places
from pipeline.report.rows import Frame, describe_failure, describe_record, describe_remains, find_difference
from pipeline.run.documents import DocumentFinder
from pipeline.text.surrogates import escape_surrogates
from pipeline.text.urls import is_url

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.audit.lines import Line
    from pipeline.models.run import RunRecord

RESULTS_NAME, LEDGER_NAME = "results.jsonl", "ledger.jsonl"
_REMEDY = "give a run record, a ledger, results.jsonl of a batch, or the folder of a batch"
# no row of results is longer, and a file without line ends is none
_MAX_ROW_BYTES = BatchLimits().max_file_bytes


def read_entries(source: Path, documents: Path | None = None, record_count: int | None = None) -> Iterator[Entry]:
    """The entries of a record, a ledger, a results.jsonl (its ledger lies beside it) or a folder of results, in order.

    Entries are read when they are asked for, so memory does not grow with their number. A document is looked for where
    its record says, where its row leads to, and below `documents` by its hash. With a `record_count` only so many of
    the first results come with their records, for whoever counts the others only.

    Raises:
        UsageError: the source is none of these, which is said by this call and not by the first entry.
        RecordError: a record or a line of the ledger was changed; of a ledger, when its turn comes.
    """
    if documents is not None and not documents.is_dir():
        raise UsageError(f"{documents}: no such folder", "name the folder that holds the documents")
    place = find_source(source)
    files = _Documents(place, documents)
    if _begins_ledger(place):
        return _walk_ledger(place, files)
    if _begins_results(place):
        return _walk_results(place, files, record_count)
    record = _load_run(place)
    return iter((_describe_run(record, files, ""),))


def find_source(source: Path) -> Path:
    """The file that a source means: of a folder its results, or else its ledger.

    Raises:
        UsageError: there is none.
    """
    if not source.is_dir():
        if source.is_file() or list_full_segments(source):
            return source
        raise UsageError(f"{source}: no such file", _REMEDY)
    for name in (RESULTS_NAME, LEDGER_NAME):
        if (source / name).is_file() or list_full_segments(source / name):
            return source / name
    raise UsageError(f"{source}: neither {RESULTS_NAME} nor {LEDGER_NAME} is in it", _REMEDY)


class _Documents:
    """Where documents are now, each looked for once, and why one is not there."""

    def __init__(self, source: Path, folder: Path | None) -> None:
        self._source = source
        self._finder = DocumentFinder(folder, source)
        self._found: dict[tuple[str, str, str], tuple[Path | None, str]] = {}

    def find(self, sha256: str, recorded: str, link: str = "") -> tuple[Path | None, str]:
        """A document by its hash, the path in its record and the link in its row; a note where it is not there."""
        # where a copy of the same bytes is does not matter, but every entry names its own
        key = (sha256, recorded, link.partition("#")[0])
        if key not in self._found:
            self._found[key] = self._look(*key)
        return self._found[key]

    def _look(self, sha256: str, recorded: str, link: str) -> tuple[Path | None, str]:
        if not sha256:
            return None, "it is not known which document this was"
        # a link is relative to the folder of the results
        led = str(self._source.parent / unquote(link)) if link else ""
        for named in filter(None, (recorded, led)):
            if (path := self._finder.find(sha256, named)) is not None:
                return path, ""
        if is_url(recorded):
            return None, "the document was read from a URL; name a folder with a copy of it with --docs"
        if any(self._finder.is_changed(sha256, named) for named in (recorded, led) if named):
            return None, "the file was changed since the question was answered"
        return self._find_unnamed(sha256, bool(recorded or led))

    def _find_unnamed(self, sha256: str, is_named: bool) -> tuple[Path | None, str]:
        path = None if is_named else self._finder.find(sha256, "")
        return path, "" if path else "the file is not where it was; name its folder with --docs"


class _Run(NamedTuple):
    """What is there of a run: its record, what can still be read of a blinded one, or why there is neither."""

    record: RunRecord | None
    remains: dict[str, Any]
    note: str


def _begins_ledger(path: Path) -> bool:
    if not path.is_file():
        # right after a rotation there are full segments only
        return True
    head = _read_head(path, len(LINE_START))
    return head == LINE_START or (not head and path.suffix == ".jsonl" and path.stem == "ledger")


def _begins_results(path: Path) -> bool:
    head = _read_head(path, _MAX_ROW_BYTES)
    # a batch always has rows, and an empty file of that name comes from one all the same
    if not head:
        return path.name == RESULTS_NAME
    try:
        ResultRow.model_validate_json(head)
    except ValidationError:
        return False
    return True


def _read_head(path: Path, size: int) -> bytes:
    """The first line of a file, or as much of it."""
    try:
        with path.open("rb") as file:
            return file.readline(size)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}", _REMEDY) from error


def _load_run(path: Path) -> RunRecord:
    try:
        return load_record(path)
    except RecordError as error:
        # a record that was changed is named as such, anything else is no source at all
        if "not a run record" in error.message:
            raise UsageError(f"{path}: not a run, a ledger or results", _REMEDY) from error
        raise


def _walk_ledger(path: Path, files: _Documents) -> Iterator[Entry]:
    count = 0
    for place, line in walk_places(path):
        if line is not None and line.kind != RECORD:
            continue
        count += 1
        name = f"line {place.number}"
        if line is None:
            words = f"the last line of the ledger is torn: {place.size} bytes without a line end"
            yield Entry(describe_failure(_frame(count, name, place.number), "record", words), None, None)
            continue
        run = _open_run(line)
        if run.record is not None:
            yield _describe_run(run.record, files, name, (count, place.number))
        else:
            yield _describe_remains(run, files, _frame(count, name, place.number))


def _walk_results(path: Path, files: _Documents, record_count: int | None) -> Iterator[Entry]:
    ledger = path.with_name(LEDGER_NAME)
    has_ledger = ledger.is_file() or bool(list_full_segments(ledger))
    places = index_runs(ledger) if has_ledger else {}
    lost = "it is not in the ledger" if has_ledger else f"{LEDGER_NAME} does not lie beside the results"
    with path.open("rb") as file:
        for number, content in enumerate(iter(lambda: file.readline(_MAX_ROW_BYTES), b""), 1):
            try:
                row = ResultRow.model_validate_json(content)
            except ValidationError as error:
                first = error.errors(include_url=False, include_input=False)[0]["msg"]
                raise UsageError(
                    f"{path}, line {number}: not a row of results: {first}", "run the batch again"
                ) from error
            if row.status == "failed":
                yield Entry(row, None, None)
                continue
            if record_count is not None and number > record_count:
                yield Entry(row, None, None)
                continue
            place = places.get(row.run_id.encode())
            run = _open_run(read_line(place)) if place else _Run(None, {}, lost)
            recorded = run.record.volatile.document_path if run.record else ""
            if run.record and (name := find_difference(row, run.record)):
                words = f"{path}, line {number}: its {name} is not that of its run: the results were changed"
                raise RecordError(words, "go on with batch --resume, which writes them anew")
            document, note = files.find(row.document_sha256, recorded, row.link)
            yield Entry(row, run.record, document, run.note, note)


def _open_run(line: Line) -> _Run:
    try:
        record = read_record(line)
    except LineFault as fault:
        return _Run(None, {}, fault.detail)
    if record is not None:
        return _Run(record, {}, "")
    names = [name for name in line.redacted if name.startswith(("body.", "volatile."))]
    return _Run(None, json.loads(line.payload), f"it was redacted: {', '.join(names)}")


def _frame(number: int, name: str, line: int) -> Frame:
    asked = BatchQuestion(line=line, id=name, question="")
    return Frame(number, asked, "", "", "")


def _describe_run(record: RunRecord, files: _Documents, name: str, numbers: tuple[int, int] = (1, 1)) -> Entry:
    body, recorded = record.body, record.volatile.document_path
    asked = BatchQuestion(line=numbers[1], id=name or record.run_id[:8], question=escape_surrogates(body.question.text))
    document, note = files.find(body.document_sha256, recorded)
    frame = Frame(numbers[0], asked, _name_document(recorded, body.document_sha256), body.document_sha256, "")
    return Entry(describe_record(frame, record), record, document, "", note)


def _describe_remains(run: _Run, files: _Documents, frame: Frame) -> Entry:
    """What a redaction left: the answer with its citations, if that is there, and the question, if that is."""
    body = run.remains.get("body") or {}
    sha256 = str(body.get("document_sha256") or "")
    recorded = str((run.remains.get("volatile") or {}).get("document_path") or "")
    question = str((body.get("question") or {}).get("text") or "")
    asked = frame.asked.model_copy(update={"question": escape_surrogates(question)})
    frame = frame._replace(asked=asked, document=_name_document(recorded, sha256), document_sha256=sha256)
    try:
        answer = Answer.model_validate_json(encode_json(body["answer"]))
    except (KeyError, ValidationError):
        return Entry(describe_failure(frame, "record", f"the answer cannot be shown: {run.note}"), None, None, run.note)
    document, note = files.find(sha256, recorded)
    return Entry(describe_remains(frame, answer), None, document, run.note, note)


def _name_document(recorded: str, sha256: str) -> str:
    name = recorded.replace("\\", "/").rpartition("/")[2]
    return name or f"document {sha256[:12]}".strip()
