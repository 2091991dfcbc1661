"""The reader of a row or column that the question names: "row (E) of Table 3", cell by cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.extractive.citing import cite_extents, cite_lines
from pipeline.generation.extractive.reading import Reading
from pipeline.models.answer import Item
from pipeline.structure.marks import find_marks, find_note
from pipeline.structure.selectors import select_in
from pipeline.text.anchors import find_anchor

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.structure import Table, TableCell
    from pipeline.structure.selectors import Selection

MAX_ROWS = 12


def read_selected(task: ReaderTask) -> Reading | None:
    """Tell the cells of the named row or column, only those of the columns that the question speaks of where it does.

    None where the question names no row or column, no single table, or where the label does not lead to plain cells.
    """
    selector = next((hint for hint in task.question.hints if hint.key.startswith(("row:", "column:"))), None)
    tables = [hint for hint in task.question.hints if hint.kind == "table"]
    if selector is None or len(tables) != 1:
        return None
    kind, _, label = selector.key.partition(":")
    selection = select_in(task.view, tables[0].key, kind, label)
    if selection.table is None or not selection.cells:
        return None
    items = _build_items(task, selection, selection.table)
    if not items:
        return None
    return Reading(text="\n".join(item.text for item in items), items=items, has_typed_fit=True, has_second_place=True)


def _build_items(task: ReaderTask, selection: Selection, table: Table) -> tuple[Item, ...]:
    """One item a row: its cells with the heads of their columns."""
    # without a column in the question the whole row is what was asked for
    wanted = _find_columns(task, table)
    rows = sorted({cell.row for cell in selection.cells})[:MAX_ROWS]
    items: list[Item] = []
    for row in rows:
        cells = [cell for cell in selection.cells if cell.row == row]
        kept = [cell for cell in cells if cell.column in wanted] if wanted else cells
        if kept:
            items.append(_tell_row(task, table, cells, kept))
    return tuple(item for item in items if item.citations)


def _find_columns(task: ReaderTask, table: Table) -> frozenset[int]:
    """The columns whose heads carry most of the anchors; none where no head carries any."""
    named = frozenset(hint.key for hint in task.question.hints)
    anchors = [anchor for anchor in task.part.anchors if anchor.key not in named]
    counts = [sum(1 for anchor in anchors if find_anchor(anchor, head)) for head in table.header]
    best = max(counts, default=0)
    return frozenset(at for at, count in enumerate(counts) if best and count == best)


def _tell_row(task: ReaderTask, table: Table, cells: list[TableCell], kept: list[TableCell]) -> Item:
    heads = [table.header[cell.column] if cell.column < len(table.header) else "" for cell in kept]
    plain = [_read_cell(task, cell) for cell in kept]
    text = ", ".join(f"{head}: {said}" if head else said for head, said in zip(heads, plain, strict=True))
    label = next((cell.text for cell in cells if cell.column == 0), "")
    extents = [extent for cell in (*[c for c in cells if c.column == 0], *kept) for extent in cell.extents]
    unique = tuple(dict.fromkeys(extents))
    line = task.view.document.line_at(*table.start)
    return Item(
        sub_question=task.part.id,
        text=text,
        label=label,
        value=plain[0] if len(kept) == 1 else None,
        citations=cite_extents(task.view, unique) or (cite_lines(task.view, (line,)) if line else ()),
        extraction="verbatim",
    )


def _read_cell(task: ReaderTask, cell: TableCell) -> str:
    """The text of a cell without the footnote marks at its end: 22.5 with a raised 1 is not 22.51."""
    extent = cell.extents[-1]
    line = task.view.document.line_at(extent.page, extent.line_end)
    marks = [mark for mark in find_marks([line]) if find_note(task.view, mark)] if line is not None else []
    if line is None or not marks or len(cell.extents) > 1 or extent.line_start != extent.line_end:
        return cell.text
    return line.text[extent.start_offset : marks[0].start].strip() or cell.text
