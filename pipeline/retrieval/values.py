"""Lines on which a concept stands together with a value of the type that is asked for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.text.matching import fold

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
SENTENCE_STRENGTH = 0.3
"""A value in running text near the concept, as against one in the concept's own row."""
MAX_LABEL_WORDS = 12
"""A longer line is a sentence, not the label of a row."""
_CELL = re.compile(r"[\s$€£¥()+\-]*\d[\d,. ]*[)%\s]*(?:%|x|bps|pts)?[)\s]*")


def find_value_lines(view: DocumentView, brief: RetrievalBrief, hits: Hits) -> dict[int, float]:
    """Lines with an anchor and a value of the type asked for, with how well they fit: 0 to 1.

    In a row, label and values count by the share of the anchors' weight that the label holds; in a sentence the value
    has to be of the type asked for.
    """
    pattern = _choose_pattern(view, brief)
    if pattern is None:
        return {}
    focus = {anchor.key for anchor in brief.focus}
    strengths: dict[int, float] = {}
    shares: dict[int, float] = {}
    for term in hits.terms:
        is_content = term.anchor.key in focus or term.anchor.source in ("concept", "compound", "identifier", "quoted")
        for line in term.lines if term.anchor.source != "period" else ():
            shares[line] = shares.get(line, 0.0) + term.weight / hits.total
            if is_content:
                strengths.setdefault(line, 0.0)
    for line in strengths:
        if is_row(view, line):
            strengths[line] = min(1.0, SENTENCE_STRENGTH + shares[line])
        elif pattern.search(view.document.folded[line]):
            strengths[line] = SENTENCE_STRENGTH
    return {line: strength for line, strength in strengths.items() if strength}


def _choose_pattern(view: DocumentView, brief: RetrievalBrief) -> re.Pattern[str] | None:
    """The pattern of the type asked for, or of the first concept's where a figure has to decide a yes or no."""
    types = [brief.value_type]
    if brief.shape in ("value", "boolean", "comparison", "count"):
        concepts = {fold(concept.name): concept.value_type for concept in view.lexicon.concepts}
        types += [concepts.get(anchor.key, "any") for anchor in brief.anchors if anchor.source == "concept"]
    source = next((_PATTERNS[kind] for kind in types if kind in _PATTERNS), None)
    return re.compile(source) if source else None


def is_row(view: DocumentView, index: int) -> bool:
    """Whether a line is the label of a row: short, with a figure at its end or in a cell beside it."""
    lines, folded = view.document.lines, view.document.folded
    label = lines[index]
    words = folded[index].split(" ")
    if len(words) > MAX_LABEL_WORDS:
        return False
    if len(words) > 2 and _CELL.fullmatch(words[-1]) and _CELL.fullmatch(words[-2]):
        return True
    middle = (label.box[1] + label.box[3]) // 2
    for other in range(index + 1, min(index + 1 + ROW_REACH, len(lines))):
        cell = lines[other]
        if cell.page != label.page or cell.box[1] > middle:
            return False
        if cell.box[3] >= middle and _CELL.fullmatch(folded[other]):
            return True
    return False
