"""The reader of superlatives: "which segment had the lowest net revenue" is the least of a row, found in code."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.cells import match_words
from pipeline.generation.extractive.citing import cite_extents, merge_extents
from pipeline.generation.extractive.hits import weigh
from pipeline.generation.extractive.reading import Reading
from pipeline.generation.extractive.tabled import list_tables
from pipeline.models.answer import Item
from pipeline.question.terms import cue_of
from pipeline.text.anchors import find_anchor
from pipeline.text.late import compile_late
from pipeline.text.matching import contains_folded, fold
from pipeline.text.numbers import find_years, parse_number

if TYPE_CHECKING:
    from collections.abc import Iterator
    from decimal import Decimal

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.answer import Citation
    from pipeline.models.structure import Table, TableCell

MIN_SHARE = 450
"""Thousandths of the anchors that label, header, caption and the lines above a table must name together."""
LINES_ABOVE, MIN_MEMBERS, SHOWN_MEMBERS = 6, 2, 8


_MEMBERS_GIVEN = compile_late(r"\b(?:among|between|of)\b[^?]*,[^?]*\b(?:and|or)\b[^?]*,", re.IGNORECASE)


class _Point(NamedTuple):
    """One member with its number, and the cell that says it."""

    member: str
    value: Decimal
    cell: TableCell


class _Series(NamedTuple):
    """Comparable members: the cells of one row or one column, and the share of the question that names them."""

    share: int
    own_share: int
    points: tuple[_Point, ...]
    label: TableCell | None
    name: str


def read_extreme(task: ReaderTask) -> Reading | None:
    """The member with the highest or lowest number; None without a superlative, a table, or a single winner."""
    direction = find_direction(task)
    if not direction:
        return None
    series = max(_join_series(task), key=lambda entry: (entry.share, entry.own_share), default=None)
    if series is None or series.share < MIN_SHARE:
        return None
    values = [point.value for point in series.points]
    extreme = max(values) if direction == "max" else min(values)
    winners = [point for point in series.points if point.value == extreme]
    return _build_reading(task, series, winners[0], direction) if len(winners) == 1 else None


def find_direction(task: ReaderTask) -> str:
    """Which end the superlative of the question asks for: max or min; empty without one."""
    # A superlative with a capital is part of a name ("Best Buy").
    folded = fold(" ".join(word for word in task.part.text.split() if not word[:1].isupper()))
    for label in ("max", "min"):
        if any(contains_folded(fold(cue), folded) for cue in cue_of(task.view.lexicon.superlatives, label)):
            return label
    return ""


def _join_series(task: ReaderTask) -> list[_Series]:
    """All series near the evidence; those of tables that go on under the same first header and row label are joined."""
    joined: dict[tuple[int, str, str], _Series] = {}
    for table in list_tables(task):
        for key, series in _list_series(task, table):
            place = (table.start[0], *key)
            before = joined.get(place)
            points = series.points if before is None else before.points + series.points
            joined[place] = series._replace(points=points)
    # a member that comes twice shows that rows of several tables or periods were mixed up
    return [entry for entry in joined.values() if MIN_MEMBERS <= len(entry.points) == _count_members(entry)]


def _count_members(series: _Series) -> int:
    return len({point.member for point in series.points})


def _list_series(task: ReaderTask, table: Table) -> Iterator[tuple[tuple[str, str], _Series]]:
    above = _read_above(task, table)
    stub = table.header[0] if table.header else ""
    for group, rows in _group_rows(table):
        context = match_words(task, f"{table.title} {group} {above}")
        for row in rows:
            named = match_words(task, row[0].text)
            if named:
                cells = [(_head(table, cell.column), cell) for cell in row.values() if cell.column]
                shares = _weigh(task, named | context), _weigh(task, named)
                yield (stub, fold(row[0].text)), _Series(*shares, _read_points(task, cells), row[0], row[0].text)
        for column in range(1, len(table.header)):
            header = table.header[column]
            if header.strip() and _is_asked_period(task, header) and not _is_rest(task, header):
                cells = [(row[0].text, row[column]) for row in rows if column in row]
                named = match_words(task, header)
                shares = _weigh(task, named | context), _weigh(task, named)
                name = f"{group} {header}".strip()
                yield (f"{table.start} {group}", header), _Series(*shares, _read_points(task, cells), None, name)


def _weigh(task: ReaderTask, keys: frozenset[str]) -> int:
    """Share of what is asked beside the superlative itself ("highest BLEU" asks for BLEU)."""
    cues = [fold(cue) for label in ("max", "min") for cue in cue_of(task.view.lexicon.superlatives, label)]
    asked = [anchor for anchor in task.part.anchors if not any(contains_folded(cue, fold(anchor.text)) for cue in cues)]
    return weigh(task.view, tuple(asked), keys)


def _group_rows(table: Table) -> Iterator[tuple[str, list[dict[int, TableCell]]]]:
    """Rows with a label, in groups: a row that is only a label names the rows below it."""
    rows: dict[int, dict[int, TableCell]] = defaultdict(dict)
    for cell in table.cells:
        rows[cell.row][cell.column] = cell
    group = ""
    members: list[dict[int, TableCell]] = []
    for number in sorted(rows):
        row = rows[number]
        if set(row) == {0}:
            if members:
                yield group, members
            group, members = row[0].text, []
        elif 0 in row:
            members.append(row)
    if members:
        yield group, members


def _is_rest(task: ReaderTask, name: str) -> bool:
    """Whether a header or label stands for a sum, a difference or what is left over."""
    folded = fold(name)
    return any(contains_folded(fold(word), folded) for word in cue_of(task.view.lexicon.superlatives, "rest"))


def _head(table: Table, column: int) -> str:
    return table.header[column] if column < len(table.header) else ""


def _read_points(task: ReaderTask, cells: list[tuple[str, TableCell]]) -> tuple[_Point, ...]:
    """Members with a number of their own; where the question names the members, only those."""
    points: list[_Point] = []
    for name, cell in cells:
        number = None if "%" in cell.text else parse_number(cell.text.replace("$", "").strip())
        if name.strip() and number is not None and not _is_rest(task, name) and _is_asked_period(task, name):
            points.append(_Point(_name_member(name), number, cell))
    given = _MEMBERS_GIVEN.search(task.part.text)
    if given is None:
        return tuple(points)
    names = [anchor for anchor in task.part.anchors if fold(anchor.text) in fold(given.group())]
    found = [(point, frozenset(name.key for name in names if find_anchor(name, point.member))) for point in points]
    # Two members under one of the names are parts of it, and not what the question compares.
    keys = [named for _, named in found if named]
    return tuple(point for point, named in found if named) if len(set(keys)) == len(keys) else ()


def _is_asked_period(task: ReaderTask, header: str) -> bool:
    """Whether a header is of a period that is asked for; one without a year is of any."""
    years = {str(year) for _, _, year in find_years(header)}
    asked = set(task.question.periods)
    return not years or not asked or bool(years & asked)


def _name_member(name: str) -> str:
    """A header or label without the year that stands in it."""
    kept = name
    for start, end, _ in reversed(find_years(name)):
        kept = kept[:start] + kept[end:]
    return " ".join(kept.split()).strip(" ,;:") or name


def _read_above(task: ReaderTask, table: Table) -> str:
    """The lines right above a table and the headings over it: they say what its rows or columns are."""
    page, first = table.start
    lines = task.view.lines_in((page, max(1, first - LINES_ABOVE)), table.start)
    if len(lines) < LINES_ABOVE and page > 1:
        # a table at the top of a page is introduced at the foot of the one before
        lines = (*task.view.lines_in((page - 1, 1), (page, 1))[-LINES_ABOVE:], *lines)
    section = task.view.document.section_at(table.start)
    headings = (*section.breadcrumb, section.title) if section else ()
    return " ".join((*headings, *(line.text for line in lines)))


def _build_reading(task: ReaderTask, series: _Series, winner: _Point, direction: str) -> Reading | None:
    citations = _cite(task, series, winner)
    if not citations:
        return None
    printed = " ".join(winner.cell.text.split())
    compared = "; ".join(
        f"{point.member} {' '.join(point.cell.text.split())}" for point in series.points[:SHOWN_MEMBERS]
    )
    word = "highest" if direction == "max" else "lowest"
    item = Item(
        sub_question=task.part.id,
        text=f"{winner.member}: {printed}",
        label=winner.member,
        value=format(winner.value, "f"),
        picked=True,
        citations=citations,
        extraction="computed",
    )
    return Reading(
        text=f"{winner.member} ({printed}) is the {word} of {len(series.points)} in {series.name.strip()}: {compared}",
        items=(item,),
        has_typed_fit=True,
        has_second_place=len(series.points) > MIN_MEMBERS,
    )


def _cite(task: ReaderTask, series: _Series, winner: _Point) -> tuple[Citation, ...]:
    """The winning cell first, then the label of its row, then the cells that it was compared with."""
    cells = [winner.cell, *([series.label] if series.label else [])]
    cells += [point.cell for point in series.points[:SHOWN_MEMBERS] if point is not winner]
    return cite_extents(task.view, tuple(extent for cell in cells for extent in merge_extents(cell.extents)))
