"""Why something is so: the sentences that give the reason, next to the thing that the question names.

A figure that went up is no reason for it; "due to", "driven by" and "because" are what the text gives reasons with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.extractive.causes import find_subjects, list_reasons
from pipeline.generation.extractive.citing import cite_extents, cite_heading
from pipeline.generation.extractive.directions import WAYS, list_directions, says_moved
from pipeline.generation.extractive.enumerated import read_enumeration
from pipeline.generation.extractive.lists import find_introduced
from pipeline.generation.extractive.reading import Reading
from pipeline.models.answer import Item
from pipeline.text.anchors import find_anchor

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.generation.extractive.sentences import Sentence

MAX_REASONS = 3
NEAR_PERCENT = 75
"""A further sentence has at least so much of the best one's score."""
TURNED = "the text gives a reason for the opposite change"
ELSEWHERE = "the reason that was found may be that of something else: the sentence does not name what was asked"


def read_reason(task: ReaderTask) -> Reading | None:
    """The sentences that say why; None for other questions, and where no sentence of the evidence gives a reason."""
    if task.part.intent != "reason":
        return None
    reasons = list_reasons(task)
    if not reasons or reasons[0].score < task.view.lexicon.thresholds.reason:
        return None
    # of reasons that are about as good, the one that a list spells out
    best = next((found for found in reasons if found.is_lead and found.score * 10 >= reasons[0].score * 9), reasons[0])
    if best.is_lead and (introduced := find_introduced(task.view, best.sentence.extents[-1])) is not None:
        listed = read_enumeration(task, introduced)
        if listed is not None:
            return _lead_in(task, best.sentence, listed)
    chosen: list[Sentence] = []
    room = task.max_quote_characters
    for found in (best, *reasons[: 2 * MAX_REASONS]):
        is_known = any(found.sentence.text == sentence.text for sentence in chosen)
        if found.score * 100 < NEAR_PERCENT * best.score or is_known or len(found.sentence.text) > room:
            continue
        if (best.is_own, best.is_moved) > (found.is_own, found.is_moved):
            continue
        if _names_head(task, best.sentence.text) and not _names_head(task, found.sentence.text):
            continue
        chosen.append(found.sentence)
        room -= len(found.sentence.text)
        if len(chosen) == MAX_REASONS:
            break
    return _tell(task, chosen, is_own=best.is_own)


def _tell(task: ReaderTask, chosen: list[Sentence], *, is_own: bool) -> Reading | None:
    items = tuple(
        Item(
            sub_question=task.part.id,
            text=sentence.text,
            citations=(*cite_heading(task.view, task.part.anchors, sentence.start), *citations),
            extraction="verbatim",
        )
        for sentence in chosen
        if (citations := cite_extents(task.view, sentence.extents))
    )
    if not items:
        return None
    directions = list_directions(task)
    others = [cue for cue in WAYS if cue not in directions] if directions else []
    best, subjects = chosen[0].text, find_subjects(task)
    is_turned = says_moved(task, subjects, others, best, len(best)) and not says_moved(
        task, subjects, directions, best, len(best)
    )
    return Reading(
        text="\n".join(item.text for item in items),
        items=items,
        has_typed_fit=is_own and not is_turned,
        has_second_place=len(items) > 1 and is_own and not is_turned,
        caveats=(*((TURNED,) if is_turned else ()), *(() if is_own else (ELSEWHERE,))),
    )


def _names_head(task: ReaderTask, text: str) -> bool:
    return any(find_anchor(anchor, text) for anchor in find_subjects(task))


def _lead_in(task: ReaderTask, lead: Sentence, listed: Reading) -> Reading:
    """A list of reasons behind the sentence that introduces it."""
    first = listed.items[0]
    citations = (*cite_extents(task.view, lead.extents), *first.citations)
    items = (first.model_copy(update={"citations": citations}), *listed.items[1:])
    return Reading(
        text=f"{lead.text}\n{listed.text}",
        items=items,
        is_complete=listed.is_complete,
        has_typed_fit=True,
        has_second_place=True,
        caveats=listed.caveats,
    )
