"""The pool of processes: whatever dies is replaced, and only its own row fails."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from fixtures.rawpdf import lease_pdf
from pipeline.batch import crew as crew_module
from pipeline.batch.crew import LocalCrew
from pipeline.batch.dispatching import dispatch_orders
from pipeline.batch.rows import Frame
from pipeline.batch.worker import Order, Outcome
from pipeline.canonical import hash_bytes
from pipeline.models.batch import BatchQuestion
from pipeline.models.settings import Settings


def _make_orders(folder, count, question="What is the deposit?"):
    orders = []
    for number in range(1, count + 1):
        path = folder / f"{number % 2}.pdf"
        path.write_bytes(lease_pdf())
        asked = BatchQuestion(line=number, id=f"q{number}", question=question)
        orders.append(Order(Frame(number, asked, path.name, hash_bytes(lease_pdf()), path.name), path))
    return tuple(orders)


def _run(crew, orders):
    taken = []
    try:
        dispatch_orders(orders, crew, taken.append, lambda: None)
    finally:
        crew.close()
    return {outcome.number: outcome.row for outcome in taken}


@pytest.fixture
def is_threaded(request, monkeypatch):
    """As if another thread ran, or none, whatever the test runner does."""
    monkeypatch.setattr(threading, "active_count", lambda: 2 if request.param else 1)
    return request.param


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
@pytest.mark.parametrize("is_threaded", [False, True], ids=["forked", "spawned"], indirect=True)
def test_all_orders_are_answered_when_processes_are_forked_or_spawned(tmp_path, is_threaded):
    crew = LocalCrew(Settings(cache_folder=tmp_path), 2)
    assert crew._context.get_start_method() == ("spawn" if is_threaded else "fork")
    rows = _run(crew, _make_orders(tmp_path, 5))
    assert sorted(rows) == [1, 2, 3, 4, 5]
    assert {row.status for row in rows.values()} == {"answered"}


def _die_of_the_third(_shelf, order, _settings):
    if order.frame.number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    if order.frame.number == 4:
        os._exit(7)
    return Outcome(order.frame.number, None)


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
@pytest.mark.parametrize("is_threaded", [False], indirect=True)
def test_only_the_rows_that_kill_their_process_fail_when_processes_die(tmp_path, monkeypatch, is_threaded):
    monkeypatch.setattr("pipeline.batch.worker.answer_order", _die_of_the_third)
    rows = _run(LocalCrew(Settings(), 2), _make_orders(tmp_path, 9))
    assert sorted(rows) == list(range(1, 10))
    assert rows[3].reason == "the process that asked it was ended by signal 9"
    assert rows[4].reason == "the process that asked it ended with code 7"
    assert [number for number, row in rows.items() if row is None] != []
    assert sum(row is not None for row in rows.values()) == 2


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
@pytest.mark.parametrize("is_threaded", [False], indirect=True)
def test_a_large_order_waits_until_its_lane_is_idle_when_given(tmp_path, monkeypatch, is_threaded):
    monkeypatch.setattr(crew_module, "_MAX_AHEAD_BYTES", 100)
    rows = _run(LocalCrew(Settings(cache_folder=tmp_path), 1), _make_orders(tmp_path, 3, "What " + "x" * 100_000))
    assert {row.state for row in rows.values()} == {"question"}


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
@pytest.mark.parametrize("is_threaded", [False], indirect=True)
def test_no_process_is_left_when_a_crew_is_closed_at_work(tmp_path, is_threaded):
    crew = LocalCrew(Settings(is_cache_used=False), 2)
    processes = [lane.process for lane in crew._lanes]
    for lane, order in enumerate(_make_orders(tmp_path, 2)):
        crew.send(lane, order)
    crew.close()
    assert [process.is_alive() for process in processes] == [False, False]
