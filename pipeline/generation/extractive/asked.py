"""Values asked for without a word for their type: "What skill score does ...", "What were inventories in ..."."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pipeline.generation.extractive.prose import find_heads
from pipeline.generation.extractive.value import read_value
from pipeline.question.concepts import find_concepts
from pipeline.question.periods import find_periods
from pipeline.question.terms import cue_of, split_words
from pipeline.text.anchors import find_anchor
from pipeline.text.matching import fold

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import Reader, ReaderTask, Reading
    from pipeline.models.question import ValueType

MAX_NOUN_WORDS = 4
AMOUNTS: tuple[ValueType, ...] = ("money", "percent", "duration")
TYPED: tuple[ValueType, ...] = ("money", "percent", "number", "duration", "date")


def read_asked_value(task: ReaderTask) -> Reading | None:
    """The value of a concept whose type is known, or a number that is firmly joined to the noun that is asked for."""
    known = _find_known_type(task)
    if known is not None:
        return _read_as(task, known, read_value)
    if task.part.shape != "text":
        return None
    # "what is the deposit" may ask for an amount: where the text says one right there, others are told as well
    types: tuple[ValueType, ...] = ("number",) if _asks_noun(task) else AMOUNTS if _asks_thing(task) else ()
    readings = (_read_as(task, value_type, read_value) for value_type in types)
    return next((reading for reading in readings if reading is not None and _is_firm(task, reading)), None)


def _read_as(task: ReaderTask, value_type: ValueType, read: Reader) -> Reading | None:
    part = task.part.model_copy(update={"value_type": value_type, "shape": "value"})
    return read(replace(task, part=part))


def _find_known_type(task: ReaderTask) -> ValueType | None:
    """The type of the concept that the question opens with, when nothing but places and periods follows it.

    "What were inventories in 2023" asks for a figure, "What are revenue sources" does not.
    """
    lexicon = task.view.lexicon
    text = task.part.text
    words = split_words(text, lexicon)
    places = find_concepts(words, lexicon)
    if not places or not (find_periods(text) or task.question.periods):
        return None
    first = places[0]
    small = lexicon.stop_word_set | frozenset(lexicon.question_words)
    if any(word.folded not in small for word in words[: first.first]):
        return None
    after = words[first.stop] if first.stop < len(words) else None
    if after is not None and after.folded not in small and not after.is_number and not find_periods(after.text):
        return None
    return next((known for known in TYPED if known == first.concept.value_type), None)


def _asks_noun(task: ReaderTask) -> bool:
    """Whether the question begins "what <noun> does": a question word, a short noun phrase, an auxiliary."""
    lexicon = task.view.lexicon
    words = split_words(task.part.text, lexicon)
    if not words or words[0].folded not in lexicon.question_words:
        return False
    auxiliaries = cue_of(lexicon.value_cues, "auxiliary")
    place = next((index for index, word in enumerate(words) if word.folded in auxiliaries), 0)
    is_noun = all(word.folded not in lexicon.stop_word_set for word in words[1:place])
    return 1 < place <= MAX_NOUN_WORDS + 1 and is_noun


def _asks_thing(task: ReaderTask) -> bool:
    """Whether the question is "what is the <noun>" and no more: a question word, a copula, one noun phrase."""
    lexicon = task.view.lexicon
    words = split_words(task.part.text, lexicon)
    is_opened = len(words) > 1 and words[0].folded in lexicon.list_opener_set
    if not is_opened or words[1].folded not in lexicon.singular_copulas:
        return False
    rest = [word for word in words[2:] if word.folded not in lexicon.copula_set]
    while rest and rest[0].folded in lexicon.quantity_nouns:
        rest = [word for word in rest[1:] if word.folded not in lexicon.stop_word_set]
    return 0 < len(rest) <= MAX_NOUN_WORDS and all(word.folded not in lexicon.stop_word_set for word in rest)


def _is_firm(task: ReaderTask, reading: Reading) -> bool:
    """Whether the number stands in a cell, or right after the noun and a join: "a skill score of 0.85"."""
    item = reading.items[0]
    number = item.text.split(" (")[0]
    joins = cue_of(task.view.lexicon.value_cues, "join")
    for citation in item.citations:
        text = citation.quote.replace("\n", " ")
        if text.strip() == number:
            return True
        for head in find_heads(task):
            for _, end in find_anchor(head, text):
                rest = fold(text[end:])
                if any(rest.startswith(f"{join} {fold(number)}") for join in joins):
                    return True
    return False
