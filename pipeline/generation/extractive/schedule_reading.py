"""Schedules as answers: what falls due in a year to come, in all later years, or in total.

No row of such a schedule says what it is of. The words of the question have to be said by the sentence over it, by its
headings or by the head of a column; all columns that fit are told, each with its head, for the two kinds of leases or
of benefits side by side are different answers to one question.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.citing import cite_lines, limit_quotes
from pipeline.generation.extractive.figures import Figure
from pipeline.generation.extractive.ledger_words import drop_own_names, fit_text, list_content, says
from pipeline.generation.extractive.money import convert, tell_amount
from pipeline.generation.extractive.reading import Reading
from pipeline.generation.extractive.rows import find_scale
from pipeline.generation.extractive.schedule_cells import LATER
from pipeline.generation.extractive.schedules import find_schedules
from pipeline.models.answer import Item
from pipeline.question.periods import find_periods
from pipeline.question.terms import cue_of, split_words
from pipeline.text.matching import contains_folded, fold
from pipeline.text.numbers import parse_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.generation.extractive.schedule_cells import Cell, Schedule, Span
    from pipeline.models.answer import Citation
    from pipeline.models.document import Line
    from pipeline.models.question import Anchor

MAX_ITEMS = 8
MAX_LEAD_CHARACTERS = 90
SHARED = 600
"""Thousandths of confidence at most where an amount is of more years than the one asked, or its column has no name."""


class _Asked(NamedTuple):
    """What is asked: the years, the year after which, whether all later years or the total, and the words to be said.

    `hints` are words that a schedule may leave unsaid. `wants_sum` where the question says the word for totals, also
    beside a year.
    """

    years: tuple[int, ...]
    after: int
    is_later: bool
    is_total: bool
    wants_sum: bool
    needed: tuple[Anchor, ...]
    hints: tuple[str, ...]


class _Match(NamedTuple):
    """A cell that fits, with its schedule, how well it does (greater is better), and how much its own names say."""

    schedule: Schedule
    cell: Cell
    rank: tuple[bool, bool, int]
    own: int
    is_exact: bool


def read_schedules(task: ReaderTask) -> Reading | None:
    """The amounts of a schedule of years to come for the years that are asked for; None where no schedule has them."""
    asked = _read_asked(task)
    if asked is None:
        return None
    found = [match for schedule in find_schedules(task.view) for match in _match_cells(task, asked, schedule)]
    best = max((match.rank for match in found), default=None)
    kept = [match for match in found if match.rank == best]
    unique = {(m.cell.span[:2], m.cell.printed, fold(m.cell.name)): m for m in reversed(kept)}
    shown = [match for match in kept if unique[match.cell.span[:2], match.cell.printed, fold(match.cell.name)] is match]
    if not shown or len(shown) > MAX_ITEMS:
        return None
    items = tuple(item for match in shown if (item := _build_item(task, match)) is not None)
    caveats = _list_caveats(asked, shown)
    return Reading(
        text="; ".join(item.text for item in items),
        items=items,
        has_typed_fit=True,
        has_second_place=len(kept) > len(shown) or len({match.schedule.page for match in shown}) > 1,
        caveats=caveats,
        max_confidence=SHARED if len(caveats) > (len(shown) > 1) else 1000,
    )


def _read_asked(task: ReaderTask) -> _Asked | None:
    """What a question asks of a schedule; None where it names no time, or nothing that could be said of it."""
    lexicon = task.view.lexicon
    cues = lexicon.value_cues
    folded = fold(task.part.text)
    words = [word.folded for word in split_words(task.part.text, lexicon)]
    periods = find_periods(task.part.text)
    if any(not period.key.isdigit() for period in periods):
        return None
    openers = "|".join(map(re.escape, cue_of(cues, "asks later")))
    before = {period.year for period in periods if _stands_after(openers, task.part.text[: period.start])}
    years = tuple(sorted({period.year for period in periods} - before))
    is_later = any(contains_folded(cue, folded) for cue in cue_of(cues, "later years")) and not before
    wants_sum = any(word in cue_of(lexicon.superlatives, "total") for word in words)
    is_total = wants_sum and not years and not before
    if not (years or before or is_later or is_total):
        return None
    small = cue_of(cues, "schedule words")
    needed = drop_own_names(task, list_content(task, task.part.text, small), ())
    hints = tuple(word for word in dict.fromkeys(words) if word in small)
    if not needed:
        # "contractual obligations" has nothing but such words, which are what the schedule is of then
        needed = list_content(task, task.part.text)
    return _Asked(years, max(before, default=0), is_later, is_total, wants_sum, needed, hints) if needed else None


def _stands_after(openers: str, before: str) -> bool:
    """Whether a text ends with one of the words that open later years, and what may stand between them and a year."""
    return bool(openers) and re.search(rf"\b(?:{openers})(?: [a-z]+)?\s*$", fold(before)) is not None


def _match_cells(task: ReaderTask, asked: _Asked, schedule: Schedule) -> list[_Match]:
    """The cells of a schedule that are of the years asked, and whose names and sentence say all that is needed."""
    found: list[_Match] = []
    lead = fold(schedule.lead)
    for cell in schedule.cells:
        if not _is_of(asked, cell.span):
            continue
        name = fold(cell.name)
        told = f"{name} | {lead}"
        if not all(says(anchor, f"{told} | {fold(schedule.around)}") for anchor in asked.needed):
            continue
        is_sum = asked.wants_sum and name.startswith(cue_of(task.view.lexicon.superlatives, "total"))
        own = len(asked.needed) if is_sum else sum(says(anchor, name) for anchor in asked.needed)
        is_told = all(says(anchor, told) for anchor in asked.needed)
        hinted = sum(contains_folded(word, told) for word in asked.hints)
        extra = fit_text(task, asked.needed, name, told).extra
        rank = (is_told, cell.span.is_single or not asked.years, hinted)
        found.append(_Match(schedule, cell, rank, own, own == len(asked.needed) and (is_sum or not extra)))
    # the column, or row, that says most of what is asked is it; one with nothing more is it before its parts
    most = max((match.own for match in found), default=0)
    found = [match for match in found if match.own == most]
    return [match for match in found if match.is_exact] or found


def _is_of(asked: _Asked, span: Span) -> bool:
    if span.is_total:
        return asked.is_total
    if any(span.first <= year <= span.last for year in asked.years):
        return True
    return (asked.is_later and span.last == LATER) or 0 < asked.after < span.first


def _list_caveats(asked: _Asked, shown: Sequence[_Match]) -> tuple[str, ...]:
    shared = [match.cell.span for match in shown if asked.years and not match.cell.span.is_single]
    caveats = ["several rows or columns fit the question; all are shown"] if len(shown) > 1 else []
    names = {(fold(match.cell.name), match.cell.span[:2], match.schedule.page) for match in shown}
    if len(names) < len(shown):
        caveats.append("nothing was read that tells the columns apart")
    if shared:
        caveats.append(f'one amount is given for "{shared[0].printed}" together')
    return tuple(caveats)


def _build_item(task: ReaderTask, match: _Match) -> Item | None:
    """A cell as an item: its amount in its scale with its name and its years, cited with the sentence over it."""
    cell = match.cell
    printed = cell.printed
    value = parse_number(printed)
    amount = value
    text, unit, is_converted = printed, "%" if "%" in printed else "", False
    line = next((one for one in cell.lines if printed in one.text), cell.lines[0])
    scale = find_scale(task.view, line.page, line.box[1])
    if value is not None and scale is not None and not unit:
        figure = Figure(cell.name, cell.name, printed, value.scaleb(scale), scale, 0, (line,), False)
        amount, unit, is_converted = convert(figure, task.question.unit)
        text = tell_amount(task.view, figure, amount, unit)
    named = " ".join(cell.name.split()) or _cut_lead(match.schedule.lead)
    label = f"{named}, {cell.span.printed}" if named else cell.span.printed
    citations = _cite(task, match)
    if not citations:
        return None
    return Item(
        sub_question=task.part.id,
        text=f"{text} ({label})",
        label=label,
        value=format(amount, "f") if amount is not None else "0",
        unit=unit,
        period=_tell_span(cell.span),
        citations=citations,
        extraction="computed" if is_converted else "verbatim",
    )


def _tell_span(span: Span) -> str:
    """The years of a cell: one, from one to another, those after one, or all."""
    if span.is_total:
        return "total"
    if span.last == LATER:
        return f"after {span.first - 1}"
    return str(span.first) if span.is_single else f"{span.first} to {span.last}"


def _cut_lead(lead: str) -> str:
    """The beginning of the sentence over a schedule, whole words of it."""
    words = lead.split()
    kept = ""
    for word in words:
        if len(kept) + len(word) >= MAX_LEAD_CHARACTERS:
            return f"{kept} ..."
        kept = f"{kept} {word}".strip()
    return kept.rstrip(" :,;")


def _cite(task: ReaderTask, match: _Match) -> tuple[Citation, ...]:
    """The row, then what says what it is of: each run of lines that follow one another by itself."""
    found: list[Citation] = []
    for lines in (match.cell.lines, match.cell.heads, match.schedule.lead_lines):
        run: list[Line] = []
        for line in sorted(lines, key=lambda one: one.position):
            if run and line.position != (run[-1].page, run[-1].number + 1):
                found += cite_lines(task.view, run)
                run = []
            run.append(line)
        found += cite_lines(task.view, run)
    return limit_quotes(tuple(dict.fromkeys(found)), task.max_quote_characters)[0]
