"""Passages that lack what was asked about: near in their other words, and no answer all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.extractive.hits import weigh_telling
from pipeline.generation.extractive.shaped import asks_amount
from pipeline.generation.extractive.typed import find_typed
from pipeline.generation.extractive.verdict import is_subject
from pipeline.question.terms import cue_of, split_words
from pipeline.text.anchors import find_anchor
from pipeline.text.matching import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.reading import ReaderTask, Reading
    from pipeline.models.question import Anchor

NEAR_MISS = 300
"""Thousandths of confidence at most of a passage without what was asked about."""
LEAST_MISSED = 250
"""Thousandths of the weight of what a question says that a passage may lack and still be its answer."""
SINGLE = frozenset({"word", "concept", "quoted"})


def mark_missed(task: ReaderTask, reading: Reading) -> Reading:
    """A quoted passage, with a caveat and little confidence where a telling word of the question is not in or over it.

    Words that the whole document lacks count most; names of what the document is about count nothing, since a text
    need not repeat them.
    """
    if any(item.value for item in reading.items) or reading.certificate is not None:
        return reading
    asked = _list_telling(task)
    text = _read_quoted(task, reading)
    if asks_amount(task) and not find_typed(text, "money", task.view.lexicon):
        return reading.doubt("no amount is said in what is quoted", NEAR_MISS)
    missed = [anchor for anchor in asked if not find_anchor(anchor, text)]
    nowhere = [anchor for anchor in missed if not task.view.positions_of(anchor)]
    weights = {anchor.key: weigh_telling(task.view, anchor) for anchor in asked}
    focus = {anchor.key for anchor in task.part.focus}
    lost = sum(weights[anchor.key] for anchor in missed if anchor in nowhere or anchor.key in focus)
    if not lost or lost * 1000 < LEAST_MISSED * sum(weights.values()):
        return reading
    named = ", ".join(f'"{anchor.text}"' for anchor in missed)
    where = "stands nowhere in the document" if len(nowhere) == len(missed) else "is not said near what is quoted"
    return reading.doubt(f"{named} {where}", NEAR_MISS)


def _list_telling(task: ReaderTask) -> tuple[Anchor, ...]:
    """The single words and concepts that say what is asked about: no names of the subject, no plain verbs."""
    lexicon = task.view.lexicon
    idle = frozenset((*cue_of(lexicon.value_cues, "itself"), *lexicon.quantity_nouns))
    verbs = {
        word.folded
        for word in split_words(task.part.text, lexicon)
        if word.folded.endswith(lexicon.verb_endings) and lexicon.zipf_of(word.folded) > 0
    }
    return tuple(
        anchor
        for anchor in task.part.anchors
        if anchor.source in SINGLE
        and not is_subject(task, anchor)
        and not set(fold(anchor.text).split()) & (verbs | idle)
        and not _is_person(anchor)
    )


def _is_person(anchor: Anchor) -> bool:
    """Whether an anchor is written as a name: a text says "she" or "the Company" for it."""
    return all(word[:1].isupper() for word in anchor.text.split()) and not anchor.text.isupper()


def _read_quoted(task: ReaderTask, reading: Reading) -> str:
    """What is quoted, with its labels and the headings that it stands under."""
    parts: list[str] = [reading.text]
    for item in reading.items:
        parts += [item.label, item.text, *(citation.quote for citation in item.citations)]
        parts += _list_headings(task, [(citation.page, citation.line_start) for citation in item.citations])
    return " ".join(parts)


def _list_headings(task: ReaderTask, places: Sequence[tuple[int, int]]) -> list[str]:
    sections = [section for place in places if (section := task.view.document.section_at(place)) is not None]
    return [title for section in sections for title in (*section.breadcrumb, section.title)]
