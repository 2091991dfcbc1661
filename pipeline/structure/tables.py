"""Tables read from the boxes of lines: rows and columns from positions, ruling lines not needed.

Values are assigned to columns by their horizontal place, as in pdffigures and Nurminen's thesis on algorithmic
extraction of tables (Tampere 2013): rows from baselines, columns from the gaps that all rows share.
"""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.models.structure import Caption, Table, TableCell
from pipeline.structure.table_cells import Cell
from pipeline.structure.table_pages import GridReader, PageGrid

_MAX_CONTINUED_PAGES = 12


def find_tables(reader: GridReader, page: int) -> tuple[Table, ...]:
    """Tables that begin on a physical page, top to bottom; one that goes on over the page is read to its end."""
    grids = reader.read(page)
    # a table that began on the page before is not found a second time here
    entering = _find_entering(reader, page)
    end = entering.end if entering is not None else (page, 0)
    chains = [[placed] for placed in grids if placed.start >= end]
    if (start := reader.find_start(page)) is not None and start.start >= end:
        chains.append([start])
    for parts in chains[-1:]:
        while len(parts) < _MAX_CONTINUED_PAGES and (rest := reader.find_rest(parts[-1], parts[0].grid)) is not None:
            parts.append(rest)
    return tuple(_make_table(parts, reader.find_caption(parts[0])) for parts in chains)


def _find_entering(reader: GridReader, page: int) -> PageGrid | None:
    """The part at the head of a page of a table that began before it."""
    before = reader.read(page - 1) if page > 1 else ()
    upper = before[-1] if before and before[-1].is_last else reader.find_start(page - 1) if page > 1 else None
    return reader.find_rest(upper) if upper is not None else None


def _make_table(parts: Sequence[PageGrid], caption: Caption | None) -> Table:
    first = parts[0]
    cells: list[TableCell] = []
    height = 0
    for part in parts:
        own = list(part.grid.cells)
        # the first row of a continued table of prose goes on with the last row when its first cell is empty
        joins = bool(cells) and part.grid.is_prose and not any(row == 0 and column == 0 for row, column, _ in own)
        offset = height - 1 if joins else height
        for row, column, cell in own:
            cells.append(_make_cell(row + offset, column, cell))
        height = max((cell.row for cell in cells), default=-1) + 1
    return Table(
        label=caption.label if caption else "",
        title=caption.title if caption else first.grid.title,
        start=first.start,
        end=parts[-1].end,
        header=tuple(_strip_caption(text, caption) for text in first.grid.header),
        cells=tuple(_merge_cells(cells)),
        units=first.grid.units,
        is_continued=len(parts) > 1,
    )


def _strip_caption(text: str, caption: Caption | None) -> str:
    """A column header without the caption, which stands over all columns where it is close to them."""
    at = text.find(caption.title) if caption is not None and caption.title else -1
    is_over = caption is not None and at > 0 and caption.label in text[:at]
    return text[at + len(caption.title) :].strip() if caption is not None and is_over else text


def _make_cell(row: int, column: int, cell: Cell) -> TableCell:
    return TableCell(row=row, column=column, text=cell.text, extents=cell.extents)


def _merge_cells(cells: Sequence[TableCell]) -> list[TableCell]:
    """Parts of one cell on two pages as one cell."""
    merged: dict[tuple[int, int], TableCell] = {}
    for cell in cells:
        known = merged.get((cell.row, cell.column))
        if known is None:
            merged[cell.row, cell.column] = cell
        else:
            text = f"{known.text} {cell.text}"
            merged[cell.row, cell.column] = known.model_copy(
                update={"text": text, "extents": known.extents + cell.extents}
            )
    return [merged[key] for key in sorted(merged)]
