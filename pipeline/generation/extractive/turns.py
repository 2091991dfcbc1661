"""Which way a superlative turns: "fell the most" asks for the greatest loss, and for no highest or lowest value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.question.terms import cue_of, find_phrase, split_words

if TYPE_CHECKING:
    from pipeline.models.lexicon import Lexicon
    from pipeline.question.operations import Operation

WORDS_BESIDE = 3


def read_turn(text: str, operation: Operation, lexicon: Lexicon) -> int:
    """-1 where the superlative of a question is of what fell, 1 of what rose, 0 where it is of values as they are."""
    words = split_words(text, lexicon)
    place = find_phrase(operation.cue, words) if operation.cue else None
    if place is None:
        return 0
    near = words[max(0, place.first - WORDS_BESIDE) : place.stop + WORDS_BESIDE - 1]
    for label, turn in (("falls", -1), ("rises", 1)):
        if any(word.folded in cue_of(lexicon.superlatives, label) for word in near):
            return turn
    return 0
