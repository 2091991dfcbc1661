"""Tables as candidates: the rows that carry what is asked for, with their heads, read as a grid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.models.evidence import Candidate, FoundBy, Span
from pipeline.retrieval.candidates import inherit_anchors

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pipeline.models.base import Box, Position
    from pipeline.models.document import Line
    from pipeline.models.question import RetrievalBrief
    from pipeline.models.structure import Table
    from pipeline.structure.view import DocumentView

MAX_WHOLE_ROWS = 20
"""A longer table gives the rows that carry an anchor, each with the row before and after it."""
LENT_SHARE = 500
"""Thousandths of the score of the candidate that a table is derived from: it is read after those found by words."""


def derive_grids(view: DocumentView, brief: RetrievalBrief, source: Candidate, page: int) -> tuple[Candidate, ...]:
    """Candidates of the tables on a page whose rows carry an anchor that the source lacks, in document order.

    Their spans name the parsing method "grid"; they inherit the anchors of the candidate they derive from.
    """
    found: list[Candidate] = []
    positions = _list_positions(view, brief, source, page)
    if not positions:
        return ()
    for table in view.tables_touching(page):
        rows = _choose_rows(table, positions)
        spans = _span_rows(view, table, rows) if rows else ()
        if spans:
            found.append(_derive(view, source, spans, _name_table(table), len(found) + 1))
    return tuple(found)


def _list_positions(view: DocumentView, brief: RetrievalBrief, source: Candidate, page: int) -> frozenset[Position]:
    """Where on the page, or on the one before it, anchors stand that the source does not carry."""
    carried = frozenset((*source.matched, *source.matched_expansions))
    anchors = [anchor for anchor in (*brief.anchors, *brief.expansions) if anchor.key not in carried]
    return frozenset(
        place for anchor in anchors for place in view.positions_of(anchor) if page - 1 <= place[0] <= page + 1
    )


def _choose_rows(table: Table, positions: frozenset[Position]) -> frozenset[int]:
    """Rows to read: all of a short table that carries an anchor, else those around the anchors."""
    hits = {
        cell.row
        for cell in table.cells
        for extent in cell.extents
        if any((extent.page, line) in positions for line in range(extent.line_start, extent.line_end + 1))
    }
    if not hits:
        return frozenset()
    every = frozenset(cell.row for cell in table.cells)
    # a long table would crowd out every other place
    if len(every) <= MAX_WHOLE_ROWS:
        return every
    return every & frozenset(row + step for row in hits for step in (-1, 0, 1))


def _span_rows(view: DocumentView, table: Table, rows: frozenset[int]) -> tuple[Span, ...]:
    """One span a page from the head of the table to its last chosen row; the head stands above the first row."""
    ends: dict[int, tuple[int, int]] = {}
    for cell in table.cells:
        for extent in cell.extents if cell.row in rows else ():
            low, high = ends.get(extent.page, (extent.line_start, extent.line_end))
            ends[extent.page] = (min(low, extent.line_start), max(high, extent.line_end))
    first, line = table.start
    if first in ends and len(rows) == len({cell.row for cell in table.cells}):
        ends[first] = (min(line, ends[first][0]), ends[first][1])
    spans = [Span(page=at, line_start=low, line_end=high, method="grid") for at, (low, high) in sorted(ends.items())]
    return tuple(span for span in spans if view.evidence_lines(span))


def derive_region(view: DocumentView, source: Candidate, lines: Sequence[Line], rank: int) -> Candidate:
    """A candidate over the lines (at least one, of one page) of a table that a layout model saw."""
    page, numbers = lines[0].page, [line.number for line in lines]
    span = Span(page=page, line_start=min(numbers), line_end=max(numbers), method="layout")
    return _derive(view, source, (span,), "a table seen by the layout model", rank)


def derive_again(view: DocumentView, candidate: Candidate, page: int) -> Candidate | None:
    """A derived candidate over what was read anew where its lines stood on a page; None where nothing was."""
    old = {number for span in candidate.spans if span.page == page for number in _count_span(span)}
    lines = view.document.lines_on(page)
    places = [line.box for line in lines if line.number in old and line.hidden == "superseded"]
    fresh = [line for line in lines if line.is_evidence and any(_covers(line.box, box) for box in places)]
    if not fresh:
        return None
    span = Span(page=page, line_start=fresh[0].number, line_end=fresh[-1].number, method=fresh[0].method)
    others = tuple(each for each in candidate.spans if each.page != page)
    spans = tuple(sorted((*others, span), key=lambda each: (each.page, each.line_start)))
    why = f"page {page} was read again by {span.method}"
    found = FoundBy(method="reparse", rank=1, score=candidate.score, why=why)
    return candidate.model_copy(
        update={
            "ref": view.reference(spans),
            "spans": spans,
            "found_by": (*candidate.found_by, found),
            "derived_from": candidate.ref,
        }
    )


def _count_span(span: Span) -> range:
    return range(span.line_start, span.line_end + 1)


def _covers(box: Box, other: Box) -> bool:
    """Whether the middle of one of two boxes lies in the other."""
    return _holds_middle(box, other) or _holds_middle(other, box)


def _holds_middle(outer: Box, inner: Box) -> bool:
    x, y = (inner[0] + inner[2]) // 2, (inner[1] + inner[3]) // 2
    return outer[0] <= x <= outer[2] and outer[1] <= y <= outer[3]


def _name_table(table: Table) -> str:
    name = f"table {table.label}" if table.label else (table.title or "a table without a caption")
    return f"{name} read by the places of its cells"


def _derive(view: DocumentView, source: Candidate, spans: tuple[Span, ...], why: str, rank: int) -> Candidate:
    score = source.score * LENT_SHARE // 1000
    return inherit_anchors(view, source, spans, FoundBy(method="reparse", rank=rank, score=score, why=why))


def is_within(candidate: Candidate, others: Iterable[Candidate]) -> bool:
    """Whether one of the others holds all lines of a candidate: then it brings nothing to read."""
    return any(all(_holds(other, span) for span in candidate.spans) for other in others)


def _holds(other: Candidate, span: Span) -> bool:
    return any(
        mine.page == span.page and mine.line_start <= span.line_start and span.line_end <= mine.line_end
        for mine in other.spans
    )
