"""Dispatching: every order once, a document by one lane until others can find it in the cache."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.batch.dispatching import dispatch_orders
from pipeline.batch.worker import Order, Outcome
from pipeline.errors import BatchStopped
from pipeline.models.batch import BatchQuestion
from pipeline.models.settings import Settings
from pipeline.report.rows import Frame
from tests.unit.batch.folders import HereCrew, make_work


def _make_orders(sizes):
    asked = BatchQuestion(line=1, id="a", question="Who?")
    documents = [document for document, size in enumerate(sizes) for _ in range(size)]
    return tuple(
        Order(Frame(number, asked, str(document), "", ""), Path(str(document)))
        for number, document in enumerate(documents, 1)
    )


def _dispatch(orders, lane_count, shareable):
    def answer(_shelf, order, _settings):
        return Outcome(order.frame.number, None, is_shareable=str(order.path) in shareable)

    crew = HereCrew(Settings(), lane_count, answer)
    taken, ticks = [], []
    dispatch_orders(make_work(orders), crew, taken.append, lambda: ticks.append(1))
    assert bool(ticks) == bool(orders)
    return crew, taken


@given(st.lists(st.integers(0, 6), max_size=6), st.integers(1, 4), st.sets(st.sampled_from("012345")))
def test_every_order_is_answered_once_when_documents_and_lanes_are_many(sizes, lane_count, shareable):
    orders = _make_orders(sizes)
    crew, taken = _dispatch(orders, lane_count, shareable)
    assert sorted(outcome.number for outcome in taken) == [order.frame.number for order in orders]
    lanes: dict[str, set[int]] = {}
    for lane, order in crew.sent:
        lanes.setdefault(str(order.path), set()).add(lane)
    assert all(len(found) == 1 for path, found in lanes.items() if path not in shareable)


def test_idle_lanes_help_when_one_document_has_all_questions_and_is_cached():
    crew, _ = _dispatch(_make_orders([9]), 3, {"0"})
    assert {lane for lane, _ in crew.sent} == {0, 1, 2}
    # the first answer says that the text is cached; until then nobody else begins
    assert [lane for lane, _ in crew.sent[:2]] == [0, 0]


def test_dispatching_ends_when_whoever_takes_the_outcomes_says_so():
    def refuse(_outcome):
        raise BatchStopped("enough")

    crew = HereCrew(Settings(), 1, lambda _shelf, order, _settings: Outcome(order.frame.number, None))
    with pytest.raises(BatchStopped):
        dispatch_orders(make_work(_make_orders([5])), crew, refuse, lambda: None)
    assert len(crew.sent) == 2
