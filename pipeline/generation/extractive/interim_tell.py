"""Telling a cell of a part of a year: its amount in the scale of the table, its row and column, and its time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.extractive.cells import cite_cell
from pipeline.generation.extractive.figures import Figure
from pipeline.generation.extractive.money import convert, tell_amount, tell_printed
from pipeline.generation.extractive.rows import find_scale
from pipeline.models.answer import Item
from pipeline.text.grammar import CURRENCY_SIGNS
from pipeline.text.matching import fold
from pipeline.text.numbers import parse_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.cells import Sighted
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.lexicon import Concept


def build_items(task: ReaderTask, cells: Sequence[tuple[Sighted, str]], concept: Concept | None) -> tuple[Item, ...]:
    """One item for each (cell, its time in words) that can be cited."""
    items = (_build_item(task, sighted, period, concept) for sighted, period in cells)
    return tuple(item for item in items if item.citations)


def _build_item(task: ReaderTask, sighted: Sighted, period: str, concept: Concept | None) -> Item:
    printed = " ".join(sighted.cell.text.split())
    value = parse_number(printed)
    text, unit, is_converted = f"{printed} ({sighted.name}; {period})", "%" if "%" in printed else "", False
    extent = sighted.cell.extents[0]
    line = task.view.document.line_at(extent.page, extent.line_start)
    is_scaled = line is not None and _is_scaled(sighted, printed)
    scale = find_scale(task.view, extent.page, line.box[1]) if is_scaled and line is not None else None
    is_money = concept is not None and concept.value_type == "money" and "%" not in f"{printed}{sighted.header}"
    if is_money and line is not None and value is not None and scale is not None:
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


def _is_scaled(sighted: Sighted, printed: str) -> bool:
    """Whether a cell is in the scale of its page: no amount for each share, no count in a table that says no scale."""
    if any(" per " in f" {fold(label.text)} " for label in sighted.labels):
        return False
    others = [cell.text for cell in sighted.table.cells if cell.column and any(map(str.isdigit, cell.text))]
    # amounts for each share have decimals where all others have none, whatever their label says
    if "." in printed and sum("." in text for text in others) * 2 < len(others):
        return False
    return bool(sighted.table.units) or any(sign in text for text in others for sign in CURRENCY_SIGNS)
