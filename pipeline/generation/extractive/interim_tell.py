"""Telling a cell of a part of a year: its amount in the scale of the table, its row and column, and its time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.extractive.cells import cite_cell
from pipeline.generation.extractive.figures import Figure
from pipeline.generation.extractive.money import convert, tell_amount, tell_printed
from pipeline.generation.extractive.rows import find_scale
from pipeline.models.answer import Item
from pipeline.text.matching import fold
from pipeline.text.numbers import parse_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.cells import Sighted
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.lexicon import Concept


def build_items(
    task: ReaderTask, cells: Sequence[tuple[Sighted, str]], concept: Concept | None
) -> tuple[Item, ...]:
    """One item for each (cell, its time in words) that can be cited."""
    items = (_build_item(task, sighted, period, concept) for sighted, period in cells)
    return tuple(item for item in items if item.citations)


def _build_item(task: ReaderTask, sighted: Sighted, period: str, concept: Concept | None) -> Item:
    printed = " ".join(sighted.cell.text.split())
    value = parse_number(printed)
    text, unit, is_converted = f"{printed} ({sighted.name}; {period})", "%" if "%" in printed else "", False
    extent = sighted.cell.extents[0]
    line = task.view.document.line_at(extent.page, extent.line_start)
    scale = find_scale(task.view, extent.page, line.box[1]) if line is not None else None
    is_money = concept is not None and concept.value_type == "money" and "%" not in f"{printed}{sighted.header}"
    if is_money and line is not None and value is not None and scale is not None and not _is_per_unit(sighted):
        figure = Figure(sighted.name, sighted.name, printed, value.scaleb(scale), scale, 0, (line,), False)
        amount, unit, is_converted = convert(figure, task.question.unit)
        told = f": {tell_printed(figure)}" if is_converted else ""
        text = f"{tell_amount(task.view, figure, amount, unit)} ({sighted.name}{told}; {period})"
        value = amount
    return Item(
        sub_question=task.part.id,
        text=text,
        label=sighted.name,
        value=format(value, "f") if value is not None else printed,
        unit=unit,
        period=period,
        citations=cite_cell(task, sighted),
        extraction="computed" if is_converted else "verbatim",
    )


def _is_per_unit(sighted: Sighted) -> bool:
    """Whether a row is of amounts for each share, which are not in the scale of the table."""
    return any(" per " in f" {fold(label.text)} " for label in sighted.labels)
