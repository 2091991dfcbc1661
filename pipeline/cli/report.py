"""`pdfdocket report SOURCE`."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipeline.cli.options import json_option, read_settings
from pipeline.cli.progress import SHOWN_AFTER_MS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.progress import Progress, TaskID

    from pipeline.models.report import ReportSummary

    Observer = Callable[[str, dict[str, object]], None]

EPILOG = """\b
Examples:
  pdfdocket report 3f2a9c
  pdfdocket report results/
  pdfdocket report .pdfdocket/ledger.jsonl --docs contracts/ --out june.html
  pdfdocket report results/results.jsonl --json
\b
SOURCE is a run (a file, or the beginning of its id), a ledger, results.jsonl of a batch, or the folder of a batch.
The page needs nothing but itself and no network. By default it is report.html, in the folder of a batch or else here.
Each quoted page is shown with its quotes marked; pages of a file that needs a password never are. See docs/report.md.
\b
Exit codes: 0 written, 2 bad input or usage.
"""
_NAME = "report.html"
_SHOWN_NOTES = 20


@click.command(epilog=EPILOG)
@click.argument("source")
@click.option("--out", type=click.Path(path_type=Path), help="File to write, instead of report.html.")
@click.option("--docs", type=click.Path(path_type=Path), help="Folder where documents are found by their hash.")
@json_option
def command(source: str, out: Path | None, docs: Path | None, as_json: bool) -> int:
    """Write one HTML page with the answers of SOURCE, the pages they quote, and how each came about."""
    from pipeline.cli.output import print_json, print_text
    from pipeline.cli.show import find_record
    from pipeline.report.page import PageOptions, protect_file, write_report
    from pipeline.report.sources import RESULTS_NAME, find_source, read_entries

    settings = read_settings({})
    place = find_source(Path(source)) if Path(source).exists() else find_record(source)
    if out is None:
        out = place.with_name(_NAME) if place.name == RESULTS_NAME else Path(_NAME)
    # a slip of the pen must not cost a table of questions
    protect_file(out)
    options = PageOptions(max_memory_bytes=settings.parse.max_memory_bytes)
    entries = read_entries(place, docs, options.limits.max_rows)
    with _watch() as observe:
        summary = write_report(entries, out, options, observe)
    if as_json:
        print_json(summary.model_dump(mode="json"))
    else:
        print_text(render_summary(summary))
    return 0


def render_summary(summary: ReportSummary) -> str:
    """What was written, and what was left out of it."""
    counts = (
        f"answered {summary.answered_count}, not found {summary.not_found_count}, "
        f"asked back {summary.asked_back_count}, failed {summary.failed_count}"
    )
    pictures = f"{_count(summary.picture_count, 'page')} shown, {summary.byte_count / 1_000_000:.1f} MB"
    notes = [f"left out: {note}" for note in summary.notes[:_SHOWN_NOTES]]
    if len(summary.notes) > _SHOWN_NOTES:
        notes.append(f"and {len(summary.notes) - _SHOWN_NOTES} more notes on the page")
    head = f"{_count(summary.row_count, 'answer')}: {counts}"
    return "\n".join([head, pictures, *notes, f"report: {summary.path}"])


def _count(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


@contextmanager
def _watch() -> Iterator[Observer]:
    """What takes the progress; a bar is drawn on a terminal once it takes long enough to be noticed."""
    bar = _Bar() if sys.stderr and sys.stderr.isatty() else None
    try:
        yield bar.take if bar else lambda *_: None
    finally:
        if bar is not None:
            bar.stop()


class _Bar:
    """One line, drawn by no thread of its own: a process with threads does not fork the child that draws."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._progress: Progress | None = None
        self._task: TaskID | None = None

    def take(self, event: str, fields: dict[str, object]) -> None:
        """Show how far it is."""
        # most reports are written sooner
        if (time.monotonic() - self._start) * 1000 < SHOWN_AFTER_MS:
            return
        progress, task = self._open()
        done, total = fields["done"], fields.get("of")
        words = "reading answers" if event == "answers" else "drawing pages"
        if isinstance(done, int):
            known = total if isinstance(total, int) else None
            progress.update(task, description=words, completed=done, total=known, refresh=True)

    def stop(self) -> None:
        """Leave the line as it stands."""
        if self._progress is not None:
            self._progress.stop()

    def _open(self) -> tuple[Progress, TaskID]:
        if self._progress is None or self._task is None:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            columns = (TextColumn("{task.description}"), BarColumn(bar_width=24), MofNCompleteColumn())
            self._progress = Progress(
                *columns, TimeRemainingColumn(), console=Console(stderr=True), auto_refresh=False, transient=True
            )
            self._task = self._progress.add_task("", total=None)
            self._progress.start()
        return self._progress, self._task
