"""Which fiscal year a column is of: "January 28, 2023" ends fiscal 2022 in one filing and fiscal 2023 in another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.structure.times import Time, find_shift, read_time
from pipeline.text.grammar import MONTHS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pipeline.generation.extractive.reading import ReaderTask

# a year that ends later than this in the calendar is called after the year it ends in
LAST_EARLY_MONTH = 3


def shift_years(task: ReaderTask, heads: Iterable[str]) -> int:
    """What is added to the year of columns to name their fiscal year: -1 where the document says so, else 0.

    `heads` are the columns of one table or row; only days early in a year leave the name of the year open.
    """
    early = [head for head in heads if _may_be_early(head)]
    times = [read_time(head, task.view.lexicon)[0] for head in early]
    days = [time for time in times if time.year and 0 < time.month <= LAST_EARLY_MONTH]
    if not days:
        return 0
    # the newest column is the year that the document speaks of most
    newest = max(days, key=Time.order)
    # a year of whole weeks that ends in the first days of a month is that of the month before
    end_month = newest.month - 1 if newest.day < 8 and newest.month > 1 else newest.month
    return find_shift(task.view.document.folded, newest, end_month)


_EARLY_MONTHS = tuple(name for name, month in MONTHS.items() if month <= LAST_EARLY_MONTH)


def _may_be_early(head: str) -> bool:
    """A plain test: whether the name of an early month stands in a head, in whole or cut short."""
    folded = head.casefold()
    return any(name in folded for name in _EARLY_MONTHS)
