"""Abbreviations spelled out: "supervisory control and data acquisition (SCADA)", "the security category, SC, of ...".

A long form is found by its letters, as in A. S. Schwartz and M. A. Hearst, "A simple algorithm for identifying
abbreviation definitions in biomedical text" (2003): read from the right, each letter of the abbreviation stands in the
words beside it in the same order, and the first one begins a word.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.citing import cite_extents
from pipeline.generation.extractive.reading import Reading
from pipeline.generation.extractive.verdict import is_subject
from pipeline.models.answer import Item
from pipeline.question.terms import cue_of
from pipeline.structure.paragraphs import Joined, is_close
from pipeline.text.late import compile_late
from pipeline.text.matching import contains_folded, fold
from pipeline.text.tokens import stem

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.document import Line

MIN_LETTERS, MAX_LETTERS, MAX_PLACES, LINES_BESIDE = 2, 10, 400, 1
MORE_WORDS, SMALL = 5, 3
"""A long form has at most so many words more than the abbreviation letters, and at most twice as many."""
_SHORT = compile_late(r"[A-Z][A-Za-z0-9&/-]*[A-Z0-9]s?|[A-Z]{2,}")
# "(SCADA", and with a word or two before it '(the "Trust"', '(collectively, "PFAS"'
_OPENING = compile_late(r"\((?:[a-z]+,?\s+){0,2}[\"'\u201c\u2018]?\s*$")
_MARK = compile_late(r"[^\w\s'\u2019&/.-]")
_WORD = compile_late(r"[^\W_][\w'\u2019-]*")


class _Expansion(NamedTuple):
    """A long form, where it and the abbreviation stand, and how firmly they are joined (0 is the firmest)."""

    rank: int
    words: str
    joined: Joined
    span: tuple[int, int]


def read_spelled(task: ReaderTask) -> Reading | None:
    """Spell out the abbreviation that the question asks to spell out; None for other questions, and where none does."""
    folded = fold(task.part.text)
    asks = any(contains_folded(cue, folded) for cue in cue_of(task.view.lexicon.value_cues, "expands"))
    return read_expansion(task) if asks else None


def read_expansion(task: ReaderTask) -> Reading | None:
    """Spell out the abbreviation that a question for a meaning names; None where it names none or nothing spells it."""
    for short in _list_shorts(task) if _asks_short(task) else ():
        found = sorted(_list_expansions(task, short), key=lambda each: each.rank)
        if not found:
            continue
        best = found[0]
        same = [one for one in found if _fold_form(task, one.words) == _fold_form(task, best.words)]
        others = sorted({one.words for one in found if one not in same and one.rank <= best.rank})
        citations = cite_extents(task.view, best.joined.make_extents(*best.span))
        if not citations:
            continue
        text = f"{short}: {best.words}"
        item = Item(sub_question=task.part.id, text=text, label=short, citations=citations, extraction="verbatim")
        reading = Reading(text=text, items=(item,), has_typed_fit=True, has_second_place=len(same) > 1)
        return reading.doubt(f"also spelled out as {'; '.join(others)}") if others else reading
    return None


def _fold_form(task: ReaderTask, words: str) -> str:
    """A long form with the stem of its last word, as it may stand in the plural."""
    *before, last = fold(words).split()
    return " ".join((*before, stem(last, task.view.lexicon.language)))


def _asks_short(task: ReaderTask) -> bool:
    """Whether nothing but an abbreviation is asked about: "a LOW impact on availability" is no question for one."""
    shorts = {fold(short) for short in _list_shorts(task)}
    lexicon = task.view.lexicon
    plain = {*lexicon.generic_set, *(word for cue in cue_of(lexicon.value_cues, "meaning") for word in cue.split())}
    words = [anchor for anchor in task.part.anchors if anchor.source in ("word", "concept")]
    rest = [anchor for anchor in words if not {fold(anchor.text), fold(anchor.text).removesuffix("s")} & shorts]
    return all(anchor.forms[0] in plain or is_subject(task, anchor) for anchor in rest)


def _list_shorts(task: ReaderTask) -> list[str]:
    """The abbreviations in a question; none where all of it is in capitals."""
    text = task.part.text
    if not any(map(str.islower, text)):
        return []
    found = (match.group().removesuffix("s") for match in _SHORT.finditer(text))
    return [short for short in dict.fromkeys(found) if MIN_LETTERS <= len(short) <= MAX_LETTERS]


def _list_expansions(task: ReaderTask, short: str) -> Iterator[_Expansion]:
    pattern = re.compile(rf"(?<![\w-]){re.escape(short)}s?(?![\w-])")
    places = 0
    for line in task.view.document.lines:
        if short not in line.text or not line.is_evidence or not pattern.search(line.text):
            continue
        places += 1
        if places > MAX_PLACES:
            return
        joined = Joined(_read_beside(task, line))
        for match in pattern.finditer(joined.text):
            yield from _read_place(joined, short, match)


def _read_beside(task: ReaderTask, line: Line) -> Sequence[Line]:
    """A line with the one before and the one after it, as far as they are of its paragraph."""
    first = (line.page, max(1, line.number - LINES_BESIDE))
    lines = [
        each for each in task.view.lines_in(first, (line.page, line.number + LINES_BESIDE + 1)) if each.is_evidence
    ]
    at = lines.index(line)
    start = at - 1 if at and is_close(lines[at - 1], line) else at
    stop = at + 2 if at + 1 < len(lines) and is_close(line, lines[at + 1]) else at + 1
    return lines[start:stop]


def _read_place(joined: Joined, short: str, match: re.Match[str]) -> Iterator[_Expansion]:
    """The long forms at one place: before "(X)", in parentheses behind X, and before ", X,"."""
    text, start, end = joined.text, *match.span()
    before, behind = text[:start], text[end:]
    opening = _OPENING.search(before)
    if opening is not None and behind.lstrip("\"'\u201d\u2019 ,")[:1] in (")", ";"):
        long = find_long_form(short, before[: opening.start()])
        if long:
            yield _Expansion(0, long, joined, (before.rindex(long), end))
    opened = re.match(r"\s*\(([^()]{3,120})\)", behind)
    if opened is not None:
        long = find_long_form(short, opened[1])
        if long and opened[1].strip().startswith(long):
            yield _Expansion(0, long, joined, (start, end + opened.end(1)))
    if before.rstrip().endswith(",") and behind[:1] in (",", ")", "."):
        long = find_long_form(short, before.rstrip()[:-1])
        if long:
            yield _Expansion(1, long, joined, (before.rindex(long), end))


def find_long_form(short: str, before: str) -> str:
    """The words at the end of a text that an abbreviation is made of; "" where its letters do not stand there so."""
    letters = [char.casefold() for char in short if char.isalnum()]
    words = list(_WORD.finditer(before))[-min(len(letters) + MORE_WORDS, len(letters) * 2) :]
    if not words or len(letters) < MIN_LETTERS:
        return ""
    # initials first: a letter inside the last word may be that of a word before it
    for count in range(len(letters), len(words) + 1):
        own = words[-count:]
        said = [word.group()[0].casefold() for word in own if count == len(letters) or len(word.group()) > SMALL]
        if said == letters:
            return before[own[0].start() : own[-1].end()]
    start = words[0].start()
    at = len(before) - 1
    for place in range(len(letters) - 1, -1, -1):
        while at >= start and not _is_letter(before, at, letters[place], is_first=place == 0):
            at -= 1
        if at < start:
            return ""
        at -= 1
    long = before[at + 1 :].rstrip(" ,\"'\u201c\u201d")
    # what only repeats the abbreviation spells out nothing
    is_longer = len(long) > len(short) + 1 and len(long.split()) > 1
    return long if is_longer and short not in long and not _MARK.search(long) else ""


def _is_letter(text: str, at: int, letter: str, *, is_first: bool) -> bool:
    """Whether a letter stands at a place; the first one of an abbreviation has to begin a word."""
    return text[at].casefold() == letter and not (is_first and at and text[at - 1].isalnum())
