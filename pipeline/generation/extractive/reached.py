"""A cell of a table far from the evidence: its row says the part, its column what is asked of the part.

Prose repeats the words of a question more often than the table that answers it, so that a table of states, of products
or of months may be on no page of the evidence. Where one row and its column say the words of the question, and no other
cell as well, that cell is what is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.ledger import cite_entries, is_sum, list_entries, tell_units
from pipeline.generation.extractive.ledger_sums import name_entry
from pipeline.generation.extractive.ledger_words import drop_own_names, fit, fit_text, says, says_all, says_names
from pipeline.generation.extractive.reached_asked import list_days, list_shared_pages, read_sought
from pipeline.generation.extractive.reading import Reading
from pipeline.models.answer import Item
from pipeline.models.lexicon import singular
from pipeline.question.concepts import find_concepts
from pipeline.question.terms import cue_of, split_words
from pipeline.text.matching import contains_folded, fold
from pipeline.text.tokens import stem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.ledger import Entry
    from pipeline.generation.extractive.reached_asked import Sought
    from pipeline.generation.extractive.reading import ReaderTask

MAX_SHOWN = 2
MAX_LABEL_EXTRA, MAX_EXTRA = 2, 6
"""Words of the label of a row, and of row, column and block, that the question does not say."""
OWN_SHARE = 2
"""One part in so many of the weight of the words has to be said by row and column themselves."""
WHOLE = 1_000_000
"""A number of so much is printed in full: the scale over its table is that of amounts."""
SURE, NEAR, SEVERAL = 800, 600, 450
"""Thousandths of confidence at most: row and column say all, some stands only over the table, several cells."""


class Seen(NamedTuple):
    """A cell that says what is sought; `is_whole` where row and column say it all and nothing besides."""

    rank: tuple[int, ...]
    entry: Entry
    is_whole: bool


def read_reached(task: ReaderTask) -> Reading | None:
    """The cell of the document whose row and column say what is asked; None where none does, or too many."""
    sought = read_sought(task)
    pages = list_shared_pages(task, sought.words) if sought is not None else ()
    if sought is None or not pages:
        return None
    entries = list_entries(task, sought.words, pages)
    sought = sought._replace(words=drop_own_names(task, sought.words, entries))
    possible = (entry for entry in entries if _is_possible(task, sought, entry))
    seen = [found for entry in possible if (found := _see(task, sought, entry, entries)) is not None]
    # the newest column is meant where no year is asked for
    newest = max((max(one.entry.years, default=0) for one in seen), default=0)
    if not sought.years:
        seen = [one for one in seen if max(one.entry.years, default=newest) == newest]
    top = max((one.rank for one in seen), default=None)
    best = {one.entry.measure.size: one for one in reversed(seen) if one.rank == top}
    if not best or len(best) > MAX_SHOWN:
        return None
    shown = sorted(best.values(), key=lambda one: (one.entry.page, one.entry.table.start, one.entry.cell.row))
    return _tell(task, shown)


def _is_possible(task: ReaderTask, sought: Sought, entry: Entry) -> bool:
    """Whether an entry is of the time and of the kind that are asked for, and of a row that stands for one part."""
    lexicon = task.view.lexicon
    if entry.is_change or entry.is_partial or (sought.years and not set(sought.years) & set(entry.years)):
        return False
    if is_sum(lexicon, entry.name) and not sought.is_sum:
        return False
    asked = fold(task.part.text)
    # a row of a part and others is not that of the part
    others = cue_of(lexicon.value_cues, "rest")
    if any(contains_folded(word, entry.label) and not contains_folded(word, asked) for word in others):
        return False
    kind, wanted = entry.measure.kind, task.part.value_type
    if (wanted == "percent") != (kind == "percent") and wanted in ("percent", "money"):
        return False
    return _is_dated(sought, entry.name) and (not sought.noun or _is_counted(task, sought.noun, entry))


def _is_dated(sought: Sought, name: str) -> bool:
    """Whether a row is of the days asked for; a row of a quarter names other months too."""
    if not sought.days:
        return True
    own = list_days(name)
    months = {month for month, _ in sought.days}
    return months == {month for month, _ in own} and all(day in own for day in sought.days if day[1])


def _is_counted(task: ReaderTask, noun: str, entry: Entry) -> bool:
    """Whether a number may be one of what is counted: no amount, no share, and its table says the noun."""
    lexicon = task.view.lexicon
    size = entry.measure.size
    if entry.measure.kind in ("money", "percent") or (size != int(size) and not tell_units(entry)):
        return False
    own = split_words(entry.own, lexicon)
    if any(place.concept.value_type == "money" for place in find_concepts(own, lexicon)):
        return False
    told = f"{entry.own} | {entry.around} | {fold(' | '.join(entry.table.header))}"
    said = {singular(word.folded) for word in split_words(told, lexicon)}
    return noun in said


def _see(task: ReaderTask, sought: Sought, entry: Entry, entries: Sequence[Entry]) -> Seen | None:
    """The entry as a cell that says it all; None where its row or its column is not known to be the one asked for."""
    words, asked = sought.words, fold(task.part.text)
    weight = sum(anchor.weight for anchor in words)
    found = fit(task, words, entry, asked)
    # what is counted may be said once for the whole table, and by the columns that a last one adds up
    counted = [anchor for anchor in words if sought.noun in map(singular, anchor.forms)]
    least = weight - sum(anchor.weight for anchor in counted)
    is_sum_head = is_sum(task.view.lexicon, entry.head)
    if found.said < (least if is_sum_head else weight) or found.own * OWN_SHARE < least or found.extra > MAX_EXTRA:
        return None
    # a name over the rows says no more of one of them than of the others, unless it is their sum
    row = f"{entry.block} | {entry.label}" if is_sum(task.view.lexicon, entry.label) else entry.label
    is_row = bool(sought.days) or any(says(anchor, row) for anchor in words)
    label = fit_text(task, words, entry.label, "", asked)
    if not is_row or not says_names(words, entry) or label.extra > MAX_LABEL_EXTRA:
        return None
    is_head_whole = _is_head_said(task, sought, entry)
    is_named = any(says(anchor, entry.head) for anchor in words if anchor not in counted)
    # without a word for a column, what is asked is the only one or that of all together
    is_known = is_head_whole or is_named or is_sum_head
    if not is_known and any(_is_beside(entry, other) for other in entries):
        return None
    # what is exercisable was not exercised: only the words themselves are sure
    is_said = says_all([fold(anchor.text) for anchor in words], entry.own)
    is_whole = is_said and (is_head_whole or is_named or not entry.head) and not label.extra
    return Seen((is_whole, found.own, is_head_whole, -label.extra, -found.extra), entry, is_whole)


def _is_head_said(task: ReaderTask, sought: Sought, entry: Entry) -> bool:
    """Whether the question says all words of a head, the small ones too ("votes against"), or means its sum."""
    lexicon = task.view.lexicon
    if sought.is_sum and (is_sum(lexicon, entry.head) or is_sum(lexicon, entry.name)):
        return True
    said = {stem(word.folded, lexicon.language) for word in split_words(task.part.text, lexicon)}
    head = [stem(word.folded, lexicon.language) for word in split_words(entry.head, lexicon)]
    return bool(head) and said.issuperset(head)


def _is_beside(entry: Entry, other: Entry) -> bool:
    """Whether another cell of the same row is of the same kind and time: nothing says then which column is meant."""
    is_row = (entry.root, entry.cell.row) == (other.root, other.cell.row) and not other.is_change
    is_alike = (entry.measure.kind, entry.years) == (other.measure.kind, other.years)
    return is_row and is_alike and entry.cell.column != other.cell.column


def _tell(task: ReaderTask, seen: Sequence[Seen]) -> Reading | None:
    items = tuple(item for item in (_build_item(task, one.entry) for one in seen) if item.citations)
    if not items:
        return None
    is_whole = all(one.is_whole for one in seen)
    caveats = ("several rows or columns fit the question; all are shown",) if len(items) > 1 else ()
    return Reading(
        text="; ".join(item.text for item in items),
        items=items,
        has_typed_fit=True,
        caveats=caveats,
        max_confidence=SEVERAL if caveats else SURE if is_whole else NEAR,
    )


def _build_item(task: ReaderTask, entry: Entry) -> Item:
    units, label = tell_units(entry), name_entry(entry)
    if entry.measure.kind == "quantity" and entry.measure.size >= WHOLE:
        units = ""  # "in millions, except shares": so long a number is one of shares
    shown = f"{entry.printed} {units}".strip() if units and units not in label else entry.printed
    return Item(
        sub_question=task.part.id,
        text=f"{shown} ({label})",
        label=label,
        value=format(entry.measure.size, "f"),
        unit=", ".join(filter(None, (entry.measure.unit, units))),
        period=str(max(entry.years)) if entry.years else "",
        citations=cite_entries(task, [entry]),
        extraction="verbatim",
    )
