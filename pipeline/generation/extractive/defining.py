"""Sentences that define a term wherever they stand: "we define X as", "X shall mean", 'a plan (the "X")'.

A passage that only uses a term says nothing of its meaning, however often it uses it. So all places of the term in the
document are looked at, not only the evidence; plain tests on folded lines come first, since terms stand on many lines.
"""

from __future__ import annotations

import re
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.citing import cite_extents, limit_quotes, merge_extents
from pipeline.generation.extractive.lists import find_introduced
from pipeline.generation.extractive.reading import Reading
from pipeline.generation.extractive.sentences import Sentence, split_evidence
from pipeline.models.answer import Item
from pipeline.models.question import Anchor
from pipeline.question.terms import cue_of, split_words
from pipeline.question.weights import CONCEPT_WEIGHT
from pipeline.text.anchors import find_anchor
from pipeline.text.late import compile_late
from pipeline.text.matching import fold, is_cjk
from pipeline.text.tokens import stem

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.base import Position
    from pipeline.models.document import Line

FIRM, LOOSE, NAMED, DEFERRED, NONE = range(5)
"""Ranks: the term and its meaning side by side; with words between; a name given in parentheses; a mere pointer."""
LINES_BEFORE, LINES_BEHIND = 8, 14
MAX_PLACES, MAX_GAP, MAX_REACH = 3000, 70, 90
"""Lines looked at; characters between a term and what defines it, and from a verb that defines to its "as"."""
MAX_LISTED = 2500
"""Characters of a list that a definition introduces."""
_QUOTES = "\"'\u201c\u201d\u2018\u2019\u00ab\u00bb\u300c\u300d"
_BEHIND = compile_late(
    rf"^[{_QUOTES}\s]*(?:\([^()]{{1,80}}\)\s*)?[{_QUOTES}]?[,\s]*(?:(?:as|when) used [^,.;]{{1,40}},?\s*)?"
)
_NAME_OPENS = compile_late(rf"[(\uff08][^()\uff08\uff09]{{0,60}}[{_QUOTES}]\s*$")
_NAME_CLOSES = compile_late(rf"^\s*[{_QUOTES}][^()\uff08\uff09]{{0,60}}[)\uff09]")
_LAST_WORD = compile_late(r"([^\W\d_][\w\u2019'&-]*)\s+$")


class Defining(NamedTuple):
    """A sentence that defines a term, and how firmly (`rank`, the lowest is the firmest)."""

    rank: int
    sentence: Sentence


def find_defining(task: ReaderTask, terms: Sequence[Anchor]) -> Defining | None:
    """The sentence of the document that defines a term most firmly; of equals one from the evidence, then the first."""
    read = {(line.page, line.number) for piece in task.evidence for line in piece.lines}
    ranked: list[tuple[int, bool, Position, Sentence]] = []
    for term in terms:
        for position in _list_places(task, term):
            for sentence in _read_around(task, position):
                rank = rate_defining(task, sentence.text, term)
                if rank < NONE:
                    ranked.append((rank, position not in read, sentence.start, sentence))
    if not ranked:
        return None
    best = min(ranked, key=lambda entry: entry[:3])
    return Defining(best[0], best[3])


def read_defining(task: ReaderTask, terms: Sequence[Anchor], worst: int = NAMED) -> Reading | None:
    """The sentence that defines a term, at least as firmly as `worst`, with the list that it introduces."""
    found = find_defining(task, terms)
    if found is None or found.rank > worst:
        return None
    text, extents = found.sentence.text, list(found.sentence.extents)
    listed = find_introduced(task.view, extents[-1]) if text.rstrip().endswith((":", "\uff1a")) else None
    for member in listed.items if listed is not None else ():
        if len(text) + len(member.text) <= MAX_LISTED:
            text, extents = f"{text} {member.text}", [*extents, *member.extents]
    citations, _ = limit_quotes(cite_extents(task.view, merge_extents(extents)), task.max_quote_characters)
    if not citations:
        return None
    item = Item(sub_question=task.part.id, text=text, citations=citations, extraction="verbatim")
    return Reading(text=text, items=(item,), has_typed_fit=True, has_second_place=found.rank == FIRM)


def find_objects(task: ReaderTask) -> tuple[Anchor, ...]:
    """The term right behind a verb that defines: in "how does Acme define net revenue" Acme is not the term.

    The whole phrase where the document has it, though some of its words are too plain to be anchors.
    """
    lexicon = task.view.lexicon
    verbs = cue_of(lexicon.value_cues, "asks to define")
    words = split_words(task.part.text, lexicon)
    at = next((place for place, word in enumerate(words) if word.folded in verbs), None)
    behind = words[at + 1 :] if at is not None else ()
    phrase = list(takewhile(lambda word: word.folded not in lexicon.stop_word_set, behind))
    if len(phrase) > 1:
        text = " ".join(word.folded for word in phrase)
        key = " ".join(stem(word.folded, lexicon.language) for word in phrase)
        whole = Anchor(text=text, key=key, source="compound", forms=(text,), weight=CONCEPT_WEIGHT)
        if task.view.positions_of(whole):
            return (whole,)
    start = behind[0].start if behind else len(task.part.text)
    found = [(span, anchor) for anchor in task.part.anchors for span in find_anchor(anchor, task.part.text)[:1]]
    first = min((span[0] for span, _ in found if span[0] >= start), default=None)
    return tuple(anchor for span, anchor in found if span[0] == first)


def rate_defining(task: ReaderTask, text: str, term: Anchor) -> int:
    """How firmly a sentence defines a term: `FIRM`, `LOOSE`, `NAMED`, `DEFERRED`, or `NONE` where it only uses it."""
    cues = task.view.lexicon.value_cues
    best = NONE
    for start, end in find_anchor(term, text):
        before, behind = text[:start], text[end:]
        if _NAME_OPENS.search(before) and _NAME_CLOSES.match(behind):
            best = min(best, NAMED)
            continue
        if _is_narrowed(task, before):
            continue
        rest = fold(behind[found.end() :] if (found := _BEHIND.match(behind)) else behind)
        if _starts(rest, cue_of(cues, "defines elsewhere")):
            best = min(best, DEFERRED)
        elif _starts(rest, cue_of(cues, "defines firmly")) or _is_object(cues_of(task), before, rest):
            return FIRM
        elif _is_told_later(cues_of(task), behind):
            best = min(best, LOOSE)
    return best


class Cues(NamedTuple):
    """Verbs that define, and the words that part what is defined from its meaning."""

    verbs: tuple[str, ...]
    joints: tuple[str, ...]


def cues_of(task: ReaderTask) -> Cues:
    """The words of the document's language for "define ... as"."""
    cues = task.view.lexicon.value_cues
    return Cues(cue_of(cues, "defining verbs"), cue_of(cues, "defining joints"))


def _list_places(task: ReaderTask, term: Anchor) -> Iterator[Position]:
    """Places of a term next to a word, a quotation mark or a parenthesis that a definition could be made with."""
    document = task.view.document
    labels = ("defines firmly", "defines elsewhere", "defining verbs")
    signs = [sign for label in labels for sign in cue_of(task.view.lexicon.value_cues, label)]
    for position in task.view.positions_of(term)[:MAX_PLACES]:
        index = document.index_of(position)
        near = " ".join(document.folded[max(0, index - 1) : index + 3])
        if '"' in near or "\u300c" in near or any(sign in near for sign in signs):
            yield position


def _read_around(task: ReaderTask, position: Position) -> Iterator[Sentence]:
    """The sentences that stand on a line or begin right before it."""
    document = task.view.document
    index = document.index_of(position)
    lines: list[Line] = []
    for line in document.lines[max(0, index - LINES_BEFORE) : index + LINES_BEHIND]:
        if line.is_evidence and line.text.strip() and abs(line.page - position[0]) <= 1:
            lines.append(line)
    page, number = position
    for sentence in split_evidence(lines):
        if any(
            each.page == page and each.line_start <= number + 1 and each.line_end >= number for each in sentence.extents
        ):
            yield sentence


def _is_narrowed(task: ReaderTask, before: str) -> bool:
    """Whether a word right before a term makes it another one: "adjusted revenue" is no "revenue"."""
    found = _LAST_WORD.search(before)
    if found is None or not found[1].isascii():
        return False
    lexicon = task.view.lexicon
    word = fold(found[1])
    if word.endswith(("'s", "s'")) or word in lexicon.stop_word_set or word in lexicon.document_noun_set:
        return False
    known = (*cue_of(lexicon.value_cues, "defining verbs"), *cue_of(lexicon.value_cues, "term nouns"))
    # whose term it is stands in the question as well
    return word not in known and word not in fold(task.part.text).split()


def _starts(rest: str, cues: Sequence[str]) -> bool:
    return any(rest.startswith(cue) and (is_cjk(cue[0]) or not rest[len(cue) : len(cue) + 1].isalnum()) for cue in cues)


def _is_object(cues: Cues, before: str, rest: str) -> bool:
    """Whether a term stands between a verb that defines and its joint: "we define X as", "X is used to mean"."""
    lead = fold(before).rstrip(" \"'(").split()[-4:]
    words = {word.strip(",\"'") for word in lead}
    if not any(verb in words for verb in cues.verbs):
        return False
    return any(_finds_word(joint, rest[:MAX_REACH]) for joint in cues.joints)


def _is_told_later(cues: Cues, behind: str) -> bool:
    """Whether what follows a term goes on about it and defines it: "X, which we define as"."""
    gap = fold(behind[: MAX_GAP + MAX_REACH])
    head = re.match(r"[\"')\s]*(?:[,(\u2014-]|(?:is|are|was|were|that|which|also)\b)", gap)
    if head is None:
        return False
    for verb in cues.verbs:
        at = gap.find(verb)
        if 0 <= at <= MAX_GAP and any(_finds_word(joint, gap[at + len(verb) : at + 40]) for joint in cues.joints):
            return not re.search(r"[.;](?:\s|$)", gap[:at])
    return False


def _finds_word(word: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None
