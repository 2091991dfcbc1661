"""Plain tests of a question for readers that take their time to import: what it may ask of tables."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from pipeline.question.terms import cue_of
from pipeline.text.matching import contains_folded, fold

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask

MIN_CAPITALS = 3
PAIRED = ("difference", "sum", "sum named")


def asks_pair(task: ReaderTask) -> bool:
    """Whether a question may ask for the gap or the sum of two things in a table; a plain test."""
    if task.part.shape in ("boolean", "list") or not task.view.lexicon.superlatives:
        return False
    cues = (cue for name in PAIRED for cue in cue_of(task.view.lexicon.superlatives, name))
    folded = fold(task.part.text)
    return any(contains_folded(cue, folded) for cue in cues)


def names_label(task: ReaderTask) -> bool:
    """Whether lines begin with something that labels of rows are: "Tier 2", "HIGH", or the noun behind "which"."""
    part, document = task.part, task.view.document
    words = fold(part.text).split()
    selects = cue_of(task.view.lexicon.value_cues, "selects")
    nouns = {behind for word, behind in pairwise(words) if word in selects}
    for anchor in part.anchors:
        is_numbered = anchor.source == "compound" and anchor.text[-1:].isdigit() and len(anchor.text.split()) == 2
        if not is_numbered and len(anchor.text) < MIN_CAPITALS:
            continue
        # a name that stands alone on a line, or before a colon
        form = fold(anchor.text)
        may_head = anchor.text.isupper() or form in nouns
        for place in task.view.positions_of(anchor):
            index = document.index_of(place)
            line = document.folded[index].strip()
            if line == form and (is_numbered or may_head or document.lines[index].text.strip().isupper()):
                return True
            if is_numbered and line.startswith((f"{form}:", f"{form} ")):
                return True
    return False
