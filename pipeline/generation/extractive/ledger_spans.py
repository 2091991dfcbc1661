"""Which time an entry is of, and which figure: whole years or so many months, as a statement has it or restated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.extractive.restated import find_asked_restated, find_restated
from pipeline.structure.times import read_time

if TYPE_CHECKING:
    from pipeline.generation.extractive.ledger import Entry
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.lexicon import Lexicon
    from pipeline.structure.times import Time

YEAR_MONTHS = 12


def is_of_span(lexicon: Lexicon, entry: Entry, asked: Time) -> bool:
    """Whether an entry is of as many months, or of the quarter, as is asked; of whole years or a day else.

    A change is of no time.
    """
    if entry.is_change:
        return False
    own = read_time(f"{entry.heading} {entry.name}", lexicon)[0]
    if not (own.months or own.quarter):
        own = own._replace(months=read_time(f"{read_corner(entry)} {entry.table.title}", lexicon)[0].months)
    if asked.quarter or 0 < asked.months < YEAR_MONTHS:
        return own.months == asked.months and own.quarter in (0, asked.quarter)
    return own.months in (0, YEAR_MONTHS) and not own.quarter and not entry.is_partial


def read_corner(entry: Entry) -> str:
    """What stands over the labels of the rows of its table."""
    return entry.table.header[0] if entry.table.header else ""


def is_asked_kind(task: ReaderTask, entry: Entry) -> bool:
    """Whether an entry is restated just as the question asks: an adjusted figure stands in a row of its own.

    The plain one is often the row above it.
    """
    return find_restated(f"{entry.own} {read_corner(entry)}", task.view.lexicon) == (
        find_asked_restated(task) or frozenset()
    )
