"""A batch from its questions to its files: what is there already is kept, the rest is asked, one writer writes."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from pipeline.audit.archive import ARCHIVE_NAME, archive_rulebook
from pipeline.audit.ledger import append_fields, find_head
from pipeline.audit.reading import read_ledger
from pipeline.audit.rotation import read_tail
from pipeline.batch.ceilings import (
    Reservation,
    add_spending,
    check_spending,
    describe_refusal,
    find_breach,
    refuse_rows,
    settle_ceilings,
    sum_spending,
)
from pipeline.batch.crew import LocalCrew
from pipeline.batch.dispatching import Work
from pipeline.batch.finishing import write_outputs
from pipeline.batch.journal import Journal
from pipeline.batch.matrix import Inputs, Matrix, PlannedRow, build_matrix, describe_batch
from pipeline.batch.opening import JOURNAL_NAME, LEDGER_NAME, hold_folder, open_journal
from pipeline.batch.orders import build_order, run_orders
from pipeline.batch.results import remove_drafts, write_left_out, write_results
from pipeline.batch.screening import screen_matrix
from pipeline.batch.worker import Outcome
from pipeline.canonical import encode_model, hash_bytes
from pipeline.errors import BatchStopped, RecordError, UsageError
from pipeline.models.batch import BatchSummary, Ceilings, ResultRow, Spending
from pipeline.report.rows import describe_failure, describe_record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pipeline.batch.crew import Crew
    from pipeline.models.run import RunRecord
    from pipeline.models.settings import Settings

    Observer = Callable[[str, dict[str, object]], None]
    Output = Callable[[Matrix, Callable[[], Iterable[ResultRow]], Observer], dict[str, Any]]

STATUSES = ("answered", "not_found", "asked_back", "failed")
# salts, commitments and sizes of the fields of a line
_LINE_MARGIN = 20_000


class Options(NamedTuple):
    """How a batch is run; `make_crew` gives the processes, those of this machine unless another engine is asked.

    `ceilings` are those given for this call. `outputs` write more than the tables when all rows are there: each gets
    the matrix and what walks the rows, and gives fields of the summary.
    """

    worker_count: int
    is_resumed: bool = False
    is_failed_retried: bool = False
    is_failing_fast: bool = False
    make_crew: Callable[..., Crew] = LocalCrew
    ceilings: Ceilings = Ceilings()
    outputs: tuple[Output, ...] = ()

    def start_crew(self, settings: Settings, count: int) -> Crew:
        """Processes for some orders; more of them than orders would only be started."""
        return self.make_crew(settings, min(self.worker_count, count))


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
    with hold_folder(inputs.out):
        remove_drafts(inputs.out)
        journal = Journal(inputs.out / JOURNAL_NAME)
        try:
            is_resumed = options.is_resumed or options.is_failed_retried
            is_new = open_journal(journal, header, inputs.out, is_resumed=is_resumed)
            ceilings = settle_ceilings(inputs.out, options.ceilings, is_new=is_new)
            matrix = screen_matrix(matrix, lambda count: options.start_crew(inputs.settings, count), observe)
            batch = _Batch(matrix, journal, options._replace(ceilings=ceilings), observe)
            batch.recover()
            batch.ask()
            return batch.finish()
        finally:
            journal.close()


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
        self._spent = Spending()
        self._planned: dict[int, Spending] = {}
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
                told = describe_record(self._matrix.frame(row), record)
                self._journal.add(check_spending(told), line.number)

    def ask(self) -> None:
        """Ask what is open."""
        if self._options.is_failing_fast:
            self._refuse_faults()
        closed = [row for row in self._matrix.rows if not self._is_open(row)]
        for row in closed:
            self._counts["failed" if row.fault else self._journal.entries[row.number].status] += 1
        self._spent = sum_spending(self._journal.entries[row.number].spent for row in closed if not row.fault)
        waiting = [(row.number, row.document) for row in self._matrix.rows if self._is_open(row)]
        self._kept_count = sum(1 for row in closed if not row.fault)
        refused = self._plan(waiting) if waiting and self._options.ceilings != Ceilings() else []
        counts = {"rows": len(self._matrix.rows), "kept": len(closed), "open": len(waiting), **self._counts}
        self._observe("started", {**counts, "torn_bytes": self._journal.torn_bytes})
        for outcome in refused:
            self._take(outcome)
        settled = {outcome.number for outcome in refused}
        waiting = [pair for pair in waiting if pair[0] not in settled]
        if waiting:
            crew = self._options.start_crew(self._matrix.inputs.settings, len(waiting))
            work = Work(waiting, lambda number: build_order(self._matrix, number))
            run_orders(work, crew, self._take, self._observe)

    def _plan(self, waiting: list[tuple[int, int]]) -> list[Outcome]:
        """Plan all open rows; those come back that have no plan, or whose plan does not fit under the ceilings."""
        refused: list[Outcome] = []

        def take(outcome: Outcome) -> None:
            if outcome.forecast is not None:
                self._planned[outcome.number] = outcome.forecast.worst_case
            else:
                # what cannot be planned cannot be asked, for the same reason
                refused.append(outcome)
            self._observe("planned", {"row": outcome.number})

        self._observe("planning", {"rows": len(waiting)})
        crew = self._options.start_crew(self._matrix.inputs.settings, len(waiting))
        work = Work(waiting, lambda number: build_order(self._matrix, number, is_forecast=True))
        run_orders(work, crew, take, self._observe)
        for number, reason in refuse_rows(self._list_reservations(), self._options.ceilings).items():
            frame = self._matrix.frame(self._matrix.find_row(number))
            refused.append(Outcome(number, describe_refusal(frame, self._planned[number], reason)))
        return sorted(refused, key=lambda outcome: outcome.number)

    def _list_reservations(self) -> Iterator[Reservation]:
        """All rows with a plan; those that were refused before count as well, as they do in one go."""
        for row in self._matrix.rows:
            entry = self._journal.entries.get(row.number)
            if row.number in self._planned:
                yield Reservation(row.number, self._planned[row.number], "open")
            elif entry is not None and entry.worst_case is not None:
                yield Reservation(row.number, entry.worst_case, "refused" if entry.state == "ceiling" else "asked")

    def finish(self) -> BatchSummary:
        """Write the files and say what the batch came to."""
        write_results(self._matrix.inputs.out, self._walk_rows, self._walk_lines)
        write_left_out(self._matrix.inputs.out, self._matrix.left_out)
        counts: dict[str, Any] = {f"{status}_count": count for status, count in self._counts.items()}
        writes = [partial(output, self._matrix, self._walk_rows) for output in self._options.outputs]
        counts |= write_outputs(writes, self._options.worker_count, self._observe)
        summary = BatchSummary(
            row_count=len(self._matrix.rows),
            asked_count=self._asked_count,
            kept_count=self._kept_count,
            document_count=len(self._matrix.documents),
            question_count=len({row.question for row in self._matrix.rows}),
            torn_bytes=self._journal.torn_bytes,
            left_out_count=sum(each.row_count for each in self._matrix.left_out),
            left_out=self._matrix.left_out,
            unmatched_names=self._matrix.screen.table.unmatched,
            ignored_columns=self._matrix.listed.ignored_columns,
            heading_lines=self._matrix.listed.heading_lines,
            unread_sheets=self._matrix.listed.unread_sheets,
            ceilings=self._options.ceilings,
            **(counts | self._count_spending()),
        )
        self._observe("finished", summary.model_dump(mode="json"))
        return summary

    def _count_spending(self) -> dict[str, Any]:
        """What the runs took, and what their plans could have taken."""
        entries = [self._journal.entries[row.number] for row in self._matrix.rows if not row.fault]
        return {
            "ceiling_count": sum(entry.state == "ceiling" for entry in entries),
            "spent": sum_spending(entry.spent for entry in entries),
            "worst_case": sum_spending(
                entry.worst_case for entry in entries if entry.worst_case is not None and entry.state != "ceiling"
            ),
        }

    def _walk_rows(self) -> Iterator[ResultRow]:
        for row in self._matrix.rows:
            yield self._describe_fault(row) if row.fault else self._journal.read(row.number)

    def _walk_lines(self) -> Iterator[bytes]:
        for row in self._matrix.rows:
            yield encode_model(self._describe_fault(row)) if row.fault else self._journal.read_line(row.number)

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
            # a worker of a cluster was given the whole path
            and record.volatile.document_path in (document.place, os.path.abspath(document.place))
        )

    def _check_documents(self) -> None:
        """Rows that were answered must be of the bytes that are there now; failed ones may be mended."""
        for row in self._matrix.rows:
            entry, document = self._journal.entries.get(row.number), self._matrix.find_document(row)
            if entry is None or document is None or entry.status == "failed":
                continue
            if entry.document_sha256 != document.sha256:
                words = f"{document.place}: it was changed since its questions were answered"
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
        row = check_spending(row)
        if row.worst_case is None and outcome.number in self._planned:
            # what a row was reserved for counts when others are reserved later, whatever became of it
            row = row.model_copy(update={"worst_case": self._planned[outcome.number]})
        self._journal.add(row, number)
        self._asked_count += 1
        self._counts[row.status] += 1
        told = {"row": row.number, "id": row.id, "document": row.document, "status": row.status, "reason": row.reason}
        self._observe("row", told)
        if self._options.is_failing_fast and row.status == "failed":
            words = f"row {row.number}, {row.id} of {row.document}: {row.reason}"
            raise BatchStopped(words, "mend it and go on with --retry-failed, or with --resume to leave it")
        self._spent = add_spending(self._spent, row.spent)
        if breach := find_breach(self._spent, self._options.ceilings):
            raise BatchStopped(f"row {row.number}: a fault of the program: {breach}", "go on with higher ceilings")
