"""What a person sees while a large document is parsed: one moving line on a terminal, after two seconds."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pipeline.cli.logs import make_observer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from rich.status import Status

    from pipeline.models.settings import Settings

    Fields = tuple[tuple[str, str], ...]
    Observer = Callable[[str, Fields], None]

SHOWN_AFTER_MS = 2000


@contextmanager
def watch_run(settings: Settings, document: Path) -> Iterator[Observer | None]:
    """A function that takes the events of a run, to the log and a sign of life; None where neither is wanted."""
    log = make_observer(settings)
    sign = WaitingSign(document.name) if sys.stderr and sys.stderr.isatty() else None

    def observe(event: str, fields: Fields) -> None:
        if event == "waiting":
            if sign is not None:
                sign.show(int(dict(fields)["elapsed_ms"]))
            return
        if sign is not None:
            sign.stop()
        if log is not None:
            log(event, fields)

    try:
        yield observe if log or sign else None
    finally:
        if sign is not None:
            sign.stop()


class WaitingSign:
    """One line that says what is being read and for how long; rich is loaded only when there is something to say."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._status: Status | None = None

    def show(self, elapsed_ms: int) -> None:
        """Draw or update the line once the wait is long enough to be noticed; `elapsed_ms` since parsing began."""
        # most documents are read sooner, and a line that flickers is worse than none
        if elapsed_ms < SHOWN_AFTER_MS:
            return
        from rich.markup import escape

        from pipeline.cli.output import escape_controls

        words = f"reading {escape(escape_controls(self._name))}, {elapsed_ms // 1000} s"
        if self._status is None:
            from rich.console import Console

            self._status = Console(stderr=True).status(words)
            self._status.start()
        else:
            self._status.update(words)

    def stop(self) -> None:
        """Take the line away."""
        if self._status is not None:
            self._status.stop()
            self._status = None
