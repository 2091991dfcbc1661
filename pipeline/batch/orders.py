"""Orders of rows, and how they are given to processes that are started for them and ended with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.batch.dispatching import Work, dispatch_orders
from pipeline.batch.worker import Order

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipeline.batch.crew import Crew
    from pipeline.batch.matrix import Matrix
    from pipeline.batch.worker import Outcome

    Observer = Callable[[str, dict[str, object]], None]


def build_order(matrix: Matrix, number: int, *, is_forecast: bool = False) -> Order:
    """The order for a row that has a document."""
    row = matrix.find_row(number)
    document = matrix.documents[row.document]
    asked = matrix.find_question(row)
    own = matrix.find_settings(asked).rules_folder
    rules = own if own != matrix.inputs.settings.rules_folder else None
    return Order(matrix.frame(row), document.path, rules, is_forecast, url=document.url)


def run_orders(work: Work, crew: Crew, take: Callable[[Outcome], None], observe: Observer) -> None:
    """Give work to a crew and end it, whatever happens."""
    try:
        dispatch_orders(work, crew, take, lambda: observe("tick", {}))
    finally:
        crew.close()
