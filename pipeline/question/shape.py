"""What kind of answer a part asks for: intent, shape, type of value and how many members."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast, get_args

from pipeline.models.lexicon import Lexicon, singular
from pipeline.models.question import AnswerShape, Intent, ValueType
from pipeline.question.anchors import is_content
from pipeline.question.concepts import find_concepts
from pipeline.question.hints import PlacedHint
from pipeline.question.terms import Word, cue_of, find_first, find_label

_SHAPES: dict[Intent, AnswerShape] = {
    "lookup": "text",
    "definition": "definition",
    "listing": "list",
    "count": "count",
    "yes_no": "boolean",
    "where": "place",
    "section": "section",
    "procedure": "procedure",
    "comparison": "comparison",
    "calculation": "value",
    "reason": "text",
    "summary": "text",
}
_TYPED_INTENTS = ("lookup", "calculation", "count", "comparison")
_VALUE_TYPES = frozenset(get_args(ValueType))
_PLACES = ("section", "appendix", "physical_page", "printed_page", "table", "figure")
_MAX_NOUN_PHRASE = 4  # words between the question word and the noun that it asks for
_MAX_COUNTED_WORDS = 3  # words between a number and the noun that it counts


class Shape(NamedTuple):
    """The form of the answer that one part asks for."""

    intent: Intent
    shape: AnswerShape
    value_type: ValueType
    expected_count: int | None


def read_shape(words: Sequence[Word], hints: Sequence[PlacedHint], lexicon: Lexicon, is_statement: bool) -> Shape:
    """Read the shape of one part from its words; `hints` are those of the part."""
    value_type = _read_type(words, lexicon)
    intent = _read_intent(words, hints, lexicon, is_statement)
    if intent == "count" and value_type in ("duration", "money"):
        intent = "lookup"  # "how many days" asks for a length of time, not for members
    if intent not in _TYPED_INTENTS:
        value_type = "any"
    elif value_type == "any" and intent != "comparison":
        value_type = _read_concept_type(words, lexicon)
    shape = _SHAPES[intent]
    if intent == "lookup" and value_type != "any":
        shape = "value"
    return Shape(intent, shape, value_type, read_count(words, lexicon) if shape in ("list", "count") else None)


def _read_intent(
    words: Sequence[Word], hints: Sequence[PlacedHint], lexicon: Lexicon, is_statement: bool
) -> Intent:
    if not is_statement and find_first(cue_of(lexicon.intent_cues, "yes_no"), words) is not None:
        return "yes_no"
    names_place = any(hint.hint.kind in _PLACES for hint in hints)
    label = find_label(lexicon.intent_cues, words)
    if names_place and label != "where" and not _has_subject(words, hints, lexicon):
        return "section"
    if label is not None:
        return "lookup" if label == "yes_no" else cast(Intent, label)
    if is_statement:
        return "yes_no" if find_label(lexicon.polarity, words) is not None else "lookup"
    return _read_noun_phrase(words, lexicon)


def _has_subject(words: Sequence[Word], hints: Sequence[PlacedHint], lexicon: Lexicon) -> bool:
    """Whether something is asked beside the place itself."""
    spans = [(hint.start, hint.end) for hint in hints]
    free = (word for word in words if not any(start <= word.start < end for start, end in spans))
    return any(is_content(word, lexicon) and word.folded not in lexicon.generic_set for word in free)


def _read_noun_phrase(words: Sequence[Word], lexicon: Lexicon) -> Intent:
    """Without a cue the noun decides: a plural asks for a list, a bare noun after "what is" for a definition."""
    place = next((index for index, word in enumerate(words) if word.folded in lexicon.list_opener_set), None)
    if place is None or place > 1:
        return "lookup"
    noun = _find_asked_noun(words[place + 1 :], lexicon)
    is_plural = noun is not None and noun != singular(noun) and noun not in lexicon.stop_word_set
    if is_plural:
        return "listing"
    rest = words[place + 1 :]
    is_bare = len(rest) > 1 and rest[0].folded in lexicon.copula_set and is_content(rest[1], lexicon)
    if is_bare and len(rest) <= _MAX_NOUN_PHRASE + 1 and not rest[1].is_number:
        return "definition" if all(is_content(word, lexicon) for word in rest[1:]) else "lookup"
    return "lookup"


def _find_asked_noun(rest: Sequence[Word], lexicon: Lexicon) -> str | None:
    """Head of the noun phrase after the question word: the last word before a verb, preposition or mark."""
    noun: str | None = None
    for index, word in enumerate(rest[: _MAX_NOUN_PHRASE + 1]):
        if word.folded in lexicon.stop_word_set or word.folded in lexicon.light_verb_set:
            if noun is not None or (index == 0 and word.folded not in lexicon.copula_set):
                return noun
            continue
        noun = word.folded
    return noun


def _read_type(words: Sequence[Word], lexicon: Lexicon) -> ValueType:
    label = find_label(lexicon.type_cues, words)
    return cast(ValueType, label) if label in _VALUE_TYPES else "any"


def _read_concept_type(words: Sequence[Word], lexicon: Lexicon) -> ValueType:
    """The type of the first concept of the part that has one."""
    if find_first(lexicon.mention_cues[:1], words) is not None:
        return "any"
    types = (place.concept.value_type for place in find_concepts(words, lexicon))
    found = next((value_type for value_type in types if value_type != "any"), "any")
    return cast(ValueType, found) if found in _VALUE_TYPES else "any"


def read_count(words: Sequence[Word], lexicon: Lexicon) -> int | None:
    """How many members the question announces ("the three security objectives"), None where it says nothing."""
    cardinals = lexicon.cardinals
    for index, word in enumerate(words[:-1]):
        value = cardinals.index(word.folded) if word.folded in cardinals else None
        if value is None and word.folded.isdigit() and len(word.folded) < 3:
            value = int(word.folded)
        following = words[index + 1 : index + 1 + _MAX_COUNTED_WORDS]
        if value is None or value < 2 or following[0].folded in lexicon.not_cardinal_before:
            continue
        if any(item.folded != singular(item.folded) for item in following) or lexicon.language == "zh":
            return value
    return None
