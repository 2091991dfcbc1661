"""The reader of cells that hold text: what a table says in one row under one header, without its neighbours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.extractive.cells import TITLE_PERCENT, Sighted, cite_cell, find_best_cells
from pipeline.generation.extractive.citing import limit_quotes
from pipeline.generation.extractive.hits import holds, weigh
from pipeline.generation.extractive.reading import Reading
from pipeline.models.answer import Item

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask


def read_table_value(task: ReaderTask) -> Reading | None:
    """The text of the one cell whose row and column the question names; None where no such cell stands out."""
    limits = task.view.lexicon.thresholds
    best: tuple[int, Sighted] | None = None
    for sighted in find_best_cells(task):
        own = sighted.in_row | sighted.in_column
        share = weigh(task.view, task.part.anchors, own)
        # what the title says it need not say in row or column again, but it tells no two cells apart
        share += weigh(task.view, task.part.anchors, sighted.in_title - own) * TITLE_PERCENT // 100
        row = weigh(task.view, task.part.anchors, sighted.in_row)
        column = weigh(task.view, task.part.anchors, sighted.in_column)
        is_told = share >= limits.cell_named or _carries_focus(task, sighted)
        is_named = is_told and min(row, column) >= limits.cell_each
        if is_named and (best is None or share > best[0]):
            best = (share, sighted)
    if best is None:
        return None
    sighted = best[1]
    citations, is_cut = limit_quotes(cite_cell(task, sighted), task.max_quote_characters)
    if not citations:
        return None
    item = Item(
        sub_question=task.part.id,
        text=" ".join(sighted.cell.text.split()),
        label=sighted.name,
        citations=citations,
        extraction="verbatim",
    )
    return Reading(
        text=f"{sighted.name}: {item.text}",
        items=(item,),
        is_complete=not is_cut,
        has_typed_fit=True,
        caveats=("the cell goes on",) if is_cut else (),
    )


def _carries_focus(task: ReaderTask, sighted: Sighted) -> bool:
    """Whether row, column and title together say all that the question is about."""
    keys = sighted.in_row | sighted.in_column | sighted.in_title
    return len(task.part.focus) > 1 and all(holds(anchor.key, keys) for anchor in task.part.focus)
