"""How a question splits: independent, unified, sequential and conditional parts, and "all X, and which one ..."."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from pipeline.models.lexicon import Lexicon, singular
from pipeline.models.question import Decomposition
from pipeline.question.anchors import is_content
from pipeline.question.terms import Word, cue_of, find_phrase, split_words
from pipeline.text.tokens import split_sentences

_MAX_ASKED_WORDS = 5  # the question word and the noun phrase that it asks for


class Part(NamedTuple):
    """A part at [start, end) of the question and how it hangs on what stands before it."""

    start: int
    end: int
    link: Decomposition


def split_parts(core: str, lexicon: Lexicon) -> tuple[Part, ...]:
    """Parts of a question in order, at least one; the first is always `single`."""
    parts: list[Part] = []
    for start, end in split_sentences(core) or ((0, len(core)),):
        words = [word for word in split_words(core[start:end], lexicon)]
        shifted = [word._replace(start=word.start + start, end=word.end + start) for word in words]
        if not any(is_content(word, lexicon) or word.folded in lexicon.question_words for word in shifted):
            continue
        parts.extend(_split_sentence(core, shifted, end, lexicon, bool(parts)))
    return tuple(parts) or (Part(0, len(core), "single"),)


def _split_sentence(core: str, words: Sequence[Word], end: int, lexicon: Lexicon, has_parts: bool) -> Iterator[Part]:
    start = words[0].start
    link: Decomposition = "independent" if has_parts else "single"
    if has_parts and _begins(cue_of(lexicon.join_cues, "optional"), words):
        link = "conditional"
    first = 0
    for index in range(1, len(words)):
        following = _read_joint(core, words, index, lexicon)
        before = words[first:index]
        if following is None or not any(is_content(word, lexicon) for word in before):
            continue
        has_conjunction = words[index - 1].folded in lexicon.conjunction_set
        stop = words[index - 1].start if has_conjunction else words[index].start
        yield Part(start, stop, link)
        start, link, first = words[index].start, following, index
    yield Part(start, end, link)


def _read_joint(core: str, words: Sequence[Word], index: int, lexicon: Lexicon) -> Decomposition | None:
    """How the words from `index` hang on what stands before them, None where no part begins there."""
    rest = words[index:]
    has_conjunction = words[index - 1].folded in lexicon.conjunction_set
    has_comma = "," in core[words[max(0, index - 2)].end : words[index].start] if has_conjunction else False
    if _begins(cue_of(lexicon.join_cues, "optional"), rest):
        return "conditional"
    if not has_conjunction:
        return None
    if _begins(cue_of(lexicon.join_cues, "pick"), rest):
        return "list_then_pick"
    if _begins(cue_of(lexicon.join_cues, "unified"), rest):
        return "unified"
    if _begins(cue_of(lexicon.join_cues, "part"), rest):
        return "sequential" if _points_back(words[:index], rest, lexicon) else "independent"
    opens = _begins(cue_of(lexicon.join_cues, "part_after_comma"), rest)
    return "independent" if opens and has_comma else None


def _points_back(before: Sequence[Word], rest: Sequence[Word], lexicon: Lexicon) -> bool:
    """Whether a part asks about what the part before asks for: "which section ..., and what does that section say"."""
    demonstratives = frozenset(cue_of(lexicon.join_cues, "demonstrative"))
    pairs = pairwise(rest)
    pointed = {singular(noun.folded) for word, noun in pairs if word.folded in demonstratives}
    return any(singular(word.folded) in pointed for word in before[:_MAX_ASKED_WORDS])


def _begins(phrases: Sequence[str], words: Sequence[Word]) -> bool:
    return any((place := find_phrase(phrase, words)) is not None and place.first == 0 for phrase in phrases)
