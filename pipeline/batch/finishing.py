"""What is written beside the tables, several things at once: each in a process of its own where there are cores."""

from __future__ import annotations

import os
import pickle
import signal
import sys
from multiprocessing.connection import Connection, Pipe, wait
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from pipeline.parsing.child import can_fork, follow_parent

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Observer = Callable[[str, dict[str, object]], None]
    Write = Callable[[Observer], dict[str, Any]]

_TICK_SECONDS = 0.5


def write_outputs(writes: Sequence[Write], worker_count: int, observe: Observer) -> dict[str, Any]:
    """Call all writers and join what they count; whatever one of them raises is raised here.

    With more than one worker each runs in a fork of this process. One that fails there is called here once more: it
    writes the same again, or says what is wrong in the words of its own.
    """
    counts: dict[str, Any] = {}
    if worker_count < 2 or len(writes) < 2 or not can_fork():
        for write in writes:
            counts |= write(observe)
        return counts
    for stream in (sys.stdout, sys.stderr):
        # what waits in a buffer would be printed by each fork again
        if stream is not None:
            stream.flush()
    forks: list[_Fork] = []
    try:
        forks += (_start(write) for write in writes)
        _follow(forks, observe)
    finally:
        for fork in forks:
            fork.end()
    for write, fork in zip(writes, forks, strict=True):
        counts |= write(observe) if fork.counts is None else fork.counts
    return counts


class _Fork:
    """A process that writes, what it told that was not passed on yet, and what it counted when it was done."""

    def __init__(self, pid: int, reader: Connection) -> None:
        self.pid = pid
        self.reader = reader
        self.is_open = True
        self.events: list[tuple[str, dict[str, object]]] = []
        self.counts: dict[str, Any] | None = None

    def take(self) -> None:
        """Read one message."""
        try:
            message: _Message = pickle.loads(self.reader.recv_bytes())  # noqa: S301 - from our own process
        except (EOFError, OSError):
            self.is_open = False
            return
        if message.event:
            self.events.append((message.event, message.fields))
        else:
            self.counts, self.is_open = message.fields, False

    def end(self) -> None:
        """Stop it, if it has not ended, and wait for it."""
        self.reader.close()
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)


class _Message(NamedTuple):
    """An event, or without a name what was counted in the end."""

    event: str
    fields: dict[str, Any]


def _follow(forks: Sequence[_Fork], observe: Observer) -> None:
    """Pass on what the processes tell, one process after the other, until all are done."""
    for place, fork in enumerate(forks):
        while True:
            for event, fields in fork.events:
                observe(event, fields)
            fork.events.clear()
            if not fork.is_open:
                break
            behind = {each.reader: each for each in forks[place:] if each.is_open}
            for reader in wait(list(behind), _TICK_SECONDS):
                if isinstance(reader, Connection):
                    behind[reader].take()
            observe("tick", {})


def _start(write: Write) -> _Fork:
    reader, writer = Pipe(duplex=False)
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        reader.close()
        _serve(write, writer, parent)
    writer.close()
    return _Fork(pid, reader)


def _serve(write: Write, writer: Connection, parent: int) -> NoReturn:
    status = 1
    try:
        # Ctrl-C reaches the parent, which ends this process; so does its own end
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        follow_parent(parent)

        def tell(event: str, fields: dict[str, object]) -> None:
            if event != "tick":
                writer.send_bytes(pickle.dumps(_Message(event, fields)))

        writer.send_bytes(pickle.dumps(_Message("", write(tell))))
        status = 0
    finally:
        # whatever was raised is raised again by the parent, which has the terminal
        os._exit(status)
