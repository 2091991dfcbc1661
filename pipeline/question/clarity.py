"""When to ask back: a question in which nothing specific is left to look for."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from pipeline.models.lexicon import Lexicon
from pipeline.models.question import Question
from pipeline.question.terms import Word, cue_of, split_words
from pipeline.text.matching import contains_folded, fold

_SPECIFIC = ("quoted", "identifier", "compound", "concept")


def find_clarification(question: Question, core: str, lexicon: Lexicon) -> str | None:
    """What to ask back, in English, or None where the question is specific enough.

    A summary of the document itself is specific; a generic noun alone ("the cap"), a pronoun or a year is not.
    """
    if any(hint.kind != "layout" for hint in question.hints) or question.focus:
        return None
    if any(anchor.source in _SPECIFIC for anchor in question.anchors):
        return None
    words = split_words(core, lexicon)
    if question.intent == "summary" and any(word.folded in lexicon.document_noun_set for word in words):
        return None
    # who wrote the document in hand is asked without a word of its content
    if any(contains_folded(cue, fold(core)) for cue in cue_of(lexicon.value_cues, "wrote")):
        return None
    # "Levels" inside a sentence is a term that the document defines, however common the word is
    if any(word.is_name and word.folded in lexicon.generic_set for word in words[1:]):
        return None
    # a term may be made of words that say nothing alone: "an information type"
    if question.intent == "definition" and _holds_pair(words, lexicon):
        return None
    named = [anchor.text for anchor in question.anchors if anchor.source in ("word", "number", "period")]
    if any(
        anchor.source == "word" and anchor.key and not _is_generic(anchor.text, lexicon) for anchor in question.anchors
    ):
        return None
    if named:
        return f'"{named[0]}" alone is not specific: name what it belongs to, a section or a page.'
    return "The question names nothing to look for: name a term, a section or a page."


def _holds_pair(words: Sequence[Word], lexicon: Lexicon) -> bool:
    """Whether two generic nouns stand side by side, neither of them a word of asking for a meaning."""
    asking = cue_of(lexicon.value_cues, "meaning")
    nouns = [word.folded in lexicon.generic_set and word.folded not in asking for word in words]
    return any(before and after for before, after in pairwise(nouns))


def _is_generic(text: str, lexicon: Lexicon) -> bool:
    return text.casefold() in lexicon.generic_set or text.casefold() in lexicon.operator_set
