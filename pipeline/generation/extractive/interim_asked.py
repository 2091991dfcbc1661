"""What is asked of a part of a year or of a day: the time, and what a row and a column have to say besides it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.narrowing import read_own_names
from pipeline.models.question import Anchor
from pipeline.question.concepts import find_concepts
from pipeline.question.operations import read_operation
from pipeline.question.terms import cue_of, split_words
from pipeline.structure.times import Time, read_time
from pipeline.text.matching import contains_folded, fold
from pipeline.text.tokens import stem

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.lexicon import Concept

WORD_WEIGHT = 500


class Asked(NamedTuple):
    """What is asked: the time (None where none is named), the other words, the concept, and whether a rate is meant.

    `names` are the document's own, folded.
    """

    time: Time | None
    rest: str
    needed: tuple[Anchor, ...]
    concept: Concept | None
    is_rate: bool | None
    names: str


def read_asked(task: ReaderTask) -> Asked | None:
    """What is asked; None where several times are, where something is to be computed, or no part of a year is meant."""
    lexicon = task.view.lexicon
    text = task.part.text
    time, rest = read_time(text, lexicon)
    again, _ = read_time(rest, lexicon)
    if len(task.question.periods) > 1 or again.quarter or again.month or task.question.exclusions:
        return None
    is_named = bool(time.quarter or time.months or (time.month and time.day and time.year))
    if not is_named and (task.question.periods or time.year or time.month):
        return None
    operation = read_operation(text, lexicon)
    if operation.direction or operation.choice or operation.bounds or task.part.shape in ("boolean", "definition"):
        return None
    words = split_words(rest, lexicon)
    concepts = [place.concept for place in find_concepts(words, lexicon)]
    concept = concepts[0] if len({one.name for one in concepts}) == 1 else None
    names = read_own_names(task)
    needed = _list_needed(task, rest, concept, names)
    if not needed or (not is_named and (concept is None or not concept.places or len(needed) > 1)):
        return None
    return Asked(time if is_named else None, rest, needed, concept, _asks_rate(task, rest, concept), names)


def _asks_rate(task: ReaderTask, rest: str, concept: Concept | None) -> bool | None:
    """Whether a percentage is asked for; None where a change or a part may be told as one or as an amount."""
    cues = task.view.lexicon.calculation_cues
    words = fold(rest)
    if "%" in rest or any(contains_folded(cue, words) for cue in cue_of(cues, "rate words")):
        return True
    if any(contains_folded(cue, words) for cue in cue_of(cues, "rate or amount")):
        return None
    return concept is not None and concept.value_type == "percent"


def _list_needed(task: ReaderTask, rest: str, concept: Concept | None, names: str) -> tuple[Anchor, ...]:
    """What a row, a column or a title has to say: the concept as asked, and each further word that says something."""
    lexicon = task.view.lexicon
    empty = (lexicon.stop_word_set, lexicon.generic_set, lexicon.light_verb_set, lexicon.document_noun_set)
    further = (lexicon.question_words, lexicon.quantity_nouns, cue_of(lexicon.calculation_cues, "rate words"))
    kept = cue_of(lexicon.calculation_cues, "rate or amount")
    needed = [
        anchor
        for anchor in task.part.anchors
        if anchor.source == "concept" and concept is not None and anchor.key == concept.name
    ]
    said = {word for anchor in needed for word in fold(anchor.text).split()}
    # "inventories, net" are the inventories: "net" tells no two rows of a known figure apart
    said |= set(cue_of(lexicon.calculation_cues, "net words")) if needed else set()
    is_own = False
    for word in split_words(rest, lexicon):
        is_empty = any(word.folded in group for group in (*empty, *further)) and word.folded not in kept
        # "Harbour plc": what goes on with a name of the document's own is of that name
        is_own = contains_folded(word.folded, names) and (word.is_name or is_own)
        if (is_empty and not word.is_capitals) or word.folded in said or word.is_number or is_own:
            continue
        key = stem(word.folded, lexicon.language)
        needed.append(Anchor(text=word.text, key=key, source="word", forms=(word.folded,), weight=WORD_WEIGHT))
    return tuple(dict.fromkeys(needed))
