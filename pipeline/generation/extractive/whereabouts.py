"""The reader of "where does X operate" in lists: the one member that is named, of a list led in by what is asked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.generation.extractive.certificate import list_members
from pipeline.generation.extractive.citing import cite_extents
from pipeline.generation.extractive.leadins import read_lead_in
from pipeline.generation.extractive.lists import list_rated
from pipeline.generation.extractive.reading import Reading
from pipeline.generation.extractive.verdict import is_subject
from pipeline.models.answer import Item
from pipeline.question.terms import cue_of
from pipeline.text.anchors import find_anchor
from pipeline.text.matching import contains_folded, fold

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.question import Anchor
    from pipeline.models.structure import Enumeration, EnumerationItem

SET_APART = frozenset({"bullet", "numbered", "lettered", "run_in"})
_HEAD_END = re.compile(r"\s[-\u2013\u2014]\s|:\s")


def read_whereabouts(task: ReaderTask) -> Reading | None:
    """The member of a list of places that the question names; None where its lead speaks of no places or no one fits.

    The lead has to say what happens there ("operations in the following locations"), the head of the member for whom.
    """
    anchors = [anchor for anchor in task.part.anchors if anchor.source != "compound" and not is_subject(task, anchor)]
    for entry in sorted(list_rated(task), key=lambda each: -each.score):
        own = entry.enumeration
        if own.kind not in SET_APART or not _leads_to_places(task, own):
            continue
        lead = read_lead_in(task.view, own)
        open_anchors = [anchor for anchor in anchors if not find_anchor(anchor, lead)]
        if len(open_anchors) == len(anchors):
            continue
        named = [member for member in list_members(own) if _is_named(task, member, open_anchors)]
        if len(named) == 1:
            return _tell(task, own, named[0])
    return None


def _leads_to_places(task: ReaderTask, own: Enumeration) -> bool:
    folded = fold(own.lead)
    return any(contains_folded(cue, folded) for cue in cue_of(task.view.lexicon.value_cues, "place nouns"))


def _is_named(task: ReaderTask, member: EnumerationItem, wanted: list[Anchor]) -> bool:
    """Whether the head of a member is named by the question, and nothing more is asked than the head says."""
    head = (_HEAD_END.split(member.text, maxsplit=1)[0] if _HEAD_END.search(member.text) else "").strip()
    words = [word for word in fold(head).split() if word not in task.view.lexicon.stop_word_set]
    asked = fold(task.part.text)
    return (
        bool(words)
        and all(contains_folded(word, asked) for word in words)
        and any(find_anchor(anchor, head) for anchor in wanted or task.part.anchors)
    )


def _tell(task: ReaderTask, own: Enumeration, member: EnumerationItem) -> Reading | None:
    citations = cite_extents(task.view, (*member.extents, *own.lead_extents))
    if not citations:
        return None
    text = _HEAD_END.split(member.text, maxsplit=1)[-1].strip()
    head = member.text[: len(member.text) - len(text)].strip(" :-\u2013\u2014")
    item = Item(sub_question=task.part.id, text=text, label=head, citations=citations, extraction="verbatim")
    return Reading(text=f"{head}: {text}", items=(item,), has_typed_fit=True, has_second_place=False)
