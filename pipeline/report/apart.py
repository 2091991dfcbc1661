"""A copy made in a process of its own, with the limits of a parse child: what breaks there is one reason here."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
from typing import TYPE_CHECKING

from pipeline.parsing.child import follow_parent, limit_process, load_engine, silence_streams
from pipeline.parsing.jobs import Job
from pipeline.report.outcomes import CopyOrder, CopyOutcome

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from pipeline.models.settings import ParseLimits

_END_SECONDS = 5.0


def copy_apart(order: CopyOrder, limits: ParseLimits) -> CopyOutcome:
    """What became of a copy; a child that dies or takes too long is a reason too."""
    # a fork has only the thread that made it, and locks of others would stay closed
    can_fork = hasattr(os, "fork") and threading.active_count() == 1
    context = multiprocessing.get_context("fork") if can_fork else multiprocessing.get_context("spawn")
    reader, writer = context.Pipe(duplex=False)
    process = context.Process(target=_serve, args=(order, limits, writer, os.getpid() if can_fork else 0))
    process.start()
    writer.close()
    try:
        if not reader.poll(limits.max_seconds):
            return CopyOutcome(f"its copy was not made in {limits.max_seconds} seconds")
        outcome: CopyOutcome = pickle.loads(reader.recv_bytes())  # noqa: S301 - from our own process
        return outcome
    except EOFError:
        process.join(_END_SECONDS)
        return CopyOutcome(_describe_death(process.exitcode))
    finally:
        reader.close()
        process.kill()
        process.join()


def _serve(order: CopyOrder, limits: ParseLimits, writer: Connection, parent: int) -> None:
    if parent:
        follow_parent(parent)
    # Ctrl-C reaches this process too; its parent ends it
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    silence_streams()
    load_engine()
    from pipeline.report.copying import copy_document

    limit_process(Job(None, limits.max_pages, limits.max_characters, limits.max_memory_bytes, limits.max_seconds))
    try:
        outcome = copy_document(order)
    except MemoryError:
        outcome = CopyOutcome(f"its copy needs more than {limits.max_memory_bytes} bytes of memory")
    writer.send_bytes(pickle.dumps(outcome))


def _describe_death(code: int | None) -> str:
    how = f"was ended by signal {-code}" if code is not None and code < 0 else f"ended with code {code}"
    return f"the process that made its copy {how}"
