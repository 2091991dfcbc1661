"""Who asks what next: a lane keeps to one document, so that each is parsed once however many questions it gets."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pipeline.batch.crew import Crew
    from pipeline.batch.worker import Order, Outcome


class _Queues:
    """Orders by document, and which lane works on which."""

    def __init__(self, orders: Iterable[Order], lane_count: int) -> None:
        self._queues: dict[str, deque[Order]] = {}
        for order in orders:
            self._queues.setdefault(str(order.path), deque()).append(order)
        self._unstarted = deque(self._queues)
        self._lanes: list[str | None] = [None] * lane_count
        self._shareable: set[str] = set()

    def share(self, path: str) -> None:
        """Other lanes may help with a document: its text is in the parse cache by now."""
        self._shareable.add(path)

    def peek(self, lane: int) -> Order | None:
        """The next order of a lane: of its document, else of one that nobody began, else of the longest shared one."""
        path = self._lanes[lane]
        if path is None or not self._queues[path]:
            path = self._unstarted.popleft() if self._unstarted else self._find_longest()
            self._lanes[lane] = path
        return self._queues[path][0] if path is not None else None

    def pop(self, lane: int) -> None:
        """Take what was peeked at off its queue."""
        path = self._lanes[lane]
        if path is not None:
            self._queues[path].popleft()

    def _find_longest(self) -> str | None:
        # in the order of the input, so that ties do not depend on hashes
        open_paths = [path for path in self._queues if path in self._shareable and self._queues[path]]
        return max(open_paths, key=lambda path: len(self._queues[path]), default=None)


def dispatch_orders(
    orders: tuple[Order, ...], crew: Crew, take: Callable[[Outcome], None], tick: Callable[[], None]
) -> None:
    """Give all orders to a crew and every outcome to `take`, as they come; `tick` is called between them.

    An error that `take` raises ends it; the crew is left to its owner.
    """
    queues = _Queues(orders, crew.lane_count)
    paths = {order.frame.number: str(order.path) for order in orders}
    left = len(orders)
    while left:
        for lane in range(crew.lane_count):
            while (order := queues.peek(lane)) is not None and crew.has_room(lane, order):
                queues.pop(lane)
                crew.send(lane, order)
        for arrival in crew.collect():
            left -= 1
            if arrival.outcome.is_shareable:
                queues.share(paths[arrival.outcome.number])
            take(arrival.outcome)
        tick()
