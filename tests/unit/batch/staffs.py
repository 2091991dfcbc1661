"""Workers of a cluster that live in this process and die as they are told; and real ones, in a process of their own.

`python -m tests.unit.batch.staffs FOLDER` asks with pools of processes, and prints the rows as one JSON object.
"""

from __future__ import annotations

import json
import os
import pickle
import signal
import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from fixtures.rawpdf import lease_pdf
from pipeline.batch.cluster import ClusterCrew
from pipeline.batch.dispatching import dispatch_orders
from pipeline.batch.parcels import answer_parcel, describe_versions
from pipeline.batch.seats import Seat
from pipeline.batch.worker import Order, Outcome
from pipeline.canonical import hash_bytes
from pipeline.errors import UsageError
from pipeline.models.batch import BatchQuestion
from pipeline.models.settings import Settings
from pipeline.report.rows import Frame
from tests.unit.batch.folders import make_work

VANISH, BREAK, FAIL = "vanish", "break", "fail"


class HereExecutor(Executor):
    """Runs what it is given at once; `fate` says of an order by its number how its worker ends, or None."""

    def __init__(self, staff: HereStaff, name: str) -> None:
        self._staff, self._name = staff, name

    def submit(self, function, /, *arguments, **_):
        future: Future = Future()
        if self._name in self._staff.mute:
            return future
        if function is describe_versions and self._name in self._staff.versions:
            future.set_result(self._staff.versions[self._name])
            return future
        fate = None
        if function is answer_parcel:
            number = pickle.loads(arguments[0]).order.frame.number
            if self._name not in self._staff.names:
                # the worker is gone, and nobody said so yet
                return future
            self._staff.asked[number] += 1
            self._staff.taken.append((self._name, number))
            fate = self._staff.fate(self._name, number)
        if fate is not None:
            return self._end(future, fate)
        try:
            future.set_result(function(*arguments))
        except (OSError, ImportError, UsageError) as error:
            future.set_exception(error)
        return future

    def _end(self, future, fate):
        if fate == FAIL:
            future.set_exception(ConnectionResetError("lost"))
            return future
        self._staff.kill(self._name)
        if fate == BREAK:
            future.set_exception(BrokenProcessPool("gone"))
        return future


class HereStaff:
    """Workers w1, w2 ...; with `is_renewed` another one joins for each that dies."""

    place = "the cluster"

    def __init__(self, count: int, fate: Callable[[str, int], str | None] = lambda *_: None, is_renewed: bool = True):
        self.names = [f"w{number}" for number in range(1, count + 1)]
        self.fate, self.is_renewed = fate, is_renewed
        self.asked: Counter[int] = Counter()
        self.taken: list[tuple[str, int]] = []
        self.mute: set[str] = set()
        self.versions: dict[str, tuple[tuple[str, str], ...]] = {}
        self.is_gone = False
        self._count = count

    def kill(self, name: str) -> None:
        self.names.remove(name)
        if self.is_renewed:
            self.join()

    def join(self) -> str:
        self._count += 1
        self.names.append(f"w{self._count}")
        return self.names[-1]

    def list_seats(self) -> tuple[Seat, ...]:
        if self.is_gone:
            raise UsageError("the cluster is gone")
        return tuple(Seat(name, HereExecutor(self, name)) for name in self.names)


class PoolStaff:
    """Real processes: pools of one each, begun anew under another name when they break."""

    place = "the pools"

    def __init__(self, count: int) -> None:
        self._pools = [ProcessPoolExecutor(1) for _ in range(count)]
        self._names = [f"pool {number}" for number in range(count)]

    def list_seats(self) -> tuple[Seat, ...]:
        for place, pool in enumerate(self._pools):
            try:
                pool.submit(int)
            except BrokenProcessPool:
                self._pools[place] = ProcessPoolExecutor(1)
                self._names[place] += "+"
        return tuple(map(Seat, self._names, self._pools))

    def close(self) -> None:
        for pool in self._pools:
            pool.shutdown(cancel_futures=True)


def make_orders(folder: Path, count: int, document_count: int = 2) -> list[Order]:
    """Orders of small documents in turn, number by number from 1."""
    orders = []
    for number in range(1, count + 1):
        path = folder / f"{number % document_count}.pdf"
        path.write_bytes(lease_pdf())
        asked = BatchQuestion(line=number, id=f"q{number}", question="What is the deposit?")
        orders.append(Order(Frame(number, asked, path.name, hash_bytes(lease_pdf()), path.name), path))
    return orders


def ask_all(crew: ClusterCrew, orders: list[Order]) -> dict[int, str]:
    """Status and reason of every row."""
    taken: list[Outcome] = []
    try:
        dispatch_orders(make_work(orders), crew, taken.append, lambda: None)
    finally:
        crew.close()
    assert len({outcome.number for outcome in taken}) == len(taken)
    return {found.number: f"{found.row.status} {found.row.reason}".strip() for found in taken if found.row}


def _kill_at_three(shelf, order, settings):
    from pipeline.batch import worker

    if order.frame.number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return worker._real(shelf, order, settings)


if __name__ == "__main__":
    from pipeline.batch import worker

    worker._real, worker.answer_order = worker.answer_order, _kill_at_three
    staff = PoolStaff(2)
    folder = Path(sys.argv[1])
    print(json.dumps(ask_all(ClusterCrew(staff, Settings(is_cache_used=False), 2), make_orders(folder, 7))))
    staff.close()
