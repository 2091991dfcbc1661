"""Rows of a table of numbers: what each is called, the groups that they stand in, and which are no members."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from pipeline.question.terms import cue_of
from pipeline.text.matching import contains_folded, fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.structure import Table, TableCell


def name_rows(rows: Sequence[dict[int, TableCell]], table: Table) -> list[str]:
    """What rows are called: their first cells; where some are alike, with a further cell of words."""
    names = [row[0].text for row in rows]
    if len(set(names)) == len(names):
        return names
    for column in range(1, len(table.header)):
        further = [row[column].text if column in row else "" for row in rows]
        told = [f"{name}, {more}" if more else name for name, more in zip(names, further, strict=True)]
        if not any(map(str.isdigit, "".join(further))) and len(set(told)) == len(told):
            return told
    return names


def group_rows(task: ReaderTask, table: Table) -> Iterator[tuple[str, list[dict[int, TableCell]]]]:
    """Rows with a label, in groups: a row that is only a label names the rows below it, or has no numbers."""
    rows: dict[int, dict[int, TableCell]] = defaultdict(dict)
    for cell in table.cells:
        rows[cell.row][cell.column] = cell
    labels = [row[0].text for _, row in sorted(rows.items()) if 0 in row and set(row) != {0}]
    group = ""
    members: list[dict[int, TableCell]] = []
    for number in sorted(rows):
        row = rows[number]
        if set(row) == {0} and (not members or heads_group(task, row[0], members[-1][0].text, labels)):
            if members:
                yield group, members
            # a caption that was read as a row says what the table is, and not what a part of it is
            group = "" if table.title and contains_folded(fold(table.title), fold(row[0].text)) else row[0].text
            members = []
        elif 0 in row:
            members.append(row)
    if members:
        yield group, members


def heads_group(task: ReaderTask, label: TableCell, before: str, labels: Sequence[str]) -> bool:
    """Whether a label without numbers, between rows with numbers, begins a new part and is no member without them."""
    line = task.view.document.line_at(label.extents[0].page, label.extents[0].line_start)
    is_set_apart = line is not None and (line.bold or label.text.rstrip().endswith(":"))
    # parts of a table end in sums or name the same members again
    return is_set_apart or is_rest(task, before) or len(set(labels)) < len(labels)


def is_rest(task: ReaderTask, name: str) -> bool:
    """Whether a header or label stands for a sum, a difference or what is left over."""
    folded = fold(name)
    return any(contains_folded(fold(word), folded) for word in cue_of(task.view.lexicon.superlatives, "rest"))
