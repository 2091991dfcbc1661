"""When to ask back: a question in which nothing specific is left to look for."""

from __future__ import annotations

from pipeline.models.lexicon import Lexicon
from pipeline.models.question import Question
from pipeline.question.terms import split_words

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
    # "Levels" inside a sentence is a term that the document defines, however common the word is
    if any(word.is_name and word.folded in lexicon.generic_set for word in words[1:]):
        return None
    named = [anchor.text for anchor in question.anchors if anchor.source in ("word", "number", "period")]
    if any(
        anchor.source == "word" and anchor.key and not _is_generic(anchor.text, lexicon) for anchor in question.anchors
    ):
        return None
    if named:
        return f'"{named[0]}" alone is not specific: name what it belongs to, a section or a page.'
    return "The question names nothing to look for: name a term, a section or a page."


def _is_generic(text: str, lexicon: Lexicon) -> bool:
    return text.casefold() in lexicon.generic_set
