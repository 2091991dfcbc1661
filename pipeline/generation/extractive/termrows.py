"""Rows of a list of terms in two columns: the term stands alone on the left, what it means on the right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.extractive.citing import cite_lines
from pipeline.generation.extractive.reading import Reading
from pipeline.models.answer import Item
from pipeline.text.anchors import find_anchor
from pipeline.text.matching import join_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.document import Line
    from pipeline.models.question import Anchor

MIN_ROWS = 4
"""Rows with the same two edges that make two columns of words a list of terms."""
SAME_EDGE = 300
"""Hundredths of a point within which two cells begin at the same edge."""
MAX_WRAPPED = 6


def read_term_row(task: ReaderTask, terms: Sequence[Anchor]) -> Reading | None:
    """What stands to the right of a term in a list of terms; None where the term has no such row."""
    for term in terms:
        for position in task.view.positions_of(term):
            line = task.view.document.line_at(*position)
            if line is None or not _is_all(term, line.text):
                continue
            page = [
                other for other in task.view.document.lines_on(line.page) if other.is_evidence and other.text.strip()
            ]
            right = _find_right(page, line)
            if right is not None and _is_listed(page, line, right):
                return _tell(task, line, _wrap(page, line, right))
    return None


def _is_all(term: Anchor, text: str) -> bool:
    """Whether a line is the term and nothing else, but for marks around it."""
    spans = find_anchor(term, text)
    return bool(spans) and not any(map(str.isalnum, text[: spans[0][0]] + text[spans[0][1] :]))


def _find_right(page: Sequence[Line], line: Line) -> Line | None:
    """The nearest cell to the right of a line, when it holds words and no figure."""
    half = (line.box[3] - line.box[1]) // 2
    beside = [other for other in page if other.box[0] >= line.box[2] and abs(other.box[1] - line.box[1]) <= half]
    cell = min(beside, key=lambda other: other.box[0], default=None)
    return cell if cell is not None and _is_worded(cell.text) else None


def _is_worded(text: str) -> bool:
    words = [word for word in text.split() if any(map(str.isalpha, word))]
    return len(words) * 2 > len(text.split()) and any(len(word) > 2 for word in words)


def _is_listed(page: Sequence[Line], line: Line, right: Line) -> bool:
    """Whether enough other rows of the page have a cell of words at the same two edges."""
    lefts = [other for other in page if abs(other.box[0] - line.box[0]) <= SAME_EDGE]
    rows = [cell for other in lefts if (cell := _find_right(page, other)) is not None]
    return sum(abs(cell.box[0] - right.box[0]) <= SAME_EDGE for cell in rows) >= MIN_ROWS


def _wrap(page: Sequence[Line], line: Line, right: Line) -> list[Line]:
    """The cell with its further lines: at its edge, right below, before the next term."""
    height = line.box[3] - line.box[1]
    below = [
        other.box[1] for other in page if abs(other.box[0] - line.box[0]) <= SAME_EDGE and other.box[1] > line.box[1]
    ]
    stop = min(below, default=10**9) - height // 2
    cell, last = [right], right
    for other in page:
        is_next = 0 < other.box[1] - last.box[1] <= 2 * height and other.box[1] < stop
        if is_next and abs(other.box[0] - right.box[0]) <= SAME_EDGE and len(cell) < MAX_WRAPPED:
            cell.append(other)
            last = other
    return cell


def _tell(task: ReaderTask, line: Line, cell: Sequence[Line]) -> Reading | None:
    citations = (*cite_lines(task.view, (line,)), *cite_lines(task.view, cell))
    if not citations:
        return None
    label = line.text.strip().strip(":")
    meaning = join_lines([other.text for other in cell]).display.strip()
    item = Item(
        sub_question=task.part.id,
        text=f"{label}: {meaning}",
        label=label,
        value=meaning,
        citations=citations,
        extraction="verbatim",
    )
    return Reading(text=item.text, items=(item,), has_typed_fit=True, has_second_place=True)
