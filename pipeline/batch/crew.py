"""The processes of a batch on this machine: each with a pipe of its own, replaced when it dies.

No threads: where nobody else started one the processes are forked, and otherwise spawned.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import threading
from collections import deque
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, NamedTuple, Protocol

from pipeline.batch.worker import Outcome, serve_orders
from pipeline.report.rows import describe_failure

if TYPE_CHECKING:
    from multiprocessing.context import ForkContext, SpawnContext

    from pipeline.batch.worker import Order
    from pipeline.models.settings import Settings

_TICK_SECONDS = 0.5
_END_SECONDS = 5.0
# two orders of this size fit into any pipe, so that whoever writes the second one never waits
_MAX_AHEAD_BYTES = 4096


class Arrival(NamedTuple):
    """An outcome, and the lane that it came by."""

    lane: int
    outcome: Outcome


class Crew(Protocol):
    """Lanes that answer orders one after the other; another engine than this machine has its own."""

    @property
    def lane_count(self) -> int:
        """How many orders can be worked on at once."""
        ...

    def has_room(self, lane: int, order: Order) -> bool:
        """Whether a lane takes this order now."""
        ...

    def send(self, lane: int, order: Order) -> None:
        """Give an order to a lane."""
        ...

    def collect(self) -> tuple[Arrival, ...]:
        """Wait a moment for outcomes; none is an answer too."""
        ...

    def close(self) -> None:
        """End all work; what was not collected is lost."""
        ...


class _Lane:
    """One process, the ends of its pipes, and the orders that it has not answered."""

    def __init__(self, context: ForkContext | SpawnContext, settings: Settings, others: tuple[Connection, ...]) -> None:
        order_reader, self.orders = context.Pipe(duplex=False)
        self.outcomes, outcome_writer = context.Pipe(duplex=False)
        # a fork has our ends too, its own included; a spawned process has none of them
        inherited = (*others, self.orders, self.outcomes) if context.get_start_method() == "fork" else ()
        self.pending: deque[Order] = deque()
        self.process = context.Process(
            target=serve_orders, args=(order_reader, outcome_writer, settings, inherited), daemon=False
        )
        self.process.start()
        order_reader.close()
        outcome_writer.close()

    @property
    def ends(self) -> tuple[Connection, Connection]:
        """The parent's ends of the pipes."""
        return self.orders, self.outcomes

    def take(self) -> Outcome | None:
        """The next outcome; None when the process died."""
        try:
            outcome: Outcome = pickle.loads(self.outcomes.recv_bytes())  # noqa: S301 - from our own process
        except (EOFError, OSError):
            return None
        self.pending.popleft()
        return outcome

    def end(self) -> None:
        """Stop the process, kindly first."""
        for connection in self.ends:
            connection.close()
        self.process.terminate()
        self.process.join(_END_SECONDS)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


class LocalCrew:
    """A pool of processes on this machine."""

    def __init__(self, settings: Settings, count: int) -> None:
        # children of other threads' locks would hang, so a fork is only for a process without threads
        can_fork = hasattr(os, "fork") and threading.active_count() == 1
        self._context = multiprocessing.get_context("fork") if can_fork else multiprocessing.get_context("spawn")
        self._settings = settings
        self._lanes: list[_Lane] = []
        for _ in range(count):
            self._lanes.append(self._start())

    @property
    def lane_count(self) -> int:
        """How many processes there are."""
        return len(self._lanes)

    def has_room(self, lane: int, order: Order) -> bool:
        """An idle lane takes anything; a busy one takes one more small order, to begin without waiting for us."""
        pending = self._lanes[lane].pending
        return not pending or (len(pending) == 1 and _is_small(order) and _is_small(pending[0]))

    def send(self, lane: int, order: Order) -> None:
        """Give an order to a process; one that died meanwhile is noticed when its outcome is waited for."""
        self._lanes[lane].pending.append(order)
        try:
            self._lanes[lane].orders.send_bytes(pickle.dumps(order))
        except OSError:
            # its death is found out, and said, by whoever collects
            self._lanes[lane].process.join(_END_SECONDS)

    def collect(self) -> tuple[Arrival, ...]:
        """Outcomes of whichever processes have one, within half a second."""
        ready = wait([lane.outcomes for lane in self._lanes], _TICK_SECONDS)
        arrivals = []
        for number, lane in enumerate(self._lanes):
            # a parse child may hold the pipe of a process that died, so silence is no proof of life
            is_dead = not lane.process.is_alive() and not lane.outcomes.poll()
            if lane.outcomes in ready or is_dead:
                outcome = None if is_dead else lane.take()
                if outcome is not None:
                    arrivals.append(Arrival(number, outcome))
                else:
                    arrivals += self._replace(number)
        return tuple(arrivals)

    def close(self) -> None:
        """End all processes."""
        for lane in self._lanes:
            lane.end()
        self._lanes.clear()

    def _start(self) -> _Lane:
        others = tuple(end for lane in self._lanes for end in lane.ends)
        return _Lane(self._context, self._settings, others)

    def _replace(self, number: int) -> list[Arrival]:
        """Fail the order that a process died of, and give those behind it to a new one."""
        old = self._lanes[number]
        old.process.join(_END_SECONDS)
        code = old.process.exitcode
        old.end()
        pending = old.pending
        self._lanes[number] = self._start()
        if not pending:
            return []
        culprit = pending.popleft()
        for order in pending:
            self.send(number, order)
        how = f"was ended by signal {-code}" if code is not None and code < 0 else f"ended with code {code}"
        row = describe_failure(culprit.frame, "fault", f"the process that asked it {how}")
        return [Arrival(number, Outcome(culprit.frame.number, row))]


def _is_small(order: Order) -> bool:
    return len(pickle.dumps(order)) <= _MAX_AHEAD_BYTES
