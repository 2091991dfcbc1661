"""Furniture: running headers, footers and page numbers, known by position and text repeated across pages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from pipeline.parsing.constants import (
    FURNITURE_BAND,
    FURNITURE_SHARE,
    FURNITURE_TOLERANCE,
    MANY_FURNITURE_PAGES,
    MAX_FURNITURE_CELLS,
    MAX_FURNITURE_CHARACTERS,
    MAX_FURNITURE_ROWS,
    MAX_HEAD_CHARACTERS,
    MIN_FLOATING_SHARE,
    MIN_FURNITURE_PAGES,
    MIN_INNER_SHARE,
)
from pipeline.parsing.printed import EdgeLine, find_printed


class EdgeRow(NamedTuple):
    """A row of lines near an edge of a page; `depth` 0 is the outermost, `offset` its distance to the edge."""

    page: int
    edge: str
    depth: int
    offset: int
    is_in_band: bool
    lines: tuple[EdgeLine, ...]


class EdgePage(NamedTuple):
    """A page with its lines; `height` in hundredths of a point."""

    number: int
    height: int
    lines: Sequence[EdgeLine]


class Furniture(NamedTuple):
    """Lines that are furniture, and the printed page number by physical page."""

    lines: list[EdgeLine]
    printed: dict[int, str]


def find_furniture(pages: Sequence[EdgePage]) -> Furniture:
    """Furniture of a document, told from the edge of each page inwards.

    A row is furniture only where every row outside it is, so that a table head in the middle of a page never is.
    """
    rows = [row for page in pages for row in _find_edge_rows(page)]
    edges: dict[int, list[EdgeLine]] = {page.number: [] for page in pages if page.lines}
    for row in rows:
        if row.depth < 2:
            edges[row.page] += row.lines
    printed = find_printed(edges)
    numbers = {id(line) for _, line in printed.values()}
    recurring = _find_recurring(rows, len(edges))
    found = _collect_from_edges(rows, numbers, recurring)
    return Furniture(found, {page: text for page, (text, _) in printed.items()})


def _find_edge_rows(page: EdgePage) -> list[EdgeRow]:
    """The outermost rows at the top and at the bottom of a page, outermost first."""
    places = sorted([(line.box[1], line.box[0], at) for at, line in enumerate(page.lines) if not line.hidden])
    ordered = [page.lines[at] for _, _, at in places]
    reach = MAX_FURNITURE_ROWS * (MAX_FURNITURE_CELLS + 1)
    top, bottom = _group_rows(ordered[:reach]), _group_rows(ordered[-reach:])
    # Headings stand near the edge too; what is far from it never counts as a running head.
    band = page.height * FURNITURE_BAND // 1000
    found = []
    for depth, row in enumerate(top[:MAX_FURNITURE_ROWS]):
        offset = row[0].box[1]
        found.append(EdgeRow(page.number, "top", depth, offset, offset <= band, tuple(row)))
    for depth, row in enumerate(bottom[: -MAX_FURNITURE_ROWS - 1 : -1]):
        offset = page.height - row[0].box[3]
        found.append(EdgeRow(page.number, "bottom", depth, offset, offset <= band, tuple(row)))
    return found


def _group_rows(lines: list[EdgeLine]) -> list[list[EdgeLine]]:
    """Rows of lines that are sorted by their tops."""
    rows: list[list[EdgeLine]] = []
    for line in lines:
        if rows and line.box[1] + line.box[3] < 2 * rows[-1][0].box[3]:
            rows[-1].append(line)
        else:
            rows.append([line])
    return rows


def _find_recurring(rows: list[EdgeRow], page_count: int) -> dict[tuple[str, int], int]:
    """Count of pages on which a line recurs at its place, by edge and id of the line; other lines are left out."""
    lowest = MIN_FURNITURE_PAGES if page_count > MIN_FURNITURE_PAGES else 2
    needed = max(lowest, min(MANY_FURNITURE_PAGES, page_count * FURNITURE_SHARE // 1000))
    groups: dict[tuple[str, str], list[tuple[int, int, EdgeRow, EdgeLine]]] = defaultdict(list)
    for row in rows:
        for line in row.lines:
            if len(line.text) <= MAX_FURNITURE_CHARACTERS:
                groups[row.edge, "".join(line.text.split())].append((row.offset, row.page, row, line))
    recurring: dict[tuple[str, int], int] = {}
    for (_, text), group in groups.items():
        if len(group) < needed or not any(char.isalpha() for char in text):
            continue
        group.sort(key=lambda entry: entry[:2])
        start = 0
        for at in range(1, len(group) + 1):
            if at < len(group) and group[at][0] - group[at - 1][0] <= FURNITURE_TOLERANCE:
                continue
            in_band = [entry for entry in group[start:at] if entry[2].is_in_band]
            _count_cluster(in_band, needed, recurring)
            start = at
        # Where pages end early the footer floats: then only a shape that most pages carry outermost counts.
        floating = [entry for entry in group if entry[2].depth == 0]
        if len({page for _, page, _, _ in floating}) * 1000 >= MIN_FLOATING_SHARE * page_count:
            _count_cluster(floating, needed, recurring)
    return recurring


def _count_cluster(
    cluster: list[tuple[int, int, EdgeRow, EdgeLine]], needed: int, recurring: dict[tuple[str, int], int]
) -> None:
    pages = sorted({page for _, page, _, _ in cluster})
    if len(pages) < needed:
        return
    # Odd and even pages differ, so a neighbour is one or two pages away.
    near = {
        page
        for before, page, after in zip([-9, *pages], pages, [*pages[1:], 10**9], strict=False)
        if page - before <= 2 or after - page <= 2
    }
    for _, page, row, line in cluster:
        if page in near or len(pages) >= MANY_FURNITURE_PAGES:
            key = (row.edge, id(line))
            recurring[key] = max(recurring.get(key, 0), len(pages))


def _collect_from_edges(
    rows: list[EdgeRow], numbers: set[int], recurring: dict[tuple[str, int], int]
) -> list[EdgeLine]:
    page_count = len({row.page for row in rows})
    is_open = True
    found: list[EdgeLine] = []
    for row in rows:
        if row.depth == 0:
            is_open = True
        if not is_open:
            continue
        has_number = any(id(line) in numbers for line in row.lines)
        counts = [recurring.get((row.edge, id(line)), 0) for line in row.lines if id(line) not in numbers]
        is_open = _is_furniture_row(row, has_number, counts, page_count)
        if is_open:
            found += row.lines
    return found


def _is_furniture_row(row: EdgeRow, has_number: bool, counts: list[int], page_count: int) -> bool:
    if not counts:
        return True
    # Beside a page number stands what changes from chapter to chapter; alone it has to recur.
    if has_number and len(row.lines) <= MAX_FURNITURE_CELLS:
        return min(counts) > 0 or (row.is_in_band and all(len(line.text) <= MAX_HEAD_CHARACTERS for line in row.lines))
    if min(counts) == 0 or len(row.lines) > MAX_FURNITURE_CELLS:
        return False
    return row.depth == 0 or min(counts) * 1000 >= MIN_INNER_SHARE * page_count
