"""What is in one list and not in another: "which tools do counters carry but not wardens"."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pipeline.generation.extractive.leadins import read_lead_in
from pipeline.question.anchors import make_word_anchor
from pipeline.question.terms import cue_of, split_words
from pipeline.text.anchors import find_anchor
from pipeline.text.matching import contains_folded, fold, squeeze

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask, Reading
    from pipeline.models.question import Anchor
    from pipeline.models.structure import Enumeration

MAX_PLACES = 40


def leave_out_other(task: ReaderTask, listed: Reading, own: Enumeration) -> Reading:
    """The members of a list that are not in the other list that the question names; the list as it is without one."""
    openers = cue_of(task.view.lexicon.value_cues, "not in the other")
    text = next((each for each in task.question.exclusions if fold(each).startswith(openers)), "")
    anchors = _list_anchors(task, text)
    other = _find_other(task, own, anchors) if anchors else None
    if other is None:
        return listed
    known = {squeeze(item.text).casefold().strip(".;,") for item in other.items}
    kept = tuple(item for item in listed.items if squeeze(item.text).casefold().strip(".;,") not in known)
    if not kept or len(kept) == len(listed.items):
        return listed
    told = "\n".join(f"- {item.text}" for item in kept)
    left = ", ".join(item.text.rstrip(".;,") for item in listed.items if item not in kept)
    caveat = f"left out, since they are in the other list as well (page {other.start[0]}): {left}"
    return replace(listed, text=told, items=kept, certificate=None, caveats=(caveat,))


def _list_anchors(task: ReaderTask, text: str) -> tuple[Anchor, ...]:
    lexicon = task.view.lexicon
    cues = {word for cue in lexicon.exclusion_cues for word in cue.split()}
    own = {anchor.key for anchor in task.part.anchors}
    words = [word for word in split_words(text, lexicon) if word.folded not in lexicon.stop_word_set]
    made = (make_word_anchor(word, lexicon) for word in words if word.folded not in cues | {"not", "list"})
    return tuple(anchor for anchor in made if anchor.key not in own)


def _find_other(task: ReaderTask, own: Enumeration, anchors: tuple[Anchor, ...]) -> Enumeration | None:
    """The list led in by all words of the other side, which shares members with the own one."""
    mine = [fold(item.text) for item in own.items]
    for page in sorted({page for page, _ in task.view.positions_of(anchors[0])[:MAX_PLACES]}):
        for each in task.view.enumerations_in((page, 1), (page + 1, 1)):
            section = task.view.document.section_at(each.start)
            said = f"{read_lead_in(task.view, each)} {section.title if section is not None else ''}"
            shared = any(contains_folded(text.strip(" .;,"), fold(item.text)) for text in mine for item in each.items)
            if each.start != own.start and shared and all(find_anchor(anchor, said) for anchor in anchors):
                return each
    return None
