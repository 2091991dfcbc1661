"""Keywords found on the way: forms of concepts from the lexicon, abbreviations and words that the evidence uses."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.models.question import Anchor
from pipeline.text.anchors import occurs
from pipeline.text.matching import fold
from pipeline.text.tokens import stem, tokenize

if TYPE_CHECKING:
    from pipeline.models.evidence import Evidence
    from pipeline.models.lexicon import Lexicon
    from pipeline.models.question import RetrievalBrief
    from pipeline.structure.view import DocumentView

# An expansion never weighs as much as the rarest words of the question: it adds to the ranking, it does not lead it.
CONCEPT_WEIGHT, ABBREVIATION_WEIGHT, HEADING_WEIGHT = 500, 400, 250
READ_PIECES, MAX_HEADING_WORDS = 3, 4


def find_expansions(
    view: DocumentView,
    lexicon: Lexicon,
    brief: RetrievalBrief,
    evidence: tuple[Evidence, ...],
    discovered: tuple[str, ...],
) -> tuple[Anchor, ...]:
    """Keywords to add to a query, most informative first; the loop keeps what is new and has room."""
    own = tuple(piece for piece in evidence if piece.candidate.sub_question == brief.sub_question)[:READ_PIECES]
    words = [(word, CONCEPT_WEIGHT) for word in discovered]
    words += [(form, CONCEPT_WEIGHT) for form in _find_concept_forms(lexicon, brief)]
    words += [(short, ABBREVIATION_WEIGHT) for short in _find_abbreviations(brief, own)]
    words += [(word, HEADING_WEIGHT) for word in _find_heading_words(view, brief, own)]
    made = (_make_anchor(word, weight, brief.language) for word, weight in words)
    return tuple(dict.fromkeys(anchor for anchor in made if anchor is not None))


def _make_anchor(text: str, weight: int, language: str) -> Anchor | None:
    folded = fold(text)
    tokens = tokenize(folded)
    if not tokens:
        return None
    is_phrase = " " in folded
    key = folded if is_phrase else stem(folded, language)
    return Anchor(text=text, key=key, source="compound" if is_phrase else "word", forms=(folded,), weight=weight)


def _find_concept_forms(lexicon: Lexicon, brief: RetrievalBrief) -> list[str]:
    """Other forms of the concepts that the anchors name; anchors of concepts carry theirs already."""
    asked = [anchor for anchor in brief.anchors if anchor.source != "concept"]
    forms: list[str] = []
    for concept in lexicon.concepts:
        folded = [fold(form) for form in concept.forms]
        if any(occurs(anchor, form) for anchor in asked for form in folded if len(form) > 3):
            forms += list(concept.forms)
    return forms


def _find_abbreviations(brief: RetrievalBrief, evidence: tuple[Evidence, ...]) -> list[str]:
    """Abbreviations in brackets right behind an anchor: "multi-factor authentication (MFA)"."""
    found: list[str] = []
    for piece in evidence:
        text = " ".join(line.text for line in piece.lines)
        for match in re.finditer(r"([\w-]+ [\w-]+)\s\(([A-Z][A-Za-z]{1,6})\)", text):
            if any(occurs(anchor, fold(match.group(1))) for anchor in brief.anchors):
                found.append(match.group(2))
    return found


def _find_heading_words(view: DocumentView, brief: RetrievalBrief, evidence: tuple[Evidence, ...]) -> list[str]:
    """Rare words of the headings above the best evidence."""
    found: list[str] = []
    for piece in evidence:
        for token in tokenize(" ".join(piece.breadcrumb[-1:])):
            is_word = token.isalpha() and len(token) > 3 and token not in view.lexicon.stop_word_set
            if is_word and not any(occurs(anchor, token) for anchor in brief.anchors):
                found.append(token)
    return found[:MAX_HEADING_WORDS]
