"""What is seen of a batch while it runs: a bar on a terminal, and events in a file for other programs."""

from __future__ import annotations

import json
import sys
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, TextIO

from pipeline.errors import RecordError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from rich.progress import Progress, TaskID

    Observer = Callable[[str, dict[str, object]], None]

_COUNTED = {"planning": "rows", "drawing": "pages"}
_STATUSES = ("answered", "not_found", "asked_back", "failed")


@contextmanager
def watch_batch(events: Path | None) -> Iterator[Observer]:
    """A function that takes the events of a batch; the bar is drawn only where stderr is a terminal.

    Raises:
        UsageError: the file of events cannot be opened.
    """
    bar = BatchBar() if sys.stderr and sys.stderr.isatty() else None
    stream = _open_events(events) if events is not None else None
    start = time.monotonic()

    def observe(event: str, fields: dict[str, object]) -> None:
        if bar is not None:
            bar.take(event, fields)
        if stream is not None and event != "tick":
            elapsed = int((time.monotonic() - start) * 1000)
            try:
                stream.write(json.dumps({"event": event, **fields, "elapsed_ms": elapsed}) + "\n")
                # whoever follows the file sees each row as it comes
                stream.flush()
            except OSError as error:
                words = f"{events}: the events cannot be written: {error.strerror}"
                raise RecordError(words, "free some space, then go on with --resume") from error

    try:
        yield observe
    finally:
        if bar is not None:
            bar.stop()
        if stream is not None:
            # what could not be written is said above already
            with suppress(OSError):
                stream.close()


def _open_events(path: Path) -> TextIO:
    try:
        return path.open("w", encoding="ascii")
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror}", "give another file to --events") from error


class BatchBar:
    """One line: how far, how fast, how long still, and how the rows ended so far.

    It is drawn when something happens, by no thread of its own: a process with threads could not be forked.
    """

    def __init__(self) -> None:
        self._progress: Progress | None = None
        self._task: TaskID | None = None
        self._counts = dict.fromkeys(_STATUSES, 0)

    def take(self, event: str, fields: dict[str, object]) -> None:
        """Draw what an event changes."""
        if event in ("reading", "planning", "annotating", "drawing"):
            # documents for filters and plans for ceilings come before the first question, copies and pages behind
            self._begin(event, _read_count(fields, _COUNTED.get(event, "documents")), 0)
        if event == "started":
            self._counts = {status: _read_count(fields, status) for status in _STATUSES}
            self._begin("", _read_count(fields, "rows"), _read_count(fields, "kept"))
        if self._progress is None or self._task is None:
            return
        if event in ("row", "planned", "read", "annotated", "drawn"):
            status = str(fields.get("status", ""))
            if status in self._counts:
                self._counts[status] += 1
            self._progress.update(self._task, advance=1, words=self._describe())
            speed = self._progress.tasks[0].speed
            self._progress.update(self._task, rate=f"{speed:.1f}/s" if speed else "")
        self._progress.refresh()

    def stop(self) -> None:
        """Leave the line as it stands."""
        if self._progress is not None:
            self._progress.stop()
            self._progress = None

    def _begin(self, work: str, total: int, kept: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        self.stop()
        columns = (
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            TextColumn("{task.fields[words]}"),
        )
        progress = Progress(*columns, console=Console(stderr=True), auto_refresh=False)
        self._task = progress.add_task(work, total=total, completed=kept, words=self._describe(), rate="")
        self._progress = progress
        progress.start()

    def _describe(self) -> str:
        counted = (f"{status.replace('_', ' ')} {count}" for status, count in self._counts.items() if count)
        return ", ".join(counted)


def _read_count(fields: dict[str, object], name: str) -> int:
    value = fields.get(name, 0)
    return value if isinstance(value, int) else 0
