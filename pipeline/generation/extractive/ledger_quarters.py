"""The quarters of a year that a row of a table has its figures of, where the highest or lowest quarter is asked for."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from pipeline.generation.extractive.interim_pages import list_pages
from pipeline.question.terms import cue_of
from pipeline.structure.times import read_head_times
from pipeline.text.matching import contains_folded

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pipeline.generation.extractive.ledger import Entry
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.question import Anchor
    from pipeline.question.terms import Word
    from pipeline.structure.times import Time

MONTHS_OF_QUARTER = 3
QUARTERS_OF_YEAR = 4
_EARLY_DAY = 7
"""A quarter that ends in the first days of a month is that of the month before: years of whole weeks end so."""

Members = dict[str, list["Entry"]]


def asks_quarter(task: ReaderTask, nouns: Iterable[Word]) -> bool:
    """Whether what is picked is a quarter: a period that is a part of a year."""
    cues = cue_of(task.view.lexicon.calculation_cues, "span 3")
    return any(word.folded in cues or word.folded.rstrip("s") in cues for word in nouns)


def list_quarter_pages(task: ReaderTask, words: Sequence[Anchor]) -> tuple[int, ...]:
    """The pages that say the words and speak of quarters, ascending."""
    return tuple(sorted({page for page, _ in list_pages(task, words, None, is_open=False)}))


def group_quarters(task: ReaderTask, entries: Iterable[Entry], years: Sequence[int]) -> dict[object, Members]:
    """The entries of each row by the quarter that their column is of; only rows with all quarters of a year asked.

    Where no year is asked for, the quarters of all years of a row are its members.
    """
    rows: dict[object, list[Entry]] = defaultdict(list)
    for entry in entries:
        if not entry.is_change:
            rows[(entry.root, entry.cell.row)].append(entry)
    found: dict[object, Members] = {}
    for place, row in rows.items():
        members = _name_quarters(task, row, years)
        if members:
            found[place] = members
    return found


def _name_quarters(task: ReaderTask, row: Sequence[Entry], years: Sequence[int]) -> Members:
    """The entries by the heads of their columns; empty where a quarter of a year is not there, or is there twice."""
    lexicon = task.view.lexicon
    times = read_head_times([entry.heading for entry in row], lexicon)
    kept = [
        (entry, time)
        for entry, (time, rest) in zip(row, times, strict=True)
        if not rest and _is_quarter(time) and len(entry.years) == 1 and (not years or entry.years[0] in years)
    ]
    numbers: dict[int, set[int]] = defaultdict(set)
    for entry, time in kept:
        numbers[entry.years[0]].add(time.quarter or _place(time))
    is_each = all(len(own) == QUARTERS_OF_YEAR for own in numbers.values())
    # days may be of anything; those of quarters are a quarter of a year apart
    is_even = len({-1 if time.quarter else _place(time) % MONTHS_OF_QUARTER for _, time in kept}) == 1
    if not kept or not is_each or not is_even or len(kept) != QUARTERS_OF_YEAR * len(numbers):
        return {}
    if not all(time.months or time.quarter for _, time in kept) and not _says_quarter(task, kept[0][0]):
        return {}
    return {_name(entry): [entry] for entry, _ in kept}


def _is_quarter(time: Time) -> bool:
    return time.months in (0, MONTHS_OF_QUARTER) and bool(time.quarter or time.month)


def _place(time: Time) -> int:
    return (time.month - 2) % 12 + 1 if 0 < time.day <= _EARLY_DAY else time.month


def _says_quarter(task: ReaderTask, entry: Entry) -> bool:
    """Whether a table of days says that they end quarters."""
    cues = cue_of(task.view.lexicon.calculation_cues, "span 3")
    around = f" {entry.around} "
    # "quarterly data" speaks of quarters too
    return any(f" {cue}" in around if " " not in cue else contains_folded(cue, around) for cue in cues)


def _name(entry: Entry) -> str:
    year, heading = str(entry.years[0]), " ".join(entry.heading.split())
    return heading if year in heading else f"{heading}, {year}"
