"""Lines on which a concept stands together with a value of the type that is asked for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.models.question import RetrievalBrief
    from pipeline.retrieval.hits import Hits
    from pipeline.structure.view import DocumentView

_NUMBER = r"\d[\d,.]*"
_PATTERNS = {
    "number": rf"(?<![\w.]){_NUMBER}(?![\w])|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b",
    "money": rf"[$€£¥]\s*{_NUMBER}|{_NUMBER}\s*(?:usd|eur|gbp|dollars?|euros?|million|billion)\b|\(?\d{{1,3}}(?:,\d{{3}})+",
    "percent": rf"{_NUMBER}\s*(?:%|percent\b|per cent\b|percentage points?\b)",
    "date": r"\b(?:19|20)\d\d\b|\b\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}\b",
    "duration": r"\b(?:\d+|one|two|three|four|five|six|seven|ten|twelve|thirty|sixty|ninety)\W+(?:\w+\W+)?"
    r"(?:second|minute|hour|day|week|month|quarter|year)s?\b",
}
ROW_REACH = 8
"""Lines after a label that may still be its row: the cells of a row are lines of their own."""


def find_value_lines(view: DocumentView, brief: RetrievalBrief, hits: Hits) -> tuple[int, ...]:
    """Lines (ascending indices) with an anchor of the focus or a concept, and a fitting value on the same row."""
    source = _PATTERNS.get(brief.value_type)
    if source is None:
        return ()
    pattern = re.compile(source)
    focus = {anchor.key for anchor in brief.focus}
    terms = [term for term in hits.terms if term.anchor.key in focus or term.anchor.source in ("concept", "compound")]
    lines = sorted({line for term in (terms or hits.terms) for line in term.lines})
    return tuple(line for line in lines if _has_value(view, line, pattern))


def _has_value(view: DocumentView, index: int, pattern: re.Pattern[str]) -> bool:
    lines, folded = view.document.lines, view.document.folded
    if pattern.search(folded[index]):
        return True
    label = lines[index]
    middle = (label.box[1] + label.box[3]) // 2
    for other in range(index + 1, min(index + 1 + ROW_REACH, len(lines))):
        cell = lines[other]
        if cell.page != label.page:
            return False
        if cell.box[1] <= middle <= cell.box[3] and pattern.search(folded[other]):
            return True
    return False
