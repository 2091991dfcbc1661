"""Two entries that are alike but for what the question puts against each other: two rows, two columns or two years."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.extractive.ledger import cite_entries, list_entries, tell_units
from pipeline.generation.extractive.ledger_words import (
    drop_own_names,
    fit_text,
    is_enough,
    list_asked_years,
    list_content,
    says_all,
)
from pipeline.generation.extractive.sides import SideValue

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pipeline.generation.extractive.ledger import Entry
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.question import Anchor
    from pipeline.question.alternatives import Alternative

Values = tuple[tuple[SideValue, ...], tuple[SideValue, ...]]
PARTS = ("label", "head", "block")


def find_pair(
    task: ReaderTask, sides: tuple[Alternative, Alternative]
) -> tuple[tuple[Alternative, Alternative], Values] | None:
    """Both sides as a table names them, with their values where all else is alike; None where no table has both."""
    dropped = [word for side in sides for word in side.words]
    words = list_content(task, task.part.text, dropped)
    named = list_content(task, " ".join(side.text for side in sides)) or words
    if not words:
        return None
    years = () if all(word.isdigit() for word in dropped) else list_asked_years(task)
    entries = [entry for entry in list_entries(task, (*words, *named)) if not entry.is_partial and not entry.is_change]
    words = drop_own_names(task, words, entries) or words
    rated = [
        (rate, pair) for pair in _list_pairs(entries, sides, years) if (rate := _rate(task, words, pair)) is not None
    ]
    if not rated:
        return None
    top = max(rate for rate, _ in rated)
    best = [pair for rate, pair in rated if rate == top]
    if len({(one.printed, other.printed) for one, other, _ in best}) > 1:
        return None
    first, second, _ = best[0]
    named_sides = (_rename(sides[0], first, second), _rename(sides[1], second, first))
    return named_sides, ((_build(task, first, second),), (_build(task, second, first),))


def _rename(side: Alternative, entry: Entry, other: Entry) -> Alternative:
    """A side under the name of its whole row, where rows are what is put against each other."""
    return side._replace(text=entry.name) if entry.label != other.label else side


Pairing = tuple["Entry", "Entry", str]


def _list_pairs(
    entries: Sequence[Entry], sides: tuple[Alternative, Alternative], years: tuple[int, ...]
) -> Iterator[Pairing]:
    """Entries of the first and the second side, with what they share in words."""
    if all(len(side.words) == 1 and side.words[0].isdigit() for side in sides):
        wanted = [(int(side.words[0]),) for side in sides]
        keyed = {(e.root, e.own, e.group): e for e in entries if e.years == wanted[1]}
        for entry in entries:
            other = keyed.get((entry.root, entry.own, entry.group))
            if entry.years == wanted[0] and other is not None:
                yield entry, other, entry.own
        return
    for part in PARTS:
        seconds: dict[object, list[Entry]] = {}
        firsts: list[Entry] = []
        for entry in entries:
            if years and entry.years and (len(entry.years) != 1 or entry.years[0] not in years):
                continue
            text = getattr(entry, part)
            holds = [says_all(side.words, text) for side in sides]
            if holds == [False, True]:
                seconds.setdefault(_mask(entry, part), []).append(entry)
            elif holds == [True, False]:
                firsts.append(entry)
        for entry in firsts:
            for other in seconds.get(_mask(entry, part), ()):
                yield entry, other, _shared(entry, part)


def _mask(entry: Entry, part: str) -> object:
    return (entry.root, entry.years, part, *(getattr(entry, own) for own in PARTS if own != part))


def _shared(entry: Entry, part: str) -> str:
    return " | ".join(getattr(entry, own) for own in PARTS if own != part)


def _rate(task: ReaderTask, words: Sequence[Anchor], pair: Pairing) -> tuple[int, ...] | None:
    """How well a pair says what it is compared by; of columns of several years the newest goes first."""
    first, second, shared = pair
    if first.measure.kind != second.measure.kind or first.measure.unit != second.measure.unit:
        return None
    found = fit_text(task, words, shared, first.around)
    if not is_enough(words, found):
        return None
    length = len(first.own) + len(second.own)
    return (*found.rank, max(first.years, default=0), -length)


def _build(task: ReaderTask, entry: Entry, other: Entry) -> SideValue:
    return SideValue(
        key=f"{entry.own if entry.own == other.own else ''}",
        label=_name(entry),
        measure=entry.measure,
        printed=entry.printed,
        citations=cite_entries(task, (entry,)),
        share=1000,
        units=tell_units(entry),
    )


def _name(entry: Entry) -> str:
    block = " ".join(entry.labels[0].text.split()) if len(entry.labels) > 1 else ""
    return ", ".join(filter(None, (block, entry.name, entry.heading)))
