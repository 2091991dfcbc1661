"""The member of a table with the highest, lowest, most risen or most fallen value, wherever the table stands."""

from __future__ import annotations

from collections import defaultdict
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.citing import merge_extents
from pipeline.generation.extractive.extremes import tell_extreme
from pipeline.generation.extractive.groups import Group
from pipeline.generation.extractive.ledger import is_sum, list_entries, tell_units
from pipeline.generation.extractive.ledger_quarters import asks_quarter, group_quarters, list_quarter_pages
from pipeline.generation.extractive.ledger_words import (
    drop_own_names,
    fit_text,
    is_enough,
    list_asked_years,
    list_content,
    says,
)
from pipeline.generation.extractive.measures import tell_size
from pipeline.generation.extractive.members import Member
from pipeline.generation.extractive.turns import read_turn
from pipeline.question.anchors import make_word_anchor
from pipeline.question.operations import read_operation
from pipeline.question.terms import cue_of, find_phrase, split_words
from pipeline.text.matching import contains_folded, fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pipeline.generation.extractive.ledger import Entry
    from pipeline.generation.extractive.reading import ReaderTask, Reading
    from pipeline.models.question import Anchor
    from pipeline.question.operations import Operation
    from pipeline.question.terms import Word

MIN_MEMBERS = 2


class Asked(NamedTuple):
    """What is picked (`nouns`, empty for periods), by which words and years, and how its values turn (-1, 0 or 1).

    `is_quarter` where the periods are quarters.
    """

    nouns: tuple[Anchor, ...]
    words: tuple[Anchor, ...]
    years: tuple[int, ...]
    is_period: bool
    turn: int
    is_quarter: bool = False


class Row(NamedTuple):
    """Members that are alike but for one thing, with the words that name what they have in common."""

    members: tuple[tuple[str, tuple[Entry, ...]], ...]
    own: str
    around: str
    label: str
    is_line: bool = False


def read_top(task: ReaderTask) -> Reading | None:
    """The member that is asked for, with its value and those of all others; None where no table has such members."""
    operation = read_operation(task.part.text, task.view.lexicon)
    asked = read_asked(task, operation)
    if asked is None or not asked.words or len(asked.years) > 1 or (asked.is_quarter and asked.turn):
        return None
    pages = list_quarter_pages(task, asked.words) if asked.is_quarter else ()
    entries = list_entries(task, (*asked.words, *asked.nouns), pages)
    asked = asked._replace(words=drop_own_names(task, asked.words, entries))
    if not asked.words:
        return None
    rows = list((_list_quarters if asked.is_quarter else _list_rows)(task, asked, entries))
    best = _choose(task, asked, rows)
    if best is None:
        return None
    group = _build_group(task, asked, best)
    if asked.turn:
        operation = operation._replace(direction="min" if asked.turn * _sign(operation) < 0 else "max")
        is_turned = any(member.measure.size * asked.turn > 0 for member in group.members)
        if not is_turned:
            return None
    return tell_extreme(task, group, group.members, operation)


def _sign(operation: Operation) -> int:
    return 1 if operation.direction == "max" else -1


def read_asked(task: ReaderTask, operation: Operation) -> Asked | None:
    """What a question with a superlative picks from; None where it does not ask which."""
    lexicon = task.view.lexicon
    words = split_words(task.part.text, lexicon)
    nouns = _list_nouns(task, words)
    place = find_phrase(operation.cue, words) if operation.cue else None
    if not nouns or place is None or operation.dimension not in ("", "money"):
        return None
    is_period = any(word.folded in cue_of(lexicon.superlatives, "periods") for word in nouns)
    plain = [word.folded for word in nouns if not word.is_name]
    return Asked(
        nouns=() if is_period else tuple(make_word_anchor(word, lexicon) for word in nouns if not word.is_name),
        words=list_content(task, task.part.text, plain),
        years=list_asked_years(task),
        is_period=is_period,
        turn=read_turn(task.part.text, operation, lexicon),
        is_quarter=is_period and asks_quarter(task, nouns),
    )


def _list_nouns(task: ReaderTask, words: Sequence[Word]) -> tuple[Word, ...]:
    """The words between "which" and the verb: "business area", "product"."""
    lexicon = task.view.lexicon
    opened = next((at for at, word in enumerate(words[:3]) if word.folded in lexicon.list_opener_set), None)
    if opened is None:
        return ()
    ends = (lexicon.stop_word_set, lexicon.operator_set, lexicon.light_verb_set)
    turns = (cue_of(lexicon.superlatives, "falls"), cue_of(lexicon.superlatives, "rises"))
    nouns: list[Word] = []
    for word in words[opened + 1 :]:
        if any(word.folded in group for group in (*ends, *turns)):
            break
        nouns.append(word)
        if word.bare_end < word.end:
            break  # "which segment's net sales"
    return tuple(nouns)


def _list_rows(task: ReaderTask, asked: Asked, entries: Iterable[Entry]) -> Iterable[Row]:
    """Entries of one column or row, of the year that is asked for or else the newest of their table."""
    columns: dict[object, dict[str, list[Entry]]] = defaultdict(lambda: defaultdict(list))
    lines: dict[object, dict[str, list[Entry]]] = defaultdict(lambda: defaultdict(list))
    spans: dict[object, dict[str, list[Entry]]] = defaultdict(lambda: defaultdict(list))
    tables: dict[object, dict[str, list[Entry]]] = defaultdict(lambda: defaultdict(list))
    for entry in entries:
        if entry.is_partial or entry.is_change:
            continue
        place = (entry.root, entry.block)
        if asked.is_period:
            if len(entry.years) == 1:
                spans[(*place, entry.label, entry.head)][str(entry.years[0])].append(entry)
            continue
        if not _is_whole(task, entry.name):
            columns[(*place, entry.group, entry.head)][entry.name].append(entry)
        if entry.head and not _is_whole(task, entry.head):
            lines[(*place, entry.label)][entry.head].append(entry)
        title = " ".join(entry.table.title.split())
        if any(says(noun, fold(title)) for noun in asked.nouns) and not _is_whole(task, title):
            tables[(entry.label, entry.head)][title].append(entry)
    for found in (columns, lines, spans, tables):
        for members in found.values():
            row = _build_row(asked, members, found is columns, found is spans)
            if row is not None:
                yield row._replace(is_line=found is lines)


def _list_quarters(task: ReaderTask, asked: Asked, entries: Iterable[Entry]) -> Iterable[Row]:
    """Entries of one row, quarter by quarter."""
    for members in group_quarters(task, entries, asked.years).values():
        row = _build_row(asked, members, is_column=False, is_span=True)
        if row is not None:
            yield row


def _is_whole(task: ReaderTask, name: str) -> bool:
    """Whether a name is of a sum or of all members together."""
    lexicon = task.view.lexicon
    folded = " ".join(word.folded for word in split_words(name, lexicon))
    is_all = any(contains_folded(cue, folded) for cue in cue_of(lexicon.superlatives, "whole"))
    return is_all or is_sum(lexicon, name) or not any(map(str.isalpha, name))


def _build_row(asked: Asked, members: dict[str, list[Entry]], is_column: bool, is_span: bool) -> Row | None:
    """The members with one value each, or with those of two years where a turn is asked for."""
    newest = max((year for entries in members.values() for entry in entries for year in entry.years), default=0)
    year = asked.years[0] if asked.years else newest
    kept: list[tuple[str, tuple[Entry, ...]]] = []
    for name, entries in members.items():
        if is_span:
            chosen = [entries[:1]] if len(entries) == 1 else []
        else:
            wanted = (year - 1, year) if asked.turn else (year,)
            chosen = [[e for e in entries if e.years == (one,)] for one in wanted if one]
            if not year:
                chosen = [[e for e in entries if not e.years]]
        if chosen and all(len(found) == 1 for found in chosen):
            kept.append((name, tuple(found[0] for found in chosen)))
    kinds = {(entry.measure.kind, entry.measure.unit) for _, entries in kept for entry in entries}
    if len(kept) < MIN_MEMBERS or len(kinds) != 1:
        return None
    first = kept[0][1][-1]
    parts: tuple[str, ...] = (first.block, first.head) if is_column else (first.block, first.label)
    parts = (first.block, first.label, first.head) if is_span else parts
    label = " ".join(filter(None, (first.labels[0].text if len(first.labels) > 1 else "", *parts[1:])))
    return Row(tuple(kept), " | ".join(parts), first.around, " ".join(label.split()))


def _choose(task: ReaderTask, asked: Asked, rows: Sequence[Row]) -> Row | None:
    """The row that says most of what is asked, where the best ones agree on their values."""
    rated: list[tuple[tuple[int, ...], Row]] = []
    weight = sum(anchor.weight for anchor in asked.words if not anchor.text[:1].isupper())
    for row in rows:
        found = fit_text(task, asked.words, row.own, row.around)
        # one word of a longer name ("Space" for "floor space") does not name a row
        own = found.own if found.own * 2 >= weight else 0
        is_named = not asked.nouns or any(says(noun, f"{row.own} {row.around}") for noun in asked.nouns)
        if not is_enough(asked.words, found) or not (is_named or own == found.said):
            continue
        # what only stands over a table is said of all in it: its rows have to be of the noun
        if not own and (not is_named or row.is_line):
            continue
        is_whole = _is_whole(task, row.own)
        # a derived figure has the names of what it is computed from among its forms
        literal = sum(contains_folded(fold(anchor.text), row.own) for anchor in asked.words)
        rated.append(((is_named, *found._replace(own=own).rank, is_whole, literal), row))
    if not rated:
        return None
    top = max(rate for rate, _ in rated)
    alike = [row for rate, row in rated if rate == top]
    values = {tuple(entry.printed for _, entries in row.members for entry in entries) for row in alike}
    return alike[0] if len(values) == 1 else None


def _build_group(task: ReaderTask, asked: Asked, row: Row) -> Group:
    members = tuple(_build_member(asked, name, entries) for name, entries in row.members)
    first = row.members[0][1][-1]
    years = [entry.years[0] for entry in row.members[0][1] if entry.years]
    told = row.label if row.label.strip() else " ".join(first.table.title.split())
    span = (
        "" if asked.is_period or not years else f", {years[-1]}" if not asked.turn else f", {years[0]} to {years[-1]}"
    )
    said = frozenset(a.key for a in (*asked.words, *asked.nouns) if says(a, f"{row.own} {row.around}"))
    name = f"{'change of ' if asked.turn else ''}{told}{span}"
    return Group(members, name.strip(" ,"), (), True, said, units=tell_units(first))


def _build_member(asked: Asked, name: str, entries: Sequence[Entry]) -> Member:
    last = entries[-1]
    extents = tuple(
        extent
        for entry in entries[::-1]
        for cell in (entry.cell, *entry.labels[::-1])
        for extent in merge_extents(cell.extents)
    )
    shown = " ".join(name.split())
    shown = last.name if fold(shown) == fold(last.name) else _as_printed(last, shown)
    if not asked.turn or len(entries) < MIN_MEMBERS:
        return Member(shown, last.measure, last.printed, extents)
    gap = last.measure.size - entries[0].measure.size
    measure = last.measure._replace(size=gap, low=gap, high=gap, amount=gap)
    told = f"{tell_size(gap, (last.measure,))[2]}, from {entries[0].printed} to {last.printed}"
    return Member(shown, measure, f"{told}{_tell_share(gap, entries[0].measure.size)}", extents)


def _as_printed(entry: Entry, folded: str) -> str:
    """A head as it is printed, without the time in it where that is easily cut."""
    plain = fold(entry.heading)
    at = plain.find(folded) if len(plain) == len(entry.heading) else -1
    return entry.heading[at : at + len(folded)] if at >= 0 else folded


def _tell_share(gap: Decimal, base: Decimal) -> str:
    return f", {(gap * 100 / base).quantize(Decimal('0.1'))}%" if base > 0 else ""
