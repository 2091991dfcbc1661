"""The cross-reference ledger: one row for each reference, whatever an answer or an action said of it last."""

from __future__ import annotations

from types import SimpleNamespace

from pipeline.models.answer import ReferenceReport
from pipeline.models.run import LedgerEntry
from pipeline.run.references import build_ledger


def _make_outcome(rows=(), *reports, stop="satisfied"):
    """An outcome with the ledger of its actions and, for each iteration, the reports of its answer."""
    iterations = tuple(
        SimpleNamespace(answer=SimpleNamespace(feedback=SimpleNamespace(references=each))) for each in reports
    )
    return SimpleNamespace(ledger=tuple(rows), iterations=iterations, stop_reason=stop)


def _make_row(target, outcome, kind="cross_reference"):
    return LedgerEntry(kind=kind, target=target, outcome=outcome, why="")


def _make_report(target, state):
    return ReferenceReport(target=target, state=state, why="it is there")


def _read(outcome):
    return [(row.kind, row.target, row.outcome) for row in build_ledger(outcome)]


def test_every_reference_has_one_row_when_iterations_report_it_again():
    outcome = _make_outcome(
        [], (_make_report("a", "pending"), _make_report("b", "not needed")), (_make_report("a", "followed"),)
    )
    assert _read(outcome) == [("cross_reference", "a", "followed"), ("cross_reference", "b", "not needed")]


def test_what_an_action_found_out_stays_when_a_report_says_less():
    outcome = _make_outcome([_make_row("a", "followed")], (_make_report("a", "already there"),))
    assert _read(outcome) == [("cross_reference", "a", "followed")]


def test_a_reference_is_out_of_budget_when_it_is_still_pending():
    row = build_ledger(_make_outcome([], (_make_report("a", "pending"),), stop="budget_spent"))[0]
    assert (row.outcome, row.why) == ("budget spent", "it is there; the run stopped first: budget spent")


def test_rows_of_other_ledgers_stay_when_references_are_written():
    outcome = _make_outcome([_make_row("page:3", "read", "reparse")], (_make_report("a", "dangling"),))
    assert _read(outcome) == [("reparse", "page:3", "read"), ("cross_reference", "a", "dangling")]
