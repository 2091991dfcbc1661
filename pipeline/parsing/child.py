"""The parse child: started, limited and read by the parent, which never loads the engine itself.

Where a process can fork, the child inherits the bytes of the file; elsewhere (or beside other threads, which a fork
would lose) a fresh interpreter gets them through a pipe.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, NoReturn, TypeAlias

from pipeline.parsing.work import EXIT_ENGINE, EXIT_MEMORY, Job, run_job

_CHUNK = 1 << 20
_TICK_SECONDS = 0.5

Watch: TypeAlias = Callable[[int], None]
"""Called about twice a second with the milliseconds since the child was started."""


class Outcome(NamedTuple):
    """How the child ended: its answer, or why there is none: `time`, `memory`, `signal 11`, `exit 70`."""

    answer: bytes
    failure: str = ""


def run_child(job: Job, watch: Watch | None = None) -> Outcome:
    """Run the job in a child that is killed when its time is over, or when the parent is interrupted."""
    if hasattr(os, "fork") and threading.active_count() == 1:
        return _run_forked(job, watch)
    return run_spawned(job, watch)


def _run_forked(job: Job, watch: Watch | None) -> Outcome:
    for stream in (sys.stdout, sys.stderr):
        # None where the caller closed it
        if stream is not None:
            stream.flush()
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        _serve(job, reader, writer)
    os.close(writer)
    answer: bytes | None = None
    status = 0
    try:
        answer = _collect(reader, job.max_seconds, watch)
    finally:
        os.close(reader)
        if answer is None:
            _kill_group(child)
        _, status = os.waitpid(child, 0)
    return Outcome(b"", "time") if answer is None else _judge(status, answer)


def run_spawned(job: Job, watch: Watch | None = None) -> Outcome:
    """Run the job in a fresh interpreter; costs its start and no second core."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[2]), *sys.path[1:]])}
    header = json.dumps([*job._replace(content=b"", may_split=False)[1:]]).encode() + b"\n"
    process = subprocess.Popen(
        [sys.executable, "-m", "pipeline.parsing.spawned"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
    )
    start = time.monotonic()
    given: bytes | None = header + job.content
    try:
        while (left := start + job.max_seconds - time.monotonic()) > 0:
            try:
                answer, _ = process.communicate(given, timeout=min(left, _TICK_SECONDS))
            except subprocess.TimeoutExpired:
                given = None  # what was not written yet is remembered
                if watch:
                    watch(int((time.monotonic() - start) * 1000))
                continue
            code = process.returncode
            return _judge(-code if code < 0 else code << 8, answer)
        return Outcome(b"", "time")
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        for stream in (process.stdin, process.stdout):
            if stream:
                stream.close()


def serve_job(job: Job, writer: int) -> int:
    """Limit this process, run the job, write the answer; the exit code."""
    os.environ["PYMUPDF_SUGGEST_LAYOUT_ANALYZER"] = "0"
    try:
        from pipeline.parsing import engine  # noqa: F401 - loading the engine is not what the limits are for

        limit_process(job)
        view = memoryview(run_job(job))
        while view:
            view = view[os.write(writer, view) :]
    except MemoryError:
        return EXIT_MEMORY
    return 0


def limit_process(job: Job) -> None:
    """Let this process map a number of bytes more than it has now, and compute for the seconds that it may take."""
    import resource

    with Path("/proc/self/statm").open(encoding="ascii") as stream:
        mapped = int(stream.read().split()[0]) * resource.getpagesize()
    for kind, limit in (
        (resource.RLIMIT_AS, mapped + job.max_memory_bytes),
        (resource.RLIMIT_CPU, job.max_seconds + 1),
        (resource.RLIMIT_CORE, 0),
    ):
        _, ceiling = resource.getrlimit(kind)
        limit = limit if ceiling == resource.RLIM_INFINITY else min(limit, ceiling)
        resource.setrlimit(kind, (limit, ceiling))


def _serve(job: Job, reader: int, writer: int) -> NoReturn:
    status = EXIT_ENGINE
    try:
        os.close(reader)
        os.setpgid(0, 0)
        silence = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(silence, stream)
        status = serve_job(job, writer)
    finally:
        os._exit(status)


def _collect(reader: int, max_seconds: int, watch: Watch | None) -> bytes | None:
    """What the pipe gives until its end; None when the time is over before."""
    start = time.monotonic()
    chunks: list[bytes] = []
    while (left := start + max_seconds - time.monotonic()) > 0:
        if not select.select([reader], [], [], left if watch is None else min(left, _TICK_SECONDS))[0]:
            if watch is not None:
                watch(int((time.monotonic() - start) * 1000))
            continue
        chunk = os.read(reader, _CHUNK)
        if not chunk:
            return b"".join(chunks)
        chunks.append(chunk)
    return None


def _kill_group(child: int) -> None:
    """Kill the child and what it forked; it may not have made its group yet, or be gone."""
    for kill in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError):
            kill(child, signal.SIGKILL)


def _judge(status: int, answer: bytes) -> Outcome:
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number == signal.SIGXCPU:
            return Outcome(b"", "time")
        return Outcome(b"", "memory" if number == signal.SIGKILL else f"signal {number}")
    code = os.WEXITSTATUS(status)
    if code:
        return Outcome(b"", "memory" if code == EXIT_MEMORY else f"exit {code}")
    return Outcome(answer)
