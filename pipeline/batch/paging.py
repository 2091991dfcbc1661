"""The report page as a part of the results of a batch: made after the rows, of the rows and the ledger."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.batch.results import JSONL_NAME
from pipeline.report.page import PageOptions, write_report
from pipeline.report.sources import read_entries

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pipeline.batch.matrix import Matrix
    from pipeline.batch.running import Observer
    from pipeline.models.batch import ResultRow

REPORT_PAGE_NAME = "report.html"


def write_page(matrix: Matrix, walk_rows: Callable[[], Iterable[ResultRow]], observe: Observer) -> dict[str, object]:
    """Write `report.html`, tell how far it is, and count its pictures for the summary.

    Raises:
        RecordError: it cannot be written.
    """
    del walk_rows  # the rows are read from the file that has them, with their runs
    begun = False

    def watch(event: str, fields: dict[str, object]) -> None:
        nonlocal begun
        # rows pass quickly, pages are what takes its time
        if event != "pictures":
            observe("tick", {})
            return
        if not begun:
            observe("drawing", {"pages": fields["of"]})
            begun = True
        observe("drawn", fields)

    out = matrix.inputs.out
    options = PageOptions(max_memory_bytes=matrix.inputs.settings.parse.max_memory_bytes)
    entries = read_entries(out / JSONL_NAME, record_count=options.limits.max_rows)
    summary = write_report(entries, out / REPORT_PAGE_NAME, options, watch)
    return {"has_report": True, "picture_count": summary.picture_count, "report_notes": summary.notes}
