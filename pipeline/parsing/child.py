"""The parse child: started, limited and read by the parent, which never loads the engine itself.

Where a process can fork, the child inherits the bytes of the file and loads the engine while the parent still does
other things; elsewhere (or beside other threads, which a fork would lose) a fresh interpreter gets them by a pipe.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, NoReturn, TypeAlias

from pipeline.parsing.jobs import Job
from pipeline.parsing.work import EXIT_ENGINE, EXIT_MEMORY, run_job, write_all

_CHUNK = 1 << 20
_TICK_SECONDS = 0.5
# prctl(2): the signal that a process gets when its parent ends
_PR_SET_PDEATHSIG = 1

Watch: TypeAlias = Callable[[int], None]
"""Called about twice a second with the milliseconds since the child got its job."""


class Child(NamedTuple):
    """A forked child that has the bytes and waits for its job on `control`; it answers on `readers`.

    `control` is -1 once it has its job.
    """

    pid: int
    control: int
    readers: tuple[int, int]


class Outcome(NamedTuple):
    """How the child ended: the parts of its answer, or why there are none: `time`, `memory`, `signal 11`, `exit 70`."""

    parts: tuple[bytes, ...]
    failure: str = ""


def can_fork() -> bool:
    """Whether this process may fork: other threads would not live on in the child."""
    return hasattr(os, "fork") and threading.active_count() == 1


def follow_parent(parent: int) -> None:
    """Ask Linux to end this process with the one that forked it: nobody may write after a call that was killed."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def silence_streams() -> None:
    """Take the terminal from a fork: what its engine or its libraries print is nobody's answer."""
    silence = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(silence, stream)


def start_child(content: bytes) -> Child:
    """Fork a child that loads the engine and waits."""
    for stream in (sys.stdout, sys.stderr):
        # None where whoever started us closed it
        if stream is not None:
            stream.flush()
    control, first, second = os.pipe(), os.pipe(), os.pipe()
    pid = os.fork()
    if pid == 0:
        for descriptor in (control[1], first[0], second[0]):
            os.close(descriptor)
        _serve(content, control[0], (first[1], second[1]))
    for descriptor in (control[0], first[1], second[1]):
        os.close(descriptor)
    return Child(pid, control[1], (first[0], second[0]))


def give_job(child: Child, job: Job) -> Child:
    """Give its job to a waiting child, unless it has it; the child as it is then."""
    if child.control < 0:
        return child
    with contextlib.suppress(BrokenPipeError):
        os.write(child.control, json.dumps(job).encode())
    os.close(child.control)
    return child._replace(control=-1)


def finish_child(child: Child, job: Job, watch: Watch | None = None) -> Outcome:
    """Give the job to a waiting child and collect its answer; it is killed when its time is over."""
    parts: tuple[bytes, ...] | None = None
    status = 0
    try:
        child = give_job(child, job)
        parts = _collect(child.readers, job.max_seconds, watch)
    finally:
        # An interrupted parent takes its children with it.
        status = end_child(child, is_killed=parts is None)
    return Outcome((), "time") if parts is None else _judge(status, parts)


def end_child(child: Child, is_killed: bool = True) -> int:
    """Close a child's pipes and wait for its end; its wait status."""
    for descriptor in (*child.readers, child.control):
        if descriptor >= 0:
            os.close(descriptor)
    if is_killed:
        # The child may not have made its group yet, or be gone.
        for kill in (os.killpg, os.kill):
            with contextlib.suppress(ProcessLookupError):
                kill(child.pid, signal.SIGKILL)
    return os.waitpid(child.pid, 0)[1]


def run_spawned(content: bytes, job: Job, watch: Watch | None = None) -> Outcome:
    """Run the job in a fresh interpreter; costs its start and no second core."""
    import subprocess

    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[2]), *sys.path[1:]])}
    process = subprocess.Popen(
        [sys.executable, "-m", "pipeline.parsing.spawned"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
    )
    start = time.monotonic()
    given: bytes | None = json.dumps(job).encode() + b"\n" + content
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
            return _judge(-code if code < 0 else code << 8, (answer,))
        return Outcome((), "time")
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        for stream in (process.stdin, process.stdout):
            if stream:
                stream.close()


def serve_job(content: bytes, job: Job, writer: int, second: int | None) -> int:
    """Limit this process, run the job, write the answer; the exit code."""
    gc.disable()  # the process is short and makes no cycles worth looking for
    try:
        limit_process(job)
        write_all(writer, run_job(content, job, second))
    except MemoryError:
        return EXIT_MEMORY
    return 0


def load_engine() -> None:
    """Import the engine: not what the limits are for, and long enough to be done ahead."""
    os.environ["PYMUPDF_SUGGEST_LAYOUT_ANALYZER"] = "0"
    from pipeline.parsing import bookmarks, engine, packing  # noqa: F401


def limit_process(job: Job) -> None:
    """Let this process map a number of bytes more than it has now, and compute for the seconds that it may take."""
    import resource

    limit_memory(job.max_memory_bytes)
    _lower(resource.RLIMIT_CPU, job.max_seconds + 1)


def limit_memory(max_bytes: int) -> None:
    """Let this process map a number of bytes more than it has now, and leave no picture of them when it breaks."""
    import resource

    with Path("/proc/self/statm").open(encoding="ascii") as stream:
        mapped = int(stream.read().split()[0]) * resource.getpagesize()
    _lower(resource.RLIMIT_AS, mapped + max_bytes)
    _lower(resource.RLIMIT_CORE, 0)


def _lower(kind: int, limit: int) -> None:
    import resource

    _, ceiling = resource.getrlimit(kind)
    limit = limit if ceiling == resource.RLIM_INFINITY else min(limit, ceiling)
    resource.setrlimit(kind, (limit, ceiling))


def _serve(content: bytes, control: int, writers: tuple[int, int]) -> NoReturn:
    status = EXIT_ENGINE
    try:
        os.setpgid(0, 0)
        silence_streams()
        load_engine()
        told = os.read(control, _CHUNK)
        status = serve_job(content, Job(*json.loads(told)), *writers) if told else 0
    finally:
        os._exit(status)


def _collect(readers: tuple[int, ...], max_seconds: int, watch: Watch | None) -> tuple[bytes, ...] | None:
    """What the pipes give until their ends; None when the time is over before."""
    start = time.monotonic()
    chunks: dict[int, list[bytes]] = {reader: [] for reader in readers}
    pending = list(readers)
    while pending:
        left = start + max_seconds - time.monotonic()
        if left <= 0:
            return None
        ready = select.select(pending, [], [], left if watch is None else min(left, _TICK_SECONDS))[0]
        for reader in ready:
            chunk = os.read(reader, _CHUNK)
            chunks[reader].append(chunk)
            if not chunk:
                pending.remove(reader)
        if not ready and watch is not None:
            watch(int((time.monotonic() - start) * 1000))
    return tuple(b"".join(chunks[reader]) for reader in readers)


def _judge(status: int, parts: tuple[bytes, ...]) -> Outcome:
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number == signal.SIGXCPU:
            return Outcome((), "time")
        return Outcome((), "memory" if number == signal.SIGKILL else f"signal {number}")
    code = os.WEXITSTATUS(status)
    if code:
        return Outcome((), "memory" if code == EXIT_MEMORY else f"exit {code}")
    return Outcome(tuple(part for part in parts if part))
