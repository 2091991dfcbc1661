"""The focus of a part: the anchors on which absence and drift are judged.

The rule that absence follows: nothing in the document answers (`no_match`) when

* a member with `is_required` occurs nowhere: an identifier, a quoted phrase, an expert concept in none of its forms,
  or what the question asks to be mentioned ("does it require quantum-safe cryptography": no "quantum" anywhere); or
* no member of the focus occurs anywhere.

Occurring means `pipeline.text.anchors.occurs` on some line. A required compound is judged by its rarest word, because
a document may part the words of a compound, but never does without the word that makes it special. Names are never
required: a question may abbreviate the company that the document spells out.
"""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.models.lexicon import Lexicon
from pipeline.models.question import Anchor
from pipeline.question.terms import Word, find_first
from pipeline.question.weights import CONCEPT_WEIGHT
from pipeline.text.matching import fold


def select_focus(anchors: Sequence[Anchor], words: Sequence[Word], lexicon: Lexicon) -> tuple[Anchor, ...]:
    """Focus of a part, strongest first. Without a rare word all its words that are not generic are the focus."""
    asked = _find_asked(words, lexicon)
    names = frozenset(word.folded for word in words if word.is_name)
    required: list[Anchor] = []
    others: list[Anchor] = []
    for anchor in anchors:
        if anchor.source == "quoted" or (anchor.source == "identifier" and ":" not in anchor.key):
            required.append(anchor.model_copy(update={"is_required": True}))
        elif anchor.source == "concept":
            if anchor.weight >= CONCEPT_WEIGHT and (anchor.zipf < lexicon.max_focus_zipf or " " in anchor.text):
                required.append(anchor.model_copy(update={"is_required": True}))
            elif anchor.weight >= CONCEPT_WEIGHT:
                others.append(anchor)
        elif anchor.source in ("word", "compound"):
            _place_word(anchor, asked, names, lexicon, (required, others))
    return (*required, *others)


def _place_word(
    anchor: Anchor,
    asked: frozenset[str],
    names: frozenset[str],
    lexicon: Lexicon,
    places: tuple[list[Anchor], list[Anchor]],
) -> None:
    required, others = places
    if anchor.zipf >= lexicon.max_focus_zipf:
        return
    folded = fold(anchor.text)
    is_asked = folded in asked and folded not in names and anchor.source == "word"
    if is_asked:
        required.append(_require(anchor, lexicon))
    else:
        others.append(anchor)


def _require(anchor: Anchor, lexicon: Lexicon) -> Anchor:
    """The anchor as required; a hyphenated word also counts where its rarest part stands."""
    parts = [part for part in fold(anchor.text).split("-") if part]
    rarest = min(parts, key=lambda part: (lexicon.zipf_of(part), part))
    return anchor.model_copy(update={"is_required": True, "forms": tuple(dict.fromkeys((*anchor.forms, rarest)))})


def _find_asked(words: Sequence[Word], lexicon: Lexicon) -> frozenset[str]:
    """Words after "say about", "require", "mention" and the like."""
    place = find_first(lexicon.mention_cues, words)
    return frozenset(word.folded for word in words[place.stop :]) if place is not None else frozenset()
