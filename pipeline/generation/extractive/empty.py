"""The reader of tables without rows: that a table is empty is an answer, and not the same as finding nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.extractive.citing import cite_extent, cite_lines
from pipeline.generation.extractive.reading import Reading
from pipeline.models.answer import Item
from pipeline.structure.table_cells import group_rows
from pipeline.text.anchors import find_anchor

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.structure import Caption
    from pipeline.structure.table_cells import Row

READ_PIECES = 3
MAX_HEAD_LINES = 12


def read_empty(task: ReaderTask) -> Reading | None:
    """Say that the captioned table that is asked for has column heads and no rows; None for any other."""
    for caption in task.view.captions:
        if caption.kind == "table" and _is_meant(task, caption):
            head = _find_lone_head(task, caption)
            if head is not None:
                return _tell(task, caption, head)
    return None


def _is_meant(task: ReaderTask, caption: Caption) -> bool:
    """Whether the question names the table, or all that it asks for stands in the caption among the best evidence."""
    if any(hint.key == f"table:{caption.label.casefold()}" for hint in task.question.hints):
        return True
    place = (caption.extent.page, caption.extent.line_start)
    read = {(line.page, line.number) for piece in task.evidence[:READ_PIECES] for line in piece.lines}
    wanted = task.part.focus or task.part.anchors
    return bool(wanted) and place in read and all(find_anchor(anchor, caption.title) for anchor in wanted)


def _find_lone_head(task: ReaderTask, caption: Caption) -> Row | None:
    """The one row of heads below a caption, where no row of a table follows it."""
    view, extent = task.view, caption.extent
    if any(table.label == caption.label and table.cells for table in view.tables_on(extent.page)):
        return None
    below = view.lines_in((extent.page, extent.line_end + 1), (extent.page + 1, 0))[:MAX_HEAD_LINES]
    rows = group_rows(below)
    if not rows or len(rows[0].cells) < 2 or any(cell.is_value for cell in rows[0].cells):
        return None
    if len(rows) > 1:
        return rows[0] if len(rows[1].cells) == 1 else None
    # at the foot of a page its rows may stand on the next one
    over = group_rows(view.lines_in((extent.page + 1, 0), (extent.page + 2, 0))[:MAX_HEAD_LINES])
    return rows[0] if not over or len(over[0].cells) == 1 else None


def _tell(task: ReaderTask, caption: Caption, head: Row) -> Reading | None:
    titled = cite_extent(task.view, caption.extent)
    heads = cite_lines(task.view, [piece[0] for cell in head.cells for piece in cell.pieces])
    citations = (titled, *heads) if titled is not None else heads
    if not citations:
        return None
    name = f"Table {caption.label} ({caption.title})" if caption.title else f"Table {caption.label}"
    columns = ", ".join(cell.text for cell in head.cells)
    item = Item(
        sub_question=task.part.id,
        text=f"{name} is empty: it has the columns {columns} and no rows",
        label=f"Table {caption.label}",
        value="0" if task.part.shape == "count" else None,
        citations=citations,
        extraction="inferred",
    )
    return Reading(text=f"{item.text}.", items=(item,), has_typed_fit=True)
