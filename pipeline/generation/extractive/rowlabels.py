"""Labels of rows against what is asked: the very words first, then the names that the lexicon knows for a figure."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from pipeline.question.terms import cue_of
from pipeline.text.matching import contains_folded, fold
from pipeline.text.tokens import stem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.rows import FigureRow
    from pipeline.models.lexicon import Lexicon

# A label may say more than the pattern it begins with ("... and other"), up to this many words.
MAX_EXTRA_WORDS = 6
OTHER_WORDS = 3
LITERAL = -8
"""Ranks before all patterns: labels that are the very words asked, best with the names and the total they say."""


class Wanted(NamedTuple):
    """What a label may say: patterns as stems with whether they stay open, and the words asked, sorted, if any.

    `own` are the folded names of whose figures these are; a label with one of them is still the very words.
    """

    patterns: tuple[tuple[tuple[str, ...], bool], ...]
    asked: tuple[str, ...] = ()
    own: str = ""
    is_per_unit: bool | None = None


def build_patterns(labels: Sequence[str], lexicon: Lexicon) -> tuple[tuple[tuple[str, ...], bool], ...]:
    """Labels of the lexicon as stems; one that ends in * stays open."""
    return tuple((split_label(label, lexicon), label.endswith("*")) for label in labels)


def grade_row(row: FigureRow, wanted: Wanted, lexicon: Lexicon) -> tuple[int, int] | None:
    """(0 equal or words more than a pattern, place of the pattern); lower is better, None is no match."""
    # an amount per share is none of the company, and the other way round
    if wanted.is_per_unit is False and is_per_unit(row.label):
        return None
    if wanted.is_per_unit and not is_per_unit(f"{row.label} {row.heading}"):
        return None
    readings = list_readings(row, lexicon)
    literal = [place for words in readings if (place := _grade_literal(row, words, wanted, lexicon)) is not None]
    if literal:
        return 0, min(literal)
    # else the names that the lexicon knows, each as the beginning of a label
    grades = [
        (_count_extra(words, pattern, is_open, lexicon), index)
        for words in readings
        for index, (pattern, is_open) in enumerate(wanted.patterns)
        if words[: len(pattern)] == pattern and not _is_sum_with_more(row.label, pattern, lexicon)
    ]
    best = min(grades, default=None)
    return best if best is not None and best[0] <= MAX_EXTRA_WORDS else None


def _is_sum_with_more(label: str, pattern: tuple[str, ...], lexicon: Lexicon) -> bool:
    """Whether a total goes on with "and" behind the pattern: "Total liabilities and equity" is the total of both."""
    if not pattern or pattern[0] not in _stems_of("whole", lexicon):
        return False
    left = len(pattern)
    tokens = fold(label).split()
    filler = cue_of(lexicon.calculation_cues, "filler")
    for at, token in enumerate(tokens):
        left -= token not in filler
        if not left:
            return tokens[at + 1 : at + 2] == list(cue_of(lexicon.superlatives, "name joints")[:1])
    return False


def is_literal(grade: int) -> bool:
    """Whether a place of a pattern, as `grade_row` gives it, is that of the very words asked."""
    return grade < 0


def _grade_literal(row: FigureRow, words: tuple[str, ...], wanted: Wanted, lexicon: Lexicon) -> int | None:
    """The place of a label that is the very words asked, None for any other: "Total net sales" is net sales too."""
    if not wanted.asked:
        return None
    said = drop_whole(words, lexicon)
    # the total of what is asked stands before a row of the same name that is only its beginning
    totals = 0 if len(said) < len(words) else 1
    if tuple(sorted(said)) == wanted.asked:
        return LITERAL + totals
    # "Acme shareholders' equity" is the equity that a question to Acme means
    named = {name for name in _names_in(row.label) if contains_folded(fold(name), wanted.own)}
    owned = {word for name in named for word in split_label(name, lexicon)} - set(wanted.asked)
    rest = tuple(sorted(word for word in said if word not in owned))
    return LITERAL + 2 + totals if owned and rest == wanted.asked else None


def _names_in(label: str) -> list[str]:
    """Words written as names, the first word apart, which every label begins so."""
    return [word for word in re.findall(r"[^\W\d_]+(?:'[a-z]+)?", label)[1:] if word[0].isupper()]


def _stems_of(cue: str, lexicon: Lexicon) -> frozenset[str]:
    return frozenset(split_label(" ".join(cue_of(lexicon.calculation_cues, cue)), lexicon))


def drop_whole(words: Sequence[str], lexicon: Lexicon) -> tuple[str, ...]:
    """Stems without those that only say that the whole is meant ("total", "consolidated")."""
    whole = _stems_of("whole", lexicon)
    return tuple(word for word in words if word not in whole)


def _count_extra(words: Sequence[str], pattern: Sequence[str], is_open: bool, lexicon: Lexicon) -> int:
    """How many words a label has more than a pattern; words that make it the label of something else count more."""
    rest = words[len(pattern) :]
    others = _stems_of("other", lexicon)
    return OTHER_WORDS * sum(word in others for word in rest) + (0 if is_open else len(rest))


def list_readings(row: FigureRow, lexicon: Lexicon) -> list[tuple[str, ...]]:
    """A label as printed, without its parentheses, without the line it goes on from, and under its heading."""
    last = row.label_lines[-1].text if row.label_lines else row.label
    if not any(map(str.isalpha, row.label)):
        return []
    stated = re.split(r"[$\u20ac\u00a3\u00a5]|\b\d", row.label, maxsplit=1)[0]
    short = re.sub(r"(?:[\s,;\u2013\u2014-]|\b(?:net|less|of|and)\b)*$", "", stated)
    texts = [row.label, re.sub(r"\([^)]*\)", " ", row.label), last, stated, short]
    # "Total" means the total of the heading above it.
    if len(split_label(row.label, lexicon)) <= 1:
        texts.append(f"{row.label} {row.heading}")
    return [words for text in dict.fromkeys(texts) if (words := split_label(text, lexicon))]


def is_per_unit(label: str) -> bool:
    """Whether a label or name is of an amount per share or another unit."""
    return " per " in f" {fold(label)} "


@lru_cache(maxsize=8192)
def _split_words(text: str, language: str, fillers: tuple[str, ...]) -> tuple[str, ...]:
    plain = re.sub(r"\((?:see )?notes?\b[^)]*\)|\bnotes? \d+\b", " ", fold(text))
    words = re.findall(r"[^\W_]+(?:'[a-z]+)?|&", plain)
    return tuple(stem(word, language) for word in words if word not in fillers and not word.isdigit())


def split_label(text: str, lexicon: Lexicon) -> tuple[str, ...]:
    """The words of a label that count, as stems; "and", "of" and numbers of notes do not."""
    return _split_words(text, lexicon.language, cue_of(lexicon.calculation_cues, "filler"))
