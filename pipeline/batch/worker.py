"""What a process of the pool does: it takes orders one by one, asks, and gives back what came of each.

Anything may go wrong with one order, and the rest goes on: the row says what was caught.
"""

from __future__ import annotations

import contextlib
import pickle
import signal
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pipeline.audit.ledger import encode_fields
from pipeline.batch.boundary import ProgramFault, bound_faults
from pipeline.errors import DocketError, DocumentError, QuestionError, RulebookError
from pipeline.report.rows import Frame, describe_failure, describe_record
from pipeline.report.spending import read_worst_case
from pipeline.run import Shelf, ask_shelved, plan_shelved

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from types import FrameType

    from pipeline.batch.fetching import RemoteCopy
    from pipeline.models.batch import ResultRow, Spending
    from pipeline.models.document import DocumentProfile
    from pipeline.models.settings import Settings
    from pipeline.run import Preview


class Order(NamedTuple):
    """One question of one document; `rules_folder` is its own rulebook, if it has one. A forecast runs nothing.

    With `is_profile` nothing is asked at all: the document is read and described. A document with a URL is fetched by
    whoever takes the order, and `path` is where it is then.
    """

    frame: Frame
    path: Path
    rules_folder: Path | None = None
    is_forecast: bool = False
    is_profile: bool = False
    url: str = ""


class Forecast(NamedTuple):
    """What the plan of one row says."""

    patterns: tuple[str, ...]
    actions: tuple[str, ...]
    rules: tuple[str, ...]
    worst_case: Spending


class Outcome(NamedTuple):
    """What came of an order: a row and, if it ran, its record field by field; a forecast or a profile has neither.

    `is_shareable` says that another process finds the document in the parse cache.
    """

    number: int
    row: ResultRow | None
    fields: dict[bytes, bytes] | None = None
    forecast: Forecast | None = None
    is_shareable: bool = False
    profile: DocumentProfile | None = None


def answer_order(shelf: Shelf, order: Order, settings: Settings) -> Outcome:
    """Ask, and describe what came of it, whatever that is."""
    number = order.frame.number
    if order.rules_folder is not None:
        settings = settings.model_copy(update={"rules_folder": order.rules_folder})
    try:
        # one question that breaks is one row that failed, with what broke it
        with bound_faults(_describe_fault):
            return _ask_order(shelf, order, settings)
    except DocketError as error:
        # the path is that of this machine; the row has the name of the document beside it
        reason = error.message.removeprefix(f"{order.path}: ")
        return Outcome(number, describe_failure(order.frame, _find_state(error), reason))


def _ask_order(shelf: Shelf, order: Order, settings: Settings) -> Outcome:
    number = order.frame.number
    if order.is_profile:
        return Outcome(number, None, profile=shelf.read_document(order.path, settings).profile)
    if order.is_forecast:
        preview = plan_shelved(shelf, order.path, order.frame.asked.question, settings)
        is_shareable = _is_shareable(settings, preview.profile.state, preview.profile.is_encrypted)
        return Outcome(number, None, forecast=_read_plan(preview), is_shareable=is_shareable)
    record = ask_shelved(shelf, order.path, order.frame.asked.question, settings)
    profile = record.body.profile
    if record.body.document_sha256 != order.frame.document_sha256:
        raise DocumentError("unreadable", "the file was changed while the batch ran")
    if order.url:
        # where it came from, not the copy that is gone by the time anybody reads it
        record = record.model_copy(update={"volatile": record.volatile.model_copy(update={"document_path": order.url})})
    is_shareable = _is_shareable(settings, profile.state, profile.is_encrypted)
    row = describe_record(order.frame, record)
    return Outcome(number, row, encode_fields(record), is_shareable=is_shareable)


class Desk:
    """What a process keeps between orders: its shelf, and the copy of the remote document that was asked last."""

    def __init__(self) -> None:
        self.shelf = Shelf()
        self._copy: RemoteCopy | None = None

    def answer(self, order: Order, settings: Settings) -> Outcome:
        """As `answer_order`; a document with a URL is fetched first, unless it is here already."""
        if not order.url:
            return answer_order(self.shelf, order, settings)
        from pipeline.batch.fetching import RemoteCopy

        if self._copy is None:
            self._copy = RemoteCopy(settings)
        try:
            path = self._copy.find_path(order.url)
        except DocumentError as error:
            reason = error.message.removeprefix(f"{order.url}: ")
            return Outcome(order.frame.number, describe_failure(order.frame, error.state, reason))
        return answer_order(self.shelf, order._replace(path=path), settings)

    def close(self) -> None:
        """Remove the copy."""
        if self._copy is not None:
            self._copy.close()


def serve_orders(
    reader: Connection, writer: Connection, settings: Settings, others: tuple[Connection, ...] = ()
) -> None:
    """Take orders until there are no more, or until nobody is left to answer to.

    `others` are ends of pipes that a fork inherited; while they are open, their processes would not see the end.
    """
    for connection in others:
        connection.close()
    # Ctrl-C reaches the whole group of processes; the parent decides what it means
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    desk = Desk()
    try:
        with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
            while True:
                order: Order = pickle.loads(reader.recv_bytes())  # noqa: S301 - from the parent, by a pipe of its own
                writer.send_bytes(pickle.dumps(desk.answer(order, settings)))
    finally:
        # the parent closes the pipe and then asks to end, which must not come between the end and the tidying up
        try:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        finally:
            desk.close()


def _leave(_number: int, _frame: FrameType | None) -> None:
    # an exception, so that a parse child is taken along
    raise SystemExit(0)


def _is_shareable(settings: Settings, state: str, is_encrypted: bool) -> bool:
    return settings.is_cache_used and state == "ok" and not is_encrypted


def _find_state(error: DocketError) -> str:
    if isinstance(error, DocumentError):
        return error.state
    if isinstance(error, QuestionError):
        return "question"
    if isinstance(error, ProgramFault):
        return "fault"
    return "rules" if isinstance(error, RulebookError) else "record"


def _describe_fault(error: Exception) -> ProgramFault:
    """The error with the place in this program that raised it, for whoever has to mend it."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = f" at {Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}" if trace else ""
    return ProgramFault(f"a fault of the program: {type(error).__name__}: {error}{place}")


def _read_plan(preview: Preview) -> Forecast:
    plan = preview.plan
    return Forecast(
        patterns=tuple(step.pattern for step in plan.steps),
        actions=tuple(dict.fromkeys(step.action for step in plan.standby)),
        rules=tuple(outcome.rule for outcome in plan.outcomes if outcome.state == "fired"),
        worst_case=read_worst_case(plan),
    )
