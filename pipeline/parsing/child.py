"""The parse child: started, limited and read by the parent, which never loads the engine itself."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import time
from collections.abc import Callable
from typing import NamedTuple

from pipeline.parsing.work import Job, run_job

_CHUNK = 1 << 20
_TICK_SECONDS = 0.5

Watch = Callable[[int], None]


class Outcome(NamedTuple):
    """How the child ended: its answer, or why there is none (`hang`, `signal 11`, `exit 70`)."""

    answer: bytes
    failure: str = ""


def run_child(job: Job, watch: Watch | None = None) -> Outcome:
    """Run the job in a forked child that is killed when its time is over, or when the parent is interrupted.

    Args:
        job: what to read.
        watch: called about twice a second with the milliseconds since the child was started.
    """
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        _serve(job, reader, writer)
    os.close(writer)
    is_reaped = False
    try:
        outcome = _collect(child, reader, job.max_seconds, watch)
        is_reaped = True
        return outcome
    finally:
        os.close(reader)
        if not is_reaped:
            _end_child(child)


def _serve(job: Job, reader: int, writer: int) -> None:
    status = 70
    try:
        os.close(reader)
        os.setpgid(0, 0)
        silence = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(silence, stream)
        os.environ["PYMUPDF_SUGGEST_LAYOUT_ANALYZER"] = "0"
        answer = run_job(job)
        view = memoryview(answer)
        while view:
            view = view[os.write(writer, view) :]
        status = 0
    except MemoryError:
        status = 71
    finally:
        os._exit(status)


def _end_child(child: int) -> None:
    # the child may not have made its group yet, or may have ended by itself
    for kill in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError):
            kill(child, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        os.waitpid(child, 0)


def _collect(child: int, reader: int, max_seconds: int, watch: Watch | None) -> Outcome:
    start = time.monotonic()
    deadline = start + max_seconds
    chunks: list[bytes] = []
    failure = ""
    while True:
        left = deadline - time.monotonic()
        pause = left if watch is None else min(left, _TICK_SECONDS)
        ready = left > 0 and select.select([reader], [], [], pause)[0]
        if not ready and watch is not None and time.monotonic() < deadline:
            watch(int((time.monotonic() - start) * 1000))
            continue
        if not ready:
            failure = "hang"
            os.killpg(child, signal.SIGKILL)
            break
        chunk = os.read(reader, _CHUNK)
        if not chunk:
            break
        chunks.append(chunk)
    _, status = os.waitpid(child, 0)
    if not failure and status:
        failure = f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else f"exit {os.WEXITSTATUS(status)}"
    return Outcome(b"".join(chunks), failure)
