"""Rows and columns that a text points at: "row (E)" of the table named just before, resolved to cells."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from pipeline.structure.around import list_mentions, place_of, read_after
from pipeline.text.late import compile_late
from pipeline.text.matching import fold

if TYPE_CHECKING:
    from pipeline.models.base import Position
    from pipeline.models.structure import MentionAt, Table, TableCell, Target
    from pipeline.structure.view import DocumentView

_PAGES_AFTER_CAPTION = 1
_SLACK = 300
_JOIN = compile_late(r"\s*(?:of|in|from|do|da|na|no|,)\s+(?:the\s+)?$", re.IGNORECASE)


class Selection(NamedTuple):
    """Cells of a table and why, or no cells and why not; `is_ambiguous` when more than one row or column fits."""

    table: Table | None
    cells: tuple[TableCell, ...]
    why: str
    is_ambiguous: bool = False


def find_table(view: DocumentView, target: Target) -> Table | None:
    """The grid that belongs to a table's caption; None where its cells cannot be read."""
    page = target.start[0]
    for number in range(page, min(page + _PAGES_AFTER_CAPTION, len(view.document.pages)) + 1):
        for table in view.tables_on(number):
            if table.label and fold(table.label) == fold(target.label):
                return table
    return None


def select_cells(view: DocumentView, mention: MentionAt) -> Selection:
    """The cells of the row or column that a mention names."""
    named = _find_named_table(view, mention)
    if named is None:
        return Selection(None, (), f"no table is named before {mention.text}")
    return select_in(view, named, mention.kind, mention.key.partition(":")[2])


def select_in(view: DocumentView, named: str, kind: str, label: str) -> Selection:
    """The cells of a row or column with a label, in the table with a key ("table:3")."""
    targets = view.registry.find(named)
    if len(targets) != 1:
        why = f"{named} stands {len(targets)} times in this document" if targets else f"there is no {named}"
        return Selection(None, (), why, is_ambiguous=len(targets) > 1)
    table = find_table(view, targets[0])
    if table is None:
        return Selection(None, (), f"the cells of {named} could not be read")
    return _select_row(view, table, label) if kind == "row" else _select_column(table, label)


def _find_named_table(view: DocumentView, mention: MentionAt) -> str | None:
    """The key of the table that a row belongs to: named right behind it, the caption it stands in, or named before."""
    place = place_of(mention)
    following = [
        other
        for other in list_mentions(view, place, (mention.extent.page, mention.extent.line_end + 2))
        if other.kind == "table" and (place_of(other), other.extent.start_offset) > (place, mention.extent.start_offset)
    ]
    if following and ":" in following[0].key and following[0].key[-2:] not in ("-1", "+1"):
        between = read_after(view, mention).partition(following[0].text)[0]
        # "(C) and (D) of Table 3" names the table for both rows
        if _JOIN.search(between) and len(between) < 40 and "." not in between:
            return following[0].key
    for caption in view.captions:
        inside = caption.extent.page == place[0] and caption.extent.line_start <= place[1] <= caption.extent.line_end
        if caption.kind == "table" and inside:
            return f"table:{fold(caption.label)}"
    # what was named last in this section is what "row (E)" goes on about; other sections have tables of their own
    section = view.document.section_at(place)
    start: Position = section.start if section is not None else (place[0], 1)
    named = [
        other
        for other in view.mentions_in(start, (place[0], place[1] + 1))
        if other.kind == "table" and (place_of(other), other.extent.start_offset) < (place, mention.extent.start_offset)
    ]
    return max(named, key=lambda other: (place_of(other), other.extent.start_offset)).key if named else None


def _clean(text: str) -> str:
    return fold(text).strip(" ().:[]")


def _select_row(view: DocumentView, table: Table, label: str) -> Selection:
    name = label.strip("()")
    firsts = [cell for cell in table.cells if cell.column == 0]
    heads = [cell for cell in firsts if _clean(cell.text) == name]
    openers = frozenset(cell.row for cell in firsts)
    if not heads:
        # the label shares its cell with the text of the row; rows set further in belong to the label above them
        heads = [cell for cell in firsts if fold(cell.text).startswith(f"({name}) ")]
        edge = min((_left(view, head) for head in heads), default=0) + _SLACK
        openers = frozenset(cell.row for cell in firsts if _left(view, cell) <= edge)
    # two rows of one label are two answers, and choosing is guessing
    if len(heads) != 1:
        why = f"{len(heads)} rows are labelled {label}" if heads else f"no row is labelled {label}"
        return Selection(table, (), why, is_ambiguous=bool(heads))
    rows = _find_group(view, table, heads[0], openers)
    if not rows:
        return Selection(table, (), f"which rows belong to {label} is not plain", is_ambiguous=True)
    cells = tuple(cell for cell in table.cells if cell.row in rows)
    return Selection(table, cells, f"row {label} of table {table.label}")


def _left(view: DocumentView, cell: TableCell) -> int:
    extent = cell.extents[0]
    line = view.document.line_at(extent.page, extent.line_start)
    return 0 if line is None else line.box[0]


def _find_group(view: DocumentView, table: Table, head: TableCell, openers: frozenset[int]) -> frozenset[int]:
    """The rows that share the label of one: a label set at the middle of its rows, or at the top of them.

    Where labels stand alone between the rows they are at the middle, and each group reaches as far below its label as
    above it. Else a label opens its group, unless the gaps between the rows say otherwise.
    """
    tops = _measure_tops(view, table)
    labelled = sorted(openers)
    alone = [row for row in labelled if not any(cell.row == row and cell.column for cell in table.cells)]
    if not alone:
        return _take_below(tops, labelled, head.row)
    first = min(tops)
    for row in labelled:
        above = tops[row] - tops[first]
        low, high = tops[first] - _SLACK, tops[row] + above + _SLACK
        group = [other for other in sorted(tops) if low <= tops[other] <= high]
        is_even = group and abs(tops[group[-1]] - tops[row] - above) <= _SLACK
        # a group that reaches further on one side, or over another label, is not what the layout says
        if not is_even or any(other in labelled and other != row for other in group):
            return frozenset()
        if row == head.row:
            return frozenset(group)
        later = [other for other in sorted(tops) if tops[other] > high]
        if not later:
            return frozenset()
        first = later[0]
    return frozenset()


def _measure_tops(view: DocumentView, table: Table) -> dict[int, int]:
    """For each row the middle of its first line, in hundredths of a point; pages follow one another."""
    tops: dict[int, int] = {}
    for cell in table.cells:
        extent = cell.extents[0]
        line = view.document.line_at(extent.page, extent.line_start)
        if line is not None:
            middle = (line.box[1] + line.box[3]) // 2 + extent.page * 10_000_000
            tops[cell.row] = min(middle, tops.get(cell.row, middle))
    return tops


def _take_below(tops: dict[int, int], labelled: list[int], head: int) -> frozenset[int]:
    if any(row < labelled[0] for row in tops):
        # rows above the first label belong to a label below them
        return frozenset()
    following = [row for row in labelled if row > head]
    stop = following[0] if following else max(tops) + 1
    group = [row for row in sorted(tops) if head <= row < stop]
    inner = [tops[after] - tops[before] for before, after in pairwise(group)]
    edges = [tops[stop] - tops[group[-1]]] if following else []
    edges += [tops[head] - tops[head - 1]] if head - 1 in tops else []
    # a wider gap inside than at the edge: the labels do not open their groups
    if inner and edges and max(inner) > min(edges) + _SLACK:
        return frozenset()
    return frozenset(group)


def _select_column(table: Table, label: str) -> Selection:
    wanted = label.strip("()")
    places = [place for place, head in enumerate(table.header) if _clean(head) == wanted]
    if len(places) != 1:
        why = f"{len(places)} columns are headed {label}" if places else f"no column is headed {label}"
        return Selection(table, (), why, is_ambiguous=bool(places))
    cells = tuple(cell for cell in table.cells if cell.column == places[0])
    return Selection(table, cells, f"column {label} of table {table.label}")
