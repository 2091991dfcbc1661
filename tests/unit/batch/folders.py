"""Folders of small documents and questions, and a batch run in this process."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path

from fixtures.rawpdf import lease_pages, lease_pdf, page_objects, raw_pdf, show_lines
from pipeline.batch.crew import Arrival
from pipeline.batch.dispatching import Work
from pipeline.batch.matrix import Inputs
from pipeline.batch.running import Options, run_batch
from pipeline.batch.worker import Order, answer_order
from pipeline.models.batch import BatchSummary, ResultRow
from pipeline.models.settings import Settings
from pipeline.run import Shelf

QUESTIONS = "id,question,document,tags\na,What is the deposit?,,money\nb,Who repairs the roof?,lease*,repair\n"


class HereCrew:
    """Lanes in this process, each with a shelf of its own: quick, and it sees what is asked."""

    def __init__(self, settings: Settings, count: int, answer: Callable[..., object] = answer_order) -> None:
        self.lane_count = count
        self.sent: list[tuple[int, Order]] = []
        self._settings = settings
        self._answer = answer
        self._shelves = [Shelf() for _ in range(count)]
        self._waiting: list[deque[Order]] = [deque() for _ in range(count)]

    def has_room(self, lane: int, order: Order) -> bool:
        return len(self._waiting[lane]) < 2

    def send(self, lane: int, order: Order) -> None:
        self.sent.append((lane, order))
        self._waiting[lane].append(order)

    def collect(self) -> tuple[Arrival, ...]:
        # the last lane first: nothing may depend on who is done before whom
        for lane in reversed(range(self.lane_count)):
            if self._waiting[lane]:
                order = self._waiting[lane].popleft()
                return (Arrival(lane, self._answer(self._shelves[lane], order, self._settings)),)
        return ()

    def close(self) -> None:
        self._waiting.clear()


def make_work(orders: Sequence[Order]) -> Work:
    """Orders that are there already, each with the place of its document."""
    places = {path: place for place, path in enumerate(dict.fromkeys(order.path for order in orders))}
    built = {order.frame.number: order for order in orders}
    return Work([(number, places[order.path]) for number, order in built.items()], built.__getitem__)


def fill_folder(folder: Path) -> Path:
    """Three sound documents and a broken one."""
    docs = folder / "docs"
    (docs / "old").mkdir(parents=True)
    (docs / "lease.pdf").write_bytes(lease_pdf())
    (docs / "note.pdf").write_bytes(raw_pdf(page_objects([show_lines(["The deposit is 75 euros for each key."])])))
    (docs / "old" / "Lease 2.pdf").write_bytes(raw_pdf(page_objects(lease_pages()[:3])))
    (docs / "broken.pdf").write_bytes(lease_pdf()[:300])
    (folder / "questions.csv").write_text(QUESTIONS, encoding="utf-8")
    return folder


def make_inputs(folder: Path, out: str = "out", only: tuple[str, ...] = ()) -> Inputs:
    return Inputs(folder / "questions.csv", folder / "docs", folder / out, Settings(), only)


def run_here(inputs: Inputs, observe: Callable[..., None] = lambda *_: None, **flags: object) -> BatchSummary:
    """Run a batch with two lanes in this process."""
    given = {"worker_count": 2, "make_crew": HereCrew, **flags}
    return run_batch(inputs, Options(**given), observe)


def read_rows(out: Path) -> list[ResultRow]:
    lines = (out / "results.jsonl").read_bytes().splitlines()
    return [ResultRow.model_validate_json(line) for line in lines]


def read_files(out: Path) -> dict[str, bytes]:
    """The three files of results."""
    return {name: (out / name).read_bytes() for name in ("results.jsonl", "results.csv", "results.xlsx")}
