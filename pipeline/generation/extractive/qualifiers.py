"""What sets two values of one concept apart: dev and test, base and big, initial and final, or a sibling by name."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from pipeline.text.anchors import find_anchor
from pipeline.text.matching import contains_folded, fold
from pipeline.text.numbers import find_years

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pipeline.models.lexicon import Cue, Lexicon
    from pipeline.models.question import Anchor

Qualifier = tuple[str, str]
"""(group, member as the lexicon spells it); years are a group of their own."""


def find_qualifiers(text: str, lexicon: Lexicon) -> frozenset[Qualifier]:
    """The qualifiers that a text names, longest phrases first, so that "test set" is not read as "test" too."""
    return _find(fold(text), lexicon.qualifier_groups)


@lru_cache(maxsize=4096)
def _find(folded: str, groups: tuple[Cue, ...]) -> frozenset[Qualifier]:
    found: set[Qualifier] = set()
    for group in groups:
        rest = folded
        for phrase in sorted(group.phrases, key=lambda entry: (-len(entry), entry)):
            if contains_folded(phrase, rest) or contains_folded(f"{phrase}ly", rest):
                found.add((group.label, _shorten(phrase, group.phrases)))
                rest = rest.replace(phrase, " ")
    return frozenset(found)


def _shorten(phrase: str, phrases: tuple[str, ...]) -> str:
    """The shortest phrase of a group that a phrase is a longer form of: "dev" for "development set"."""
    shorter = (short for short in phrases if phrase.split()[0].startswith(short))
    return min(shorter, key=lambda short: (len(short), short), default=phrase)


def find_year_qualifiers(text: str) -> frozenset[Qualifier]:
    """The years that a text names, as qualifiers."""
    return frozenset(("year", str(year)) for _, _, year in find_years(text))


def contradicts(wanted: frozenset[Qualifier], given: frozenset[Qualifier]) -> bool:
    """Whether `given` names another member of a group that `wanted` names, and not the wanted one."""
    return any(
        not any(group == other and member == found for other, found in given)
        and any(group == other for other, _ in given)
        for group, member in sorted(wanted)
    )


def tells_apart(one: frozenset[Qualifier], other: frozenset[Qualifier]) -> bool:
    """Whether two values are of different things: both name members of a group, and no member is shared."""
    groups = {group for group, _ in one} & {group for group, _ in other}
    for group in sorted(groups):
        if not {entry for entry in one if entry[0] == group} & {entry for entry in other if entry[0] == group}:
            return True
    return False


def names_sibling(anchors: Iterable[Anchor], text: str) -> bool:
    """Whether a text names a neighbour of what is asked instead of it: "English-to-German" for "English-to-French".

    A sibling has all words of an anchor but its first or last one, and the two that differ are both names or both
    numbers. Only anchors of three words and more, or ones that end in a number ("Tier 3"), have siblings: shorter ones
    share a word with too much.
    """
    words: tuple[str, ...] | None = None
    for anchor in anchors:
        parts = _split_parts(anchor.text)
        if len(parts) < 3 and not (len(parts) == 2 and parts[-1].isdigit()):
            continue
        words = _split_parts(text) if words is None else words
        if _has_sibling(parts, words) and not find_anchor(anchor, text):
            return True
    return False


@lru_cache(maxsize=2048)
def _split_parts(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[^\W_]+", text))


def _has_sibling(parts: tuple[str, ...], words: tuple[str, ...]) -> bool:
    size = len(parts)
    for at in range(len(words) - size + 1):
        window = words[at : at + size]
        if _agree(window[:-1], parts[:-1]) and _is_neighbour(window[-1], parts[-1]):
            return True
        if size > 2 and _agree(window[1:], parts[1:]) and _is_neighbour(window[0], parts[0]):
            return True
    return False


def _agree(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return all(left.casefold() == right.casefold() for left, right in zip(one, other, strict=True))


def _is_neighbour(one: str, other: str) -> bool:
    """Whether two words differ and are of one kind: both numbers, or both written as names."""
    if one.casefold() == other.casefold() or one.isdigit() != other.isdigit():
        return False
    return one.isdigit() or (one[0].isupper() and other[0].isupper())
