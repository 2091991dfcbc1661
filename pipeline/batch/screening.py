"""Which documents a batch asks, by filters of the call and of single questions; nothing is left out in silence."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pipeline.batch.dispatching import Work
from pipeline.batch.filters import Filter, Verdict, judge_filter, parse_filter
from pipeline.batch.metadata import (
    KEYS,
    OwnTable,
    Value,
    describe_path,
    describe_profile,
    describe_unread,
    find_table,
    read_table,
)
from pipeline.batch.orders import run_orders
from pipeline.batch.worker import Order
from pipeline.canonical import encode_json, hash_bytes
from pipeline.errors import UsageError
from pipeline.models.batch import BatchQuestion, LeftOut
from pipeline.report.rows import Frame

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipeline.batch.crew import Crew
    from pipeline.batch.documents import SourceDocument
    from pipeline.batch.matrix import Inputs, Matrix, PlannedRow
    from pipeline.batch.worker import Outcome
    from pipeline.models.batch import QuestionList

    Observer = Callable[[str, dict[str, object]], None]

_SHOWN_FILTERS = 3


class Screen(NamedTuple):
    """The filters of a batch: those of the call, those of single questions by their place, and the user's table.

    `faults` say what is wrong with the filters of a question.
    """

    common: tuple[Filter, ...] = ()
    own: dict[int, tuple[Filter, ...]] = {}  # noqa: RUF012 - read only
    faults: dict[int, str] = {}  # noqa: RUF012 - read only
    table: OwnTable = OwnTable()

    @property
    def is_empty(self) -> bool:
        """Whether every document is asked everything."""
        return not (self.common or self.own)

    def list_filters(self, question: int) -> tuple[Filter, ...]:
        """What a document must meet to be asked a question."""
        return (*self.common, *self.own.get(question, ()))

    def describe(self) -> str:
        """A hash of what decides which documents are asked, beside the questions themselves."""
        return hash_bytes(encode_json([[each.text for each in self.common], self.table.sha256]))


def read_screen(inputs: Inputs, listed: QuestionList, documents: tuple[SourceDocument, ...]) -> Screen:
    """Read the filters of the call and of every question; the user's table only where there are filters.

    Raises:
        UsageError: a filter of the call or the table cannot be read.
    """
    asked = {place: question.where for place, question in enumerate(listed.questions) if question.where}
    if not (inputs.where or asked or inputs.metadata):
        return Screen()
    # beside documents in a store no table is looked for
    folder = inputs.documents if isinstance(inputs.documents, Path) else None
    path = find_table(inputs.metadata, folder) if folder else inputs.metadata
    table = read_table(path, documents) if path is not None else OwnTable()
    common = tuple(parse_filter(text, table.titles) for text in inputs.where)
    own: dict[int, tuple[Filter, ...]] = {}
    faults: dict[int, str] = {}
    for place, texts in asked.items():
        try:
            own[place] = tuple(parse_filter(text, table.titles) for text in texts)
        except UsageError as error:
            faults[place] = str(error)
    return Screen(common, own, faults, table)


def screen_matrix(matrix: Matrix, make_crew: Callable[[int], Crew], observe: Observer) -> Matrix:
    """The matrix without the rows whose document meets not every filter, and with what was left out.

    Documents are read where a filter asks what only the text tells. A document that cannot be judged is asked, or fails
    as a row, but is never left out.

    Raises:
        UsageError: no row is left.
    """
    screen = matrix.screen
    if screen.is_empty:
        return matrix
    known = _Known(matrix)
    known.read_documents(make_crew, observe)
    kept: list[PlannedRow] = []
    left: dict[tuple[str, str], LeftOut] = {}
    spared: dict[int, PlannedRow] = {}
    for row in matrix.rows:
        met = _judge_all(screen.list_filters(row.question), known, row)
        if row.fault or met is None:
            kept.append(row)
        elif met[1].fits is None:
            # a file that cannot be read is asked, and its row says what everybody hears of it
            fault = "" if known.is_unread(row.document) else met[1].reason
            kept.append(row._replace(fault=fault))
        else:
            _note(left, met, matrix.documents[row.document].name)
            if met[0] not in screen.common:
                spared.setdefault(row.question, row)
    kept += _list_unasked(matrix, spared, kept)
    told = tuple(left.values())
    for each in told:
        observe("left_out", each.model_dump(mode="json"))
    if not kept:
        raise UsageError(_tell_misfits(told), "see --where and the column where")
    return matrix._replace(rows=tuple(sorted(kept, key=lambda row: row.number)), left_out=told)


class _Known:
    """What is known of each document, read no further than the filters ask."""

    def __init__(self, matrix: Matrix) -> None:
        self._matrix = matrix
        self._values: dict[int, dict[str, Value]] = {}
        self._unread: dict[int, str] = {}
        self._judged: dict[tuple[Filter, int], Verdict] = {}
        for place, document in enumerate(matrix.documents):
            own = matrix.screen.table.values.get(place, {})
            # a column of the user's own stands for ours wherever both have one name
            absent: dict[str, Value] = dict.fromkeys(matrix.screen.table.titles)
            self._values[place] = {**describe_path(document), **absent, **own}

    def judge(self, wanted: Filter, place: int) -> Verdict:
        """Whether a document meets one filter; asked again only of what was read meanwhile."""
        if (wanted, place) not in self._judged:
            values = self._values[place]
            # what another filter left out was never read for this one, which says nothing of it then
            unread = Verdict(None, self._unread.get(place, "it was not read"))
            self._judged[wanted, place] = judge_filter(wanted, values[wanted.key]) if wanted.key in values else unread
        return self._judged[wanted, place]

    def is_unread(self, place: int) -> bool:
        """Whether a document could not be read."""
        return place in self._unread

    def read_documents(self, make_crew: Callable[[int], Crew], observe: Observer) -> None:
        """Read the profiles of those documents that some row needs one of, each once, in the processes of a crew."""
        wanted = sorted({row.document for row in self._matrix.rows if self._is_profile_needed(row)})
        if not wanted:
            return
        observe("reading", {"documents": len(wanted)})
        work = Work([(place + 1, place) for place in wanted], self._build_order)
        run_orders(work, make_crew(len(wanted)), lambda outcome: self._take(outcome, observe), observe)

    def _is_profile_needed(self, row: PlannedRow) -> bool:
        """Whether what is known without reading leaves the question open."""
        if row.document < 0:
            return False
        filters = self._matrix.screen.list_filters(row.question)
        own = self._matrix.screen.table.titles
        parsed = [each for each in filters if each.key not in own and each.key in KEYS and KEYS[each.key].is_parsed]
        others = [each for each in filters if each not in parsed]
        return bool(parsed) and all(self.judge(each, row.document).fits is not False for each in others)

    def _build_order(self, number: int) -> Order:
        document = self._matrix.documents[number - 1]
        frame = Frame(number, BatchQuestion(line=0, id="", question=""), document.name, document.sha256, "")
        return Order(frame, document.path, is_profile=True, url=document.url)

    def _take(self, outcome: Outcome, observe: Observer) -> None:
        place = outcome.number - 1
        state: str
        if outcome.profile is not None:
            read, state = describe_profile(outcome.profile), outcome.profile.state
        else:
            failed = outcome.row
            state, self._unread[place] = (failed.state, failed.reason) if failed else ("fault", "nothing came back")
            read = describe_unread(state)
        self._values[place] = {**read, **self._values[place]}
        observe("read", {"document": self._matrix.documents[place].name, "state": state})


def _judge_all(filters: tuple[Filter, ...], known: _Known, row: PlannedRow) -> tuple[Filter, Verdict] | None:
    """The first filter that a row's document does not meet, else the first that cannot be judged; None when it fits."""
    if row.document < 0:
        return None
    judged = [(each, known.judge(each, row.document)) for each in filters]
    missed = [pair for pair in judged if pair[1].fits is False]
    open_ones = [pair for pair in judged if pair[1].fits is None]
    return next(iter((*missed, *open_ones)), None)


def _tell_misfits(told: tuple[LeftOut, ...]) -> str:
    """How many documents each filter leaves out when none is left, and the one that came furthest."""
    counts = Counter(each.filter for each in told)
    filters = [f"{name} (leaves out {count})" for name, count in counts.items()]
    last = min(told, key=lambda each: counts[each.filter])
    return f"no document fits: {'; '.join(filters[:_SHOWN_FILTERS])}; {last.document}: {last.reason}"


def _note(left: dict[tuple[str, str], LeftOut], met: tuple[Filter, Verdict], document: str) -> None:
    wanted, verdict = met
    old = left.get((wanted.text, document))
    left[wanted.text, document] = LeftOut(
        filter=wanted.text,
        document=document,
        reason=verdict.reason,
        row_count=old.row_count + 1 if old else 1,
        is_unknown=verdict.is_unknown,
    )


def _list_unasked(matrix: Matrix, spared: dict[int, PlannedRow], kept: list[PlannedRow]) -> list[PlannedRow]:
    """A question whose own filters fit no document fails as a row, as one whose document is not there does."""
    asked = {row.question for row in kept}
    rows = []
    for question, row in spared.items():
        if question not in asked:
            line = matrix.listed.questions[question].line
            told = "; ".join(each.text for each in matrix.screen.own[question])
            fault = f"{matrix.listed.name}:{line}: no document fits: {told}"
            rows.append(row._replace(document=-1, fault=fault))
    return rows
