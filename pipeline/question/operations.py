"""What a part asks to have computed over several values: an extreme, a sum, an average, a gap, or those beyond a bound.

The words for it are operators ("longest", "total of", "more than 500"), not terms: no document has to say them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pipeline.question.terms import cue_of, find_phrase, split_words
from pipeline.text.matching import fold, is_cjk
from pipeline.text.numbers import find_dates, find_quantities

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pipeline.models.lexicon import Lexicon
    from pipeline.question.terms import Found, Word

KINDS = ("", " duration", " date", " money")
BOUNDS = ("above", "at least", "below", "at most")
SINGLES = ("growth", "difference", "average", "median", "sum", "sum named")
_MAX_TO_VALUE = 12  # characters between a bound and its value ("more than a 500")


class Bound(NamedTuple):
    """A side of a value that stands at [start, end) of the part; with its words it goes from `first` to `last`."""

    kind: str
    start: int
    end: int
    first: int
    last: int


class Operation(NamedTuple):
    """The operators of a part.

    `direction` is max or min for a superlative, `choice` for a comparative, each with the kind of value that the word
    is only said of (`dimension`: duration, date, money or empty). `rank` counts from the end that the superlative names
    ("the second highest" is 2); `cue` is the word as the lexicon has it. `singles` are the other operators that occur.
    """

    direction: str = ""
    choice: str = ""
    dimension: str = ""
    rank: int = 1
    cue: str = ""
    singles: tuple[str, ...] = ()
    bounds: tuple[Bound, ...] = ()

    @property
    def is_any(self) -> bool:
        """Whether anything is to be computed."""
        return bool(self.direction or self.choice or self.singles or self.bounds)


def read_operation(text: str, lexicon: Lexicon) -> Operation:
    """The operators in the text of a part; empty where it asks for nothing to be computed."""
    if not lexicon.superlatives:
        return Operation()
    words = list_plain_words(text, lexicon)
    # what the words may begin with is tested first: most questions have no operator at all
    known = {word.folded for word in words} if lexicon.language != "zh" else set()
    bounds = tuple(_find_bounds(text, words, lexicon, known))
    # the words of a bound ("at least 500", "more than 500") are no superlative and no choice
    free = tuple(word for word in words if not any(bound.first <= word.start < bound.last for bound in bounds))
    direction, dimension, found = _find_end(("max", "min"), free, lexicon, known)
    choice = ""
    if found is None:
        choice, dimension, found = _find_end(("more", "less"), free, lexicon, known)
    return Operation(
        direction=direction,
        choice={"more": "max", "less": "min"}.get(choice, ""),
        dimension=dimension,
        rank=_read_rank(found, free, lexicon) if direction else 1,
        cue=found.phrase if found is not None else "",
        singles=tuple(label for label in SINGLES if _find(label, free, lexicon, known)),
        bounds=bounds,
    )


def list_plain_words(text: str, lexicon: Lexicon) -> tuple[Word, ...]:
    """The words of a part without names: a word with a capital inside a sentence is part of one."""
    words = enumerate(split_words(text, lexicon))
    return tuple(word for index, word in words if not index or not word.text[:1].isupper())


def _find(label: str, words: Sequence[Word], lexicon: Lexicon, known: set[str]) -> Found | None:
    """The first place of a phrase of one label, the longest of those that begin there."""
    phrases = [phrase for phrase in cue_of(lexicon.superlatives, label) if not known or phrase.split()[0] in known]
    found = [place for phrase in phrases if (place := find_phrase(phrase, words)) is not None]
    return min(found, key=lambda place: (place.first, -place.stop, place.phrase), default=None)


def _find_end(
    labels: tuple[str, str], words: Sequence[Word], lexicon: Lexicon, known: set[str]
) -> tuple[str, str, Found | None]:
    """Which end is asked for, the kind of value that the word is said of, and the word; the longest phrase wins."""
    hits: list[tuple[int, str, str, Found]] = []
    for label in labels:
        for kind in KINDS:
            for name in (f"{label}{kind}", f"{label}{kind} end"):
                place = _find(name, words, lexicon, known)
                if place is not None and (not name.endswith(" end") or place.stop == len(words)):
                    hits.append((place.stop - place.first, label, kind.strip(), place))
    if not hits:
        return "", "", None
    # "most recent" is a date, and "longest" a length of time before it is the most of anything
    _, label, kind, place = max(hits, key=lambda hit: (hit[0], bool(hit[2]), -hit[3].first, hit[1]))
    return label, kind, place


def _read_rank(found: Found | None, words: Sequence[Word], lexicon: Lexicon) -> int:
    ranks = cue_of(lexicon.superlatives, "ranks")
    before = words[found.first - 1].folded if found is not None and found.first else ""
    return ranks.index(before) + 1 if before in ranks else 1


def _find_bounds(text: str, words: Sequence[Word], lexicon: Lexicon, known: set[str]) -> Iterator[Bound]:
    """Values that the question sets as a bound: "more than EUR 500", "30 days or more"; a year alone is a period."""
    values = [(item.start, item.end) for item in find_quantities(text) if not item.is_year]
    values += [(item.start, item.end) for item in find_dates(text)]
    for start, end in sorted(values):
        hits: list[tuple[int, int, str, int]] = []
        for kind in BOUNDS:
            place = _find(kind, words, lexicon, known)
            stop = words[place.stop - 1].end if place is not None else start + 1
            is_near = place is not None and 0 <= start - stop <= _MAX_TO_VALUE
            if place is not None and is_near and not _has_break(text[stop:start], lexicon):
                hits.append((place.stop - place.first, words[place.first].start, kind, end))
        behind = fold(text[end:])
        for label, kind in (("or more", "at least"), ("or less", "at most")):
            for cue in cue_of(lexicon.superlatives, label):
                if behind.lstrip().startswith(cue):
                    hits.append((_MAX_TO_VALUE, start, kind, end + behind.find(cue) + len(cue)))
        if hits:
            _, first, kind, last = max(hits)
            yield Bound(kind, start, end, first, last)


def _has_break(between: str, lexicon: Lexicon) -> bool:
    """Whether something that is no article stands between a bound and a value."""
    words = split_words(between, lexicon)
    return any(word.folded not in lexicon.stop_word_set for word in words) and not any(map(is_cjk, between))
