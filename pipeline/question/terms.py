"""Words of a question with their places, cue phrases in them, and what kind of word each is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from pipeline.models.lexicon import Cue, Lexicon
from pipeline.text.late import compile_late
from pipeline.text.matching import fold, is_cjk

_WORD = compile_late(r"[^\W_]+(?:[-\u2010\u2011\u2013'\u2019.&_/][^\W_]+)*|[%§]")
_POSSESSIVE = compile_late(r"(?:['\u2019]s|(?<=s)['\u2019])$", re.IGNORECASE)
_MAX_GAP_WORDS = 4  # what a `*` in a cue phrase may stand for
_MAX_CJK_WORD = 8


class Word(NamedTuple):
    """A word of a text: verbatim, folded without its possessive, and where it stands."""

    text: str
    folded: str
    start: int
    end: int

    @property
    def bare_end(self) -> int:
        """Where the word ends without its possessive."""
        return self.start + len(_POSSESSIVE.sub("", self.text))

    @property
    def is_name(self) -> bool:
        """Whether it is written like a name or an abbreviation: a capital letter anywhere."""
        return any(char.isupper() for char in self.text)

    @property
    def is_capitals(self) -> bool:
        """Whether it is written in capitals only and has two or more of them."""
        return self.text.isupper() and sum(char.isalpha() for char in self.text) > 1

    @property
    def is_number(self) -> bool:
        """Whether it is written in digits."""
        return self.folded[:1].isdigit() and self.folded.replace(".", "").replace(",", "").isdigit()


def split_words(text: str, lexicon: Lexicon) -> tuple[Word, ...]:
    """Words of `text` in order; hyphenated words, P&L and d_model stay whole; Chinese is cut by the known words."""
    words: list[Word] = []
    for match in _WORD.finditer(text):
        if any(map(is_cjk, match[0])):
            words.extend(_split_cjk(match[0], match.start(), lexicon))
        else:
            bare = _POSSESSIVE.sub("", match[0])
            folded = fold(bare)
            if folded in lexicon.question_words and bare != match[0]:
                # "what's" is "what is": the verb decides the shape
                middle = match.start() + len(bare)
                verb = lexicon.singular_copulas[0] if lexicon.singular_copulas else folded
                words += [
                    Word(bare, folded, match.start(), middle),
                    Word(match[0][len(bare) :], verb, middle, match.end()),
                ]
            elif folded:
                words.append(Word(match[0], folded, match.start(), match.end()))
    return tuple(words)


def _split_cjk(run: str, offset: int, lexicon: Lexicon) -> Iterator[Word]:
    """Longest known word first (maximum matching); a character that no word begins with stands alone."""
    at = 0
    known = lexicon.known_words
    while at < len(run):
        if not is_cjk(run[at]):
            end = next((i for i in range(at, len(run)) if is_cjk(run[i])), len(run))
        else:
            ends = range(min(len(run), at + _MAX_CJK_WORD), at + 1, -1)
            end = next((end for end in ends if run[at:end] in known), at + 1)
        folded = fold(run[at:end])
        if folded:
            yield Word(run[at:end], folded, offset + at, offset + end)
        at = end


@lru_cache(maxsize=4096)
def _split_cue(phrase: str) -> tuple[bool, tuple[str, ...]]:
    is_anchored = phrase.startswith("^")
    return is_anchored, tuple(phrase.removeprefix("^").split())


class Found(NamedTuple):
    """A cue phrase in a sequence of words: the indices [first, stop) it covers."""

    first: int
    stop: int
    phrase: str


def find_phrase(phrase: str, words: Sequence[Word]) -> Found | None:
    """First place of a cue phrase: `^` at its start means at the first word, `*` up to four words."""
    is_anchored, tokens = _split_cue(phrase)
    if tokens and is_cjk(tokens[0][0]):
        return _find_cjk(phrase, "".join(tokens), words, is_anchored)
    starts = range(min(1, len(words))) if is_anchored else range(len(words))
    for first in starts:
        if tokens[0] not in ("*", words[first].folded):
            continue
        stop = _match_tokens(tokens, words, first)
        if stop is not None:
            return Found(first, stop, phrase)
    return None


def find_first(phrases: Sequence[str], words: Sequence[Word]) -> Found | None:
    """The earliest place of any of the phrases, the longest where several begin there."""
    found = [place for phrase in phrases if (place := find_phrase(phrase, words)) is not None]
    return min(found, key=lambda place: (place.first, -place.stop, place.phrase), default=None)


def find_label(cues: Sequence[Cue], words: Sequence[Word]) -> str | None:
    """The label of the first cue, in the order of the lexicon, of which a phrase occurs."""
    for cue in cues:
        if any(find_phrase(phrase, words) is not None for phrase in cue.phrases):
            return cue.label
    return None


def is_asked_noun(words: Sequence[Word], at: int, lexicon: Lexicon) -> bool:
    """Whether a word that is a verb elsewhere is what is asked for: "which states does it serve"."""
    if not 0 < at < len(words) - 1 or words[at - 1].folded not in lexicon.list_opener_set:
        return False
    return f"^{words[at + 1].folded}" in cue_of(lexicon.intent_cues, "yes_no")


def cue_of(cues: Sequence[Cue], label: str) -> tuple[str, ...]:
    """The phrases of one label, none where the lexicon lacks it."""
    return next((cue.phrases for cue in cues if cue.label == label), ())


def _match_tokens(tokens: Sequence[str], words: Sequence[Word], first: int) -> int | None:
    at = first
    for index, wanted in enumerate(tokens):
        if wanted == "*":
            rest = tokens[index + 1 :]
            ends = range(at, min(len(words), at + _MAX_GAP_WORDS + 1) + 1)
            return next((stop for end in ends if (stop := _match_tokens(rest, words, end)) is not None), None)
        if at >= len(words) or words[at].folded != wanted:
            return None
        at += 1
    return at


def _find_cjk(phrase: str, wanted: str, words: Sequence[Word], is_anchored: bool) -> Found | None:
    """Chinese cues are compared as characters, since the cut into words may run through them."""
    joined = "".join(word.folded for word in words)
    at = joined.find(wanted)
    if at < 0 or (is_anchored and at > 0):
        return None
    bounds = [0]
    for word in words:
        bounds.append(bounds[-1] + len(word.folded))
    first = next(i for i, (start, end) in enumerate(pairwise(bounds)) if start <= at < end)
    stop = next(i for i, end in enumerate(bounds) if end >= at + len(wanted))
    return Found(first, stop, phrase)


def cut_spans(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text with the spans blanked by a stop that no phrase runs over; offsets stay as they are."""
    characters = list(text)
    for start, end in spans:
        characters[start:end] = ["|"] * (end - start)
    return "".join(characters)
