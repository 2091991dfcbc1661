"""The command line: one file for each group of verbs. It parses, calls one library function, renders, returns a code."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run `pdfdocket`; exit codes: 0 answered, 1 not found or asked back, 2 bad input or usage, 3 rules invalid."""
    from pipeline.cli.group import run_command

    code = run_command(sys.argv[1:])
    sys.stdout.flush()
    sys.stderr.flush()
    # Everything is written and closed by now; skipping the interpreter's teardown saves a tenth of a warm run.
    os._exit(code)
