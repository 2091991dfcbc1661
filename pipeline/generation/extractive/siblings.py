"""A series among others like it: the one whose own paragraph says what is asked, never one that merely is near.

A standard says the same of each of its levels: "The impact is LOW if ... might: (i) ...; (ii) ...", then again for
MODERATE. The sentence that introduces each series is the same; what tells them apart stands before that sentence.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.citing import cite_extents, cite_lines
from pipeline.generation.extractive.enumerated import read_enumeration
from pipeline.generation.extractive.led import SET_APART
from pipeline.generation.extractive.lists import list_rated
from pipeline.generation.extractive.scopes import read_scope
from pipeline.question.terms import cue_of, split_words
from pipeline.text.matching import fold, squeeze
from pipeline.text.tokens import split_sentences, stem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.lists import RatedList
    from pipeline.generation.extractive.reading import ReaderTask, Reading
    from pipeline.generation.extractive.scopes import Scope
    from pipeline.models.evidence import Evidence
    from pipeline.models.lexicon import Lexicon
    from pipeline.models.structure import Enumeration

MIN_SHARE, MIN_NEAR_SHARE, ALIKE_SHARE = 800, 500, 500
"""Thousandths of the asked words that must stand above a series, those right before it, and of two leads alike."""
MIN_WORDS, LOOKED_AT, MAX_APART, MAX_TAIL_WORDS = 2, 6, 2, 4
_FIRST_MARKS = ("(i)", "(a)", "(1)")
_LEADING_SIGNS = (":\n", " include", " comprise", " contain")
_CAPITALS = re.compile(r"\b[A-Z]{3,}\b")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


class _Led(NamedTuple):
    """A series with stems: of its lead, of that and what it points back to, of all its own lines, with headings too."""

    entry: RatedList
    scope: Scope
    lead: frozenset[str]
    pointed: frozenset[str]
    near: frozenset[str]
    above: frozenset[str]

    @property
    def whole(self) -> frozenset[str]:
        """All that stands above the series."""
        return self.near | self.above


def read_siblings(task: ReaderTask) -> Reading | None:
    """Of several series that are introduced alike, the one that the words before it single out; None without such."""
    found = _find_best(task, _FIRST_MARKS)
    if found is None:
        return None
    best, led, asked = found
    siblings = [one for one in led if one is not best and _are_alike(one, best)]
    if not siblings or any(_share(one.whole, asked) >= _share(best.whole, asked) for one in siblings):
        return None
    return _cite_scope(task, best, asked)


def read_alone(task: ReaderTask) -> Reading | None:
    """The series whose introducing sentence says what is asked, for questions that ask for no list by name."""
    found = _find_best(task, (*_FIRST_MARKS, *_LEADING_SIGNS))
    if found is None:
        return None
    best, led, asked = found
    if any(one is not best and _are_alike(one, best) for one in led) or not _stands_alone(best, led, asked):
        return None
    if _goes_on(task, best, asked):
        return None
    return _cite_scope(task, best, asked)


def read_included(task: ReaderTask) -> Reading | None:
    """The series of what something includes, where a question speaks of a figure: "what does the cost include"."""
    words = fold(task.part.text).split()
    verbs = cue_of(task.view.lexicon.value_cues, "including verbs")
    if not words or words[0] not in task.view.lexicon.list_opener_set or not any(word in verbs for word in words):
        return None
    return read_siblings(task) or read_alone(task)


def _find_best(task: ReaderTask, signs: tuple[str, ...]) -> tuple[_Led, Sequence[_Led], frozenset[str]] | None:
    """The series with most of what is asked above it, all near the evidence with such signs, and the asked stems."""
    asked = _list_asked(task)
    pieces = tuple(piece for piece in task.evidence[:LOOKED_AT] if _may_hold(piece, asked, signs))
    if len(asked) < MIN_WORDS or not pieces:
        return None
    # steps are set apart or marked, and never the nouns of a series
    is_marked = signs is _FIRST_MARKS or task.part.shape == "procedure"
    entries = [
        entry
        for entry in list_rated(replace(task, evidence=pieces))
        if _is_led(entry.enumeration, task.view.lexicon, is_marked=is_marked)
    ]
    # a note is printed again below the next table
    first = {tuple(squeeze(item.text) for item in entry.enumeration.items): entry for entry in reversed(entries)}
    led = [_read_led(task, entry, entries) for entry in reversed(first.values())]
    best = max(led, key=lambda one: _rate(one, asked), default=None)
    return (best, led, asked) if best is not None and _says_enough(best, asked) else None


def _may_hold(piece: Evidence, asked: frozenset[str], signs: tuple[str, ...]) -> bool:
    """Whether a piece holds words that are asked, and what a series begins with; a plain test."""
    text = "".join(f"{line.text.rstrip()}\n" for line in piece.lines).casefold()
    return any(sign in text for sign in signs) and sum(word in text for word in asked) * 2 >= len(asked)


def _list_asked(task: ReaderTask) -> frozenset[str]:
    """The stems of what a part asks, without words that ask for nothing ("look like", "possible").

    A part that points at another one ("what should they include") asks what that one names.
    """
    lexicon = task.view.lexicon
    words = {word.folded for word in split_words(task.part.text, lexicon)}
    named: list[str] = []
    if words & set(lexicon.anaphora):
        before = [part.text for part in task.question.sub_questions if part.id < task.part.id]
        named = [anchor.text for anchor in task.part.focus] or before[-1:]
    vague = list_stems(" ".join(cue_of(lexicon.value_cues, "vague words")), lexicon)
    # "ways", "factors": the text shows them and needs not call them so
    general = list_stems(" ".join(cue_of(lexicon.value_cues, "general nouns")), lexicon)
    asked = list_stems(" ".join((task.part.text, *named)), lexicon) - vague
    return asked - general if len(asked - general) >= MIN_WORDS else asked


def list_stems(text: str, lexicon: Lexicon) -> frozenset[str]:
    """The stems of a text without function words and question words."""
    small = (*lexicon.stop_word_set, *lexicon.question_words)
    words = (word.folded for word in split_words(text, lexicon))
    return frozenset(stem(word, lexicon.language) for word in words if word not in small)


def _is_led(own: Enumeration, lexicon: Lexicon, *, is_marked: bool) -> bool:
    """Whether a sentence leads a list in: marked in a paragraph, below a colon, or else behind a verb that includes."""
    if own.kind != "inline":
        return own.kind in SET_APART and own.lead.rstrip().endswith((":", "\uff1a"))
    last = fold(own.lead).split()[-1:]
    is_including = any(word in cue_of(lexicon.value_cues, "including verbs") for word in last)
    return bool(own.items[0].marker) or (is_including and not is_marked)


def _read_led(task: ReaderTask, entry: RatedList, entries: Sequence[RatedList]) -> _Led:
    lexicon = task.view.lexicon
    scope = read_scope(task.view, entry.enumeration, [each.enumeration for each in entries])
    section = task.view.document.section_at(entry.enumeration.start)
    above = " ".join((*section.breadcrumb, section.title)) if section is not None else ""
    lead = list_stems(scope.lead, lexicon)
    pointed = lead | list_stems(scope.pointed, lexicon)
    text = f"{scope.pointed} {scope.text} {scope.lead}"
    unsaid = _list_compared_years(text) | _list_lowered(task, f"{text} {above}")
    stems = (lead, pointed, pointed | list_stems(scope.text, lexicon), list_stems(above, lexicon))
    return _Led(entry, scope, *(words - unsaid for words in stems))


def _list_lowered(task: ReaderTask, text: str) -> frozenset[str]:
    """The stems of names in capitals that a text has in small letters only: "LOW" is no "low minimum"."""
    names = [word for word in _CAPITALS.findall(task.part.text) if not task.part.text.isupper()]
    lowered = [name for name in names if not re.search(rf"\b(?:{name}|{name.capitalize()})\b", text)]
    return list_stems(" ".join(lowered), task.view.lexicon)


def _list_compared_years(text: str) -> frozenset[str]:
    """All years but the first one of the last sentence with years: the rest is what that one is compared with."""
    dated = [years for start, end in split_sentences(text) if (years := _YEAR.findall(text[start:end]))]
    return frozenset(year for years in dated for year in years) - frozenset(dated[-1][:1]) if dated else frozenset()


def _share(words: frozenset[str], asked: frozenset[str]) -> int:
    return len(words & asked) * 1000 // len(asked)


def _rate(one: _Led, asked: frozenset[str]) -> tuple[int, int, int, int]:
    return (_share(one.whole, asked), _share(one.near, asked), _share(one.lead, asked), -one.entry.rank)


def _says_enough(one: _Led, asked: frozenset[str]) -> bool:
    if any(word[:1].isdigit() for word in asked - one.whole):
        return False  # another year or amount is another series
    is_near = _share(one.near, asked) >= MIN_NEAR_SHARE
    return _share(one.whole, asked) >= MIN_SHARE and is_near and (bool(one.lead & asked) or bool(one.scope.pointed))


def _are_alike(one: _Led, other: _Led) -> bool:
    """Whether two series are introduced in the same words, close to one another."""
    apart = abs(one.entry.enumeration.start[0] - other.entry.enumeration.start[0])
    shared = len(one.lead & other.lead)
    return apart <= MAX_APART and shared > 1 and shared * 1000 >= ALIKE_SHARE * len(one.lead | other.lead)


def _stands_alone(best: _Led, led: Sequence[_Led], asked: frozenset[str]) -> bool:
    """Whether the sentence that introduces a series says what is asked, and no other series has as much of it."""
    own = best.pointed | best.above
    rating = _rate(best, asked)[:3]
    return _share(own, asked) >= MIN_SHARE and all(one is best or _rate(one, asked)[:3] < rating for one in led)


def _goes_on(task: ReaderTask, best: _Led, asked: frozenset[str]) -> bool:
    """Whether a lead says much more behind what is asked: "earnings are income before taxes, plus: (1) ..."."""
    lexicon = task.view.lexicon
    words = [list_stems(word, lexicon) for word in best.scope.lead.split()]
    last = max((at for at, stems in enumerate(words) if stems & asked), default=len(words))
    return sum(1 for stems in words[last + 1 :] if stems) > MAX_TAIL_WORDS


def _cite_scope(task: ReaderTask, best: _Led, asked: frozenset[str]) -> Reading | None:
    """The members, with the lead and the line before it that tells the series apart as evidence for the whole."""
    reading = read_enumeration(task, best.entry.enumeration)
    if reading is None or not reading.items:
        return reading
    lexicon = task.view.lexicon
    missing = asked - best.lead
    telling = [line for line in best.scope.lines if list_stems(line.text, lexicon) & missing][-1:]
    own = best.entry.enumeration
    citations = (*cite_lines(task.view, telling), *cite_extents(task.view, own.lead_extents))
    first, *rest = reading.items
    kept = tuple(each for each in citations if each not in first.citations)
    return replace(reading, items=(first.model_copy(update={"citations": (*kept, *first.citations)}), *rest))
