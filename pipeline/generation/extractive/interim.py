"""Figures of a quarter, of so many months or of a day: the cell whose row says the figure and whose column the time.

Statements print the year alone only where they are of whole years. Where they are of parts of a year, heads over heads
say which months a column is of ("Three Months Ended June 30," over "2023"), and tables of quarters put the year over
their numbers. Without a time in the question, the newest column of such a statement is told, and which one it is.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.cells import list_sights
from pipeline.generation.extractive.interim_pages import list_pages
from pipeline.generation.extractive.interim_tell import build_items
from pipeline.generation.extractive.narrowing import read_own_names
from pipeline.generation.extractive.reading import Reading
from pipeline.models.question import Anchor
from pipeline.question.concepts import find_concepts
from pipeline.question.operations import read_operation
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
from pipeline.text.tokens import stem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.cells import Sighted
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.lexicon import Concept
    from pipeline.models.structure import Table

MAX_SHOWN = 3
OTHER_NAME = 2
NARROWING = 4
WORD_WEIGHT = 500


class Asked(NamedTuple):
    """What is asked: the time (None where none is named), the other words, the concept, and whether a rate is meant."""

    time: Time | None
    rest: str
    needed: tuple[Anchor, ...]
    concept: Concept | None
    is_rate: bool | None


class Timed(NamedTuple):
    """A cell with its time, what its table is a place of (0 a statement, 1 else), and words not asked for."""

    sighted: Sighted
    time: Time
    tier: int
    extra: int
    page: int


def read_interim(task: ReaderTask) -> Reading | None:
    """The figure of the part of a year or of the day that is asked for; None where no cell says all of it."""
    asked = _read_asked(task)
    if asked is None:
        return None
    pages = list_pages(task, asked.needed, asked.concept, is_open=asked.time is None)
    tables = [(page, tier, table) for page, tier in pages for table in task.view.tables_on(page)]
    times = {id(table): read_head_times(table.header, task.view.lexicon) for _, _, table in tables}
    calendar = _read_calendar(task, [[time for time, _ in times[id(table)]] for _, _, table in tables])
    found: list[Timed] = []
    for page, tier, table in tables:
        found += _list_timed(task, asked, table, times[id(table)], calendar, (page, tier))
    wanted = asked.time if asked.time is not None else _choose_time(found, calendar)
    if wanted is None:
        return None
    fitting = _keep_time(found, wanted, calendar)
    if not fitting:
        return None
    least = min((timed.tier, timed.extra) for timed in fitting)
    best = {timed.sighted.cell.text: timed for timed in reversed(fitting) if (timed.tier, timed.extra) == least}
    if len(best) > MAX_SHOWN:
        return None
    shown = sorted(best.values(), key=lambda timed: (pages.index((timed.page, timed.tier)), timed.sighted.cell.row))
    again = [[one for one in fitting if one.sighted.cell.text == timed.sighted.cell.text] for timed in shown]
    items = build_items(task, [(t.sighted, tell_time(t.time, calendar)) for t in shown], asked.concept)
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


def _read_asked(task: ReaderTask) -> Asked | None:
    """What is asked; None where several times are, where something is to be computed, or no part of a year is meant."""
    lexicon = task.view.lexicon
    text = task.part.text
    time, rest = read_time(text, lexicon)
    again, _ = read_time(rest, lexicon)
    if len(task.question.periods) > 1 or again.quarter or again.month or task.question.exclusions:
        return None
    is_named = bool(time.quarter or time.months or (time.month and time.day and time.year))
    if not is_named and (task.question.periods or time.year or time.month):
        return None
    operation = read_operation(text, lexicon)
    if operation.direction or operation.choice or operation.bounds or task.part.shape in ("boolean", "definition"):
        return None
    words = split_words(rest, lexicon)
    concepts = [place.concept for place in find_concepts(words, lexicon)]
    concept = concepts[0] if len({one.name for one in concepts}) == 1 else None
    needed = _list_needed(task, rest, concept)
    if not needed or (not is_named and (concept is None or not concept.places or len(needed) > 1)):
        return None
    return Asked(time if is_named else None, rest, needed, concept, _asks_rate(task, rest, concept))


def _asks_rate(task: ReaderTask, rest: str, concept: Concept | None) -> bool | None:
    """Whether a percentage is asked for; None where a change or a part may be told as one or as an amount."""
    cues = task.view.lexicon.calculation_cues
    words = fold(rest)
    if "%" in rest or any(contains_folded(cue, words) for cue in cue_of(cues, "rate words")):
        return True
    if any(contains_folded(cue, words) for cue in cue_of(cues, "rate or amount")):
        return None
    return concept is not None and concept.value_type == "percent"


def _list_needed(task: ReaderTask, rest: str, concept: Concept | None) -> tuple[Anchor, ...]:
    """What a row, a column or a title has to say: the concept as asked, and each further word that says something."""
    lexicon = task.view.lexicon
    names = read_own_names(task)
    empty = (lexicon.stop_word_set, lexicon.generic_set, lexicon.light_verb_set, lexicon.document_noun_set)
    further = (lexicon.question_words, lexicon.quantity_nouns, cue_of(lexicon.calculation_cues, "rate words"))
    needed = [
        anchor
        for anchor in task.part.anchors
        if anchor.source == "concept" and concept is not None and anchor.key == concept.name
    ]
    said = {word for anchor in needed for word in fold(anchor.text).split()}
    for word in split_words(rest, lexicon):
        is_empty = any(word.folded in group for group in (*empty, *further)) and not word.is_capitals
        if is_empty or word.folded in said or word.is_number or contains_folded(word.folded, names):
            continue
        key = stem(word.folded, lexicon.language)
        needed.append(Anchor(text=word.text, key=key, source="word", forms=(word.folded,), weight=WORD_WEIGHT))
    return tuple(dict.fromkeys(needed))


def _read_calendar(task: ReaderTask, tables: Sequence[Sequence[Time]]) -> Calendar:
    end_month = find_end_month(sorted(tables, key=lambda times: -max((t.months for t in times if t.month), default=0)))
    newest = max((time for times in tables for time in times if time.month and time.year), default=Time(), key=_when)
    return Calendar(end_month, find_shift(task.view.document.folded, newest, end_month))


def _when(time: Time) -> tuple[int, int, int]:
    return time.year, time.month, time.day


def _list_timed(
    task: ReaderTask,
    asked: Asked,
    table: Table,
    times: Sequence[tuple[Time, str]],
    calendar: Calendar,
    place: tuple[int, int],
) -> list[Timed]:
    """The cells of a table whose row and column say all that is needed, with their times."""
    lexicon = task.view.lexicon
    found: list[Timed] = []
    around = read_time(table.header[0] if table.header else "", lexicon)[0].fill(
        read_time(table.title, lexicon)[0]._replace(year=0, month=0, day=0)
    )
    part = task.part.model_copy(update={"text": asked.rest, "anchors": asked.needed})
    for sighted in list_sights(replace(task, part=part), table):
        own = sighted.in_row | sighted.in_column
        keys = own | sighted.in_title
        at = sighted.cell.column
        if not all(anchor.key in keys for anchor in asked.needed) or not any(a.key in own for a in asked.needed):
            continue
        if parse_number(sighted.cell.text) is None or _is_rate(sighted) != asked.is_rate is not None:
            continue
        time, rest = times[at] if at < len(times) else (Time(), "")
        extra = rest
        is_dated = time
        for label in reversed(sighted.labels):
            own_time, left = read_time(label.text, lexicon)
            extra = f"{left} {extra}"
            is_dated = is_dated.fill(own_time)
        is_dated = is_dated.fill(around)
        if is_dated.month and is_dated.year and not time.year and not around.month:
            is_dated = calendar.date(is_dated)
        if is_dated.months or is_dated.month:
            found.append(Timed(sighted, is_dated, place[1], _count_extra(task, asked, extra), place[0]))
    return found


def _is_rate(sighted: Sighted) -> bool:
    """Whether a cell, its row or its column says that it is a percentage."""
    said = f"{sighted.cell.text} {sighted.header} {sighted.labels[-1].text if sighted.labels else ''}"
    return "%" in said or "percent" in fold(said)


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
    telling = [word for word in words if word not in task.view.lexicon.stop_word_set]
    return OTHER_NAME * other + NARROWING * before + len(telling)


def _choose_time(found: Sequence[Timed], calendar: Calendar) -> Time | None:
    """The newest shortest part of a year, where statements have such columns and none of whole years."""
    stated = [timed.time for timed in found if not timed.tier]
    lengths = {time.months for time in stated if time.months}
    if lengths and max(lengths) < MONTHS_KNOWN[-1]:
        return Time(months=min(lengths))
    days = {time for time in stated if time.is_instant and time.year}
    newest = max(days, key=_when, default=None)
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
