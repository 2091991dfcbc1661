"""The command line: one file for each verb. It parses, calls one library function, renders, returns a code."""

from __future__ import annotations

import os
import sys

INTERRUPTED = 130


def main() -> None:
    """Run `pdfdocket`; exit codes: 0 answered, 1 not found or asked back, 2 bad input or usage, 3 rules invalid."""
    # looking for plugins that nobody installed costs a tenth of the start
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    try:
        from pipeline.cli.group import run_command

        code = run_command(sys.argv[1:])
    except KeyboardInterrupt:
        # only while modules load; later the group catches it and says so
        code = INTERRUPTED
    # Everything is written and closed by now; skipping the interpreter's teardown saves a tenth of a warm run.
    os._exit(code)
