"""Rows of a list of terms in two columns: the term stands alone on the left, what it means on the right."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.models.document import Line
    from pipeline.structure.view import DocumentView

MIN_ROWS = 4
"""Rows with the same two edges that make two columns of words a list of terms."""
SAME_EDGE = 300
"""Hundredths of a point within which two cells begin at the same edge."""
MAX_WRAPPED = 6
MAX_LABEL = 60


def read_row_meaning(view: DocumentView, line: Line) -> tuple[Line, ...]:
    """The lines to the right of a term in a list of terms; none where the line is no term of such a list."""
    page = _list_readable(view, line.page)
    right = _find_right(page, line)
    if right is None or not _is_listed(page, line, right):
        return ()
    return tuple(_wrap(page, line, right))


def list_row_terms(view: DocumentView, line: Line) -> tuple[Line, ...]:
    """The terms of the list of terms that a line is a term of, on its page and the ones beside it."""
    found: list[Line] = []
    for number in (line.page - 1, line.page, line.page + 1):
        page = _list_readable(view, number)
        found += [
            other
            for other in page
            if abs(other.box[0] - line.box[0]) <= SAME_EDGE
            and len(other.text) <= MAX_LABEL
            and (right := _find_right(page, other)) is not None
            and _is_listed(page, other, right)
        ]
    return tuple(found)


def _list_readable(view: DocumentView, number: int) -> list[Line]:
    return [line for line in view.document.lines_on(number) if line.is_evidence and line.text.strip()]


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
