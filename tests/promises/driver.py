"""Runs many command lines in one process and writes down how each ended: `python -m tests.promises.driver`.

Reads {"lines": [[argument, ...], ...], "report": path, "watched": path or null} from stdin. Every command line runs as
`pdfdocket` would run it, with its real streams; an exception that escapes is what a user would see as a traceback.
With `watched`, everything that opens, moves, connects or starts is written to that file as it happens, in children too.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from typing import IO, Any

FILE_EVENTS = {"open", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.link", "os.symlink", "os.truncate"}
OTHER_EVENTS = ("socket.", "subprocess.", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "os.system", "pty.")
WRITING_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_TRUNC


def watch_events(path: str) -> None:
    """Write every event of interest to a file; the hook is inherited by forked children."""
    out = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            name, mode, flags = arguments
            is_writing = bool((flags or 0) & WRITING_FLAGS) or any(sign in (mode or "") for sign in "wax+")
            if not is_writing or isinstance(name, int):
                return
        elif event != "sqlite3.connect" and event not in FILE_EVENTS and not event.startswith(OTHER_EVENTS):
            return
        named = [os.fsdecode(part) if isinstance(part, bytes) else str(part) for part in arguments[:2]]
        os.write(out, (json.dumps([event, *named]) + "\n").encode("ascii"))

    sys.addaudithook(hook)


def run_line(run_command: Callable[[list[str]], int], arguments: list[str], streams: list[IO[bytes]]) -> dict[str, Any]:
    """Run one command line with stdout and stderr in two files."""
    kept = [os.dup(1), os.dup(2)]
    for number, stream in enumerate(streams, start=1):
        stream.seek(0)
        stream.truncate()
        os.dup2(stream.fileno(), number)
    start = time.monotonic()
    try:
        code = run_command(arguments)
    except BaseException:  # noqa: BLE001 - the crash of one line is a finding, not the end of the others
        traceback.print_exc()
        code = 1000
    seconds = time.monotonic() - start
    sys.stdout.flush()
    sys.stderr.flush()
    texts = []
    for number, stream in enumerate(streams, start=1):
        os.dup2(kept[number - 1], number)
        os.close(kept[number - 1])
        stream.seek(0)
        texts.append(stream.read().decode("utf-8", "backslashreplace"))
    return {"code": code, "out": texts[0], "err": texts[1], "seconds": seconds}


def main() -> None:
    """Run what stdin asks for and write the report."""
    order = json.load(sys.stdin)
    # loaded now, so that no event of its loading is taken for one of a run
    import pipeline.run  # noqa: F401
    from pipeline.cli.group import run_command

    # opened before anything is watched
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        if order["watched"]:
            watch_events(order["watched"])
        outcomes = [run_line(run_command, line, [out, err]) for line in order["lines"]]
    report = {"outcomes": outcomes, "kilobytes": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss}
    with open(order["report"], "w", encoding="utf-8") as stream:
        json.dump(report, stream)


if __name__ == "__main__":
    main()
