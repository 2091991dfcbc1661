"""Figures of a quarter, of so many months or of a day: the cell whose row says the figure and whose column the time.

Statements print the year alone only where they are of whole years. Where they are of parts of a year, heads over heads
say which months a column is of ("Three Months Ended June 30," over "2023"), and tables of quarters put the year over
their numbers. Without a time in the question, the newest column of such a statement is told, and which one it is.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.cells import list_sights, match_words
from pipeline.generation.extractive.crossed import is_rate
from pipeline.generation.extractive.interim_asked import read_asked
from pipeline.generation.extractive.interim_pages import list_pages
from pipeline.generation.extractive.interim_tell import build_items
from pipeline.generation.extractive.reading import Reading
from pipeline.generation.extractive.restated import find_asked_restated, is_unadjusted
from pipeline.generation.extractive.wanted import find_counted_noun
from pipeline.models.lexicon import singular
from pipeline.question.terms import cue_of, split_words
from pipeline.structure.times import (
    MONTHS_KNOWN,
    TO_DATE,
    Calendar,
    Time,
    find_end_month,
    find_shift,
    read_head_times,
    read_time,
    tell_time,
)
from pipeline.text.anchors import find_anchor
from pipeline.text.matching import contains_folded, fold
from pipeline.text.numbers import parse_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.cells import Sighted
    from pipeline.generation.extractive.interim_asked import Asked
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.lexicon import Lexicon
    from pipeline.models.structure import Table

MAX_SHOWN = 3
OTHER_NAME = 2
NARROWING = 4
LINES_ABOVE = 4
MAX_EXTRA = 9


class Stand(NamedTuple):
    """A table with its page, and 0 where that is a statement of the concept, else 1."""

    page: int
    tier: int
    table: Table


class Timed(NamedTuple):
    """A cell with its time, what its table is a place of (0 a statement, 1 else), and words not asked for."""

    sighted: Sighted
    time: Time
    tier: int
    extra: int
    page: int


def read_interim(task: ReaderTask) -> Reading | None:
    """The figure of the part of a year or of the day that is asked for; None where no cell says all of it."""
    asked = read_asked(task)
    if asked is None:
        return None
    pages = list_pages(task, asked.needed, asked.concept, is_open=asked.time is None)
    stands = [Stand(page, tier, table) for page, tier in pages for table in task.view.tables_on(page)]
    times = [read_head_times(stand.table.header, task.view.lexicon) for stand in stands]
    calendar = _read_calendar(task, [[time for time, _ in heads] for heads in times])
    found: list[Timed] = []
    for stand, heads in zip(stands, times, strict=True):
        found += _list_timed(task, asked, stand, heads, calendar)
    wanted = asked.time if asked.time is not None else _choose_time(found, calendar)
    if wanted is None:
        return None
    if wanted.is_instant and any(not tier for _, tier in pages):
        # tables of notes count parts of what stood there on a day; the whole of it is in a statement
        found = [timed for timed in found if not timed.tier]
    fitting = [timed for timed in _keep_time(found, wanted, calendar) if _says_counted(task, timed)]
    if not fitting:
        return None
    # a statement is the place of a concept; other figures stand wherever the words are those of the question
    stated = 1 if asked.concept is not None else 0
    rates = [(one.tier * stated, one.extra + OTHER_NAME * one.tier, one.tier) for one in fitting]
    best = {
        timed.sighted.cell.text: timed
        for timed, rate in zip(reversed(fitting), reversed(rates), strict=True)
        if rate == min(rates)
    }
    if len(best) > MAX_SHOWN:
        return None
    shown = sorted(best.values(), key=lambda timed: (pages.index((timed.page, timed.tier)), timed.sighted.cell.row))
    again = [[one for one in fitting if one.sighted.cell.text == timed.sighted.cell.text] for timed in shown]
    concept = None if _is_rate(shown[0].sighted) else asked.concept
    items = build_items(task, [(t.sighted, tell_time(t.time, calendar)) for t in shown], concept)
    caveats = ["several rows or columns fit the question; all are shown"] if len(items) > 1 else []
    if asked.time is None:
        caveats.append(f"the question names no period: {items[0].period} is told" if items else "")
    return Reading(
        text="; ".join(item.text for item in items),
        items=items,
        has_typed_fit=True,
        has_second_place=len({one.page for one in again[0]}) > 1 and len(items) == 1,
        caveats=tuple(caveats),
    )


def _read_calendar(task: ReaderTask, tables: Sequence[Sequence[Time]]) -> Calendar:
    end_month = find_end_month(sorted(tables, key=lambda times: -max((t.months for t in times if t.month), default=0)))
    newest = max(
        (time for times in tables for time in times if time.month and time.year), default=Time(), key=Time.order
    )
    return Calendar(end_month, find_shift(task.view.document.folded, newest, end_month))


def _list_timed(
    task: ReaderTask, asked: Asked, stand: Stand, times: Sequence[tuple[Time, str]], calendar: Calendar
) -> list[Timed]:
    """The cells of a table whose row and column say all that is needed, with their times."""
    lexicon = task.view.lexicon
    table = stand.table
    found: list[Timed] = []
    title = read_time(table.title, lexicon)[0]._replace(year=0, month=0, day=0)
    around = read_time(table.header[0] if table.header else "", lexicon)[0].fill(title)
    part = task.part.model_copy(update={"text": asked.rest, "anchors": asked.needed})
    narrowed = replace(task, part=part)
    above = match_words(narrowed, _read_above(task, table))
    blocks, restated = _list_blocks(table), find_asked_restated(task)
    for sighted in list_sights(narrowed, table):
        if is_unadjusted(restated, f"{sighted.name} {sighted.header}", lexicon):
            continue
        own = sighted.in_row | sighted.in_column
        if not all(anchor.key in own | sighted.in_title | above for anchor in asked.needed):
            continue
        said = _list_said(narrowed, sighted)
        if not any(anchor.key in said for anchor in asked.needed) or not _fits_kind(asked, sighted):
            continue
        at = sighted.cell.column
        head, rest = times[at] if at < len(times) else (Time(), "")
        time, rest = _add_labels(head, rest, sighted, lexicon)
        time = time.fill(read_time(blocks.get(sighted.cell.row, ""), lexicon)[0]).fill(around)
        if time.month and time.year and not head.year and not around.month:
            time = calendar.date(time)
        if time.months or time.month:
            # a time that only stands over the table may be that of something else in it
            unsaid = sum(anchor.key not in said for anchor in asked.needed) + (head == Time())
            extra = _count_extra(task, asked, rest) + OTHER_NAME * unsaid
            if extra <= MAX_EXTRA:
                found.append(Timed(sighted, time, stand.tier, extra, stand.page))
    return found


def _list_blocks(table: Table) -> dict[int, str]:
    """The label without numbers above each row, which may say the year of the rows below it."""
    columns: dict[int, set[int]] = {}
    for cell in table.cells:
        columns.setdefault(cell.row, set()).add(cell.column)
    labels = {cell.row: cell.text for cell in table.cells if columns[cell.row] == {0}}
    found, last = {}, ""
    for row in sorted(columns):
        last = labels.get(row, last)
        found[row] = last
    return found


def _read_above(task: ReaderTask, table: Table) -> str:
    """The lines right above a table, which say what it shows."""
    page, first = table.start
    return " ".join(line.text for line in task.view.lines_in((page, max(1, first - LINES_ABOVE)), table.start))


def _add_labels(time: Time, rest: str, sighted: Sighted, lexicon: Lexicon) -> tuple[Time, str]:
    """A time with what the labels of the row say of it, and the other words of row and column."""
    for label in reversed(sighted.labels):
        own, left = read_time(label.text, lexicon)
        time, rest = time.fill(own), f"{left} {rest}"
    return time, rest


def _list_said(task: ReaderTask, sighted: Sighted) -> frozenset[str]:
    """What the row itself and the column say: a member of a block that is asked for is only a part of it."""
    # labels also hold the name of the block and other short texts of the row
    first = next((cell for cell in sighted.labels if cell.row == sighted.cell.row), None)
    own = match_words(task, first.text) if first is not None else frozenset()
    return own | sighted.in_column


def _fits_kind(asked: Asked, sighted: Sighted) -> bool:
    """Whether a cell holds a number, and a percentage where one is asked for."""
    is_number = parse_number(sighted.cell.text) is not None
    return is_number and (asked.is_rate is None or _is_rate(sighted) == asked.is_rate)


def _says_counted(task: ReaderTask, timed: Timed) -> bool:
    """Whether a cell is of the things that are counted: "Employee benefit obligations" are no employees."""
    if task.part.shape != "count":
        return True
    noun = find_counted_noun(task, split_words(task.part.text, task.view.lexicon))
    table = timed.sighted.table
    words = fold(" ".join((timed.sighted.name, table.title, *table.header[:1]))).replace(",", " ").split()
    return not noun or any(singular(word) == noun and (word != noun or word == words[-1]) for word in words)


def _is_rate(sighted: Sighted) -> bool:
    """Whether a cell, its row or its column says that it is a percentage."""
    said = f"{sighted.cell.text} {sighted.header} {sighted.labels[-1].text if sighted.labels else ''}"
    return "%" in said or "percent" in fold(said) or is_rate(sighted)


def _count_extra(task: ReaderTask, asked: Asked, text: str) -> int:
    """How many words of row and column the question does not say.

    Another name of the same figure counts more, and so does a word before it: "Pacific Sales" are not the sales.
    """
    rest = text
    before = 0
    for anchor in asked.needed:
        places = find_anchor(anchor, rest)
        lead = fold(rest[: places[0][0]]).split() if places and anchor.source == "concept" else ()
        plain = cue_of(task.view.lexicon.calculation_cues, "plain")
        before += sum(1 for word in lead if word.isalpha() and word not in plain)
        for start, end in reversed(places):
            rest = f"{rest[:start]} {rest[end:]}"
    other = sum(a.source == "concept" and not contains_folded(fold(a.text), fold(text)) for a in asked.needed)
    words = [word for word in fold(rest).split() if len(word) > 1 and any(map(str.isalpha, word))]
    names = asked.names
    telling = [
        w for w in words if w not in task.view.lexicon.stop_word_set and not contains_folded(w.strip(",."), names)
    ]
    return OTHER_NAME * other + NARROWING * before + len(telling)


def _choose_time(found: Sequence[Timed], calendar: Calendar) -> Time | None:
    """The newest shortest part of a year, where statements have such columns and none of whole years."""
    stated = [timed.time for timed in found if not timed.tier]
    lengths = {time.months for time in stated if time.months}
    if lengths and max(lengths) < MONTHS_KNOWN[-1]:
        return Time(months=min(lengths))
    days = {time for time in stated if time.is_instant and time.year}
    newest = max(days, key=Time.order, default=None)
    # columns of one year each are told apart by the year alone
    is_double = newest is not None and sum(time.year == newest.year for time in days) > 1
    return newest if is_double and not lengths else None


def _keep_time(found: Sequence[Timed], wanted: Time, calendar: Calendar) -> list[Timed]:
    """The cells of the time; where it names no year, the newest of them."""
    months = wanted.months
    if months == TO_DATE:
        months = max((timed.time.months for timed in found), default=0)
    kept = [timed for timed in found if timed.time.months == months]
    year, quarter = calendar.place(wanted)
    if wanted.month and wanted.year:
        kept = [timed for timed in kept if _is_same_day(timed.time, wanted, calendar)]
    else:
        kept = [timed for timed in kept if not quarter or calendar.place(timed.time)[1] == quarter]
        kept = [timed for timed in kept if not year or calendar.place(timed.time)[0] == year]
    newest = max((_order(timed.time, calendar) for timed in kept), default=None)
    return kept if year else [timed for timed in kept if _order(timed.time, calendar) == newest]


def _is_same_day(given: Time, wanted: Time, calendar: Calendar) -> bool:
    if not given.month:
        return bool(wanted.months) and calendar.place(given) == calendar.place(wanted)
    is_day = not (given.day and wanted.day) or given.day == wanted.day
    return (given.year, given.month) == (wanted.year, wanted.month) and is_day


def _order(time: Time, calendar: Calendar) -> tuple[int, int, int]:
    year, quarter = calendar.place(time)
    return year, quarter, time.day
