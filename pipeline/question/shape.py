"""What kind of answer a part asks for: intent, shape, type of value and how many members."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast, get_args

from pipeline.models.lexicon import Lexicon, singular
from pipeline.models.question import AnswerShape, Intent, ValueType
from pipeline.question.anchors import is_adverb, is_content
from pipeline.question.concepts import find_concepts
from pipeline.question.hints import PlacedHint
from pipeline.question.terms import Word, cue_of, find_first, find_label, is_asked_noun

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
PLACE_KINDS = ("section", "appendix", "physical_page", "printed_page", "table", "figure")
"""Kinds of hints that name one place of a document."""
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
    words = _drop_condition(words, lexicon)
    value_type = _read_type(words, lexicon)
    intent = _read_intent(words, hints, lexicon, is_statement)
    if intent == "count" and value_type in ("duration", "money", "percent"):
        intent = "lookup"  # "how many days" asks for a length of time, not for members
    if intent not in _TYPED_INTENTS:
        value_type = "any"
    elif value_type in ("any", "number") and intent not in ("comparison", "count"):
        of_concept = _read_concept_type(words, lexicon)
        value_type = of_concept if of_concept != "any" else value_type
    shape = _SHAPES[intent]
    if intent == "lookup" and value_type != "any":
        shape = "value"
    if intent in ("definition", "lookup") and any("_" in word.text for word in words):
        intent, shape = "lookup", "value"  # "what is d_model" asks for the value of a symbol
    return Shape(intent, shape, value_type, read_count(words, lexicon) if shape in ("list", "count") else None)


def _drop_condition(words: Sequence[Word], lexicon: Lexicon) -> Sequence[Word]:
    """The words behind a clause that only says when: "when the bell rings, what must one do" asks for no time."""
    if not words or words[0].folded not in cue_of(lexicon.value_cues, "condition openers"):
        return words
    for at in range(1, len(words)):
        # a mark stands between two words that are further apart than by a space
        if words[at].folded in lexicon.question_words and words[at].start - words[at - 1].end > 1:
            return words[at:]
    return words


def _read_intent(words: Sequence[Word], hints: Sequence[PlacedHint], lexicon: Lexicon, is_statement: bool) -> Intent:
    asked = find_first(cue_of(lexicon.intent_cues, "yes_no"), words)
    # "how many levels are there" holds the words of a yes/no question behind a question word
    is_led = asked is not None and any(word.folded in lexicon.question_words for word in words[: asked.first])
    if not is_statement and asked is not None and not is_led:
        return "yes_no"
    names_place = any(hint.hint.kind in PLACE_KINDS for hint in hints)
    label = find_label(lexicon.intent_cues, words)
    if label == "listing" and _is_led_in(words, lexicon):
        label = None
    if names_place and label != "where" and not _has_subject(words, hints, lexicon):
        return "section"
    if label is not None:
        return "lookup" if label == "yes_no" else cast(Intent, label)
    if is_statement:
        return "yes_no" if _states(words, lexicon) else "lookup"
    return _read_noun_phrase(words, lexicon)


def _states(words: Sequence[Word], lexicon: Lexicon) -> bool:
    """Whether a text without a question states something: it holds an auxiliary, unlike a noun phrase."""
    verbs = frozenset(cue.removeprefix("^") for cue in cue_of(lexicon.intent_cues, "yes_no"))
    return find_label(lexicon.polarity, words) is not None or any(word.folded in verbs for word in words)


def _is_led_in(words: Sequence[Word], lexicon: Lexicon) -> bool:
    """Whether a list is only what is chosen from: "among all of the instruments, which one ..."."""
    place = find_first(cue_of(lexicon.intent_cues, "listing"), words)
    return place is not None and any(word.folded in lexicon.list_opener_set for word in words[place.stop :])


def _has_subject(words: Sequence[Word], hints: Sequence[PlacedHint], lexicon: Lexicon) -> bool:
    """Whether something is asked beside the place itself."""
    spans = [(hint.start, hint.end) for hint in hints]
    free = [word for word in words if not any(start <= word.start < end for start, end in spans)]
    # "how does Table 1 define it" asks of what the part before names, not for all of the table
    is_pointing = free[-1:] and free[-1].folded in lexicon.anaphora and free[-1].start > max(spans, default=(0, 0))[1]
    return bool(is_pointing) or any(
        is_content(word, lexicon) and word.folded not in lexicon.generic_set for word in free
    )


def _read_noun_phrase(words: Sequence[Word], lexicon: Lexicon) -> Intent:
    """Without a cue the noun decides: a plural asks for a list, a bare noun after "what is" for a definition."""
    place = next((index for index, word in enumerate(words) if word.folded in lexicon.list_opener_set), None)
    if place is None or place > 1:
        return "lookup"
    rest = words[place + 1 :]
    is_singular = bool(rest) and rest[0].folded in lexicon.singular_copulas
    is_noun = is_asked_noun(words, place + 1, lexicon)
    phrase = [rest[0]] if is_noun else _find_noun_phrase(rest, lexicon)
    if phrase and rest[0] == phrase[0] and words[-1] != phrase[-1] and _is_plural(phrase[-1]):
        following = rest[rest.index(phrase[-1]) + 1]
        if following.folded in lexicon.verb_followers:
            phrase.pop()  # "which item deals with": a verb, not a plural
    if not is_singular and any(map(_is_plural, phrase)):
        return "listing"
    is_bare = len(rest) > 1 and rest[0].folded in lexicon.singular_copulas and is_content(rest[1], lexicon)
    if is_bare and len(rest) <= _MAX_NOUN_PHRASE + 1 and not rest[1].is_number:
        return "definition" if all(is_content(word, lexicon) for word in rest[1:]) else "lookup"
    return "lookup"


def _find_noun_phrase(rest: Sequence[Word], lexicon: Lexicon) -> list[Word]:
    """The words that are asked for: those before the next verb, preposition or mark."""
    phrase: list[Word] = []
    for index, word in enumerate(rest[: _MAX_NOUN_PHRASE + 2]):
        if word.folded in lexicon.copula_set and not phrase:
            continue
        if word.folded in lexicon.stop_word_set or word.folded in lexicon.light_verb_set:
            break
        # "which firm audited the statements" asks for a firm
        is_verb = bool(phrase) and word.folded.endswith(lexicon.verb_endings)
        if index and phrase and (is_verb or word.start - phrase[-1].end > 1):
            break
        phrase.append(word)
    return phrase


def _is_plural(word: Word) -> bool:
    return word.folded != singular(word.folded) and not word.is_capitals and word.bare_end == word.end


def _read_type(words: Sequence[Word], lexicon: Lexicon) -> ValueType:
    label = find_label(lexicon.type_cues, words)
    return cast(ValueType, label) if label in _VALUE_TYPES else "any"


def _read_concept_type(words: Sequence[Word], lexicon: Lexicon) -> ValueType:
    """The type of the first concept that is itself asked for: in the first noun phrase, or behind "the amount of"."""
    if find_first(lexicon.mention_cues[:1], words) is not None:
        return "any"
    is_fronted = lexicon.language != "zh"  # Chinese leaves the question word where the answer would stand
    openers = (at for at, word in enumerate(words) if is_fronted and word.folded in lexicon.question_words)
    opener = next(openers, -1)
    for place in find_concepts(words, lexicon):
        value_type = place.concept.value_type
        if place.first < opener or value_type not in _VALUE_TYPES or value_type == "any":
            continue
        between = words[opener + 1 : place.first]
        is_choice = opener >= 0 and words[opener].folded in lexicon.list_openers[1:]
        blocks = [word for word in between if is_content(word, lexicon) and word.folded not in lexicon.quantity_nouns]
        parted = any(word.folded in lexicon.stop_word_set and word.folded not in lexicon.copula_set for word in between)
        if (is_choice and between) or (
            parted and any(not word.is_name and not is_adverb(word.folded, lexicon) for word in blocks)
        ):
            return "any"
        return cast(ValueType, value_type)
    return "any"


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
