"""Crews in a process of their own, since a fork of the test runner would answer for it.

`python -m tests.unit.batch.crews SCENE FOLDER` prints one JSON object.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from pathlib import Path

from fixtures.rawpdf import lease_pdf
from pipeline.batch import crew as crew_module
from pipeline.batch import worker
from pipeline.batch.crew import LocalCrew
from pipeline.batch.dispatching import dispatch_orders
from pipeline.batch.worker import Order, Outcome
from pipeline.canonical import hash_bytes
from pipeline.models.batch import BatchQuestion
from pipeline.models.settings import Settings
from pipeline.report.rows import Frame
from tests.unit.batch.folders import make_work


def _make_orders(folder: Path, count: int, question: str = "What is the deposit?") -> list[Order]:
    orders = []
    for number in range(1, count + 1):
        path = folder / f"{number % 2}.pdf"
        path.write_bytes(lease_pdf())
        asked = BatchQuestion(line=number, id=f"q{number}", question=question)
        orders.append(Order(Frame(number, asked, path.name, hash_bytes(lease_pdf()), path.name), path))
    return orders


def _run(crew: LocalCrew, orders: list[Order]) -> dict[int, str]:
    """Status and reason of each row; "nothing" where the outcome has none."""
    taken: list[Outcome] = []
    try:
        dispatch_orders(make_work(orders), crew, taken.append, lambda: None)
    finally:
        crew.close()
    return {found.number: f"{found.row.status} {found.row.reason}" if found.row else "nothing" for found in taken}


def _die(_shelf: object, order: Order, _settings: Settings) -> Outcome:
    if order.frame.number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    if order.frame.number == 4:
        os._exit(7)
    return Outcome(order.frame.number, None)


def play(scene: str, folder: Path) -> object:
    """Play one scene."""
    if scene == "dying":
        worker.answer_order = _die
        return _run(LocalCrew(Settings(), 2), _make_orders(folder, 9))
    if scene == "large":
        crew_module._MAX_AHEAD_BYTES = 100
        return _run(LocalCrew(Settings(), 1), _make_orders(folder, 3, "What " + "x" * 100_000))
    if scene == "closed":
        crew = LocalCrew(Settings(is_cache_used=False), 2)
        processes = [lane.process for lane in crew._lanes]
        for lane, order in enumerate(_make_orders(folder, 2)):
            crew.send(lane, order)
        crew.close()
        return [process.is_alive() for process in processes]
    if scene == "threaded":
        threading.Thread(target=threading.Event().wait, daemon=True).start()
    crew = LocalCrew(Settings(cache_folder=folder), 2)
    return {"method": crew._context.get_start_method(), "rows": _run(crew, _make_orders(folder, 5))}


if __name__ == "__main__":
    print(json.dumps(play(sys.argv[1], Path(sys.argv[2]))))
