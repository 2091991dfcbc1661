"""What is computed over entries of tables: the change or average of a row over years, and its share in a sum."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING

from pipeline.generation.extractive.ledger import cite_entries, is_sum, list_entries, tell_units
from pipeline.generation.extractive.ledger_spans import is_asked_kind, is_of_span
from pipeline.generation.extractive.ledger_words import (
    drop_own_names,
    fit,
    fit_text,
    is_enough,
    list_asked_years,
    list_content,
    says,
    says_names,
)
from pipeline.generation.extractive.measures import tell_size, trim
from pipeline.generation.extractive.reading import Reading
from pipeline.generation.extractive.sentences import split_evidence
from pipeline.models.answer import Item
from pipeline.question.operations import read_operation
from pipeline.question.terms import cue_of, find_first, split_words
from pipeline.structure.times import read_time
from pipeline.text.matching import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.ledger import Entry
    from pipeline.generation.extractive.ledger_words import Fit
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.document import Line
    from pipeline.models.evidence import Evidence
    from pipeline.models.question import Anchor

MIN_YEARS = 2
PERCENT_STEP, AMOUNT_STEP = Decimal("0.1"), Decimal("0.01")


def read_over_years(task: ReaderTask) -> Reading | None:
    """The change, growth or average of one row over the years that are asked for; None where no row has them all."""
    operation = read_operation(task.part.text, task.view.lexicon)
    years = list_asked_years(task)
    kind = next((name for name in ("growth", "average", "difference") if name in operation.singles), "")
    asked, rest = read_time(task.part.text, task.view.lexicon)
    words = list_content(task, rest)
    # "how did it change": of a figure of the whole company the text says more than a row
    kind = kind or ("difference" if len(words) > 1 and asks_turn(task) else "")
    if len(years) < MIN_YEARS or not kind or not words or (kind != "average" and len(years) != MIN_YEARS):
        return None
    rows: dict[object, dict[int, Entry]] = {}
    entries = list_entries(task, words)
    words = drop_own_names(task, words, entries)
    for entry in entries:
        is_asked = len(entry.years) == 1 and entry.years[0] in years and is_of_span(task.view.lexicon, entry, asked)
        if is_asked and is_asked_kind(task, entry):
            rows.setdefault((entry.root, entry.own, entry.group), {}).setdefault(entry.years[0], entry)
    whole = [tuple(row[year] for year in years) for row in rows.values() if all(year in row for year in years)]
    best = _choose(task, words, whole)
    return _tell_years(task, kind, best) if best is not None else None


def asks_turn(task: ReaderTask) -> bool:
    """Whether a question wants to know how a figure changed from one year to another, and not why; a plain test."""
    part = task.part
    if part.intent == "reason" or part.shape not in ("value", "text") or len(task.question.periods) < MIN_YEARS:
        return False
    labels = ("change heads", "turns", "falls", "rises")
    words = {word.strip(".,?") for word in fold(part.text).split()}
    is_turn = any(cue in words for label in labels for cue in cue_of(task.view.lexicon.superlatives, label))
    return is_turn and len(list_asked_years(task)) == MIN_YEARS


def _choose(task: ReaderTask, words: Sequence[Anchor], rows: Sequence[tuple[Entry, ...]]) -> tuple[Entry, ...] | None:
    """The row that says most, where the best ones agree on their values; what it is of has to be said by itself."""
    rated: list[tuple[tuple[int, ...], tuple[Entry, ...]]] = []
    text = fold(task.part.text)
    for row in rows:
        found = fit(task, words, row[0], text)
        is_alike = len({(entry.measure.kind, entry.measure.unit) for entry in row}) == 1
        if is_alike and found.own and is_enough(words, found) and says_names(words, row[0]):
            # a row whose whole name is asked goes before a longer one, whatever stands over that
            label = fit_text(task, words, row[0].label, "", text)
            rated.append(((label.own > 0 and not label.extra, *found.rank), row))
    top = max((rate for rate, _ in rated), default=None)
    alike = [row for rate, row in rated if rate == top]
    return alike[0] if len({tuple(entry.printed for entry in row) for row in alike}) == 1 else None


def _tell_years(task: ReaderTask, kind: str, row: tuple[Entry, ...]) -> Reading | None:
    first, last = row[0], row[-1]
    sizes = [entry.measure.size for entry in row]
    gap = sizes[-1] - sizes[0]
    share = (gap * 100 / sizes[0]).quantize(PERCENT_STEP, rounding=ROUND_HALF_UP) if sizes[0] > 0 else None
    units = tell_units(last)
    if kind == "growth" and share is None:
        return None
    if kind == "average":
        value = trim((sum(sizes, Decimal(0)) / len(sizes)).quantize(AMOUNT_STEP, rounding=ROUND_HALF_UP))
        number, unit, told = tell_size(value, [entry.measure for entry in row])
    elif kind == "growth" or first.measure.kind == "percent":
        number, unit, told = format(share if kind == "growth" else gap, "f"), "%", ""
        unit = unit if kind == "growth" else "percentage points"
        told = f"{number}%" if kind == "growth" else f"{number} percentage points"
    else:
        number, unit, told = tell_size(gap, [entry.measure for entry in row])
        told = f"{told}{f' ({share}%)' if share is not None else ''}"
    shown = "; ".join(f"{entry.years[0]}: {entry.printed}" for entry in row)
    span = f"{first.years[0]}-{last.years[0]}"
    words = {"average": "average", "growth": "growth"}.get(kind, "change")
    suffix = f" {units}" if units and unit != "%" else ""
    item = Item(
        sub_question=task.part.id,
        text=f"{told}{suffix} ({name_entry(last)}, {words} {span}; {shown})",
        label=name_entry(last),
        value=number,
        unit=", ".join(filter(None, (unit, units if unit != "%" else ""))),
        period=span,
        citations=cite_entries(task, row),
        extraction="computed",
    )
    return Reading(text=item.text, items=(item,), has_typed_fit=True) if item.citations else None


def name_entry(entry: Entry) -> str:
    """Block and row as printed, with the words of the column that are no time."""
    block = " ".join(entry.labels[0].text.split()) if len(entry.labels) > 1 else ""
    return ", ".join(filter(None, (block.rstrip(":"), entry.name, entry.head)))


def read_share(task: ReaderTask) -> Reading | None:
    """The share of a part in a whole, computed from their two entries; None where a sentence says it or one is missing.

    The whole stands in the row of the part under a head of sums, or in its column in a row of sums.
    """
    lexicon = task.view.lexicon
    words = split_words(task.part.text, lexicon)
    cue = find_first(cue_of(lexicon.superlatives, "share of"), words)
    years = list_asked_years(task)
    if cue is None or len(years) > 1:
        return None
    stop = next(
        (at for at in range(cue.stop, len(words)) if words[at].folded in cue_of(lexicon.superlatives, "share verbs")),
        None,
    )
    if stop is None:
        return None
    whole = list_content(task, task.part.text[words[cue.stop - 1].end : words[stop].start])
    part = list_content(task, task.part.text[words[stop].end :])
    if not whole or not part or _is_told(task, whole, part):
        return None
    best = _find_share(task, (whole, part), years)
    return _tell_share(task, *best) if best is not None else None


def _is_told(task: ReaderTask, whole: Sequence[Anchor], part: Sequence[Anchor]) -> bool:
    """Whether a sentence of the evidence gives a percentage and says both: it is read as it stands then."""
    for sentence in split_evidence([line for piece in task.evidence for line in _lines_of(task, piece)]):
        folded = fold(sentence.text)
        if ("%" in folded or "percent" in folded) and all(says(anchor, folded) for anchor in (*whole, *part)):
            return True
    return False


def _lines_of(task: ReaderTask, piece: Evidence) -> tuple[Line, ...]:
    spans = piece.candidate.spans
    return tuple(line for s in spans for line in task.view.lines_in((s.page, s.line_start), (s.page, s.line_end + 1)))


def _find_share(
    task: ReaderTask, words: tuple[Sequence[Anchor], Sequence[Anchor]], years: tuple[int, ...]
) -> tuple[Entry, Entry] | None:
    whole, part = words
    entries = [
        entry
        for entry in list_entries(task, (*part, *whole))
        if not (entry.is_partial or entry.is_change)
        and entry.measure.kind != "percent"
        and (not years or not entry.years or entry.years == years)
    ]
    whole, part = (drop_own_names(task, own, entries) or own for own in words)
    rated: list[tuple[tuple[int, ...], tuple[Entry, Entry]]] = []
    for one in entries:
        found = fit(task, part, one)
        if not (found.own and is_enough(part, found) and says_names(part, one)):
            continue
        for other in entries:
            rate = _rate_whole(task, (whole, part), one, other) if other is not one else None
            if rate is not None:
                rated.append(((found.rank[0], max(one.years, default=0), *rate, found.rank[1]), (one, other)))
    top = max((rate for rate, _ in rated), default=None)
    alike = [pair for rate, pair in rated if rate == top]
    return alike[0] if len({(a.printed, b.printed) for a, b in alike}) == 1 else None


def _rate_whole(
    task: ReaderTask, words: tuple[Sequence[Anchor], Sequence[Anchor]], one: Entry, other: Entry
) -> tuple[int, ...] | None:
    """How well an entry is the whole of another one in the same table, year and unit."""
    whole, part = words
    if (one.root, one.years, one.measure.kind, one.measure.unit) != (
        other.root,
        other.years,
        other.measure.kind,
        other.measure.unit,
    ):
        return None
    lexicon = task.view.lexicon
    is_row = one.label == other.label and one.block == other.block and is_sum(lexicon, other.head)
    # a row of another block is of another figure: operating income is no share of net sales
    is_column = one.head == other.head and one.block == other.block
    if not (is_row or is_column) or other.measure.size < one.measure.size or other.measure.size <= 0:
        return None
    found: Fit = fit(task, whole, other)
    if not is_enough(whole, found) or (is_column and not is_row and not is_sum(lexicon, other.name) and not found.own):
        return None
    extra = sum(says(anchor, other.own) for anchor in part if not any(anchor.key == w.key for w in whole))
    return found.rank[0], -extra, is_sum(lexicon, other.name) + is_sum(lexicon, other.head), found.rank[1]


def _tell_share(task: ReaderTask, one: Entry, other: Entry) -> Reading | None:
    share = (one.measure.size * 100 / other.measure.size).quantize(PERCENT_STEP, rounding=ROUND_HALF_UP)
    citations = cite_entries(task, (one, other))
    if not citations:
        return None
    period = str(one.years[0]) if one.years else ""
    used = f"{_name_whole(one)}: {one.printed}; {_name_whole(other)}: {other.printed}"
    item = Item(
        sub_question=task.part.id,
        text=f"{share}% (share{f', {period}' if period else ''}; {used})",
        label=_name_whole(one),
        value=format(share, "f"),
        unit="%",
        period=period,
        citations=citations,
        extraction="computed",
    )
    return Reading(text=item.text, items=(item,), has_typed_fit=True)


def _name_whole(entry: Entry) -> str:
    return ", ".join(filter(None, (entry.name, entry.heading)))
