"""Cells of a table as items: each told whole, with the names of its row and column, and cited with both."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.citing import cite_extents, limit_quotes, merge_extents, say_under
from pipeline.generation.extractive.naming import read_head
from pipeline.models.answer import Item
from pipeline.models.structure import Extent
from pipeline.text.late import compile_late
from pipeline.text.matching import contains_folded, fold

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.answer import Citation
    from pipeline.models.document import Line
    from pipeline.models.structure import Table, TableCell

MAX_ITEMS = 60
MAX_HEAD_LINES = 8
_BULLET = compile_late(r"\s*[\u2022\u25aa\u25a0\u25cf\u25e6\u2023\u00b7]\s*")


class Chosen(NamedTuple):
    """Cells of a table with the heads of its columns, the first cells of its rows, and the first row of its body.

    `aside` are other cells that name rows.
    """

    table: Table
    cells: tuple[TableCell, ...]
    heads: dict[int, str]
    firsts: dict[int, TableCell]
    start: int
    aside: dict[int, TableCell]


def build_items(task: ReaderTask, chosen: Chosen) -> tuple[tuple[Item, ...], bool]:
    """One item a cell, row by row, with the names of its row and column; and whether some had to be left out.

    A lone cell that is a list of its own is told point by point where a list is asked for.
    """
    items: list[Item] = []
    room = task.max_quote_characters
    # the reader of tables repeats a cell that spans rows: the same lines mean the same cell
    unique = {(cell.column, cell.extents): cell for cell in reversed(chosen.cells)}
    cells = sorted(unique.values(), key=lambda cell: (cell.row, cell.column))
    points = _split_points(task, cells[0]) if task.part.shape == "list" and len(cells) == 1 else ()
    for cell in points or cells:
        first = chosen.firsts.get(cells[0].row if points else cell.row)
        named = _cite_name(task, first) if first is not None and not (points and items) else ()
        named += chosen.aside[cell.row].extents if cell.row in chosen.aside and not points else ()
        above = () if items else _cite_above(task, chosen, {each.column for each in cells})
        citations, is_cut = limit_quotes(
            (*cite_extents(task.view, (*merge_extents(cell.extents), *named)), *above), room
        )
        if not citations or len(items) == MAX_ITEMS:
            return tuple(items), True
        room -= sum(len(citation.quote) for citation in citations)
        items.append(_make_item(task, chosen, cell, first, citations))
        if is_cut:
            return tuple(items), True
    return tuple(items), False


def tell_items(items: tuple[Item, ...]) -> str:
    """The items in words, each under its own names; what all of them have in common is said once."""
    if len(items) > 1 and len({item.label for item in items}) == 1:
        lines = [f"- {item.text}{' (the one asked for)' if item.picked else ''}" for item in items]
        return "\n".join([f"{items[0].label}:", *lines] if items[0].label else lines)
    return "\n".join(
        f"{say_under(item.label, item.text)}{' (the one asked for)' if item.picked else ''}" for item in items
    )


def _make_item(
    task: ReaderTask, chosen: Chosen, cell: TableCell, first: TableCell | None, citations: tuple[Citation, ...]
) -> Item:
    name = read_head(task.view, first)[0] if first is not None else ""
    aside = chosen.aside[cell.row].text if cell.row in chosen.aside else ""
    parts = [" ".join(part.split()) for part in (name, aside, chosen.heads.get(cell.column, ""))]
    return Item(
        sub_question=task.part.id,
        text=" ".join(cell.text.split()),
        label=", ".join(part.strip(" ;:") for part in dict.fromkeys(parts) if part.strip(" ;:")),
        citations=citations,
        extraction="verbatim",
    )


def _cite_name(task: ReaderTask, first: TableCell) -> tuple[Extent, ...]:
    """The lines of the name of a row."""
    count = read_head(task.view, first)[1]
    if not count:
        return merge_extents(first.extents)
    extent = first.extents[0]
    return (Extent(page=extent.page, line_start=extent.line_start, line_end=extent.line_start + count - 1),)


def _cite_above(task: ReaderTask, chosen: Chosen, columns: set[int]) -> tuple[Citation, ...]:
    """The caption and the heads of the labels and of the columns that are told: what the cells are cells of."""
    view, table = task.view, chosen.table
    heads = [fold(text) for at, text in sorted(chosen.heads.items()) if at in columns or at == 0]
    places = [
        (extent.page, extent.line_start) for cell in table.cells if cell.row >= chosen.start for extent in cell.extents
    ]
    lines = view.lines_in(table.start, min(places, default=table.start))[:MAX_HEAD_LINES]
    kept: list[Line] = [line for line in lines if any(contains_folded(fold(line.text.strip()), head) for head in heads)]
    captions = [
        caption.extent
        for caption in view.captions
        if table.label and caption.kind == "table" and caption.label == table.label and caption.title == table.title
    ]
    own = [Extent(page=line.page, line_start=line.number, line_end=line.number) for line in kept]
    told = [extent for extent in captions if not any(extent.line_start == each.line_start for each in own)][:1]
    return cite_extents(view, (*told, *merge_extents(own)))


def _split_points(task: ReaderTask, cell: TableCell) -> tuple[TableCell, ...]:
    """The points of a cell, each of which begins with a bullet at the head of a line; none where it has no list."""
    places = [
        (extent.page, number)
        for extent in cell.extents
        for number in range(extent.line_start, extent.line_end + 1)
    ]  # fmt: skip
    lines = [line for place in places if (line := task.view.document.line_at(*place)) is not None]
    groups = list(_group_points(lines))
    if len(groups) < 2 or not _BULLET.match(lines[0].text):
        return ()
    return tuple(
        cell.model_copy(
            update={
                "text": _BULLET.sub("", " ".join(line.text.strip() for line in group), count=1).strip(),
                "extents": tuple(
                    Extent(page=line.page, line_start=line.number, line_end=line.number) for line in group
                ),
            }
        )
        for group in groups
    )


def _group_points(lines: list[Line]) -> Iterator[list[Line]]:
    group: list[Line] = []
    for line in lines:
        if group and _BULLET.match(line.text):
            yield group
            group = []
        group.append(line)
    if group:
        yield group
