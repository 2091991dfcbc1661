"""Workers of a cluster as the batch sees them: executors that are tied to one of them, and what was sent there."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Executor, Future
from typing import TYPE_CHECKING, NamedTuple, Protocol

from pipeline.batch.parcels import Versions, describe_versions

if TYPE_CHECKING:
    from pipeline.batch.worker import Order
    from pipeline.models.settings import Settings


class Seat(NamedTuple):
    """A worker: the name that it has while it lives, and an executor that runs everything on it and nowhere else."""

    name: str
    executor: Executor


class Staff(Protocol):
    """Whoever knows which workers there are."""

    @property
    def place(self) -> str:
        """What to call it in messages."""
        ...

    def list_seats(self) -> tuple[Seat, ...]:
        """The workers that live now. Raises UsageError when nobody answers any more."""
        ...


class Task:
    """An order on its way, and how often a worker was lost with it."""

    def __init__(self, lane: int, order: Order) -> None:
        self.lane, self.order, self.loss_count = lane, order, 0
        self.future: Future[bytes] = Future()


class Post:
    """A worker as the batch sees it: asked for its versions first, then given orders, of which the first one runs."""

    def __init__(self, seat: Seat, settings: Settings) -> None:
        self.seat = seat
        self.check: Future[Versions] = seat.executor.submit(
            describe_versions, settings.rules_folder, settings.rules_base
        )
        self.is_fit = False
        self.refusal = ""
        self.lanes: list[int] = []
        self.tasks: deque[Task] = deque()
        self.document = ""

    @property
    def name(self) -> str:
        """The worker's name."""
        return self.seat.name
