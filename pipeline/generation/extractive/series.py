"""Numbers of a table that can be compared or added: the cells of one row or column, each with the member it is of."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.cells import match_words
from pipeline.generation.extractive.hits import holds, weigh
from pipeline.generation.extractive.measured import covers_asked, fits_asked, is_said, speaks_of
from pipeline.generation.extractive.measures import read_cell_measure
from pipeline.generation.extractive.series_rows import group_rows, is_rest, name_rows
from pipeline.generation.extractive.tabled import list_tables
from pipeline.generation.extractive.verdict import is_subject
from pipeline.question.terms import cue_of
from pipeline.structure.table_lists import is_total
from pipeline.text.anchors import find_anchor
from pipeline.text.grammar import CURRENCY_SIGNS
from pipeline.text.late import compile_late
from pipeline.text.matching import contains_folded, fold
from pipeline.text.numbers import find_years

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from decimal import Decimal

    from pipeline.generation.extractive.measures import Measure
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.question import Anchor
    from pipeline.models.structure import Table, TableCell

LINES_ABOVE, MIN_MEMBERS, SHOWN_MEMBERS = 6, 2, 8
_MEMBERS_GIVEN = compile_late(r"\b(?:among|between|of)\b[^?]*,[^?]*\b(?:and|or)\b[^?]*,", re.IGNORECASE)


class Point(NamedTuple):
    """One member with its number, the cell that says it, and what the number is of."""

    member: str
    value: Decimal
    cell: TableCell
    measure: Measure
    heading: str = ""


class Series(NamedTuple):
    """Comparable members: the cells of one row or one column, and the anchors of the question that speak for it.

    `own` are the anchors in its label, header and group, `around` those in the caption and the lines above; `missing`
    are members without a number, `total` what is printed as their sum.
    """

    own: frozenset[str]
    around: frozenset[str]
    points: tuple[Point, ...]
    label: TableCell | None
    name: str
    units: str = ""
    missing: tuple[str, ...] = ()
    total: Point | None = None
    context: str = ""
    heads: tuple[str, ...] = ()


def rate_series(task: ReaderTask, kinds: Sequence[str], measured: Sequence[Anchor]) -> tuple[int, Series] | None:
    """The series that most of the question names, by itself or by its members, with its share in thousandths.

    Only those count whose values are of one of the kinds, or bare numbers, and that speak of what is measured: in their
    own name first, else in what stands over the table. None where none carries enough, or where several do alike.
    """
    found = [entry for entry in join_series(task) if _is_of_kind(entry, kinds)]
    parts = [entry for entry in found if not is_total(entry.name, task.view.lexicon)]
    fit = [entry for entry in parts if speaks_of(task, entry, measured)]
    is_summed = not fit and _asks_all(task, parts)
    if is_summed:
        # where no column alone is of what is asked, the one that adds them up is
        fit = [entry for entry in found if entry not in parts and is_said(measured, entry.context)]
    rated = [((is_said(measured, series.name), *_rate(task, series)), series) for series in fit]
    enough = [entry for entry in rated if entry[0][1] >= task.view.lexicon.thresholds.series]
    best = max(enough, key=lambda entry: entry[0], default=None)
    if best is None:
        return None
    alike = [series for rate, series in enough if rate == best[0] and _differs(series, best[1])]
    # columns of several periods, of which none is asked for, stand with the newest first
    if any(series.context != best[1].context or not find_years(series.name) for series in alike):
        return None
    return (best[0][1], best[1]) if is_summed or covers_asked(task, best[1], fit) else None


def _asks_all(task: ReaderTask, parts: Sequence[Series]) -> bool:
    """Whether a question names no part that a sum is of, or one only as a choice ("owns or uses")."""
    keys = {key for entry in parts for key in entry.own}
    named = [anchor for anchor in task.part.anchors if anchor.key in keys and anchor.source not in ("period", "number")]
    ends = [span[1] for anchor in named for span in find_anchor(anchor, task.part.text)]
    choices = cue_of(task.view.lexicon.superlatives, "joint or")
    return all(fold(task.part.text[end:]).strip().startswith(choices) for end in ends)


def _is_of_kind(series: Series, kinds: Sequence[str]) -> bool:
    return all(point.measure.kind in kinds or not point.measure.unit for point in series.points)


def _differs(one: Series, other: Series) -> bool:
    return [(point.member, point.value) for point in one.points] != [(p.member, p.value) for p in other.points]


def _rate(task: ReaderTask, series: Series) -> tuple[int, int]:
    asked = frozenset(key for point in list_named(task, series) for key in match_words(task, point.member))
    covered = series.own | series.around | asked
    # words that only stand beside the name of the document's subject make no compound of their own
    loose = [anchor for anchor in task.part.anchors if anchor.source == "compound" and not holds(anchor.key, covered)]
    named = [anchor for anchor in task.part.anchors if anchor.source == "word" and is_subject(task, anchor)]
    dropped = {own.key for own in loose if any(find_anchor(name, own.text) for name in named)}
    anchors = tuple(anchor for anchor in task.part.anchors if anchor.key not in dropped)
    return weigh(task.view, anchors, covered), weigh(task.view, anchors, series.own)


def list_named(task: ReaderTask, series: Series) -> tuple[Point, ...]:
    """The members that the question names; none where it names fewer than two."""
    asked = fold(task.part.text)
    named = tuple(point for point in series.points if contains_folded(fold(point.member), asked))
    return named if len(named) > 1 else ()


def join_series(task: ReaderTask) -> list[Series]:
    """All series near the evidence; those of tables that go on under the same first header and row label are joined."""
    joined: dict[tuple[int, str, str], Series] = {}
    for table in list_tables(task):
        for key, series in _list_series(task, table):
            place = (table.start[0], *key)
            before = joined.get(place)
            points = series.points if before is None else before.points + series.points
            joined[place] = series._replace(points=points)
    # a member that comes twice shows that rows of several tables or periods were mixed up
    return [entry for entry in joined.values() if MIN_MEMBERS <= len(entry.points) == _count_members(entry)]


def _count_members(series: Series) -> int:
    return len({point.member for point in series.points})


def _list_series(task: ReaderTask, table: Table) -> Iterator[tuple[tuple[str, str], Series]]:
    above = _read_above(task, table)
    stub = table.header[0] if table.header else ""
    for group, rows in group_rows(task, table):
        around = f"{table.title} {group} {above}"
        context = match_words(task, around)
        for row in rows:
            named = match_words(task, row[0].text)
            if named:
                cells = [(_head(table, cell.column), cell) for cell in row.values() if cell.column]
                points = _read_points(task, cells, f"{table.title} {table.units} {row[0].text}")
                series = Series(named, context, points, row[0], row[0].text, table.units, context=around)
                # cells of one row are of one kind only where its columns are periods, or all say the same unit
                headings = [point.heading for point in points]
                if _is_even(series) and fits_asked(task, f"{around} {stub}", headings):
                    yield (stub, fold(row[0].text)), series
        for column in range(1, len(table.header)):
            header = table.header[column]
            is_sum = is_total(header, task.view.lexicon)
            if header.strip() and _is_asked_period(task, header) and (is_sum or not is_rest(task, header)):
                yield (
                    (f"{table.start} {group}", header),
                    _read_column(task, table, (group, rows), column)._replace(
                        around=context, context=around, heads=table.header[1:]
                    ),
                )


def _is_even(series: Series) -> bool:
    units = {(point.measure.kind, point.measure.unit) for point in series.points}
    printed = {any(sign in point.cell.text for sign in CURRENCY_SIGNS) for point in series.points}
    return len(units) <= 1 and (len(printed) == 1 or all(find_years(point.heading) for point in series.points))


def _read_column(task: ReaderTask, table: Table, part: tuple[str, list[dict[int, TableCell]]], column: int) -> Series:
    """One column of a group of rows."""
    group, rows = part
    names = name_rows(rows, table)
    cells = [(name, row[column]) for name, row in zip(names, rows, strict=True) if column in row]
    context = f"{table.title} {table.units} {table.header[column]}"
    points = _read_points(task, cells, context)
    counted = {point.cell for point in points}
    name = f"{group} {table.header[column]}".strip()
    return Series(
        own=match_words(task, name),
        around=frozenset(),
        points=points,
        label=None,
        name=name,
        units=table.units,
        missing=tuple(row[0].text for row in rows if row.get(column) not in counted and not is_rest(task, row[0].text)),
        total=next((point for point in _list_points(task, cells, context) if _is_total(task, point.member)), None),
    )


def _head(table: Table, column: int) -> str:
    return table.header[column] if column < len(table.header) else ""


def _read_points(task: ReaderTask, cells: list[tuple[str, TableCell]], context: str) -> tuple[Point, ...]:
    """Members with a number of their own; where the question names the members, only those."""
    points = [point for point in _unify(_list_points(task, cells, context)) if not is_rest(task, point.member)]
    given = _MEMBERS_GIVEN.search(task.part.text)
    if given is None:
        return tuple(points)
    names = [anchor for anchor in task.part.anchors if fold(anchor.text) in fold(given.group())]
    found = [(point, frozenset(name.key for name in names if find_anchor(name, point.member))) for point in points]
    # Two members under one of the names are parts of it, and not what the question compares.
    keys = [named for _, named in found if named]
    return tuple(point for point, named in found if named) if len(set(keys)) == len(keys) else ()


def _list_points(task: ReaderTask, cells: list[tuple[str, TableCell]], context: str) -> Iterator[Point]:
    for name, cell in cells:
        is_asked = bool(name.strip()) and _is_asked_period(task, name)
        measure = read_cell_measure(cell.text, context, task.view.lexicon) if is_asked else None
        if measure is not None:
            yield Point(_name_member(name), measure.amount, cell, measure, name)


def _unify(points: Iterable[Point]) -> Iterator[Point]:
    """Points with the one currency that some of them print: statements set the sign on the first row only.

    Percentages among amounts are of something else than the amounts, and stay out.
    """
    given = tuple(points)
    currencies = {point.measure.unit for point in given if point.measure.kind == "money"}
    has_numbers = any(point.measure.kind in ("money", "quantity") for point in given)
    for point in given:
        measure = point.measure
        if measure.kind == "percent" and has_numbers:
            continue
        if measure.kind == "quantity" and not measure.unit and len(currencies) == 1:
            unit = next(iter(currencies))
            measure = measure._replace(kind="money", unit=unit, printed=unit)
        yield point._replace(measure=measure)


def _is_total(task: ReaderTask, name: str) -> bool:
    return any(contains_folded(fold(word), fold(name)) for word in cue_of(task.view.lexicon.superlatives, "total"))


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
    return " ".join(kept.replace("()", " ").split()).strip(" ,;:") or name


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
