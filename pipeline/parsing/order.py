"""Reading order of a page: columns found by where lines begin, stream order kept wherever it reads downwards."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from pipeline.parsing.constants import (
    ACROSS_SHARE,
    COLUMN_LINE_SHARE,
    COLUMN_TOLERANCE,
    FILLED_SHARE,
    FILLED_WIDTH,
    MAX_COLUMN_CROSSINGS,
    MAX_COLUMN_RETURNS,
    MAX_COLUMN_WIDTH,
    MIN_COLUMN_LINES,
    MIN_COLUMN_WIDTH,
)
from pipeline.parsing.drafts import DraftLine


class Ordered(NamedTuple):
    """Lines in reading order, the number of columns (1 or more), and whether columns were drawn line by line across."""

    lines: list[DraftLine]
    column_count: int
    is_mixed: bool


def order_lines(lines: list[DraftLine], width: int) -> Ordered:
    """The lines in reading order, with `column` and `block` set."""
    starts = find_columns(lines, width)
    is_mixed = any(_count_returns(lines, right)[0] > MAX_COLUMN_RETURNS for right in starts[1:])
    ordered = _order_columns(lines, starts) if len(starts) > 1 else _order_single(lines)
    _number_blocks(ordered)
    return Ordered(ordered, max(1, len(starts)), is_mixed)


def find_columns(lines: list[DraftLine], width: int) -> list[int]:
    """Left edges of the text columns, ascending, or one edge or none.

    A column is a left edge that many lines of prose share, wide enough to be read and not crossed by its neighbours;
    figures and labels of a table are too narrow or too few to make one.
    """
    prose = [
        line
        for line in lines
        if MIN_COLUMN_WIDTH * width <= (line.box[2] - line.box[0]) * 1000 <= MAX_COLUMN_WIDTH * width
        and line.is_upright and not line.hidden and " " in line.text.strip()
    ]  # fmt: skip
    if len(prose) < 2 * MIN_COLUMN_LINES:
        return []
    # Justified text begins at the same place to a fraction of a point, so that neighbours can be counted together.
    edges: list[tuple[int, int]] = []
    for left in sorted(line.box[0] for line in prose):
        if edges and left - edges[-1][0] <= COLUMN_TOLERANCE:
            edges[-1] = (edges[-1][0], edges[-1][1] + 1)
        else:
            edges.append((left, 1))
    wanted = max(MIN_COLUMN_LINES, len(prose) * COLUMN_LINE_SHARE // 1000)
    starts: list[int] = []
    for left, count in edges:
        if count >= wanted and (not starts or (left - starts[-1]) * 1000 >= MIN_COLUMN_WIDTH * width):
            starts.append(left)
    return starts if len(starts) > 1 and _are_columns(lines, prose, starts) else []


def _are_columns(lines: list[DraftLine], prose: list[DraftLine], starts: list[int]) -> bool:
    """Whether hardly a line of a column runs into the next, and each stands beside its neighbour."""
    for left, right in pairwise(starts):
        mine = [line for line in prose if left - COLUMN_TOLERANCE <= line.box[0] < right - COLUMN_TOLERANCE]
        theirs = [line for line in prose if line.box[0] >= right - COLUMN_TOLERANCE]
        top = max(min(line.box[1] for line in mine), min(line.box[1] for line in theirs))
        bottom = min(max(line.box[3] for line in mine), max(line.box[3] for line in theirs))
        beside = [line for line in mine if top <= line.box[1] < bottom]
        others = [line for line in theirs if top <= line.box[1] < bottom]
        if len(beside) < MIN_COLUMN_LINES or len(others) < MIN_COLUMN_LINES:
            return False
        crossing = [
            line
            for line in lines
            if top <= line.box[1] < bottom
            and line.box[0] < right - COLUMN_TOLERANCE
            and line.box[2] > right + COLUMN_TOLERANCE
        ]
        if len(crossing) * 1000 > MAX_COLUMN_CROSSINGS * (len(beside) + len(others)):
            return False
        if not (_is_filled(beside) and _is_filled(others)) or _alternates(lines, right):
            return False
    return True


def _is_filled(lines: list[DraftLine]) -> bool:
    """Whether many lines reach about as far as the longest, as running text does and cells do not."""
    widths = [line.box[2] - line.box[0] for line in lines]
    longest = max(widths)
    return sum(width * 1000 >= longest * FILLED_WIDTH for width in widths) * 1000 >= FILLED_SHARE * len(widths)


def _alternates(lines: list[DraftLine], right: int) -> bool:
    """Whether the stream goes back from right to left again and again, as it does cell by cell in a table.

    Columns are drawn one after the other (hardly ever back) or line by line across (back with every line).
    """
    backs, fewer = _count_returns(lines, right)
    return backs > MAX_COLUMN_RETURNS and backs * 1000 < ACROSS_SHARE * fewer


def _count_returns(lines: list[DraftLine], right: int) -> tuple[int, int]:
    """How often the stream goes back from the right column to the left, and how many lines the emptier one has."""
    sides = [line.box[0] >= right - COLUMN_TOLERANCE for line in lines if line.is_upright]
    backs = sum(before and not after for before, after in pairwise(sides))
    return backs, min(sum(sides), len(sides) - sum(sides))


def _order_columns(lines: list[DraftLine], starts: list[int]) -> list[DraftLine]:
    """Bands between lines that span columns; within a band one column after the other."""
    before: DraftLine | None = None
    for line in lines:
        line.column = _find_column(line, starts)
        # The short last line of a paragraph that spans the columns spans them too.
        if before and not before.column and line.block == before.block:
            line.column = line.column if abs(line.box[0] - before.box[0]) > COLUMN_TOLERANCE else 0
        before = line
    spanning = sorted((line for line in lines if not line.column), key=lambda line: (line.box[1], line.box[0]))
    rest = [line for line in lines if line.column]
    ordered: list[DraftLine] = []
    for span in [*spanning, None]:
        middle = (span.box[1] + span.box[3]) // 2 if span else None
        above = [line for line in rest if middle is None or (line.box[1] + line.box[3]) // 2 < middle]
        if above:
            rest = [line for line in rest if (line.box[1] + line.box[3]) // 2 >= middle] if middle is not None else []
            for column in range(1, len(starts) + 1):
                ordered += _order_single([line for line in above if line.column == column])
        if span:
            ordered.append(span)
    return ordered


def _find_column(line: DraftLine, starts: list[int]) -> int:
    """The column (1-based) a line stands in, 0 where it spans several."""
    column = 1
    for at, left in enumerate(starts[1:], start=2):
        if line.box[0] >= left - COLUMN_TOLERANCE:
            column = at
        elif line.box[2] > left + COLUMN_TOLERANCE:
            return 0
    return column


def _order_single(lines: list[DraftLine]) -> list[DraftLine]:
    """Stream order where it only goes down or to the right; else stretches by their top, or rows where they mix."""
    # The writer of a file knows its paragraphs and cells better than geometry does: its order is kept where it can be.
    stretches: list[list[DraftLine]] = []
    for line in lines:
        if stretches and not _jumps_back(stretches[-1][-1], line):
            stretches[-1].append(line)
        else:
            stretches.append([line])
    if len(stretches) < 2:
        return lines
    extents = sorted(
        (min(line.box[1] for line in stretch), max(line.box[3] for line in stretch), at)
        for at, stretch in enumerate(stretches)
    )
    ordered: list[DraftLine] = []
    group: list[int] = []
    reach = -(10**9)
    for top, bottom, at in extents:
        # Descenders of one stretch may touch the next: only a real overlap means that they are mixed.
        if group and top >= reach - 200:
            ordered += _merge_stretches([stretches[index] for index in sorted(group)])
            group = []
            reach = bottom
        group.append(at)
        reach = max(reach, bottom)
    return ordered + _merge_stretches([stretches[index] for index in sorted(group)])


def _merge_stretches(stretches: list[list[DraftLine]]) -> list[DraftLine]:
    if len(stretches) == 1:
        return stretches[0]
    lines = sorted((line for stretch in stretches for line in stretch), key=lambda line: (line.baseline, line.box[0]))
    rows: list[list[DraftLine]] = []
    for line in lines:
        if rows and (line.baseline - rows[-1][0].baseline) * 3 <= line.size:
            rows[-1].append(line)
        else:
            rows.append([line])
    return [line for row in rows for line in sorted(row, key=lambda line: line.box[0])]


def _jumps_back(before: DraftLine, after: DraftLine) -> bool:
    """Whether `after` lies above `before` without standing to the right of it (as the next cell of a row would)."""
    return after.box[3] <= before.box[1] + before.size // 4 and after.box[0] < before.box[2]


def _number_blocks(lines: list[DraftLine]) -> None:
    """Blocks counted from 1 in reading order; a block that was torn apart becomes several."""
    number = 0
    last: int | None = None
    for line in lines:
        if line.block != last:
            number += 1
            last = line.block
        line.block = number
