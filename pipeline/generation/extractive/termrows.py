"""Rows of a list of terms in two columns: the term stands alone on the left, what it means on the right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.extractive.citing import cite_lines
from pipeline.generation.extractive.reading import Reading
from pipeline.models.answer import Item
from pipeline.structure.term_rows import read_row_meaning
from pipeline.text.anchors import find_anchor
from pipeline.text.matching import join_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.document import Line
    from pipeline.models.question import Anchor


def read_term_row(task: ReaderTask, terms: Sequence[Anchor]) -> Reading | None:
    """What stands to the right of a term in a list of terms; None where the term has no such row."""
    for term in terms:
        for position in task.view.positions_of(term):
            line = task.view.document.line_at(*position)
            if line is None or not _is_all(term, line.text):
                continue
            cell = read_row_meaning(task.view, line)
            if cell:
                return _tell(task, line, cell)
    return None


def _is_all(term: Anchor, text: str) -> bool:
    """Whether a line is the term and nothing else, but for marks around it."""
    # the last word of a sentence, alone on its line, heads no row
    if text.strip()[:1].islower() and text.rstrip().endswith("."):
        return False
    spans = find_anchor(term, text)
    return bool(spans) and not any(map(str.isalnum, text[: spans[0][0]] + text[spans[0][1] :]))


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
