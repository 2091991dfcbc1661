"""The command line: one file for each verb. It parses, calls one library function, renders, returns a code."""

from __future__ import annotations

import gc
import os
import sys

INTERRUPTED = 130
READING_VERBS = ("ask", "plan", "profile")
"""Verbs whose first argument is a document."""
_GARBAGE_THRESHOLD = 1_000_000


def main() -> None:
    """Run `pdfdocket`; exit codes: 0 answered, 1 not found or asked back, 2 bad input or usage, 3 rules invalid."""
    # looking for plugins that nobody installed costs a tenth of the start
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    # a run makes few cycles, and looking for them in what modules and documents keep costs a tenth of it
    gc.set_threshold(_GARBAGE_THRESHOLD)
    _fill_closed_streams()
    try:
        _read_ahead(sys.argv[1:])
        from pipeline.cli.group import run_command

        code = run_command(sys.argv[1:])
    except KeyboardInterrupt:
        # only while modules load; later the group catches it and says so
        code = INTERRUPTED
    _end_reading()
    # Everything is written and closed by now; skipping the interpreter's teardown saves a tenth of a warm run.
    os._exit(code)


def _read_ahead(arguments: list[str]) -> None:
    """Let a child parse while this process loads the rest, where it is plain which document is meant.

    Whatever is wrong with the document is found again, and told, when its turn comes.
    """
    if len(arguments) < 2 or arguments[0] not in READING_VERBS or arguments[1].startswith("-"):
        return
    # a settings file may move the cache or forbid it, and is read later
    if {"-h", "--help"} & set(arguments) or os.path.exists("pdfdocket.toml"):
        return
    from pathlib import Path

    from pipeline.parsing.early import USUAL_JOB, prepare_document

    folder = os.environ.get("PDFDOCKET_CACHE", "")
    has_password = bool(os.environ.get("PDFDOCKET_PASSWORD")) or any(word.startswith("--p") for word in arguments)
    if not folder.startswith("~"):
        is_cache_used = "--no-cache" not in arguments
        job = None if has_password else USUAL_JOB
        prepare_document(Path(arguments[1]), Path(folder) if folder else None, is_cache_used, job)


def _end_reading() -> None:
    """End a child that nobody asked for its document, as after an error in the rules."""
    if "pipeline.parsing.early" in sys.modules:
        from pipeline.parsing.early import drop_prepared

        drop_prepared()


def _fill_closed_streams() -> None:
    """Give 0, 1 and 2 to the null device where they are closed: a pipe or a file would take the number."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            # the lowest free number is taken, and all below are in use by now
            os.open(os.devnull, os.O_RDWR)
