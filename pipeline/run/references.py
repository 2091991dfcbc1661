"""The cross-reference ledger of a run: one row for each reference that an answer or an action looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.models.run import LedgerEntry

if TYPE_CHECKING:
    from pipeline.loop import LoopOutcome
    from pipeline.models.answer import ReferenceReport

# what a later iteration says of a reference counts, but what was once followed stays followed
_FINAL = ("followed", "dangling", "external", "ambiguous")


def build_ledger(outcome: LoopOutcome) -> tuple[LedgerEntry, ...]:
    """The rows that actions wrote and those of the answers' reports, each reference once; other ledgers stay.

    A reference that was needed and that no iteration was left for is "budget spent".
    """
    rows = {entry.target: entry for entry in outcome.ledger if entry.kind == "cross_reference"}
    for iteration in outcome.iterations:
        for report in iteration.answer.feedback.references:
            known = rows.get(report.target)
            if known is None or known.outcome not in _FINAL:
                rows[report.target] = _write(report, outcome)
    others = tuple(entry for entry in outcome.ledger if entry.kind != "cross_reference")
    return (*others, *rows.values())


def _write(report: ReferenceReport, outcome: LoopOutcome) -> LedgerEntry:
    state, why = str(report.state), report.why
    if state == "pending":
        state, why = "budget spent", f"{why}; the run stopped first: {outcome.stop_reason.replace('_', ' ')}"
    return LedgerEntry(kind="cross_reference", target=report.target, outcome=state, why=why)
