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

from pipeline.models.lexicon import Lexicon, singular
from pipeline.models.question import Anchor
from pipeline.question.anchors import is_adverb, is_content, make_word_anchor, merge_anchors
from pipeline.question.terms import Word, cue_of, find_first
from pipeline.question.weights import CONCEPT_WEIGHT
from pipeline.text.matching import fold

_ZIPF_BAND = 50  # without a rare word the rarest ones are the focus, within half a Zipf point
_MIN_BASE = 5  # letters that a base keeps, so that "nation" is not "n"


def select_focus(anchors: Sequence[Anchor], words: Sequence[Word], lexicon: Lexicon) -> tuple[Anchor, ...]:
    """Focus of a part, strongest first. Without a rare word all its words that are not generic are the focus."""
    asked = _find_asked(words, lexicon)
    names = frozenset(word.folded for word in words if word.is_name)
    required: list[Anchor] = []
    others: list[Anchor] = []
    spare: list[Anchor] = []
    for anchor in anchors:
        if anchor.source in ("word", "compound"):
            others.extend([anchor] if _is_rare(anchor, names, lexicon) else [])
            spare.extend([anchor] if not _is_rare(anchor, names, lexicon) and _is_specific(anchor, lexicon) else [])
            is_whole = anchor.source == "word" or lexicon.language == "zh"
            if is_whole and anchor in others and _is_asked(anchor, asked - names, lexicon):
                required.append(_require(others.pop(), lexicon))
        elif anchor.source == "quoted" or (anchor.source == "identifier" and ":" not in anchor.key):
            required.append(anchor.model_copy(update={"is_required": True}))
        elif anchor.source == "concept" and anchor.weight >= CONCEPT_WEIGHT:
            if anchor.zipf < lexicon.max_focus_zipf or " " in anchor.text:
                required.append(anchor.model_copy(update={"is_required": True}))
            else:
                others.append(anchor)
    if not required:
        others += _complete(others, spare, names)
    if not required and all(anchor.source == "compound" for anchor in others):
        # a compound may be worded differently: its words speak for it
        members = {key for anchor in others for key in anchor.key.split()}
        others += [anchor for anchor in anchors if anchor.source == "word" and anchor.key in members]
    return (*(_widen(anchor, lexicon) for anchor in required), *others)


def select_members(words: Sequence[Word], lexicon: Lexicon) -> tuple[Anchor, ...]:
    """The nouns for what is put in order or added up, where nothing more telling is named ("the largest of the fees").

    A noun of amounts in the singular ("the highest amount") names nothing.
    """
    ranks = (*cue_of(lexicon.superlatives, "ranks"), *cue_of(lexicon.superlatives, "max date end"))
    found: list[Anchor] = []
    for index, word in enumerate(words):
        is_noun = word.folded in lexicon.generic_set or word.folded in lexicon.document_noun_set
        is_noun = is_noun and word.folded not in lexicon.operator_set and word.folded not in ranks
        before = words[index - 1].folded if index else ""
        is_plural = word.folded != singular(word.folded)
        is_told = is_plural or before in lexicon.list_opener_set or singular(word.folded) not in lexicon.quantity_nouns
        if is_noun and is_told:
            found.append(make_word_anchor(word, lexicon))
    return merge_anchors(found)


def _complete(others: Sequence[Anchor], spare: Sequence[Anchor], names: frozenset[str]) -> list[Anchor]:
    """What joins a focus of names alone, or an empty one: the rarest of the words that are left."""
    if any(not _is_name(anchor, names) for anchor in others):
        return []
    topical = [anchor for anchor in spare if not _is_name(anchor, names)] or ([] if others else list(spare))
    rarest = min((anchor.zipf for anchor in topical), default=0)
    return [anchor for anchor in topical if anchor.zipf <= rarest + _ZIPF_BAND]


def _is_rare(anchor: Anchor, names: frozenset[str], lexicon: Lexicon) -> bool:
    """Whether a word or compound says what is asked: rare in general language, or a name of several words."""
    if not _is_specific(anchor, lexicon):
        return False
    return anchor.zipf < lexicon.max_focus_zipf or (anchor.source == "compound" and _is_name(anchor, names))


def _is_specific(anchor: Anchor, lexicon: Lexicon) -> bool:
    """Whether a word could decide absence: a document has other verbs for what was "signed" or "founded"."""
    folded = fold(anchor.text)
    is_verb = anchor.source == "word" and folded.endswith(lexicon.verb_endings) and lexicon.zipf_of(folded) > 0
    # what is to be computed is no term: no document has to say "longest" or "total"
    is_operator = all(word in lexicon.operator_set or word in lexicon.generic_set for word in folded.split())
    return not is_operator and folded not in lexicon.generic_set and not is_verb and not is_adverb(folded, lexicon)


def _is_name(anchor: Anchor, names: frozenset[str]) -> bool:
    """Whether all words are written as names: a question may abbreviate what the document spells out."""
    return all(word in names for word in fold(anchor.text).split())


def _require(anchor: Anchor, lexicon: Lexicon) -> Anchor:
    """The anchor as required; a hyphenated word also counts where its rarest part stands."""
    parts = [part for part in fold(anchor.text).split("-") if part]
    rarest = min(parts, key=lambda part: (lexicon.zipf_of(part), part))
    return anchor.model_copy(update={"is_required": True, "forms": tuple(dict.fromkeys((*anchor.forms, rarest)))})


def _widen(anchor: Anchor, lexicon: Lexicon) -> Anchor:
    """A word that also counts where its base stands: stemming parts "subcontractor" from "subcontracting"."""
    if anchor.source != "word" or not anchor.forms[0].isalpha():
        return anchor
    word = anchor.forms[0]
    endings = (
        ending for ending in lexicon.derivations if word.endswith(ending) and len(word) - len(ending) >= _MIN_BASE
    )
    base = next((word.removesuffix(ending) for ending in endings), "")
    bases = tuple(form for form in (base, f"{base}e") if base and form not in lexicon.light_verb_set)
    return anchor.model_copy(update={"forms": tuple(dict.fromkeys((*anchor.forms, *bases)))})


def _is_asked(anchor: Anchor, asked: frozenset[str], lexicon: Lexicon) -> bool:
    """Whether the anchor is what should be mentioned; a Chinese compound is, where it holds any of the words."""
    folded = fold(anchor.text)
    return folded in asked or (lexicon.language == "zh" and any(len(word) > 1 and word in folded for word in asked))


def _find_asked(words: Sequence[Word], lexicon: Lexicon) -> frozenset[str]:
    """The noun phrase after "say about", "require", "mention" and the like."""
    place = find_first(lexicon.mention_cues, words)
    phrase: list[str] = []
    for word in words[place.stop :] if place is not None else ():
        if is_content(word, lexicon):
            phrase.append(word.folded)
        elif phrase:
            break
    return frozenset(phrase)
