"""What a batch would do, without doing it: every plan, counted, and the worst that all of them can cost."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pipeline.batch.ceilings import Reservation, describe_refusal, refuse_rows, sum_spending
from pipeline.batch.dispatching import Work
from pipeline.batch.matrix import Inputs, Matrix, build_matrix
from pipeline.batch.orders import build_order, run_orders
from pipeline.batch.screening import screen_matrix
from pipeline.models.batch import BatchForecast, Ceilings, NamedCount, ResultRow, Spending
from pipeline.report.rows import describe_failure

if TYPE_CHECKING:
    from pipeline.batch.running import Observer, Options
    from pipeline.batch.worker import Outcome


class _Tally:
    """Sums over the plans that came so far, in whatever order they came."""

    def __init__(self) -> None:
        self.failed: list[ResultRow] = []
        self.patterns: Counter[str] = Counter()
        self.actions: Counter[str] = Counter()
        self.rules: Counter[str] = Counter()
        self.costs: dict[int, Spending] = {}

    def take(self, outcome: Outcome) -> None:
        """Count one plan."""
        if outcome.row is not None:
            self.failed.append(outcome.row)
        told = outcome.forecast
        if told is None:
            return
        self.patterns.update(told.patterns)
        self.actions.update(told.actions)
        self.rules.update(told.rules)
        self.costs[outcome.number] = told.worst_case


def forecast_batch(inputs: Inputs, options: Options, observe: Observer) -> BatchForecast:
    """Plan every row; documents are parsed for it, nothing is asked and nothing is written but the parse cache.

    Raises:
        UsageError: questions or documents cannot be read.
    """
    matrix = build_matrix(inputs)
    matrix = screen_matrix(matrix, lambda count: options.start_crew(inputs.settings, count), observe)
    rows = [(row.number, row.document) for row in matrix.rows if not row.fault]
    tally = _Tally()
    tally.failed = [describe_failure(matrix.frame(row), "input", row.fault) for row in matrix.rows if row.fault]
    observe("started", {"rows": len(matrix.rows), "kept": len(tally.failed), "open": len(rows)})

    def take(outcome: Outcome) -> None:
        tally.take(outcome)
        observe("planned", {"row": outcome.number})

    if rows:
        work = Work(rows, lambda number: build_order(matrix, number, is_forecast=True))
        run_orders(work, options.start_crew(inputs.settings, len(rows)), take, observe)
    forecast = _describe(tally, matrix, options.ceilings)
    observe("finished", {"rows": forecast.row_count, "planned": forecast.planned_count})
    return forecast


def _describe(tally: _Tally, matrix: Matrix, ceilings: Ceilings) -> BatchForecast:
    planned = [Reservation(number, tally.costs[number], "open") for number in sorted(tally.costs)]
    refused = refuse_rows(planned, ceilings)
    for number, reason in refused.items():
        frame = matrix.frame(matrix.find_row(number))
        tally.failed.append(describe_refusal(frame, tally.costs[number], reason))
    worst = sum_spending(tally.costs.values())
    return BatchForecast(
        row_count=len(matrix.rows),
        planned_count=len(tally.costs),
        failed=tuple(sorted(tally.failed, key=lambda row: row.number)),
        patterns=_list_counts(tally.patterns),
        actions=_list_counts(tally.actions),
        rules=_list_counts(tally.rules),
        max_iterations=worst.iterations,
        max_reparsed_pages=worst.reparsed_pages,
        max_model_calls=worst.model_calls,
        max_model_tokens=worst.model_tokens,
        left_out_count=sum(each.row_count for each in matrix.left_out),
        left_out=matrix.left_out,
        unmatched_names=matrix.screen.table.unmatched,
        ignored_columns=matrix.listed.ignored_columns,
        ceiling_count=len(refused),
    )


def _list_counts(counter: Counter[str]) -> tuple[NamedCount, ...]:
    """Most frequent first, then by name."""
    ordered = sorted(counter.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple(NamedCount(name=name, count=count) for name, count in ordered)
