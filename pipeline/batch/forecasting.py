"""What a batch would do, without doing it: every plan, counted, and the worst that all of them can cost."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pipeline.batch.dispatching import Work, dispatch_orders
from pipeline.batch.matrix import Inputs, build_matrix
from pipeline.batch.running import build_order
from pipeline.models.batch import BatchForecast, NamedCount, ResultRow
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
        self.costs = [0, 0, 0, 0]
        self.count = 0

    def take(self, outcome: Outcome) -> None:
        """Count one plan."""
        if outcome.row is not None:
            self.failed.append(outcome.row)
        told = outcome.forecast
        if told is None:
            return
        self.count += 1
        self.patterns.update(told.patterns)
        self.actions.update(told.actions)
        self.rules.update(told.rules)
        costs = (told.iterations, told.reparsed_pages, told.model_calls, told.model_tokens)
        self.costs = [total + cost for total, cost in zip(self.costs, costs, strict=True)]


def forecast_batch(inputs: Inputs, options: Options, observe: Observer) -> BatchForecast:
    """Plan every row; documents are parsed for it, nothing is asked and nothing is written but the parse cache.

    Raises:
        UsageError: questions or documents cannot be read.
    """
    matrix = build_matrix(inputs)
    rows = [(row.number, row.document) for row in matrix.rows if not row.fault]
    tally = _Tally()
    tally.failed = [describe_failure(matrix.frame(row), "input", row.fault) for row in matrix.rows if row.fault]
    observe("started", {"rows": len(matrix.rows), "kept": len(tally.failed), "open": len(rows)})

    def take(outcome: Outcome) -> None:
        tally.take(outcome)
        observe("planned", {"row": outcome.number})

    if rows:
        work = Work(rows, lambda number: build_order(matrix, number, is_forecast=True))
        crew = options.make_crew(inputs.settings, min(options.worker_count, len(rows)))
        try:
            dispatch_orders(work, crew, take, lambda: observe("tick", {}))
        finally:
            crew.close()
    forecast = _describe(tally, len(matrix.rows))
    observe("finished", {"rows": forecast.row_count, "planned": forecast.planned_count})
    return forecast


def _describe(tally: _Tally, row_count: int) -> BatchForecast:
    iterations, pages, calls, tokens = tally.costs
    return BatchForecast(
        row_count=row_count,
        planned_count=tally.count,
        failed=tuple(sorted(tally.failed, key=lambda row: row.number)),
        patterns=_list_counts(tally.patterns),
        actions=_list_counts(tally.actions),
        rules=_list_counts(tally.rules),
        max_iterations=iterations,
        max_reparsed_pages=pages,
        max_model_calls=calls,
        max_model_tokens=tokens,
    )


def _list_counts(counter: Counter[str]) -> tuple[NamedCount, ...]:
    """Most frequent first, then by name."""
    ordered = sorted(counter.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple(NamedCount(name=name, count=count) for name, count in ordered)
