"""Plain tests of a question for readers that take their time to import: what it may ask of tables."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from pipeline.question.terms import cue_of
from pipeline.structure.times import read_time
from pipeline.text.matching import contains_folded, fold

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import Reader, ReaderTask

MIN_CAPITALS = 3
GROUND_SHAPES = frozenset({"list", "text", "definition"})
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
    words = fold(part.text).replace(":", " ").replace(",", " ").split()
    pairs = list(pairwise(words))
    # "Tier 2" alone on a line, or before a colon or a name
    forms = [f"{noun} {number}" for noun, number in pairs if noun.isalpha() and number.isdigit()]
    placed = {fold(hint.value) for hint in task.question.hints}
    # neither a day nor a place of the document is a label
    numbered = tuple(form for form in forms if form not in placed and read_time(form, task.view.lexicon)[1] == form)
    starts = tuple(f"{form}{end}" for form in numbered for end in (":", " "))
    if numbered and any(line.startswith(starts) or line.strip() in numbered for line in document.folded):
        return True
    selects = cue_of(task.view.lexicon.value_cues, "selects")
    nouns = {behind for word, behind in pairs if word in selects}
    for anchor in part.anchors:
        form = fold(anchor.text)
        may_head = anchor.text.isupper() or form in nouns
        if len(form) < MIN_CAPITALS:
            continue
        for place in task.view.positions_of(anchor):
            index = document.index_of(place)
            is_alone = document.folded[index].strip() == form
            if is_alone and (may_head or document.lines[index].text.strip().isupper()):
                return True
    return False


def list_ground_readers(task: ReaderTask) -> tuple[Reader, ...]:
    """The readers of what counts as a defined term, where a question quotes one or says a noun of grounds."""
    if task.part.shape not in GROUND_SHAPES:
        return ()
    nouns = cue_of(task.view.lexicon.value_cues, "ground nouns")
    has_noun = any(word in nouns for word in fold(task.part.text).split())
    if not has_noun and not any(anchor.source == "quoted" for anchor in task.part.anchors):
        return ()
    from pipeline.generation.extractive.grounds import read_grounds, read_named_term

    return (read_grounds, read_named_term)
