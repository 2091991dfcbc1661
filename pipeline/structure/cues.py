"""Leads and cues: the sentence that introduces a list, and the number of members that it announces."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from pipeline.models.document import Line
from pipeline.models.lexicon import Lexicon
from pipeline.models.structure import Extent
from pipeline.structure.markers import read_markers
from pipeline.structure.paragraphs import Joined, is_close
from pipeline.text.grammar import KIND_WORDS
from pipeline.text.late import compile_late

_WORD = compile_late(r"[^\W_]+(?:[-'’][^\W_]+)*|[=+×/%$€£]")
_MAX_LEAD_LINES = 8
_MAX_CUE = 60
_REACH = 4
_OTHERS = frozenset("other others another remaining additional first last outras outros demais".split())
_SIGNS = frozenset("=+×/%$€£")
_ANNOUNCERS = frozenset(
    "following these below namely include includes including are comprise comprises "
    "seguintes seguinte abaixo são".split()
)


def read_lead(before: Sequence[Line], breaks: frozenset[tuple[int, int]]) -> tuple[str, tuple[Extent, ...]]:
    """The last sentence of the paragraph that ends right before a list; empty where a heading stands there."""
    from pipeline.text.tokens import split_sentences

    taken: list[Line] = []
    # backwards from the list, as far as the paragraph reaches
    for line in reversed(before[-_MAX_LEAD_LINES:]):
        if line.position in breaks or (taken and not is_close(line, taken[-1]) and not _runs_on(line, taken[-1])):
            break
        # a bullet begins a member of a list before this one
        if taken and any(marker.kind == "bullet" for marker in read_markers(line.text)):
            break
        taken.append(line)
    if not taken:
        return "", ()
    joined = Joined(taken[::-1])
    sentences = split_sentences(joined.text)
    if not sentences:
        return "", ()
    start, end = sentences[-1]
    return joined.read_display(start, end), joined.make_extents(start, end)


def _runs_on(before: Line, after: Line) -> bool:
    crosses = (before.page, before.column) != (after.page, after.column)
    return crosses and before.text.rstrip()[-1:] not in ".:;!?" and after.text.strip()[:1].islower()


def find_cue(lead: str, item_count: int, lexicon: Lexicon) -> int | None:
    """The number of members that a lead announces: "three types", "the following six", "4 steps".

    A number after words like "other" counts something else, one in a formula or with a unit counts nothing. Where
    the lead does not plainly announce a list, only a number that agrees with the items is believed.
    """
    words = [match.group() for match in _WORD.finditer(lead)]
    folded = [word.casefold() for word in words]
    found: list[tuple[int, bool]] = []
    for index, word in enumerate(folded):
        value = read_cardinal(word, lexicon.language)
        if value is None:
            continue
        before = folded[index - 1] if index else ""
        after = folded[index + 1 : index + 1 + _REACH]
        counts_else = before in _OTHERS or (bool(after) and after[0] in lexicon.not_cardinal_before)
        if counts_else or _is_part_of_label(words, index):
            continue
        if any(sign in _SIGNS for sign in (before, *after[:1]) if sign):
            continue
        is_announced = before in _ANNOUNCERS or bool(after and after[0] in _ANNOUNCERS) or lead.rstrip().endswith(":")
        if before in _ANNOUNCERS or any(_is_plural(word) for word in after):
            found.append((value, is_announced))
    # a number that agrees with the members needs no further proof
    for value, _ in found:
        if value == item_count:
            return value
    announced = [value for value, is_announced in found if is_announced]
    return announced[-1] if announced else None


@lru_cache(maxsize=4096)
def read_cardinal(word: str, language: str) -> int | None:
    """A folded word as a number that may count the members of a list; None for other words and other numbers."""
    from pipeline.text.number_words import parse_number_word

    value = int(word) if word.isdecimal() and len(word) < 3 else parse_number_word(word, language)
    return value if value is not None and 2 <= value <= _MAX_CUE else None


def _is_part_of_label(words: Sequence[str], index: int) -> bool:
    """Whether a capitalised word in front makes the number a label, as in "Table 2" or "Tier 3 organizations"."""
    if not words[index].isdigit() or index == 0 or not words[index - 1][:1].isupper():
        return False
    # the first word of a sentence has a capital anyway; there only the name of a place makes a label
    return index > 1 or words[0].casefold() in KIND_WORDS


def _is_plural(word: str) -> bool:
    return len(word) > 3 and (
        (word.endswith("s") and not word.endswith(("ss", "us", "is"))) or word in ("criteria", "people")
    )
