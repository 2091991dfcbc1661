"""Descriptions of the rows of an index of attachments: which lines belong to which number.

Numbers stand at the first line of their description, or in the middle of it; the white between the lines tells which.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from pipeline.models.structure import Extent
from pipeline.structure.attachment_rows import INDENT, PageLines, Row, find_column, is_level, measure_middle
from pipeline.text.matching import join_lines

if TYPE_CHECKING:
    from pipeline.models.document import Line

# Shares of the height of a line: the white that parts two entries.
_WIDER_PERCENT = 20
_MAX_GAP_PERCENT = 75
_NEARER_PERCENT = 75
# Hundredths of a point.
_COLUMN = 900
_FAR = 6000
_BOTTOM = 10**9


class Described(NamedTuple):
    """A row as it is told: label, description in one line, what stands in the other columns, and its extents."""

    label: str
    title: str
    cells: str
    extents: tuple[Extent, ...]


def describe_rows(pages: PageLines, rows: Sequence[Row]) -> list[Described]:
    """The description of every row, and where it stands with its other cells."""
    owned: dict[int, list[Line]] = {at: [] for at in range(len(rows))}
    for page in dict.fromkeys(row.line.page for row in rows):
        own = [at for at, row in enumerate(rows) if row.line.page == page]
        lines = pages.list_lines(page)
        shared = _share_lines(lines, [rows[at] for at in own], is_first=not own[0])
        if own[0]:
            owned[own[0] - 1] += _list_continued(lines, shared, rows[own[0]])
        for place, line in shared:
            owned[own[place]].append(line)
    return [_describe(row, owned[at]) for at, row in enumerate(rows)]


def _describe(row: Row, lines: Sequence[Line]) -> Described:
    own = {id(line) for line in lines}
    others = [line for line in row.beside if id(line) not in own]
    cells = " ".join(" ".join(line.text.split()) for line in others)
    return Described(row.label, _join(row, lines), cells, list_extents([row.line, *lines, *others]))


def _share_lines(lines: Sequence[Line], rows: Sequence[Row], is_first: bool) -> list[tuple[int, Line]]:
    """Which row of a page each line of a description belongs to."""
    codes = {id(row.line) for row in rows}
    # what stands beside a number is its own, however little lower or higher it is set
    beside = {id(line): at for at, row in enumerate(rows) for line in row.beside}
    tops = [measure_middle(row.line) for row in rows]
    listed = [line for line in lines if tops[0] <= measure_middle(line)]
    usual = find_column(listed, codes, min(row.line.box[0] for row in rows))
    shared: list[tuple[int, Line]] = []
    for at, row in enumerate(rows):
        upper = tops[at - 1] if at else 0
        lower = tops[at + 1] if at + 1 < len(rows) else _BOTTOM
        column = _place_description(lines, codes, row, (usual, lower))
        near = [
            line
            for line in lines
            if id(line) not in codes
            and beside.get(id(line), at) == at
            and upper < measure_middle(line) < lower
            and abs(line.box[0] - column) <= _COLUMN
        ]
        shared += [(at, line) for line in _keep_run(near, row.line)]
    return _settle_claims(shared, rows, is_first)


def _place_description(lines: Sequence[Line], codes: set[int], row: Row, limits: tuple[int, int]) -> int:
    """The left edge of the description of a row: beside the number, else where they usually stand.

    Where the number stands in the line of its description, it is the edge of the lines below.
    """
    usual, lower = limits
    if row.line.text[row.offset :].strip():
        first = row.line
        below = [
            line.box[0]
            for line in lines
            if id(line) not in codes
            and measure_middle(first) < measure_middle(line) < lower
            and first.box[0] + INDENT < line.box[0] < first.box[2]
        ]
        return below[0] if below else -_BOTTOM
    # what stands beside a number that is set in the middle of its description is a later column
    is_later = not row.column or (usual and row.column > usual + _FAR)
    return usual if is_later else row.column


def _list_continued(lines: Sequence[Line], shared: Sequence[tuple[int, Line]], first: Row) -> list[Line]:
    """The lines at the top of a page with which the last description of the page before goes on."""
    taken = {id(line) for _, line in shared}
    column = next((line.box[0] for _, line in shared if id(line) in {id(other) for other in first.beside}), 0)
    above = [line for line in lines if measure_middle(line) < measure_middle(first.line) and id(line) not in taken]
    return [line for line in above if column and abs(line.box[0] - column) <= _COLUMN and not line.bold]


def _keep_run(near: Sequence[Line], code: Line) -> list[Line]:
    """The lines around a number that follow one another without more white than lines of one text have."""
    middle, height = measure_middle(code), code.box[3] - code.box[1]
    level = [line for line in near if is_level(line, code)]
    kept = list(level)
    edge = code
    for line in [line for line in near if measure_middle(line) > middle and line not in level]:
        if (line.box[1] - edge.box[3]) * 100 > height * _MAX_GAP_PERCENT:
            break
        kept.append(line)
        edge = line
    edge = level[0] if level else code
    for line in reversed([line for line in near if measure_middle(line) < middle and line not in level]):
        if (edge.box[1] - line.box[3]) * 100 > height * _MAX_GAP_PERCENT:
            break
        kept.insert(0, line)
        edge = line
    return sorted(kept, key=lambda line: (measure_middle(line), line.box[0]))


def _settle_claims(shared: Sequence[tuple[int, Line]], rows: Sequence[Row], is_first: bool) -> list[tuple[int, Line]]:
    """Lines between two numbers go to the one above, unless white parts them from it and not from the one below."""
    claims: dict[int, list[int]] = {}
    for at, line in shared:
        claims.setdefault(id(line), []).append(at)
    by_pair: dict[tuple[int, int], list[Line]] = {}
    settled: list[tuple[int, Line]] = []
    for at, line in shared:
        own = claims[id(line)]
        if len(own) == 1:
            settled.append((at, line))
        elif at == own[0]:
            by_pair.setdefault((own[0], own[1]), []).append(line)
    is_set_low = any(_begins_low(row) for row in rows)
    for (above, below), lines in by_pair.items():
        cut = _find_cut(rows[above], lines, rows[below], is_set_low)
        settled += [(above if place < cut else below, line) for place, line in enumerate(lines)]
    # a line above the first number of a page goes on with what the page before began, or it is a head
    kept = [
        entry
        for entry in settled
        if entry[0] or (is_first and not entry[1].bold) or not _is_alone_above(entry, settled, rows)
    ]
    return sorted(kept, key=lambda entry: (entry[0], measure_middle(entry[1]), entry[1].box[0]))


def _begins_low(row: Row) -> bool:
    """Whether a number stands beside a line that goes on with a sentence: its description begins above it."""
    return bool(row.beside) and row.beside[0].text.lstrip()[:1].islower() and len(row.beside[0].text.split()) > 1


def _find_cut(above: Row, lines: Sequence[Line], below: Row, is_set_low: bool) -> int:
    """How many of the lines between two numbers belong to the first: all of them, or those before the widest white.

    Without any white they belong to the nearer one where numbers are set lower than the first line (`is_set_low`).
    """
    bottoms = [max(line.box[3] for line in (above.line, *above.beside)), *(line.box[3] for line in lines)]
    tops = [*(line.box[1] for line in lines), min(line.box[1] for line in (below.line, *below.beside))]
    gaps = [top - bottom for top, bottom in zip(tops, bottoms, strict=True)]
    widest = max(gaps)
    height = above.line.box[3] - above.line.box[1]
    if (widest - min(gaps)) * 100 >= height * _WIDER_PERCENT:
        return gaps.index(widest)
    if not is_set_low:
        return len(lines)
    return sum(
        1
        for line in lines
        if (measure_middle(line) - measure_middle(above.line)) * 100
        < (measure_middle(below.line) - measure_middle(line)) * _NEARER_PERCENT
    )


def _is_alone_above(entry: tuple[int, Line], settled: Sequence[tuple[int, Line]], rows: Sequence[Row]) -> bool:
    """Whether a line stands above a number on whose own baseline the description begins."""
    at, line = entry
    code = rows[at].line
    begins = bool(code.text[rows[at].offset :].strip())
    begins = begins or any(place == at and is_level(other, code) for place, other in settled)
    return begins and measure_middle(line) < measure_middle(code) and not is_level(line, code)


def _join(row: Row, lines: Sequence[Line]) -> str:
    """The description in one line: what stands behind the number in its line, then its own lines."""
    rest = row.line.text[row.offset :].strip()
    texts = [text for text in (rest, *(line.text.strip() for line in lines)) if text]
    # a head of a page is no description
    return " ".join(join_lines(texts).display.split()).strip(" \u2014\u2013-:") if texts else ""


def list_extents(lines: Iterable[Line]) -> tuple[Extent, ...]:
    """Runs of lines as extents, in the order of the page."""
    found: list[Extent] = []
    for line in sorted(lines, key=lambda line: (line.page, line.number)):
        last = found[-1] if found else None
        if last is not None and last.page == line.page and line.number - last.line_end == 1:
            found[-1] = last.model_copy(update={"line_end": line.number})
        elif last is None or (last.page, last.line_end) != (line.page, line.number):
            found.append(Extent(page=line.page, line_start=line.number, line_end=line.number))
    return tuple(found)
