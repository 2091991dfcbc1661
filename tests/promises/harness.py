"""What the tests of the promises share: command lines run by the dozen, and what they ended in."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import pytest

from tests.e2e.commands import make_environment

STATES = ("ok", "partial", "needs_password", "unreadable", "limit", "not_pdf")
DEPOSIT = "What is the deposit?"


class Ending(NamedTuple):
    """How one command line ended."""

    code: int
    out: str
    err: str
    seconds: float

    def read(self) -> Any:
        """The one JSON object on stdout."""
        return json.loads(self.out)


class Batch(NamedTuple):
    """How many command lines ended, the most memory that a child took, and the events if they were watched."""

    endings: list[Ending]
    kilobytes: int
    events: list[list[str]]


def run_lines(
    lines: Sequence[Sequence[str]],
    folder: Path,
    changes: Mapping[str, str] | None = None,
    *,
    is_watched: bool = False,
    timeout: int = 600,
) -> Batch:
    """Run command lines one after the other in one process with a folder as its working directory."""
    outside = folder.parent / f"{folder.name}-reports"
    outside.mkdir(exist_ok=True)
    report, watched = outside / "report.json", outside / "events.jsonl"
    watched.unlink(missing_ok=True)
    order = {
        "lines": [list(line) for line in lines],
        "report": str(report),
        "watched": str(watched) if is_watched else None,
    }
    done = subprocess.run(
        [sys.executable, "-m", "tests.promises.driver"],
        cwd=folder,
        env=make_environment(folder, changes),
        input=json.dumps(order).encode("ascii"),
        capture_output=True,
        timeout=timeout,
    )
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
    read = json.loads(report.read_text(encoding="utf-8"))
    events = [json.loads(line) for line in watched.read_text(encoding="ascii").splitlines()] if is_watched else []
    endings = [Ending(**outcome) for outcome in read["outcomes"]]
    # the report is the driver's own
    return Batch(endings, read["kilobytes"], [event for event in events if str(report) not in event])


def find_faults_of_ending(ending: Ending) -> list[str]:
    """What no command line may do, whatever its input: crash, print more or less than one object or one line."""
    faults = []
    if "Traceback" in ending.err or ending.code not in (0, 1, 2):
        faults.append(f"exit code {ending.code}: {ending.err[-800:]}")
    elif ending.code == 2 and ending.err.count("\n") != 1:
        faults.append(f"{ending.err.count(chr(10))} lines on stderr: {ending.err!r}")
    elif ending.code != 2 and ending.err:
        faults.append(f"stderr of an answer: {ending.err!r}")
    return faults


def read_state(ending: Ending, records: Path) -> str:
    """The state that the document ended in: of the error, or of the profile, which `ask` puts into the record."""
    printed = ending.read()
    if "error" in printed:
        return str(printed["error"]["state"])
    if "record" not in printed:
        return str(printed["state"])
    # strict: a record that is no UTF-8 could not be shown again
    record = json.loads((records / printed["record"]).read_text(encoding="utf-8"))
    return str(record["body"]["profile"]["state"])


def find_stray_writes(batch: Batch, folder: Path, allowed: tuple[str, ...]) -> list[list[str]]:
    """Events that open for writing, make, move or remove something outside of some names of a folder."""
    inside = tuple(str(folder / name) for name in allowed)
    stray = []
    for event, *names in batch.events:
        if event not in {"open", "sqlite3.connect"} and not event.startswith("os."):
            continue
        # an open has its mode after the name, a rename a second name
        for name in names[:1] if event in {"open", "sqlite3.connect", "os.mkdir"} else names:
            if names[1:] and names[1].isdigit() and "/" not in name:
                # a name below a folder that is open, as a tree is removed; how it was opened is watched
                continue
            place = name if name.startswith("/") else str(folder / name)
            is_inside = place.startswith(inside) and ".." not in Path(place).parts
            if event != "os.fork" and not is_inside and place not in {"/dev/null", str(folder / "-1")}:
                stray.append([event, *names])
    return stray


def fail_at(failing: int, is_ours: Callable[[FrameType | None], bool], monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Let the k-th write, fsync or rename that is ours fail; a list whose one number counts down."""
    left = [failing]
    for name in ("write", "fsync", "rename", "replace"):
        original = getattr(os, name)

        def call(*given, original=original, **named):
            left[0] -= is_ours(sys._getframe(1))
            if left[0] == -1:
                left[0] -= 1
                raise OSError(errno.EIO, "Input/output error")
            return original(*given, **named)

        monkeypatch.setattr(os, name, call)
    return left
