"""Cells of tables by row and column: what the question names in the label of a row meets what it names in a header."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.borders import is_beyond, read_border
from pipeline.generation.extractive.citing import cite_extents, merge_extents
from pipeline.generation.extractive.hits import ValueHit, weigh
from pipeline.generation.extractive.prose import UNSAID_COST, find_heads
from pipeline.generation.extractive.qualifiers import contradicts, find_qualifiers
from pipeline.generation.extractive.ranges import covers_number, is_range
from pipeline.generation.extractive.restated import find_asked_restated, find_restated, is_plain_for
from pipeline.generation.extractive.tabled import list_tables
from pipeline.generation.extractive.twins import choose_cells
from pipeline.generation.extractive.typed import Typed, find_typed
from pipeline.question.terms import cue_of
from pipeline.text.anchors import find_anchor
from pipeline.text.late import compile_late
from pipeline.text.matching import contains_folded, fold
from pipeline.text.numbers import parse_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.answer import Citation
    from pipeline.models.question import Anchor, ValueType
    from pipeline.models.structure import Table, TableCell

# Weights in thousandths of a full score, as for sentences; a cell stands in its row and column and needs no nearness.
SHARE_WEIGHT, CELL_WEIGHT = 600, 300
TITLE_PERCENT = 50
NAMED_BONUS = 100
RANK_COST, MAX_RANK = 5, 10
MAX_VALUE_CHARACTERS = 40
BLOCK = -1
"""The place of the name of a block among the places of a row's labels, before all columns."""
_CODE = compile_late(r"\b[A-Z]{2,4}(?:[-\u2010-\u2013/\u2192>]+[A-Z]{2,4})+\b")


class Sighted(NamedTuple):
    """A cell with the words of its row and column, and the keys of the anchors that each of them names."""

    table: Table
    cell: TableCell
    labels: tuple[TableCell, ...]
    header: str
    in_row: frozenset[str]
    in_column: frozenset[str]
    in_title: frozenset[str]
    rank: int

    @property
    def name(self) -> str:
        """Row and column in words."""
        parts = (*(label.text for label in self.labels), self.header)
        return ", ".join(" ".join(part.split()) for part in parts if part.strip())

    @property
    def corner(self) -> str:
        """What stands over the labels of the rows: what the table is of, or its unit."""
        return " ".join(self.table.header[0].split()) if self.table.header else ""


def find_cell_hits(task: ReaderTask, value_type: ValueType) -> list[ValueHit]:
    """Values of the type in the best cell of each table on the pages of the evidence."""
    heads = find_heads(task)
    hits: list[ValueHit] = []
    for sights in _list_sights(task):
        read = {id(sighted): read_cell(task, sighted, value_type) for sighted in sights}
        chosen = choose_cells(task, [sighted for sighted in sights if read[id(sighted)] is not None])
        twins = [build_hit(task, one, typed) for one in chosen if (typed := read[id(one)]) is not None]
        named = chosen[0].in_row | chosen[0].in_column | chosen[0].in_title if chosen else frozenset()
        if any(head.key in named for head in heads):
            hits.append(twins[0]._replace(twins=tuple(twins[1:])))
    return [hit for hit in hits if hit.citations]


def find_best_cells(task: ReaderTask) -> Iterator[Sighted]:
    """For each table near the evidence the cell whose row and column name most of the question, if there is one."""
    for sights in _list_sights(task):
        chosen = choose_cells(task, sights)
        if len(chosen) == 1:
            yield chosen[0]


def _list_sights(task: ReaderTask) -> Iterator[list[Sighted]]:
    """The cells of each table near the evidence that anything in the question names."""
    for rank, table in enumerate(list_tables(task)):
        yield list_sights(task, table, rank)


def list_sights(task: ReaderTask, table: Table, rank: int = 0) -> list[Sighted]:
    """The cells of one table that anything in the question names by their row or column."""
    return [sighted for sighted in _list_cells(task, table, rank) if sighted.in_row or sighted.in_column]


def _list_cells(task: ReaderTask, table: Table, rank: int) -> Iterator[Sighted]:
    rows: dict[int, dict[int, TableCell]] = defaultdict(dict)
    for cell in table.cells:
        rows[cell.row][cell.column] = cell
    header, first = _read_header(table, rows)
    corner = header[0] if header else ""
    in_title = match_words(task, f"{table.label} {table.title} {corner} {_find_heading(task, table)}")
    in_columns = [match_words(task, text) for text in header]
    wanted = find_qualifiers(task.part.text, task.view.lexicon)
    restated = find_asked_restated(task)
    # how a figure is restated is told by the row or what stands over it, in one of several words
    wanted = frozenset(pair for pair in wanted if not (restated and find_restated(pair[1], task.view.lexicon)))
    border = read_border(task.part.text, task.view.lexicon)
    over = f"{corner} {table.title} {_find_heading(task, table)}" if restated else ""
    block: TableCell | None = None
    for number in sorted(rows):
        row = rows[number]
        if number < first:
            continue
        if set(row) == {0}:
            # A row that only has a name heads the rows below it ("Net sales" over the segments).
            block = row[0]
            continue
        named = {cell.column: match_words(task, cell.text) for cell in row.values() if _is_label(cell)}
        if block is not None:
            named[BLOCK] = match_words(task, block.text)
        for column in sorted(row):
            head = header[column] if column < len(header) else ""
            # A row is named by its first cell, its block, and by other short texts in it that the question names.
            places = [place for place in sorted(named) if place != column and (place == 0 or named[place])]
            labels = tuple(block if place == BLOCK else row[place] for place in places)
            text = " ".join((*(label.text for label in labels if label is not None), head))
            if border and is_beyond(border, (text, corner, table.title), task.view.lexicon):
                continue
            if column == 0 or contradicts(wanted, find_qualifiers(text, task.view.lexicon)):
                continue
            # a plain row is no answer where an adjusted figure is asked
            if restated and is_plain_for(restated, find_restated(f"{text} {over}", task.view.lexicon)):
                continue
            in_row = frozenset(key for place in named if place != column for key in named[place])
            in_column = in_columns[column] if column < len(in_columns) else frozenset()
            kept = tuple(label for label in labels if label is not None)
            yield Sighted(table, row[column], kept, head, in_row, in_column, in_title, rank)


def _find_heading(task: ReaderTask, table: Table) -> str:
    section = task.view.document.section_at(table.start)
    return " ".join((*section.breadcrumb, section.title)) if section is not None else ""


def _is_label(cell: TableCell) -> bool:
    """Whether a cell may name its row: the first one, or a short text that is no number."""
    return cell.column == 0 or (len(cell.text) <= MAX_VALUE_CHARACTERS and parse_number(cell.text) is None)


def _read_header(table: Table, rows: dict[int, dict[int, TableCell]]) -> tuple[tuple[str, ...], int]:
    """Column headers and the first row of the body; a table without headers has them in a first row without numbers."""
    if any(text.strip() for text in table.header) or not rows:
        return table.header, 0
    first = min(rows)
    if any(any(map(str.isdigit, cell.text)) for cell in rows[first].values()):
        return table.header, 0
    width = max(column for row in rows.values() for column in row) + 1
    return tuple(rows[first][column].text if column in rows[first] else "" for column in range(width)), first + 1


def match_words(task: ReaderTask, text: str) -> frozenset[str]:
    """Keys of the anchors that a header or label names, also by codes ("EN-FR") and clipped words ("params")."""
    if not text.strip():
        return frozenset()
    return frozenset(
        anchor.key
        for anchor in task.part.anchors
        if find_anchor(anchor, text)
        or is_clipped(anchor, text, cue_of(task.view.lexicon.value_cues, "codes"))
        or (anchor.source == "number" and covers_number(text, anchor.forms[0], task.view.lexicon))
    )


def is_clipped(anchor: Anchor, text: str, codes: tuple[str, ...]) -> bool:
    """Whether a code or clipped word in `text` stands for an anchor: "EN-FR" for "English-to-French"."""
    words = [word for word in re.findall(r"[^\W\d_]+", fold(anchor.text)) if len(word) > 2]
    for code in _CODE.findall(text):
        parts = re.findall(r"[a-z]+", code.casefold())
        if len(parts) == len(words) and all(
            word.startswith(part) or f"{word} {part}" in codes for word, part in zip(words, parts, strict=True)
        ):
            return True
    if anchor.source not in ("word", "concept"):
        return False
    singles = [form for form in anchor.forms if form.isalpha()]
    clips = [word.removesuffix("s") for word in re.findall(r"[a-z]+", fold(text)) if len(word) > 4]
    return any(form != clip and form.startswith(clip) for form in singles for clip in clips)


def read_cell(task: ReaderTask, sighted: Sighted, value_type: ValueType) -> Typed | None:
    """The typed value of a cell: as the cell says it, or a bare number whose header or table says the type."""
    text = " ".join(sighted.cell.text.split())
    # What the cell itself says goes before what its header says.
    found = find_typed(text, value_type, task.view.lexicon)
    if len(found) != 1 and value_type != "date" and is_range(text, task.view.lexicon):
        return Typed(0, len(text), text, text, "", None)
    if found:
        return found[0]
    if len(text) > MAX_VALUE_CHARACTERS or value_type in ("date", "person", "organisation"):
        return None
    number = parse_number(text)
    named = f"{sighted.header} {sighted.table.units} {sighted.name}"
    if value_type == "money":
        # Statements print the sign on the first row only.
        named += "".join(cell.text[:1] for cell in sighted.table.cells if cell.column)
    is_typed = value_type == "number" or _names_type(named, value_type, task)
    if not is_typed or not any(map(str.isdigit, text)):
        return None
    return Typed(0, len(text), text, format(number, "f") if number is not None else text, "", number)


def _names_type(named: str, value_type: ValueType, task: ReaderTask) -> bool:
    if value_type == "percent":
        return "%" in named or "percent" in fold(named)
    if value_type == "money":
        return bool(re.search(r"[$\u20ac\u00a3\u00a5]|dollar|euro|usd", named.casefold()))
    return bool(find_typed(f"1 {named}", value_type, task.view.lexicon))


def build_hit(task: ReaderTask, sighted: Sighted, typed: Typed) -> ValueHit:
    """A cell as a value found, with what speaks for it."""
    own = sighted.in_row | sighted.in_column
    share = weigh(task.view, task.part.anchors, own)
    share += weigh(task.view, task.part.anchors, sighted.in_title - own) * TITLE_PERCENT // 100
    qualifiers = find_qualifiers(f"{sighted.name} {sighted.table.title}", task.view.lexicon)
    wanted = find_qualifiers(task.part.text, task.view.lexicon)
    unsaid = UNSAID_COST * len(wanted - qualifiers)
    score = SHARE_WEIGHT * min(share, 1000) // 1000 + CELL_WEIGHT - RANK_COST * min(sighted.rank, MAX_RANK) - unsaid
    score += NAMED_BONUS * _is_named(task, sighted.table)
    return ValueHit(
        typed=typed,
        score=score,
        place=(sighted.cell.extents[0].page, sighted.cell.extents[0].line_start),
        citations=cite_cell(task, sighted),
        matched=tuple(sorted(own | sighted.in_title)),
        qualifiers=qualifiers,
        context=f"{sighted.name} {sighted.table.title}",
        label=sighted.name,
        is_cell=True,
        unsaid_cost=unsaid,
    )


def _is_named(task: ReaderTask, table: Table) -> bool:
    """Whether the question says the title of a table or the name over its rows ("Standard Plan")."""
    asked = fold(task.part.text)
    names = (table.title, table.header[0] if table.header else "")
    return any(len(name.split()) > 1 and contains_folded(fold(name), asked) for name in names)


def cite_cell(task: ReaderTask, sighted: Sighted) -> tuple[Citation, ...]:
    """The lines of the cell and of the labels of its row."""
    labels = tuple(extent for label in sighted.labels for extent in merge_extents(label.extents))
    return cite_extents(task.view, (*merge_extents(sighted.cell.extents), *labels))
