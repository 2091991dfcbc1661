"""The reader of superlatives over tables that are set alike, one for each thing: the plan with the lowest fee."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pipeline.generation.extractive.cells import list_sights
from pipeline.generation.extractive.extremes import tell_extreme
from pipeline.generation.extractive.groups import Group, drop_operators, list_kinds
from pipeline.generation.extractive.hits import weigh
from pipeline.generation.extractive.measured import find_asked, is_said, list_measured
from pipeline.generation.extractive.measures import read_cell_measure
from pipeline.generation.extractive.members import Member
from pipeline.generation.extractive.sides import find_heading, list_pages
from pipeline.question.anchors import make_word_anchor
from pipeline.question.operations import read_operation
from pipeline.text.anchors import find_anchor
from pipeline.text.matching import fold

if TYPE_CHECKING:
    from pipeline.generation.extractive.measures import Kind
    from pipeline.generation.extractive.reading import ReaderTask, Reading
    from pipeline.models.question import Anchor
    from pipeline.models.structure import Table

MIN_TABLES = 2
MAX_NAME_WORDS = 8


def read_parallel(task: ReaderTask) -> Reading | None:
    """The thing whose table has the highest or lowest value in the row and column that the question names.

    "Which plan has the lowest deductible" asks for a table by its name, where every plan has one. None where fewer than
    two tables are named by the noun, or where several of their rows and columns fit equally and do not agree.
    """
    operation = read_operation(task.part.text, task.view.lexicon)
    asked = find_asked(task)
    noun = make_word_anchor(asked, task.view.lexicon) if asked is not None else None
    if not operation.direction or noun is None:
        return None
    own = drop_operators(task, operation)
    kept = tuple(anchor for anchor in own.part.anchors if not set(noun.key.split()) & set(anchor.key.split()))
    if not kept:
        return None
    own = replace(own, part=own.part.model_copy(update={"anchors": kept}))
    groups = _list_groups(own, noun, list_kinds(task, operation), list_measured(task, operation))
    readings = [tell_extreme(task, group, group.members, operation) for group in groups]
    known = [reading for reading in readings if reading is not None]
    winners = {tuple(item.label for item in reading.items if item.picked) for reading in known}
    return known[0] if known and len(winners) == 1 else None


def _list_groups(task: ReaderTask, noun: Anchor, kinds: tuple[Kind, ...], measured: tuple[Anchor, ...]) -> list[Group]:
    """For each row and column that carries most of the question, its cells in the tables that the noun names."""
    cells: dict[str, dict[str, tuple[int, Member]]] = {}
    named: dict[str, None] = {}
    least = task.view.lexicon.thresholds.cell_named
    for page in list_pages(task, None):
        for table in task.view.tables_touching(page):
            name = _name_table(task, table, noun)
            named.update({name: None} if name else {})
            for sighted in list_sights(task, table) if name else ():
                share = weigh(task.view, task.part.anchors, sighted.in_row | sighted.in_column)
                share = share if is_said(measured, sighted.name) else 0
                context = f"{sighted.header} {table.units} {table.title}"
                measure = read_cell_measure(sighted.cell.text, context, task.view.lexicon) if share >= least else None
                if measure is None or measure.kind not in kinds:
                    continue
                printed = " ".join(sighted.cell.text.split())
                extents = (*sighted.cell.extents, *(one for label in sighted.labels for one in label.extents))
                rows = cells.setdefault(sighted.name, {})
                rows.setdefault(name, (share, Member(name, measure, printed, extents)))
    best = max((share for rows in cells.values() for share, _ in rows.values()), default=0)
    groups: list[Group] = []
    for key, rows in cells.items():
        if len(rows) >= MIN_TABLES and all(share == best for share, _ in rows.values()):
            members = tuple(member for _, member in rows.values())
            missing = tuple(name for name in named if name not in rows)
            groups.append(Group(members, key, (), True, frozenset(), missing=missing))
    return groups


def _name_table(task: ReaderTask, table: Table, noun: Anchor) -> str:
    """What a table is of, by its caption, its corner or the heading over it: the one that holds the noun."""
    corner = table.header[0] if table.header else ""
    for name in (table.title, corner, find_heading(task, table.start)):
        plain = " ".join(name.split())
        # the noun alone ("Plan" over a column of plans) names no table
        if find_anchor(noun, plain) and 1 < len(plain.split()) <= MAX_NAME_WORDS and fold(plain) != noun.key:
            return plain
    return ""
