"""Figures that are not those of a statement: adjusted, organic or core ones, of which a plain row is no answer."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from pipeline.question.concepts import find_concepts
from pipeline.question.terms import cue_of, split_words
from pipeline.text.matching import contains_folded, fold

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.lexicon import Lexicon

NEAR_WORDS = 2
Restated = frozenset[str]


def find_restated(text: str, lexicon: Lexicon) -> Restated:
    """The ways of restating that a text says; "adjusted" and "non-GAAP" are one."""
    same = cue_of(lexicon.calculation_cues, "adjusted")
    return _find(fold(text), cue_of(lexicon.calculation_cues, "restated"), same)


@lru_cache(maxsize=8192)
def _find(folded: str, cues: tuple[str, ...], same: tuple[str, ...]) -> Restated:
    return frozenset((same[0] if cue in same else cue) for cue in cues if contains_folded(cue, folded))


def find_asked_restated(task: ReaderTask) -> Restated | None:
    """The ways of restating said right before a figure that the question names; None where it names no figure.

    "core" of "the core functions" restates nothing, since no figure follows.
    """
    lexicon = task.view.lexicon
    text = task.part.text
    words = split_words(text, lexicon)
    places = [place for place in find_concepts(words, lexicon) if place.concept.value_type in ("money", "percent")]
    if not places:
        return None
    # the word may stand before the name, inside it or in parentheses behind it
    found: set[str] = set()
    for place in places:
        near = words[max(0, place.first - NEAR_WORDS) : place.stop + 1]
        found |= find_restated(text[near[0].start : near[-1].end], lexicon)
    return frozenset(found)


def is_plain_for(asked: Restated | None, given: Restated) -> bool:
    """Whether a row lacks a restatement that the question asks for, so that it is of another figure."""
    return asked is not None and not asked <= given


def is_unadjusted(asked: Restated | None, text: str, lexicon: Lexicon) -> bool:
    """Whether an adjusted figure is asked for and a row or column says that its figures are as reported."""
    adjusted = cue_of(lexicon.calculation_cues, "adjusted")
    is_asked = bool(asked) and bool(adjusted) and adjusted[0] in (asked or ())
    folded = fold(text)
    return is_asked and any(contains_folded(cue, folded) for cue in cue_of(lexicon.calculation_cues, "unadjusted"))


def lacks_share(task: ReaderTask, text: str) -> bool:
    """Whether a question asks for an amount per share and a text does not say that it is one."""
    cues = cue_of(task.view.lexicon.calculation_cues, "per share")
    asked, said = fold(task.part.text), fold(text)
    return any(contains_folded(cue, asked) for cue in cues) and not any(contains_folded(cue, said) for cue in cues)
