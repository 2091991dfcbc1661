"""A batch from its questions to its files: what is there already is kept, the rest is asked, one writer writes."""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pipeline.audit.archive import ARCHIVE_NAME, archive_rulebook
from pipeline.audit.ledger import append_fields, find_head
from pipeline.audit.reading import read_ledger
from pipeline.audit.rotation import read_tail
from pipeline.batch.crew import LocalCrew
from pipeline.batch.dispatching import Work, dispatch_orders
from pipeline.batch.journal import Journal
from pipeline.batch.matrix import Inputs, Matrix, PlannedRow, build_matrix, describe_batch
from pipeline.batch.results import remove_drafts, write_results
from pipeline.batch.worker import Order, Outcome
from pipeline.canonical import hash_bytes
from pipeline.errors import BatchStopped, RecordError, UsageError
from pipeline.models.batch import BatchSummary, ResultRow
from pipeline.report.rows import describe_failure, describe_record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pipeline.batch.crew import Crew
    from pipeline.models.run import RunRecord

    Observer = Callable[[str, dict[str, object]], None]

JOURNAL_NAME, LEDGER_NAME, LOCK_NAME = "journal.jsonl", "ledger.jsonl", "batch.lock"
STATUSES = ("answered", "not_found", "asked_back", "failed")
# salts, commitments and sizes of the fields of a line
_LINE_MARGIN = 20_000


class Options(NamedTuple):
    """How a batch is run; `make_crew` gives the processes, those of this machine unless another engine is asked."""

    worker_count: int
    is_resumed: bool = False
    is_failed_retried: bool = False
    is_failing_fast: bool = False
    make_crew: Callable[..., Crew] = LocalCrew


def run_batch(inputs: Inputs, options: Options, observe: Observer) -> BatchSummary:
    """Ask all that was not asked yet and write the results; `observe` takes the events that docs/batch.md lists.

    Raises:
        UsageError: questions, documents or the folder of results cannot be used, or belong to another batch.
        RulebookError: the rules are invalid.
        RecordError: something cannot be written; what was, stays, and `is_resumed` goes on from there.
        BatchStopped: a row failed, and that was to be the end.
    """
    matrix = build_matrix(inputs)
    header = describe_batch(matrix)
    with _hold_folder(inputs.out):
        remove_drafts(inputs.out)
        journal = Journal(inputs.out / JOURNAL_NAME)
        try:
            _open_journal(journal, header, inputs.out, options)
            batch = _Batch(matrix, journal, options, observe)
            batch.recover()
            batch.ask()
            return batch.finish()
        finally:
            journal.close()


@contextmanager
def _hold_folder(out: Path) -> Iterator[None]:
    """Keep a second batch out of a folder. The lock ends with this process and is not inherited by others."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        handle = os.open(out / LOCK_NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise UsageError(f"{out}: cannot be written to: {error.strerror}", "give another folder to --out") from error
    try:
        fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError as error:
        raise UsageError(f"{out}: another batch is writing into it", "wait for it, or give another --out") from error
    finally:
        os.close(handle)


def _open_journal(journal: Journal, header: dict[str, str], out: Path, options: Options) -> None:
    if not journal.header:
        ledger = out / LEDGER_NAME
        journal.begin(header, find_head(ledger, read_tail(ledger)).number)
        return
    if not (options.is_resumed or options.is_failed_retried):
        raise UsageError(f"{out}: there is a batch in it", "go on with --resume, or give another folder to --out")
    changed = [name for name in header if journal.header.get(name) != header[name]]
    if changed:
        words = f"{out}: the batch in it is another one, it differs in: {', '.join(changed)}"
        raise UsageError(words, "give another folder to --out")


class _Batch:
    """A batch while it runs."""

    def __init__(self, matrix: Matrix, journal: Journal, options: Options, observe: Observer) -> None:
        self._matrix = matrix
        self._journal = journal
        self._options = options
        self._observe = observe
        self._ledger = matrix.inputs.out / LEDGER_NAME
        self._asked_count = self._kept_count = 0
        self._counts = dict.fromkeys(STATUSES, 0)
        self._check_documents()

    def recover(self) -> None:
        """Take over a run that stands in the ledger and not in the journal: the crash came between the two."""
        last = self._journal.ledger_number
        if find_head(self._ledger, read_tail(self._ledger)).number <= last:
            return
        waiting = [row for row in self._matrix.rows if self._is_open(row)]
        for line in read_ledger(self._ledger):
            if line.number <= last or line.record is None:
                continue
            record = line.record
            row = next((row for row in waiting if self._is_of(record, row)), None)
            if row is not None:
                waiting.remove(row)
                self._journal.add(describe_record(self._matrix.frame(row), record), line.number)

    def ask(self) -> None:
        """Ask what is open."""
        closed = [row for row in self._matrix.rows if not self._is_open(row)]
        for row in closed:
            self._counts["failed" if row.fault else self._journal.entries[row.number].status] += 1
        waiting = [(row.number, row.document) for row in self._matrix.rows if self._is_open(row)]
        self._kept_count = sum(1 for row in closed if not row.fault)
        counts = {"rows": len(self._matrix.rows), "kept": len(closed), "open": len(waiting), **self._counts}
        self._observe("started", {**counts, "torn_bytes": self._journal.torn_bytes})
        if self._options.is_failing_fast:
            self._refuse_faults()
        if not waiting:
            return
        # more processes than rows would only be started
        count = min(self._options.worker_count, len(waiting))
        crew = self._options.make_crew(self._matrix.inputs.settings, count)
        try:
            work = Work(waiting, lambda number: build_order(self._matrix, number))
            dispatch_orders(work, crew, self._take, lambda: self._observe("tick", {}))
        finally:
            crew.close()

    def finish(self) -> BatchSummary:
        """Write the files and say what the batch came to."""
        write_results(self._matrix.inputs.out, self._walk_rows)
        counts = {f"{status}_count": count for status, count in self._counts.items()}
        summary = BatchSummary(
            row_count=len(self._matrix.rows),
            asked_count=self._asked_count,
            kept_count=self._kept_count,
            document_count=len(self._matrix.documents),
            question_count=len({row.question for row in self._matrix.rows}),
            torn_bytes=self._journal.torn_bytes,
            **counts,
        )
        self._observe("finished", summary.model_dump(mode="json"))
        return summary

    def _walk_rows(self) -> Iterator[ResultRow]:
        for row in self._matrix.rows:
            yield self._describe_fault(row) if row.fault else self._journal.read(row.number)

    def _describe_fault(self, row: PlannedRow) -> ResultRow:
        return describe_failure(self._matrix.frame(row), "input", row.fault)

    def _is_open(self, row: PlannedRow) -> bool:
        entry = self._journal.entries.get(row.number)
        is_retried = self._options.is_failed_retried and entry is not None and entry.status == "failed"
        return not row.fault and (entry is None or is_retried)

    def _is_of(self, record: RunRecord, row: PlannedRow) -> bool:
        """Whether a run is that of a row: the same question of the same bytes at the same place."""
        asked, document = self._matrix.find_question(row), self._matrix.find_document(row)
        return (
            document is not None
            and record.body.document_sha256 == document.sha256
            and record.body.question_sha256 == hash_bytes(asked.question.encode())
            and record.volatile.document_path == os.fsencode(document.path).decode("utf-8", "backslashreplace")
        )

    def _check_documents(self) -> None:
        """Rows that were answered must be of the bytes that are there now; failed ones may be mended."""
        for row in self._matrix.rows:
            entry, document = self._journal.entries.get(row.number), self._matrix.find_document(row)
            if entry is None or document is None or entry.status == "failed":
                continue
            if entry.document_sha256 != document.sha256:
                words = f"{document.path}: it was changed since its questions were answered"
                raise UsageError(words, "put the old file back, or give another folder to --out")

    def _refuse_faults(self) -> None:
        for row in self._matrix.rows:
            if row.fault:
                raise BatchStopped(row.fault, "mend the row, or leave out --fail-fast")

    def _take(self, outcome: Outcome) -> None:
        """The one writer: the record goes into the ledger first, then the row into the journal."""
        row = outcome.row
        if row is None:
            raise RecordError(f"row {outcome.number} came back without a result", "ask again with --resume")
        number = None
        planned = self._matrix.find_row(outcome.number)
        settings = self._matrix.find_settings(self._matrix.find_question(planned))
        if outcome.fields is not None:
            limits = settings.ledger_limits
            if sum(map(len, outcome.fields.values())) + _LINE_MARGIN > limits.max_record_bytes:
                words = f"its record is larger than the limit of {limits.max_record_bytes} bytes for a line"
                row = describe_failure(self._matrix.frame(planned), "record", words)
            else:
                archive = self._ledger.parent / ARCHIVE_NAME
                archive_rulebook(settings.rules_folder, archive, row.rulebook_revision)
                number = append_fields(outcome.fields, self._ledger, limits).number
        self._journal.add(row, number)
        self._asked_count += 1
        self._counts[row.status] += 1
        told = {"row": row.number, "id": row.id, "document": row.document, "status": row.status, "reason": row.reason}
        self._observe("row", told)
        if self._options.is_failing_fast and row.status == "failed":
            words = f"row {row.number}, {row.id} of {row.document}: {row.reason}"
            raise BatchStopped(words, "mend it and go on with --retry-failed, or with --resume to leave it")


def build_order(matrix: Matrix, number: int, *, is_forecast: bool = False) -> Order:
    """The order for a row that has a document."""
    row = matrix.find_row(number)
    document = matrix.documents[row.document]
    asked = matrix.find_question(row)
    own = matrix.find_settings(asked).rules_folder
    rules = own if own != matrix.inputs.settings.rules_folder else None
    return Order(matrix.frame(row), document.path, rules, is_forecast)
