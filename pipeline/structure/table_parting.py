"""Heads of two columns that were read as one cell, since their words stand close: told by the heads below them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipeline.structure.table_cells import Cell
from pipeline.structure.table_grid import Band

_MAX_OFF_MIDDLE = 400
_HYPHENS = ("-", "\u2010")
_MAX_GAP_PERCENT = 15
"""Share of the height of a line that the heads below stand away: words further above head what is below."""


def part_words(cell: Cell, heads: Sequence[Cell]) -> list[Cell]:
    """The words of a cell, where each stands in the middle over a head of its own right below; else the cell."""
    is_whole = len(heads) < 2 or " " not in cell.text or any(map(str.isdigit, cell.text))
    if is_whole or (heads[0].y0 - cell.y1) * 100 > (cell.y1 - cell.y0) * _MAX_GAP_PERCENT:
        return [cell]
    width, length = cell.x1 - cell.x0, len(cell.text)
    parts: list[tuple[int, int]] = [(length, 0)] * len(heads)
    for word in re.finditer(r"\S+", cell.text):
        middle = cell.x0 + (word.start() + word.end()) * width // (2 * length)
        place = min(range(len(heads)), key=lambda each: abs(find_middle(heads[each]) - middle))
        parts[place] = (min(parts[place][0], word.start()), max(parts[place][1], word.end()))
    made = [
        cell._replace(text=cell.text[low:high], x0=cell.x0 + low * width // length, x1=cell.x0 + high * width // length)
        for low, high in parts
    ]
    is_each = all(
        part.text and abs(find_middle(part) - find_middle(head)) <= _MAX_OFF_MIDDLE
        for part, head in zip(made, heads, strict=True)
    )
    return made if is_each else [cell]


def are_lines(cells: Sequence[Cell], lowers: Sequence[Cell], above: Sequence[Cell]) -> bool:
    """Whether one text over the middle of several groups is a line of the names below it, and no head of the groups.

    A name over three columns wraps in each group ("Fully taxable-" over "equivalent"): its lower line goes on with it,
    or holds it and stands nearer to it than what is `above` does.
    """
    if len({cell.text for cell in cells}) != 1 or len(lowers) != len(cells) or len({one.text for one in lowers}) != 1:
        return False
    if lowers[0].text[:1].islower() or cells[0].text[-1:] in _HYPHENS:
        return True
    for cell, lower in zip(cells, lowers, strict=True):
        gap, height = lower.y0 - cell.y1, lower.y1 - lower.y0
        over = [each for each in above if measure_shared(each, (cell.x0, cell.x1)) > 0]
        is_near = all((cell.y0 - each.y1 - gap) * 100 > height * _MAX_GAP_PERCENT for each in over)
        if not (is_near and lower.x0 <= cell.x0 and cell.x1 <= lower.x1):
            return False
    return True


def find_middle(cell: Cell) -> int:
    """The middle of a cell from left to right."""
    return (cell.x0 + cell.x1) // 2


def find_tight(rows: Sequence[Sequence[Cell]]) -> int:
    """The usual distance of the lines of one name: below most of those between a cell and the next one below it."""
    gaps: list[int] = []
    for number, cells in enumerate(rows):
        for upper in cells:
            below = [
                cell
                for others in rows[number + 1 :]
                for cell in others
                if measure_shared(upper, (cell.x0, cell.x1)) > 0
            ]
            gaps += [min(cell.y0 for cell in below) - upper.y1] if below else []
    return sorted(gaps)[len(gaps) // 4] if gaps else 0


def measure_shared(cell: Cell, band: Band) -> int:
    """How much of its width a cell shares with a band; below zero how far it is from it."""
    return min(cell.x1, band[1]) - max(cell.x0, band[0])


def measure_off(cell: Cell, band: Band) -> tuple[int, int]:
    """How far a cell is from a band: the gap between them, then twice that of their middles."""
    gap = max(cell.x0 - band[1], band[0] - cell.x1, 0)
    return gap, abs(cell.x0 + cell.x1 - band[0] - band[1])
