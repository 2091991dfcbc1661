"""The gap or sum of two figures of one table whose heads have several levels: all but the two sides is alike.

"The difference between Flexibles and Rigid Packaging adjusted EBIT in 2023" is of two columns under one year and in one
row: what both figures share and what tells them apart has to say all that the question says, in its order.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise, permutations
from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.ledger import cite_entries, list_entries, tell_units
from pipeline.generation.extractive.ledger_pair import PARTS
from pipeline.generation.extractive.ledger_spans import is_asked_kind, is_of_span, read_corner
from pipeline.generation.extractive.ledger_words import (
    drop_own_names,
    fit_text,
    is_enough,
    list_asked_years,
    list_content,
    says,
)
from pipeline.generation.extractive.measures import add, tell_size
from pipeline.generation.extractive.reading import Reading
from pipeline.models.answer import Item
from pipeline.question.operations import read_operation
from pipeline.question.terms import cue_of, split_words
from pipeline.structure.times import read_time
from pipeline.text.matching import contains_folded, fold
from pipeline.text.numbers import find_years

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from decimal import Decimal

    from pipeline.generation.extractive.ledger import Entry
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.lexicon import Lexicon
    from pipeline.models.question import Anchor

MAX_SHOWN = 2
OPEN = 500
"""Thousandths of confidence at most where two tables say what is asked and differ."""
SEVERAL = "several tables say what is asked, of different figures; all are shown"
JOINTS = ("joint and", "joint than", "joint or", "joint gap")


class _Pair(NamedTuple):
    """Two entries that differ in one part, in the order of the question."""

    first: Entry
    second: Entry
    part: str

    @property
    def sizes(self) -> tuple[Decimal, Decimal]:
        """Both values."""
        return self.first.measure.size, self.second.measure.size

    @property
    def shared(self) -> str:
        """What both say."""
        return " | ".join(getattr(self.first, own) for own in PARTS if own != self.part)


def read_paired(task: ReaderTask) -> Reading | None:
    """The difference or sum of two figures that stand in one table; None where no two say all that is asked."""
    singles = read_operation(task.part.text, task.view.lexicon).singles
    is_sum = "sum" in singles or "sum named" in singles
    if "difference" not in singles and not is_sum:
        return None
    cues = [phrase for name in ("difference", "sum", "sum named") for phrase in _cues(task, name)]
    asked, rest = read_time(task.part.text, task.view.lexicon)
    words = list_content(task, rest, {word for phrase in cues for word in phrase.split()})
    if len(words) < 2 or len(_list_table_years(task, words)) > 1:
        return None
    entries = [entry for entry in list_entries(task, words) if is_of_span(task.view.lexicon, entry, asked)]
    words = drop_own_names(task, words, entries) or words
    rated = [(rate, pair) for pair in _list_pairs(task, words, entries) if (rate := _rate(task, words, pair))]
    top = max((rate for rate, _ in rated), default=None)
    best = [pair for rate, pair in rated if rate == top]
    # the same two figures may stand in several tables; other ones mean that the question says too little
    differing = {pair.sizes: pair for pair in reversed(best)}
    shown = [pair for pair in best if pair in differing.values()]
    twins = [pair for _, pair in rated if pair.sizes == best[0].sizes] if len(shown) == 1 else []
    evident = {span.page for piece in task.evidence for span in piece.candidate.spans}
    if twins:
        # of two places with the same figures the one that was found for the question
        shown = [next((pair for pair in (*best, *twins) if pair.first.page in evident), best[0])]
    items = tuple(item for pair in shown if (item := _tell(task, pair, twins, is_sum)) is not None)
    if not 0 < len(items) == len(shown) <= MAX_SHOWN:
        return None
    is_one = len(items) == 1
    return Reading(
        text="; ".join(item.text for item in items),
        items=items,
        has_typed_fit=is_one,
        has_second_place=len({pair.first.root for pair in twins}) > 1,
        caveats=() if is_one else (SEVERAL,),
        max_confidence=1000 if is_one else OPEN,
    )


def _cues(task: ReaderTask, name: str) -> tuple[str, ...]:
    return cue_of(task.view.lexicon.superlatives, name)


def _list_table_years(task: ReaderTask, words: Sequence[Anchor]) -> tuple[int, ...]:
    """The years that are asked for, without those of names ("the 2025 Notes")."""
    return tuple(year for year in list_asked_years(task) if not _is_of_name(task, year))


def _is_of_name(task: ReaderTask, year: int) -> bool:
    """Whether a year stands right before a name: it is part of it."""
    words = split_words(task.part.text, task.view.lexicon)
    pairs = pairwise(words)
    return any(
        one.text == str(year) and one.bare_end == one.end and other.is_name and not other.is_number
        for one, other in pairs
    )


def _is_asked(task: ReaderTask, entry: Entry, years: tuple[int, ...]) -> bool:
    """Whether an entry is of the year that is asked for; a year in its name has to be asked with it."""
    asked = list_asked_years(task)
    named = {year for _, _, year in find_years(entry.name)}
    if not named <= set(asked) or any(_is_of_name(task, year) and year not in named for year in asked):
        return False
    return not years or entry.years == years or (named == set(entry.years) and named == set(years))


def _list_pairs(task: ReaderTask, words: Sequence[Anchor], entries: Sequence[Entry]) -> Iterator[_Pair]:
    """Entries of one table and time that differ in one part, each of which says a side before or behind the joint."""
    years = _list_table_years(task, words)
    text = fold(task.part.text)
    kept = [entry for entry in entries if _is_asked(task, entry, years)]
    for part in PARTS:
        groups: dict[object, dict[str, list[Entry]]] = defaultdict(lambda: defaultdict(list))
        for entry in kept:
            own = getattr(entry, part)
            others = tuple(getattr(entry, other) for other in PARTS if other != part)
            key = (entry.root, entry.years, others, entry.measure.kind, entry.measure.unit)
            groups[key][own].append(entry)
        said = {own: _list_said(words, own) for members in groups.values() for own in members}
        for members in groups.values():
            sides = [own for own in members if said[own] and len(members[own]) == 1]
            for one, other in permutations(sides, 2):
                if _is_parted(task, text, said[one] - said[other], said[other] - said[one]):
                    yield _Pair(members[one][0], members[other][0], part)


def _list_said(words: Sequence[Anchor], own: str) -> frozenset[str]:
    return frozenset(anchor.text for anchor in words if own and says(anchor, own))


def _is_parted(task: ReaderTask, text: str, first: frozenset[str], second: frozenset[str]) -> bool:
    """Whether what only one says stands before what only the other says, with a joint between."""
    if not first or not second:
        return False
    end = max(text.find(fold(word)) + len(fold(word)) for word in first)
    start = min(text.find(fold(word)) for word in second)
    between = text[end:start].replace(",", " ").split() if 0 <= end <= start else []
    joints = {joint for name in JOINTS for joint in _cues(task, name)}
    return any(word in joints for word in between)


def _rate(task: ReaderTask, words: Sequence[Anchor], pair: _Pair) -> tuple[int, ...] | None:
    """How well a pair says the words; what is measured and all names have to be said, by the table at least."""
    sides = f"{getattr(pair.first, pair.part)} | {getattr(pair.second, pair.part)}"
    own = f"{sides} | {pair.shared}"
    found = fit_text(task, words, own, pair.first.around, fold(task.part.text))
    said = f"{own} | {pair.first.around}"
    if not (is_asked_kind(task, pair.first) and is_asked_kind(task, pair.second)):
        return None
    needed = [anchor for anchor in words if anchor.source == "concept" or anchor.text[:1].isupper()]
    if not is_enough(words, found) or not all(says(anchor, said) for anchor in needed):
        return None
    # two names alone say nothing of what is subtracted
    measured = [anchor for anchor in words if says(anchor, f"{pair.shared} | {pair.first.around}")]
    if not measured and not all(anchor.source == "concept" for anchor in words):
        return None
    # of several names of one figure the very one that was asked goes first, and an amount before a share of it
    literal = sum(contains_folded(fold(anchor.text), said) for anchor in words)
    is_amount = pair.first.measure.kind != "percent"
    return (found.rank[0], literal, found.rank[1], is_amount, max(pair.first.years, default=0))


def _tell(task: ReaderTask, pair: _Pair, twins: Sequence[_Pair], is_sum: bool) -> Item | None:
    first, second = pair.first, pair.second
    turned = second.measure if is_sum else second.measure._replace(size=-second.measure.size)
    size = add((first.measure, turned))
    # where the same figures stand in another table, that place is cited too
    again = [twin for twin in twins if twin.first.root != first.root][:1]
    citations = cite_entries(task, (first, second, *(entry for twin in again for entry in (twin.first, twin.second))))
    if size is None or not citations or (is_sum and first.measure.kind == "percent"):
        return None
    number, unit, told = tell_size(size if is_sum else abs(size), (first.measure, second.measure))
    if first.measure.kind == "percent":
        unit, told = "percentage points", f"{number} percentage points"
    units = tell_units(first)
    told = f"{told} {units}".strip()
    names = tuple(_name(entry, pair.part) for entry in (first, second))
    year = str(first.years[0]) if len(first.years) == 1 else ""
    shared = ", ".join(filter(None, (_name_shared(task.view.lexicon, pair), _tell_span(task, first) or year)))
    higher = "" if is_sum or not size else f", {names[size < 0]} is higher"
    used = f"{names[0]} {first.printed}; {names[1]} {second.printed}"
    return Item(
        sub_question=task.part.id,
        text=f"{told} ({'sum' if is_sum else 'difference'}{higher}; {shared}: {used})",
        label=shared,
        value=number,
        unit=", ".join(filter(None, (unit, units))),
        period=year,
        citations=citations,
        extraction="computed",
    )


def _name(entry: Entry, part: str) -> str:
    """The side of an entry as printed, where it is a row; else the words of its column or block without the time."""
    if part == "label":
        return entry.name
    if part == "block":
        return " ".join(entry.labels[0].text.split()).rstrip(":")
    plain = fold(entry.heading)
    at = plain.find(entry.head) if entry.head and len(plain) == len(entry.heading) else -1
    return entry.heading[at : at + len(entry.head)] if at >= 0 else entry.heading


def _tell_span(task: ReaderTask, entry: Entry) -> str:
    """The time over a value as printed, where the question asks for a part of a year."""
    if not read_time(task.part.text, task.view.lexicon)[0].months:
        return ""
    own = _name(entry, "head") if entry.head else ""
    told = " ".join(entry.heading.replace(own, " ").split())
    is_said = bool(read_time(told, task.view.lexicon)[0].months)
    return told if is_said else f"{read_corner(entry).split('(')[0].strip()} {told}".strip()


def _name_shared(lexicon: Lexicon, pair: _Pair) -> str:
    entry = pair.first
    block = " ".join(entry.labels[0].text.split()).rstrip(":") if len(entry.labels) > 1 else ""
    told = (block if pair.part != "block" else "", entry.name if pair.part != "label" else "")
    head = entry.heading if pair.part != "head" else ""
    return ", ".join(filter(None, (*told, read_time(head, lexicon)[1])))
