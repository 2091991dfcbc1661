"""The command line: one file for each verb. It parses, calls one library function, renders, returns a code."""

from __future__ import annotations

import os
import sys

INTERRUPTED = 130


def main() -> None:
    """Run `pdfdocket`; exit codes: 0 answered, 1 not found or asked back, 2 bad input or usage, 3 rules invalid."""
    # looking for plugins that nobody installed costs a tenth of the start
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    _fill_closed_streams()
    try:
        from pipeline.cli.group import run_command

        code = run_command(sys.argv[1:])
    except KeyboardInterrupt:
        # only while modules load; later the group catches it and says so
        code = INTERRUPTED
    # Everything is written and closed by now; skipping the interpreter's teardown saves a tenth of a warm run.
    os._exit(code)


def _fill_closed_streams() -> None:
    """Give 0, 1 and 2 to the null device where they are closed: a pipe or a file would take the number."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            # the lowest free number is taken, and all below are in use by now
            os.open(os.devnull, os.O_RDWR)
