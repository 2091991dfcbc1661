"""Processes that append to one ledger at once: `python -m tests.promises.writers MODE LEDGER COUNT ROUNDS`.

`race` lets eight processes append COUNT runs each, ROUNDS times over. `kill` ends processes with SIGKILL in the middle
of their appends, COUNT times in all, while others go on. Either prints one JSON object: what was acknowledged.

This is a program of its own since it forks, which a process with threads should not do.
"""

from __future__ import annotations

import json
import os
import random
import select
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from pipeline.audit import writing
from pipeline.audit.ledger import append_record
from pipeline.models.settings import LedgerLimits
from tests.unit.audit.ledgers import make_record

PROCESSES = 8
# small, so that segments fill while several processes write
LIMITS = LedgerLimits(max_bytes=400_000)
PIECE = 37


def _start(work: Callable[[], None]) -> int:
    child = os.fork()
    if child == 0:
        try:
            work()
        finally:
            # no exit handlers of the parent: they belong to it alone
            os._exit(0)
    return child


def _append(ledger: Path, detail: str, out: int) -> None:
    """Append one run and acknowledge it only when it is on the disk."""
    appended = append_record(make_record(detail), ledger, LIMITS)
    os.write(out, f"{appended.number} {appended.chain_hash} {detail}\n".encode())


def race(ledger: Path, count: int, rounds: int) -> dict[str, object]:
    """Eight processes that append as fast as they can."""
    acknowledged: list[str] = []
    for turn in range(rounds):
        reader, writer = os.pipe()
        make_record()

        def work(name: str, out: int) -> None:
            for at in range(count):
                _append(ledger, f"{name} {at}", out)

        children = [_start(lambda name=f"{turn} {own}", out=writer: work(name, out)) for own in range(PROCESSES)]
        os.close(writer)
        with os.fdopen(reader) as lines:
            acknowledged += lines.read().splitlines()
        ended = [os.waitpid(child, 0)[1] for child in children]
        if any(ended):
            raise SystemExit(f"a writer ended with {ended}")
    return {"acknowledged": acknowledged}


def _write_in_pieces(handle: int, content: bytes) -> None:
    """As `write_all`, in so many writes that most kills come between two of them."""
    for at in range(0, len(content), PIECE):
        os.write(handle, content[at : at + PIECE])


def kill(ledger: Path, count: int, rounds: int) -> dict[str, object]:
    """Processes that are killed after a random number of acknowledged runs, `rounds` of them at work at once."""
    chance = random.Random(count)
    writing.write_all = _write_in_pieces
    make_record()
    reader, writer = os.pipe()
    received = b""
    started = 0
    children: list[int] = []

    def work(name: str) -> None:
        for at in range(1 << 20):
            _append(ledger, f"{name} {at}", writer)

    killed = 0
    while killed < count:
        while len(children) < rounds:
            children.append(_start(lambda name=str(started): work(name)))
            started += 1
        # wait for some sign of life, then let it run on for a random moment
        for _ in range(chance.randrange(1, 4)):
            received += os.read(reader, 4096)
        select.select([], [], [], chance.random() / 100)
        victim = children.pop(chance.randrange(len(children)))
        os.kill(victim, signal.SIGKILL)
        os.waitpid(victim, 0)
        killed += 1
    for child in children:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    os.close(writer)
    while part := os.read(reader, 1 << 16):
        received += part
    # the last one who dies may have written half an acknowledgement
    acknowledged = received[: received.rfind(b"\n") + 1].decode().splitlines()
    return {"acknowledged": acknowledged, "killed": killed}


if __name__ == "__main__":
    mode, path, number, times = sys.argv[1:]
    run = {"race": race, "kill": kill}[mode]
    print(json.dumps(run(Path(path), int(number), int(times))))
