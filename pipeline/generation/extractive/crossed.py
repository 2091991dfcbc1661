"""A figure of a part: the one cell whose row and column name the part, the figure and the year together.

"What were net sales of Tugs in 2022?" asks for no figure of the whole company, which the statements print; the cell
under "2022, Net sales" in the row "Tugs", or under "Tugs" in the row "Net sales", is the one that is meant.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.calculation import plan_calculation
from pipeline.generation.extractive.cells import MAX_VALUE_CHARACTERS, build_hit, list_sights, read_cell
from pipeline.generation.extractive.figures import Figure
from pipeline.generation.extractive.money import convert, tell_amount, tell_printed
from pipeline.generation.extractive.narrowing import narrows, read_own_names
from pipeline.generation.extractive.reading import Reading
from pipeline.generation.extractive.rows import find_scale
from pipeline.generation.extractive.tabled import list_tables
from pipeline.generation.extractive.value import build_item
from pipeline.question.concepts import find_concepts
from pipeline.question.terms import cue_of, find_first, split_words
from pipeline.text.anchors import find_anchor
from pipeline.text.grammar import CURRENCY_SIGNS
from pipeline.text.matching import contains_folded, fold
from pipeline.text.numbers import find_years

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.generation.extractive.cells import Sighted
    from pipeline.generation.extractive.hits import ValueHit
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.answer import Item
    from pipeline.models.lexicon import Concept
    from pipeline.models.question import Anchor, ValueType

MAX_SHOWN = 3
OTHER_NAME = 2
TYPED: tuple[ValueType, ...] = ("money", "percent")


class _Asked(NamedTuple):
    """What is asked: keys of the figure (none where no known one is named), of all words, of the part, and the year."""

    figure: frozenset[str]
    needed: frozenset[str]
    parts: tuple[Anchor, ...]
    year: int
    types: tuple[ValueType, ...]
    is_rate: bool


def read_crossed(task: ReaderTask) -> Reading | None:
    """The value of one cell that says the figure, the part and the year; None where no cell says all of it.

    Cells that say it equally well and differ are all shown.
    """
    asked = _find_asked(task)
    if asked is None:
        return None
    rated = [(_count_extra(task, hit), hit) for hit in _list_hits(task, asked)]
    least = min((extra for extra, _ in rated), default=0)
    fitting = [hit for _, hit in rated]
    best = {hit.typed.value: hit for extra, hit in reversed(rated) if extra == least}
    if not best or len(best) > MAX_SHOWN:
        return None
    shown = sorted(best.values(), key=fitting.index)
    agreeing = [tuple(hit for hit in fitting if hit.typed.value == one.typed.value) for one in shown]
    items = tuple(
        _tell(task, asked, build_item(task, one, same), one) for one, same in zip(shown, agreeing, strict=True)
    )
    return Reading(
        text="; ".join(item.text for item in items),
        items=items,
        has_typed_fit=True,
        has_second_place=len(agreeing[0]) > 1,
        caveats=("several rows or columns fit the question; all are shown",) if len(items) > 1 else (),
    )


def _tell(task: ReaderTask, asked: _Asked, item: Item, hit: ValueHit) -> Item:
    """The item in the scale of its page, or in the unit that was asked for, where a known amount of money is asked."""
    number, (page, first) = hit.typed.number, hit.place
    line = task.view.document.line_at(page, first)
    scale = find_scale(task.view, page, line.box[1]) if line is not None else None
    is_money = "money" in asked.types and asked.figure and "%" not in hit.typed.text and " per " not in fold(hit.label)
    if number is None or line is None or scale is None or not is_money:
        return item
    figure = Figure(hit.label, hit.label, hit.typed.text, number.scaleb(scale), scale, asked.year, (line,), False)
    amount, unit, is_converted = convert(figure, task.question.unit)
    printed = f": {tell_printed(figure)}" if is_converted else ""
    text = f"{tell_amount(task.view, figure, amount, unit)} ({hit.label}{printed})"
    told = {"text": text, "value": format(amount, "f"), "unit": unit, "period": str(asked.year)}
    return item.model_copy(update={**told, "extraction": "computed" if is_converted else "verbatim"})


def _find_asked(task: ReaderTask) -> _Asked | None:
    """What the question asks of which part and year; None where it names no part, or wants something computed."""
    if any(hint.kind == "statement" for hint in task.question.hints):
        return None
    years = {year for period in task.question.periods for _, _, year in find_years(period)}
    if len(years) != 1 or len(task.question.periods) != 1 or "Q" in task.question.periods[0]:
        return None
    words = split_words(task.part.text, task.view.lexicon)
    places = [place for place in find_concepts(words, task.view.lexicon) if place.concept.value_type in TYPED]
    if len({place.concept.name for place in places}) > 1:
        return None
    concept = places[0].concept if places else None
    said = {index for place in places for index in range(place.first, place.stop)}
    rest = [word for index, word in enumerate(words) if index not in said]
    names = read_own_names(task)
    fillers = cue_of(task.view.lexicon.calculation_cues, "filler")
    telling = {word.folded for word in rest if word.folded not in fillers and narrows(task, word, names)}
    parts = tuple(anchor for anchor in task.part.anchors if _is_part(anchor, telling))
    own = {word.folded for word in rest if contains_folded(word.folded, names)}
    needed = frozenset(anchor.key for anchor in task.part.anchors if _is_part(anchor, {w.folded for w in rest} - own))
    if not parts or not _is_looked_up(task, concept):
        return None
    figure = frozenset(anchor.key for anchor in task.part.anchors if concept and anchor.key == concept.name)
    types: tuple[ValueType, ...] = TYPED
    if concept is not None:
        types = tuple(known for known in TYPED if known == concept.value_type)
    is_rate = "percent" in types or find_first(cue_of(task.view.lexicon.calculation_cues, "margin"), words) is not None
    return _Asked(figure, needed, parts, next(iter(years)), types, is_rate)


def _is_part(anchor: Anchor, telling: set[str]) -> bool:
    return anchor.source not in ("concept", "period", "number", "compound") and bool(set(anchor.forms) & telling)


def _is_looked_up(task: ReaderTask, concept: Concept | None) -> bool:
    """Whether a figure is asked as it is printed: no change, no average and no ratio of two."""
    plan = plan_calculation(task)
    return plan is None or (plan.mode == "each" and concept is not None and plan.name == concept.name)


def _list_hits(task: ReaderTask, asked: _Asked) -> Iterator[ValueHit]:
    for value_type in asked.types:
        part = task.part.model_copy(update={"value_type": value_type, "shape": "value"})
        typed_task = replace(task, part=part)
        for rank, table in enumerate(list_tables(task)):
            for sighted in list_sights(typed_task, table, rank):
                typed = read_cell(typed_task, sighted, value_type) if _fits(task, sighted, asked) else None
                if typed is not None:
                    yield build_hit(typed_task, sighted, typed)


def _fits(task: ReaderTask, sighted: Sighted, asked: _Asked) -> bool:
    """Whether a cell says the year, the figure and all of the part, and does so in its row or column and beyond it."""
    own = sighted.in_row | sighted.in_column
    keys = own | sighted.in_title
    if len(sighted.cell.text) > MAX_VALUE_CHARACTERS or not asked.needed <= keys:
        return False
    years = {year for _, _, year in find_years(sighted.name)}
    years = years or {year for _, _, year in find_years(sighted.table.title)}
    if years != {asked.year} or not (asked.figure <= keys):
        return False
    if _is_rate(sighted) and not asked.is_rate:
        return False
    if asked.figure:
        return asked.figure <= own or any(anchor.key in own for anchor in asked.parts)
    # without a known figure the row has to say one thing, and what is above or over it another
    label = sighted.labels[-1].text if sighted.labels else ""
    inside = {anchor.key for anchor in asked.parts if find_anchor(anchor, label)}
    return 0 < len(inside) < len(asked.parts)


def _is_rate(sighted: Sighted) -> bool:
    """Whether a cell has a percent sign, or stands below one that has: a sign is printed on the first row only."""
    at = sighted.cell
    above = [cell.text for cell in sighted.table.cells if cell.column == at.column and cell.row <= at.row]
    signed = [text for text in above if "%" in text or any(sign in text for sign in CURRENCY_SIGNS)]
    return "%" in sighted.header or (bool(signed) and "%" in signed[-1])


def _count_extra(task: ReaderTask, hit: ValueHit) -> int:
    """How many words of row and column the question does not say."""
    rest = hit.label
    anchors = task.part.anchors
    for anchor in anchors:
        for start, end in reversed(find_anchor(anchor, rest)):
            rest = f"{rest[:start]} {rest[end:]}"
    # a row under the very name that was asked goes before one under another name of the same figure
    label = fold(hit.label)
    other = sum(anchor.source == "concept" and not contains_folded(fold(anchor.text), label) for anchor in anchors)
    return OTHER_NAME * other + len([word for word in re.findall(r"[^\W\d_]+", rest) if len(word) > 1])
