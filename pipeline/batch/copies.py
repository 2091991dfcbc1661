"""Annotated copies as a part of the results of a batch: made after the rows, from the rows alone."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pipeline.audit.layout import LineFault
from pipeline.audit.verify import read_record
from pipeline.batch.documents import COPIES_NAME
from pipeline.batch.opening import LEDGER_NAME
from pipeline.report.annotation import Destination, write_copies
from pipeline.report.ledgers import LinePlace, index_runs, read_line
from pipeline.report.notebook import Asked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from pipeline.batch.matrix import Matrix
    from pipeline.batch.running import Observer
    from pipeline.models.annotation import CopyReport
    from pipeline.models.batch import ResultRow
    from pipeline.models.run import RunRecord

FOLDER_NAME = COPIES_NAME


def annotate_results(
    matrix: Matrix, walk_rows: Callable[[], Iterable[ResultRow]], observe: Observer
) -> dict[str, object]:
    """Write the copies into `annotated/`, tell of each, and count what there is for the summary.

    Raises:
        RecordError: something cannot be written.
    """
    counts = {"copy_count": 0, "copy_refused_count": 0, "unmarked_count": 0}

    def take(report: CopyReport) -> None:
        counts["copy_count"] += bool(report.file)
        counts["copy_refused_count"] += report.is_refused
        counts["unmarked_count"] += report.unmarked_place_count
        told = {"document": report.document, "file": report.file, "notes": report.note_count}
        observe("annotated", {**told, "highlights": report.highlight_count, "reason": report.reason})

    asked = {row.document for row in matrix.rows if not row.fault}
    observe("annotating", {"documents": len(asked)})
    out = Destination(matrix.inputs.out / FOLDER_NAME, is_own=True)
    write_copies(_describe(matrix, walk_rows()), out, matrix.inputs.settings, take)
    return {**counts}


def _describe(matrix: Matrix, rows: Iterable[ResultRow]) -> Iterator[Asked]:
    paths = {document.name: document.path for document in matrix.documents if not document.url}
    notes = {
        document.name: f"it lies at {document.url}; get it, then annotate --docs"
        for document in matrix.documents
        if document.url
    }
    records = _Records(matrix.inputs.out / LEDGER_NAME)
    for row in rows:
        yield Asked(row, paths.get(row.document), notes.get(row.document, ""), partial(records.find, row.run_id))


class _Records:
    """Records of the ledger by their runs; it is only read when one is asked for."""

    def __init__(self, ledger: Path) -> None:
        self._ledger = ledger
        self._places: dict[bytes, LinePlace] | None = None

    def find(self, run_id: str) -> RunRecord | None:
        """The record of a run; None where it is not there or was blinded."""
        if self._places is None:
            self._places = index_runs(self._ledger)
        place = self._places.get(run_id.encode())
        try:
            return read_record(read_line(place)) if place else None
        except LineFault:
            return None
