"""A figure of a part: the one cell whose row and column name the part, the figure and the year together.

"What were net sales of Tugs in 2022?" asks for no figure of the whole company, which the statements print; the cell
under "2022, Net sales" in the row "Tugs", or under "Tugs" in the row "Net sales", is the one that is meant.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from pipeline.generation.extractive.cells import MAX_VALUE_CHARACTERS, build_hit, list_sights, read_cell
from pipeline.generation.extractive.figures import Figure
from pipeline.generation.extractive.fiscal import shift_years
from pipeline.generation.extractive.hits import misnames
from pipeline.generation.extractive.money import convert, tell_amount, tell_printed
from pipeline.generation.extractive.narrowing import narrows
from pipeline.generation.extractive.parted import find_parted
from pipeline.generation.extractive.reading import Reading
from pipeline.generation.extractive.restated import find_restated, lacks_share
from pipeline.generation.extractive.rows import find_scale
from pipeline.generation.extractive.tabled import list_tables
from pipeline.generation.extractive.value import build_item
from pipeline.question.periods import find_periods
from pipeline.question.terms import cue_of, split_words
from pipeline.text.anchors import find_anchor
from pipeline.text.grammar import CURRENCY_SIGNS
from pipeline.text.matching import contains_folded, fold
from pipeline.text.numbers import find_years

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.generation.extractive.cells import Sighted
    from pipeline.generation.extractive.hits import ValueHit
    from pipeline.generation.extractive.parted import Parted
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.answer import Item
    from pipeline.models.structure import Table

MAX_SHOWN = 3
OTHER_NAME = 2
MAX_LABEL, MAX_FURTHER_PAGES = 80, 8


def read_crossed(task: ReaderTask) -> Reading | None:
    """The value of one cell that says the figure, the part and the year; None where no cell says all of it.

    Cells that say it equally well and differ are all shown.
    """
    asked = find_parted(task)
    if asked is None:
        return None
    rated = [
        ((misnames(task, hit.label), _count_corner(task, corner), _count_extra(task, hit)), hit)
        for hit, corner in _list_hits(task, asked)
    ]
    least = min((extra for extra, _ in rated), default=(False, 0, 0))
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


def _tell(task: ReaderTask, asked: Parted, item: Item, hit: ValueHit) -> Item:
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


def _list_hits(task: ReaderTask, asked: Parted) -> Iterator[tuple[ValueHit, str]]:
    for value_type in asked.types:
        part = task.part.model_copy(update={"value_type": value_type, "shape": "value"})
        typed_task = replace(task, part=part)
        for rank, table in enumerate(_list_tables(task, asked)):
            for sighted in list_sights(typed_task, table, rank):
                typed = read_cell(typed_task, sighted, value_type) if _fits(task, sighted, asked) else None
                if typed is not None:
                    yield build_hit(typed_task, sighted, typed), sighted.corner


def _list_tables(task: ReaderTask, asked: Parted) -> tuple[Table, ...]:
    """Tables near the evidence, and of a restated figure those with a row that begins with its name."""
    near = list_tables(task)
    if not asked.restated:
        return near
    # reconciliations stand far from what speaks of their figures, and the label is short
    document = task.view.document
    names = tuple(fold(anchor.text) for anchor in task.part.anchors if anchor.key in asked.figure)
    names = tuple(f"{way} {name}" for way in sorted(asked.restated) for name in names) + names
    lines = zip(document.lines, document.folded, strict=True)
    pages = dict.fromkeys(line.page for line, folded in lines if len(folded) < MAX_LABEL and folded.startswith(names))
    known = {(table.start, table.end) for table in near}
    further = [table for page in list(pages)[:MAX_FURTHER_PAGES] for table in task.view.tables_on(page)]
    return (*near, *(table for table in further if (table.start, table.end) not in known))


def _fits(task: ReaderTask, sighted: Sighted, asked: Parted) -> bool:
    """Whether a cell says the year, the figure and all of the part, and does so in its row or column and beyond it."""
    own = sighted.in_row | sighted.in_column
    keys = own | sighted.in_title
    if len(sighted.cell.text) > MAX_VALUE_CHARACTERS or not asked.needed <= keys:
        return False
    years = {year for _, _, year in find_years(sighted.name)}
    years = years or {year for _, _, year in find_years(sighted.table.title)}
    years = {year + shift_years(task, sighted.table.header) for year in years}
    if years != {asked.year} or not (asked.figure <= keys) or not _is_annual(task, sighted):
        return False
    if is_rate(sighted) != asked.is_rate and (asked.is_rate or asked.figure or is_rate(sighted)):
        return False
    if find_restated(f"{sighted.name} {sighted.corner}", task.view.lexicon) != asked.restated:
        return False
    if not _says_segments(task, sighted, asked) or lacks_share(task, f"{sighted.name} {sighted.table.title}"):
        return False
    if asked.figure:
        is_parted = any(contains_folded(name, fold(sighted.name)) for name in asked.segments)
        return asked.figure <= own or is_parted or any(anchor.key in own for anchor in asked.parts)
    # without a known figure the row has to say one thing, and what is above or over it another
    label = sighted.labels[-1].text if sighted.labels else ""
    inside = {anchor.key for anchor in asked.parts if find_anchor(anchor, label)}
    return 0 < len(inside) < len(asked.parts)


def _is_annual(task: ReaderTask, sighted: Sighted) -> bool:
    """Whether a column may be of a whole year: it does not say that it is of a part of one."""
    cues = task.view.lexicon.calculation_cues
    head = fold(sighted.header)
    is_partial = any(contains_folded(cue, head) for cue in cue_of(cues, "partial"))
    return not is_partial or any(contains_folded(cue, head) for cue in cue_of(cues, "annual"))


def _says_segments(task: ReaderTask, sighted: Sighted, asked: Parted) -> bool:
    """Whether a cell, its table or the headings right over it say the segments: chapters above are of many segments."""
    if not asked.segments:
        return True
    section = task.view.document.section_at(sighted.table.start)
    near = (section.title, *section.breadcrumb[-1:]) if section is not None else ()
    said = fold(" | ".join((sighted.name, sighted.corner, sighted.table.title, *near)))
    return all(contains_folded(name, said) for name in asked.segments)


def is_rate(sighted: Sighted) -> bool:
    """Whether a cell has a percent sign, or stands below one that has: a sign is printed on the first row only."""
    at = sighted.cell
    above = [cell.text for cell in sighted.table.cells if cell.column == at.column and cell.row <= at.row]
    signed = [text for text in above if "%" in text or any(sign in text for sign in CURRENCY_SIGNS)]
    return "%" in sighted.header or (bool(signed) and "%" in signed[-1])


def _count_extra(task: ReaderTask, hit: ValueHit) -> int:
    """How many words of row, column and the corner over them the question does not say."""
    rest = hit.label
    anchors = task.part.anchors
    for anchor in anchors:
        for start, end in reversed(find_anchor(anchor, rest)):
            rest = f"{rest[:start]} {rest[end:]}"
    # a row under the very name that was asked goes before one under another name of the same figure
    label = fold(hit.label)
    other = sum(anchor.source == "concept" and not contains_folded(fold(anchor.text), label) for anchor in anchors)
    return OTHER_NAME * other + len([word for word in re.findall(r"[^\W\d_]+", rest) if len(word) > 1])


def _count_corner(task: ReaderTask, corner: str) -> int:
    """How many words over the rows of a table name a part that the question does not: "Flexibles" over its figures."""
    lexicon = task.view.lexicon
    # a time, a unit or a way of restating over the labels names no part
    if find_restated(corner, lexicon) or find_periods(corner) or "(" in corner:
        return 0
    words = split_words(corner, lexicon)
    asked = fold(task.part.text)
    return sum(word.is_name and narrows(task, word, "") and not contains_folded(word.folded, asked) for word in words)
