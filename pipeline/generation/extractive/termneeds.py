"""Defined terms that the meaning of a term uses, followed where a question asks for what it refers to.

One hop is followed: the terms in the definition itself, those that the question names before all others. What the
further definitions use is not asked for.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.linked import names_terms
from pipeline.models.answer import ReferenceReport
from pipeline.models.plan import Limits
from pipeline.question.terms import cue_of, find_first, split_words
from pipeline.structure.defined_terms import PREFIX, find_defined, find_named_terms, find_used_terms, mention_at
from pipeline.structure.pointers import make_pointer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.reading import ReaderTask, Reading
    from pipeline.models.answer import Item
    from pipeline.models.document import Line
    from pipeline.models.structure import MentionAt

MAX_TERMS = Limits().max_references
"""Terms followed for one answer, as many as one action may follow references."""
UNDEFINED_CEILING = 600
"""Thousandths of confidence where nothing was found of the terms that were asked for too."""


class UsedTerm(NamedTuple):
    """A term that a definition uses, whether it is asked for, and whether there is room to follow it."""

    mention: MentionAt
    is_asked: bool
    has_room: bool


def find_terms(task: ReaderTask, items: Sequence[Item]) -> list[UsedTerm]:
    """The terms that the first item uses and that there is room for; asked for unless the question names others."""
    return [term for term in _list_terms(task, items) if term.has_room]


def mark_terms(task: ReaderTask, reading: Reading) -> Reading:
    """The reading with a report of the terms that there was no room for, and doubted where no term was found."""
    left = [term for term in _list_terms(task, reading.items) if not term.has_room]
    why = f"more than {MAX_TERMS} defined terms are used"
    reports = tuple(
        ReferenceReport(target=make_pointer(task.part.id, term.mention).name, state="pending", why=why) for term in left
    )
    names = ", ".join(term.mention.text for term in left)
    reading = replace(
        reading,
        references=(*reading.references, *reports),
        caveats=(*reading.caveats, *((f"{why}; not told: {names}",) if left else ())),
    )
    if not names_terms(task):
        return reading
    served = any(report.state in ("followed", "already there", "pending") for report in reading.references)
    if served and (_find_named(task, _list_lines(task, reading.items[:1])) or not _names_something(task)):
        return reading
    return reading.doubt("no definition of a term that it refers to was found", UNDEFINED_CEILING)


def _list_terms(task: ReaderTask, items: Sequence[Item]) -> list[UsedTerm]:
    """The terms that the first item uses and those that the question names, these first."""
    lines = _list_lines(task, items[:1])
    used = find_used_terms(task.view, lines)
    named = _find_named(task, lines)
    known = {mention.key for mention in used}
    unused = [mention_at(lines[0], key) for key in named if key not in known]
    mentions = sorted((*used, *unused), key=lambda mention: mention.key not in named)
    terms: list[UsedTerm] = []
    asked = 0
    for mention in mentions:
        is_asked = not named or mention.key in named
        asked += is_asked and _is_plain(task, mention)
        terms.append(UsedTerm(mention, is_asked, not is_asked or asked <= MAX_TERMS))
    return terms


def _is_plain(task: ReaderTask, mention: MentionAt) -> bool:
    return len(find_defined(task.view, mention.key)) == 1


def _list_lines(task: ReaderTask, items: Sequence[Item]) -> list[Line]:
    found = (
        task.view.document.line_at(citation.page, number)
        for item in items
        for citation in item.citations
        for number in range(citation.line_start, citation.line_end + 1)
    )
    return [line for line in found if line is not None and line.is_evidence and line.text.strip()]


def _names_something(task: ReaderTask) -> bool:
    """Whether the question says more behind its cue than that it asks for terms: a name that should be defined."""
    lexicon = task.view.lexicon
    plain = (
        *cue_of(lexicon.value_cues, "term nouns"),
        *(word for cue in lexicon.reference_cues for word in cue.split()),
    )
    words = (word.folded for word in split_words(_cut_tail(task), lexicon))
    return any(word not in plain and word not in lexicon.stop_word_set and word.isalnum() for word in words)


def _cut_tail(task: ReaderTask) -> str:
    """What a question says from the comma before its cue on; "" where it has none."""
    lexicon = task.view.lexicon
    words = split_words(task.question.text, lexicon)
    cue = find_first(lexicon.reference_cues, words)
    if cue is None:
        return ""
    start = words[cue.first].start
    comma = task.question.text.rfind(",", 0, start)
    return task.question.text[comma if comma > 0 else start :]


def _find_named(task: ReaderTask, lines: Sequence[Line]) -> frozenset[str]:
    """Keys of the terms that the question names behind its cue, without the one that it asks about."""
    tail = _cut_tail(task)
    if not tail or not lines:
        return frozenset()
    subject = task.question.text[: len(task.question.text) - len(tail)]
    inside = {line.position for line in lines}
    own = frozenset(find_named_terms(task.view, lines, subject))
    return frozenset(
        key
        for key in find_named_terms(task.view, lines, tail)
        if key.startswith(PREFIX)
        and key not in own
        and not any(target.start in inside for target in find_defined(task.view, key))
    )
