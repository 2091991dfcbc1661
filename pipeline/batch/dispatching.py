"""Who asks what next: a lane keeps to one document, so that each is parsed once however many questions it gets."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pipeline.batch.crew import Crew
    from pipeline.batch.worker import Order, Outcome


class Work(NamedTuple):
    """Rows by their number with the place of their document, and what makes an order of a row when its turn comes."""

    rows: Iterable[tuple[int, int]]
    build: Callable[[int], Order]


class _Queues:
    """Rows by document, and which lane works on which."""

    def __init__(self, work: Work, lane_count: int) -> None:
        self._build = work.build
        self._queues: dict[int, deque[int]] = {}
        for number, document in work.rows:
            self._queues.setdefault(document, deque()).append(number)
        self.count = sum(map(len, self._queues.values()))
        self._unstarted = deque(self._queues)
        self._documents: list[int | None] = [None] * lane_count
        # an order waits here until its lane has room, so that there are never more of them than lanes
        self._next: list[Order | None] = [None] * lane_count
        self._shareable: set[int] = set()

    def share(self, document: int) -> None:
        """Other lanes may help with a document: its text is in the parse cache by now."""
        self._shareable.add(document)

    def peek(self, lane: int) -> Order | None:
        """The next order of a lane: of its document, else of one that nobody began, else of the longest shared one."""
        if self._next[lane] is None:
            document = self._documents[lane]
            if document is None or not self._queues[document]:
                document = self._unstarted.popleft() if self._unstarted else self._find_longest()
                self._documents[lane] = document
            if document is not None:
                self._next[lane] = self._build(self._queues[document].popleft())
        return self._next[lane]

    def take(self, lane: int) -> int:
        """The order that was peeked at is on its way; the place of its document."""
        self._next[lane] = None
        document = self._documents[lane]
        if document is None:
            raise ValueError("a lane without a document has no order")
        return document

    def _find_longest(self) -> int | None:
        # in the order of the input, so that ties do not depend on hashes
        open_documents = [place for place, rows in self._queues.items() if rows and place in self._shareable]
        return max(open_documents, key=lambda place: len(self._queues[place]), default=None)


def dispatch_orders(work: Work, crew: Crew, take: Callable[[Outcome], None], tick: Callable[[], None]) -> None:
    """Give all orders to a crew and every outcome to `take`, as they come; `tick` is called between them.

    An error that `take` raises ends it; the crew is left to its owner.
    """
    queues = _Queues(work, crew.lane_count)
    documents: dict[int, int] = {}
    left = queues.count
    while left:
        for lane in range(crew.lane_count):
            while (order := queues.peek(lane)) is not None and crew.has_room(lane, order):
                documents[order.frame.number] = queues.take(lane)
                crew.send(lane, order)
        for arrival in crew.collect():
            left -= 1
            document = documents.pop(arrival.outcome.number)
            if arrival.outcome.is_shareable:
                queues.share(document)
            take(arrival.outcome)
        tick()
