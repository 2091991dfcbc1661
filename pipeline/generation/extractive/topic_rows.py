"""Rows of a named table by what one of their cells says ("which models in Table 4 are semi-supervised"), or by value.

A caption says nothing of rows: the column that has the words says which rows are meant, and the column that is named
which of all rows has the highest figure, whether its rows have names or not.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.citing import cite_extents
from pipeline.generation.extractive.naming import read_columns
from pipeline.generation.extractive.reading import Reading
from pipeline.generation.extractive.topics import read_topic
from pipeline.models.answer import Certificate, DetectorCount, Item
from pipeline.question.anchors import make_word_anchor
from pipeline.question.operations import read_operation
from pipeline.question.terms import cue_of, split_words
from pipeline.structure.resolving import find_by_key
from pipeline.structure.selectors import find_table
from pipeline.text.anchors import find_anchor
from pipeline.text.numbers import parse_number

if TYPE_CHECKING:
    from collections.abc import Sequence
    from decimal import Decimal

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.generation.extractive.topics import Topic, TopicAsked
    from pipeline.models.question import Anchor
    from pipeline.models.structure import Table, TableCell
    from pipeline.question.operations import Operation

MIN_ROWS, MAX_SHOWN = 2, 6
GROUP_CEILING, JUDGED_CEILING = 700, 600
"""Thousandths of confidence in a row that has no name of its own, and in an end of a scale asked for as the best."""


class Row(NamedTuple):
    """A row of a table: its number, its name ("" for none), the cell of the name, and the cells with their columns."""

    number: int
    name: str
    first: TableCell | None
    cells: tuple[TableCell, ...]

    def at(self, column: int) -> TableCell | None:
        """The cell of a column."""
        return next((cell for cell in self.cells if cell.column == column), None)


class Grid(NamedTuple):
    """A table with the heads of its columns and its rows from top to bottom."""

    table: Table
    heads: dict[int, str]
    rows: tuple[Row, ...]


def read_topic_rows(task: ReaderTask) -> Reading | None:
    """The rows of the one table that a question names whose cells say what it says; None where no one column does."""
    grid = _find_grid(task)
    if grid is None or _is_denied(task):
        return None
    operation = read_operation(task.part.text, task.view.lexicon)
    if operation.is_any:
        return _read_extreme(task, grid, operation) if operation.direction and operation.rank == 1 else None
    lexicon = task.view.lexicon
    for asked in (read_topic(task.part, lexicon, "row says"), read_topic(task.part, lexicon)):
        column = _find_column(task, grid, asked) if asked is not None else None
        if asked is not None and column is not None:
            chosen = [row for row in grid.rows if _holds(row.at(column), asked.topic, grid.heads.get(column, ""))]
            return _tell_rows(task, grid, column, chosen)
    return None


def _find_grid(task: ReaderTask) -> Grid | None:
    hints = [hint for hint in task.question.hints if hint.kind == "table"]
    targets = find_by_key(task.view, hints[0].key) if len(hints) == 1 else ()
    table = find_table(task.view, targets[0]) if len(targets) == 1 else None
    if table is None:
        return None
    heads, start = read_columns(table)
    rows = []
    for number in sorted({cell.row for cell in table.cells if cell.row >= start}):
        cells = tuple(cell for cell in table.cells if cell.row == number)
        first = next((cell for cell in cells if cell.column == 0), None)
        rows.append(Row(number, first.text.strip() if first is not None else "", first, cells))
    return Grid(table, heads, tuple(rows)) if len(rows) >= MIN_ROWS else None


def _is_denied(task: ReaderTask) -> bool:
    negations = cue_of(task.view.lexicon.value_cues, "negations")
    words = (word.folded for word in split_words(task.part.text, task.view.lexicon))
    return bool(task.question.exclusions) or any(word in negations for word in words)


def _find_column(task: ReaderTask, grid: Grid, asked: TopicAsked) -> int | None:
    """The column whose cells say the topic: the one that the question names, else the only one; None otherwise."""
    head = make_word_anchor(asked.head, task.view.lexicon)
    columns = sorted({cell.column for row in grid.rows for cell in row.cells if cell.column})
    # the cells of a column are asked for, not its rows
    if any(find_anchor(head, grid.heads.get(column, "")) for column in columns):
        return None
    holding = [
        column
        for column in columns
        if any(_holds(row.at(column), asked.topic, grid.heads.get(column, "")) for row in grid.rows)
    ]
    named = [column for column in holding if _is_named(asked.topic, grid.heads.get(column, ""))]
    found = named or holding
    return found[0] if len(found) == 1 else None


def _is_named(topic: Topic, head: str) -> bool:
    return any(find_anchor(anchor, head) for words in topic for anchor in words)


def _holds(cell: TableCell | None, topic: Topic, head: str) -> bool:
    """Whether a cell says all of the topic that the head of its column does not say."""
    if cell is None:
        return False
    for words in topic:
        left = [anchor for anchor in words if not find_anchor(anchor, head)]
        if left and all(_says(anchor, cell.text) for anchor in left):
            return True
    return False


def _says(anchor: Anchor, text: str) -> bool:
    if not anchor.text[:1].isdigit():
        return bool(find_anchor(anchor, text))
    # a figure is said by itself: 4 is in "O(4)" and not in 4.92
    return re.search(rf"(?<![\w.,]){re.escape(anchor.text)}(?![\w]|[.,]\d)", text) is not None


def _tell_rows(task: ReaderTask, grid: Grid, column: int, chosen: Sequence[Row]) -> Reading | None:
    items = tuple(item for row in chosen if (item := _build_item(task, grid, row, column)) is not None)
    if not items or not all(row.name for row in chosen):
        return None
    return Reading(
        text="\n".join(f"- {item.text}" for item in items) if len(items) > 1 else items[0].text,
        items=items,
        has_typed_fit=True,
        has_second_place=True,
        certificate=_certify(task, grid, len(items)),
    )


def _build_item(task: ReaderTask, grid: Grid, row: Row, column: int, *, is_picked: bool = False) -> Item | None:
    cell = row.at(column)
    if cell is None:
        return None
    head = grid.heads.get(column, "").strip()
    name = row.name or _describe(grid, row, column)
    said = f"{head}: {cell.text}" if head else cell.text
    extents = (*(row.first.extents if row.first is not None else ()), *cell.extents)
    citations = cite_extents(task.view, dict.fromkeys(extents))
    if not citations:
        return None
    return Item(
        sub_question=task.part.id,
        text=f"{name}, {said}" if name else said,
        label=row.name,
        value=cell.text if is_picked else None,
        citations=citations,
        extraction="verbatim",
        picked=is_picked,
    )


def _describe(grid: Grid, row: Row, column: int) -> str:
    """A row without a name by its other cells."""
    others = [cell for cell in row.cells if cell.column != column][:MAX_SHOWN]
    return ", ".join(f"{grid.heads.get(cell.column, '').strip()}: {cell.text}".strip(" :") for cell in others)


def _certify(task: ReaderTask, grid: Grid, held: int) -> Certificate:
    count, is_whole = len(grid.rows), not grid.table.is_continued
    return Certificate(
        sub_question=task.part.id,
        denominator=count if is_whole else None,
        denominator_source="structural" if is_whole else "none",
        denominator_quote="",
        detectors=(DetectorCount(detector="table rows", item_count=count),),
        item_count=count,
        is_end_seen=is_whole,
        gaps=(),
        verdict="complete" if is_whole else "unverified",
        why=f"{count} rows of Table {grid.table.label} were looked at, {held} of them hold it",
    )


def _read_extreme(task: ReaderTask, grid: Grid, operation: Operation) -> Reading | None:
    """The row with the highest or lowest figure of the column that is named, where rows are asked for as such."""
    lexicon = task.view.lexicon
    nouns = cue_of(lexicon.value_cues, "row nouns")
    words = [word.folded for word in split_words(task.part.text, lexicon)]
    if len(words) < MIN_ROWS or words[1] not in nouns:
        return None
    asked = [a for a in task.part.anchors if a.source in ("word", "concept") and a.key not in nouns]
    named = [column for column, head in sorted(grid.heads.items()) if any(find_anchor(a, head) for a in asked)]
    if len(named) != 1:
        return None
    column = named[0]
    figures = _list_figures(grid, column)
    if len(figures) < MIN_ROWS:
        return None
    best = (max if operation.direction == "max" else min)(figure for figure, _ in figures)
    winners = [row for figure, row in figures if figure == best]
    items = tuple(item for row in winners if (item := _build_item(task, grid, row, column, is_picked=True)) is not None)
    if not items:
        return None
    end = "highest" if operation.direction == "max" else "lowest"
    reading = Reading(
        text=f"{'; '.join(item.text for item in items)} (the {end} of {len(figures)} rows)",
        items=items,
        has_typed_fit=True,
        has_second_place=len(figures) > MIN_ROWS,
        certificate=_certify(task, grid, len(items)),
        caveats=(f"{len(winners)} have the same value",) if len(winners) > 1 else (),
    )
    if operation.cue in cue_of(lexicon.value_cues, "judging words"):
        # of losses and errors the lowest is the best
        reading = reading.doubt(f"the {end} value is taken for what is asked", JUDGED_CEILING)
    if all(row.name for row in winners):
        return reading
    return reading.doubt("the row has no name of its own: its other cells are told", GROUP_CEILING)


def _list_figures(grid: Grid, column: int) -> list[tuple[Decimal, Row]]:
    """The figures of a column, each with its row; cells that hold none are left out."""
    cells = [(row.at(column), row) for row in grid.rows]
    figures = [(parse_number(cell.text), row) for cell, row in cells if cell is not None]
    return [(figure, row) for figure, row in figures if figure is not None]
