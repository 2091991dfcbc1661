"""What a question wants of a sentence with figures: which kind, of which years and part, and what in a movement."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.doings import list_placeless
from pipeline.generation.extractive.narrowing import narrows, read_own_names
from pipeline.models.lexicon import singular
from pipeline.question.anchors import make_word_anchor
from pipeline.question.operations import read_operation
from pipeline.question.terms import cue_of, split_words
from pipeline.text.anchors import find_anchor
from pipeline.text.matching import contains_folded, fold
from pipeline.text.numbers import find_dates, find_years

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.question import Anchor
    from pipeline.question.terms import Word

MAX_NOUN_WORDS = 5
NAMED = frozenset({"word", "concept", "identifier", "quoted", "number"})
_KINDS = {"money": ("money",), "percent": ("percent",), "duration": ("duration",)}


class Wanted(NamedTuple):
    """`kinds` of figures in order of preference, `years`, `role` in a movement ("" for a level), the noun counted.

    `needs` are the anchors that the sentence has to say; `parts` those of them that name a part ("in Canada"), without
    which a figure is of something else. `is_loose`: nothing in the question says that a figure is asked for.
    """

    kinds: tuple[str, ...]
    years: frozenset[int]
    role: str
    noun: str
    needs: tuple[Anchor, ...]
    parts: frozenset[str]
    is_loose: bool


def read_wanted(task: ReaderTask) -> Wanted | None:
    """What figure a part asks for; None where it asks for none, or for what no single sentence tells."""
    operation = read_operation(task.part.text, task.view.lexicon)
    words = split_words(task.part.text, task.view.lexicon)
    is_end = operation.direction and not _is_named(task, operation.cue)
    # "in how many countries were sales over $500 million" is told by a sentence that says that amount
    is_bound = bool(operation.bounds) and task.part.shape != "count"
    if is_end or operation.choice or is_bound or not words:
        return None
    if {"average", "median", "sum", "sum named"} & _list_unsaid(task, operation.singles):
        return None
    role = _read_role(task, words, frozenset(operation.singles))
    kinds = _list_kinds(task, role, frozenset(operation.singles))
    if not kinds:
        return None
    years = find_asked_years(task)
    noun = find_counted_noun(task, words) if task.part.shape == "count" else ""
    needs = _list_needs(task, words, role, noun)
    if not needs:
        return None
    is_loose = task.part.value_type == "any" and not role
    return Wanted(kinds, years, role, noun, needs, _list_parts(task, words, needs), is_loose)


def _list_unsaid(task: ReaderTask, singles: Sequence[str]) -> set[str]:
    """The operators that are no part of a name: "weighted average discount rate" asks for no average."""
    cues = {single: cue_of(task.view.lexicon.superlatives, single) for single in singles}
    return {single for single, phrases in cues.items() if not any(_is_named(task, cue) for cue in phrases)}


def _is_named(task: ReaderTask, cue: str) -> bool:
    """Whether an operator is part of a name in the question: "the out-of-pocket maximum"."""
    names = [anchor.text for anchor in task.part.anchors if anchor.source in ("compound", "concept")]
    return contains_folded(cue, fold(" | ".join(names)))


def _read_role(task: ReaderTask, words: Sequence[Word], singles: frozenset[str]) -> str:
    cues = task.view.lexicon.value_cues
    moves = frozenset(cue_of(cues, "moves"))
    is_moved = any(word.folded in moves for word in words)
    if is_moved and words[0].folded in cue_of(cues, "moved to"):
        return "to"
    if is_moved and words[0].folded in cue_of(cues, "moved from"):
        return "from"
    return "change" if singles & {"growth", "difference"} and is_moved else ""


def asks_change(task: ReaderTask) -> bool:
    """Whether a question speaks of something that moves, so that how far it moved may be the answer."""
    moves = frozenset(cue_of(task.view.lexicon.value_cues, "moves"))
    return any(word.folded in moves for word in split_words(task.part.text, task.view.lexicon))


def _list_kinds(task: ReaderTask, role: str, singles: frozenset[str]) -> tuple[str, ...]:
    part = task.part
    rates = cue_of(task.view.lexicon.value_cues, "rates")
    names = [anchor.text for anchor in part.anchors if anchor.source == "compound"]
    if part.value_type == "money" and any(fold(name).split()[-1] in rates for name in names):
        return ("percent",)  # "the employee turnover rate" is no amount, although "turnover" may be one
    if part.value_type in _KINDS:
        return _KINDS[part.value_type]
    if role == "change" and "growth" in singles:
        return ("percent",)
    if part.shape == "count":
        return ("number",)
    if any(contains_folded(cue, fold(part.text)) for cue in rates):
        return ("percent",)
    if part.value_type == "number":
        return ("money", "number", "percent")
    return ("money",) if part.value_type == "any" else ()


def find_counted_noun(task: ReaderTask, words: Sequence[Word]) -> str:
    """What is counted: the plural behind "how many", else the last word of the phrase there; singular."""
    lexicon = task.view.lexicon
    first = next((at for at, word in enumerate(words) if word.folded in lexicon.question_words), -1)
    phrase: list[Word] = []
    for word in words[first + 2 :]:
        is_small = word.folded in lexicon.stop_word_set or word.folded in lexicon.light_verb_set
        if is_small and phrase:
            break
        is_parted = phrase and "," in task.part.text[phrase[-1].end - 1 : word.start]
        if not is_small and not is_parted:
            phrase.append(word)
        if len(phrase) == MAX_NOUN_WORDS:
            break
    if not phrase:
        return ""
    staff = cue_of(lexicon.value_cues, "staff")
    plurals = [at for at, word in enumerate(phrase) if singular(word.folded) != word.folded or word.folded in staff]
    # "footwear factories supply NIKE": the noun is the last of the first plurals in a row
    at = plurals[0] if plurals else len(phrase) - 1
    while at + 1 in plurals:
        at += 1
    return singular(phrase[at].folded)


def _list_needs(task: ReaderTask, words: Sequence[Word], role: str, noun: str) -> tuple[Anchor, ...]:
    """The anchors that a sentence must say: not whose document it is, what only asks, and what the figure itself is."""
    lexicon = task.view.lexicon
    own_names = read_own_names(task)
    asking = {word for cue in lexicon.type_cues for phrase in cue.phrases for word in phrase.split()}
    asking |= frozenset(lexicon.light_verbs) | frozenset(lexicon.generic_nouns) | frozenset(lexicon.question_words)
    if role:
        asking |= frozenset(cue_of(lexicon.value_cues, "moves"))
    if noun:
        asking |= list_placeless(lexicon)
    named = {word.folded for word in words if word.is_name and contains_folded(word.folded, own_names)}
    lent = {form for one in task.part.anchors if not find_anchor(one, task.part.text) for form in one.forms}
    kept = []
    for anchor in task.part.anchors:
        if anchor.source not in NAMED or not find_anchor(anchor, task.part.text):
            continue
        form = anchor.forms[0]
        is_noun = singular(form) == noun
        is_place = form in named and not _follows_small(task, words, form)
        if is_place or (form in asking and not is_noun) or (anchor.source == "number" and not role and not noun):
            continue
        # a derived figure has the names of what it is computed from among its forms, and those are others' figures
        forms = tuple(name for name in anchor.forms if name == form or name not in lent)
        kept.append(anchor if forms == anchor.forms else anchor.model_copy(update={"forms": forms}))
    return (*kept, *_list_short_places(task, words, kept))


def _list_short_places(task: ReaderTask, words: Sequence[Word], kept: Sequence[Anchor]) -> list[Anchor]:
    """Places by a name that is also a small word ("outside the US"), and so no anchor."""
    lexicon = task.view.lexicon
    known = {anchor.forms[0] for anchor in kept}
    places = [word for word in words if word.is_capitals and word.folded in lexicon.stop_word_set]
    return [
        make_word_anchor(word, lexicon)
        for word in places
        if word.folded not in known and _follows_small(task, words, word.folded)
    ]


def _follows_small(task: ReaderTask, words: Sequence[Word], form: str) -> bool:
    """Whether a name stands behind a small word ("in Canada", "in the U.S."): it narrows, whosever document it is."""
    small = frozenset(cue_of(task.view.lexicon.value_cues, "place words"))
    articles = task.view.lexicon.copula_set
    for at, word in enumerate(words):
        if word.folded == form and at and word.is_name:
            before = words[at - 1]
            is_article = before.folded in articles and at > 1
            return before.folded in small or (is_article and words[at - 2].folded in small)
    return False


def _list_parts(task: ReaderTask, words: Sequence[Word], needs: Sequence[Anchor]) -> frozenset[str]:
    """Keys of the needs that name a place or group by name behind a small word; dates are none."""
    dates = [(item.start, item.end) for item in find_dates(task.part.text)]
    free = [word for word in words[1:] if not any(start <= word.start < end for start, end in dates)]
    names = {word.folded for word in free if word.is_name}
    return frozenset(
        anchor.key for anchor in needs if anchor.forms[0] in names and _follows_small(task, words, anchor.forms[0])
    )


def list_named_parts(task: ReaderTask) -> tuple[Anchor, ...]:
    """The places and groups that a question names behind a small word ("in Canada"): a figure has to be of them."""
    words = split_words(task.part.text, task.view.lexicon)
    needs = tuple(anchor for anchor in task.part.anchors if anchor.source == "word")
    keys = _list_parts(task, words, needs)
    return tuple(anchor for anchor in needs if anchor.key in keys)


def find_asked_years(task: ReaderTask) -> frozenset[int]:
    """The years that a part of a question names, else those of the whole question."""
    years = frozenset(year for _, _, year in find_years(task.part.text))
    return years or frozenset(int(period) for period in task.question.periods if period.isdigit())


def is_narrowed(task: ReaderTask, wanted: Wanted, text: str) -> bool:
    """Whether a sentence speaks of a narrower thing: "Surface revenue" where revenue is asked for.

    A word right before the first need that the sentence says narrows it, unless the question has that word too.
    """
    asked = {word.folded for word in split_words(task.part.text, task.view.lexicon)}
    whole = frozenset(cue_of(task.view.lexicon.value_cues, "whole"))
    words = split_words(text, task.view.lexicon)
    names = read_own_names(task)
    for anchor in wanted.needs:
        if anchor.source not in ("concept", "word") or anchor.text[:1].isupper():
            continue
        spans = find_anchor(anchor, text)
        places = [at for at, word in enumerate(words) for start, end in spans if word.start == start]
        free = [
            at
            for at in places
            if not _has_modifier(task, words, at, text, (asked, whole, names, anchor.source == "concept"))
        ]
        if places and not free:
            return True
        if places:
            return False
    return False


def _has_modifier(
    task: ReaderTask, words: Sequence[Word], at: int, text: str, known: tuple[set[str], frozenset[str], str, bool]
) -> bool:
    asked, whole, names, is_concept = known
    word = words[at - 1]
    if not at or text[word.end : words[at].start] != " " or not (word.is_name or is_concept):
        return False
    small = task.view.lexicon.stop_word_set | frozenset(cue_of(task.view.lexicon.value_cues, "moves"))
    if word.folded in asked or word.folded in whole or word.folded in small:
        return False
    return narrows(task, word, names)
