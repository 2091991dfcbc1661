"""What one order comes to: a row and a record, or a row that says why there is none, whatever went wrong."""

from __future__ import annotations

import multiprocessing
import os
import signal

import pytest

from fixtures.faults.broken import encrypt
from fixtures.rawpdf import lease_pdf
from pipeline.batch import worker
from pipeline.batch.worker import Order, answer_order
from pipeline.canonical import hash_bytes
from pipeline.models.batch import BatchQuestion
from pipeline.models.settings import Settings
from pipeline.parsing import pdf
from pipeline.report.rows import Frame, describe_record
from pipeline.run import Shelf, ask


def _make_order(path, question="What is the deposit?", **given):
    asked = BatchQuestion(line=2, id="a", question=question, expected=given.pop("expected", ""))
    sha256 = hash_bytes(path.read_bytes()) if path.is_file() else ""
    return Order(Frame(1, asked, path.name, sha256, f"docs/{path.name}"), path, **given)


@pytest.fixture
def lease(tmp_path):
    (tmp_path / "lease.pdf").write_bytes(lease_pdf())
    return tmp_path / "lease.pdf"


def test_the_row_says_what_the_record_says_when_a_question_is_answered(lease):
    outcome = answer_order(Shelf(), _make_order(lease, expected="1,200  EUROS"), Settings())
    record = ask(lease, "What is the deposit?")
    row = outcome.row
    assert (row.status, row.run_id, row.body_hash) == ("answered", record.run_id, record.body_hash)
    assert (row.items, row.answer) == (record.body.answer.items, record.body.answer.text)
    assert row.link == f"docs/lease.pdf#page={row.pages[0]}"
    assert row.is_expected_seen is True
    assert outcome.fields[b"run_id"].decode() == f'"{record.run_id}"'
    assert outcome.is_shareable
    other = answer_order(Shelf(), _make_order(lease, expected="9,999"), Settings()).row
    assert other.is_expected_seen is False


def test_the_row_says_so_when_nothing_was_found_or_the_program_asks_back(lease):
    row = answer_order(Shelf(), _make_order(lease, "What is the zebra quota?"), Settings()).row
    assert (row.status, row.link) == ("not_found", "docs/lease.pdf")
    assert row.absence_reason
    record = ask(lease, "What is the zebra quota?")
    answer = record.body.answer.model_copy(update={"clarification": "Which one?"})
    asked_back = record.model_copy(update={"body": record.body.model_copy(update={"answer": answer})})
    row = describe_record(_make_order(lease).frame, asked_back)
    assert (row.status, row.clarification) == ("asked_back", "Which one?")


@pytest.mark.parametrize(
    ("content", "question", "state", "words"),
    [
        (lease_pdf()[:300], "Who?", "unreadable", "cannot be read as a PDF"),
        (b"<html>", "Who?", "not_pdf", "not a PDF"),
        (encrypt("secret"), "Who?", "needs_password", "needs a password"),
        (lease_pdf(), "x" * 5000, "question", "4000"),
    ],
)
def test_a_row_fails_with_its_state_and_no_path_when_it_cannot_be_asked(tmp_path, content, question, state, words):
    path = tmp_path / "a.pdf"
    path.write_bytes(content)
    row = answer_order(Shelf(), _make_order(path, question), Settings()).row
    assert (row.status, row.state) == ("failed", state)
    assert words in row.reason
    assert str(tmp_path) not in row.reason


def test_a_row_fails_when_its_rules_are_invalid_or_the_file_is_another_one_by_now(lease, tmp_path):
    row = answer_order(Shelf(), _make_order(lease, rules_folder=tmp_path / "none"), Settings()).row
    assert (row.status, row.state) == ("failed", "rules")
    order = _make_order(lease)
    changed = order._replace(frame=order.frame._replace(document_sha256="0" * 64))
    row = answer_order(Shelf(), changed, Settings()).row
    assert "changed while the batch ran" in row.reason


def test_a_row_fails_and_names_the_place_when_the_program_itself_breaks(lease, monkeypatch):
    def break_down(*_):
        raise ZeroDivisionError("by\nzero \ud800")

    monkeypatch.setattr(worker, "ask_shelved", break_down)
    row = answer_order(Shelf(), _make_order(lease), Settings()).row
    assert (row.status, row.state) == ("failed", "fault")
    assert row.reason.startswith("a fault of the program: ZeroDivisionError: by zero \\ud800 at test_worker.py:")


def test_a_plan_is_counted_and_nothing_runs_when_a_forecast_is_asked_for(lease):
    outcome = answer_order(Shelf(), _make_order(lease, is_forecast=True), Settings())
    assert (outcome.row, outcome.fields) == (None, None)
    assert "keyword" in outcome.forecast.patterns
    assert outcome.forecast.worst_case.iterations == 4


@pytest.mark.parametrize("content", [encrypt("secret"), lease_pdf()[:300]], ids=["sealed", "broken"])
def test_a_document_outside_the_cache_is_parsed_once_when_asked_often(tmp_path, monkeypatch, content):
    path = tmp_path / "a.pdf"
    path.write_bytes(content)
    parsed = []
    run_child = pdf._run_child
    monkeypatch.setattr(pdf, "_run_child", lambda *given: parsed.append(1) or run_child(*given))
    shelf, settings = Shelf(), Settings(password="secret")
    rows = [answer_order(shelf, _make_order(path, f"What is the deposit {n}?"), settings).row for n in range(4)]
    assert len(parsed) == 1
    assert len({row.status for row in rows}) == 1


def test_a_process_tidies_up_when_it_is_asked_to_end_while_it_does(tmp_path, monkeypatch):
    class Late(worker.Desk):
        def close(self):
            os.kill(os.getpid(), signal.SIGTERM)
            (tmp_path / "tidy").touch()

    monkeypatch.setattr(worker, "Desk", Late)
    context = multiprocessing.get_context("fork")
    order_reader, orders = context.Pipe(duplex=False)
    outcomes, outcome_writer = context.Pipe(duplex=False)
    process = context.Process(target=worker.serve_orders, args=(order_reader, outcome_writer, Settings(), (orders,)))
    process.start()
    orders.close()
    process.join(30)
    outcomes.close()
    assert process.exitcode == 0
    assert (tmp_path / "tidy").exists()
