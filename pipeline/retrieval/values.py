"""Lines on which a concept stands together with a value of the type that is asked for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.text.late import compile_late
from pipeline.text.matching import fold
from pipeline.text.numbers import find_quantities

if TYPE_CHECKING:
    from pipeline.models.question import RetrievalBrief
    from pipeline.retrieval.hits import Hits
    from pipeline.structure.view import DocumentView

# what a value of a type looks like in any language; words for units are left to the grammar of numbers
_SIGNS = {
    "number": None,
    "money": re.compile(r"[$€£¥]\s*\d|\d\s*[€£¥]|\d{1,3}(?:,\d{3})+"),
    "percent": re.compile(r"\d\s*%"),
    "date": re.compile(r"\b(?:19|20)\d\d\b|\b\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}\b"),
    "duration": None,
}
# lines of one brief that are looked at for a value
MAX_VALUE_LINES = 150
# lines after a label that may still be its row: the cells of a row are lines of their own
ROW_REACH = 8
# a value in running text near the concept, as against one in the concept's own row
SENTENCE_STRENGTH = 0.3
# a longer line is a sentence, not the label of a row
MAX_LABEL_WORDS = 12
_CELL = compile_late(r"[\s$€£¥()+\-]*\d[\d,. ]*[)%\s]*(?:%|x|bps|pts)?[)\s]*")


def find_value_lines(view: DocumentView, brief: RetrievalBrief, hits: Hits) -> dict[int, float]:
    """Lines with an anchor and a value of the type asked for, with how well they fit: 0 to 1.

    In a row, label and values count by the share of the anchors' weight that the label holds; in a sentence the value
    has to be of the type asked for.
    """
    kind = _choose_type(view, brief)
    # a question that only names a place may have no term that weighs anything
    if kind is None or not hits.total:
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
    # reading numbers is dear, and a line with little of the question hardly holds its value
    likely = sorted(strengths, key=lambda line: (-shares[line], line))[:MAX_VALUE_LINES]
    for line in likely:
        if is_row(view, line):
            strengths[line] = min(1.0, SENTENCE_STRENGTH + shares[line])
        elif _holds_value(kind, view.document.folded[line]):
            strengths[line] = SENTENCE_STRENGTH
    return {line: strength for line, strength in strengths.items() if strength}


def _choose_type(view: DocumentView, brief: RetrievalBrief) -> str | None:
    """The type asked for, or that of the first concept with one where a figure may answer."""
    types: list[str] = [brief.value_type]
    if brief.shape in ("value", "boolean", "comparison", "count", "list"):
        concepts = {fold(concept.name): concept.value_type for concept in view.lexicon.concepts}
        types += [concepts.get(anchor.key, "any") for anchor in brief.anchors if anchor.source == "concept"]
    return next((kind for kind in types if kind in _SIGNS), None)


def _holds_value(kind: str, folded: str) -> bool:
    """Whether a line holds a value of a type: by its signs, else by the unit that its words name."""
    signs = _SIGNS[kind]
    if signs is not None and signs.search(folded):
        return True
    if kind == "date" or not any(char.isdigit() for char in folded):
        return False
    # labels ("Figure 5") are no quantities
    for found in find_quantities(folded):
        fits = {
            "number": not found.is_year,
            "money": bool(found.currency),
            "percent": found.is_percent,
            "duration": bool(found.unit) and not found.is_percent,
        }
        if fits[kind]:
            return True
    return False


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
