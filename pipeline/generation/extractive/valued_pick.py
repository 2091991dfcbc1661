"""Which member of a list has the most of something: "... and which one has the most patents", told by a table."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pipeline.generation.extractive.nouns import find_noun
from pipeline.generation.extractive.operated import read_operated
from pipeline.models.lexicon import singular
from pipeline.question.operations import read_operation
from pipeline.question.terms import cue_of
from pipeline.text.matching import contains_folded, fold

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask, Reading
    from pipeline.models.answer import Item


def pick_by_value(task: ReaderTask, listed: Reading) -> Reading:
    """The list with the member picked that has the highest or lowest value asked for, and that value as an item.

    The list as it is where the pick asks for no extreme, or where no table has values of its members.
    """
    pick = task.part.pick
    if pick is None or any(item.picked for item in listed.items):
        return listed
    operation = read_operation(pick.text, task.view.lexicon)
    noun = " ".join(singular(fold(anchor.text)) for anchor in find_noun(task)[-1:])
    if not operation.direction or not noun:
        return listed
    text = _name_one(task, pick.text, noun)
    anchors = (*pick.anchors, *find_noun(task)[-1:])
    part = task.part.model_copy(update={"text": text, "anchors": anchors, "focus": pick.anchors, "pick": None})
    found = read_operated(replace(task, part=part.model_copy(update={"expected_count": None})))
    winners = [item for item in found.items if item.picked] if found is not None else []
    if found is None or len(winners) != 1:
        return listed
    named = [at for at, item in enumerate(listed.items) if _is_same(item, winners[0])]
    if len(named) != 1:
        return listed
    won = listed.items[named[0]]
    told = {
        "picked": True,
        "value": winners[0].value,
        "unit": winners[0].unit,
        "citations": tuple(dict.fromkeys((*won.citations, *winners[0].citations))),
    }
    items = (*listed.items[: named[0]], won.model_copy(update=told), *listed.items[named[0] + 1 :])
    caveats = tuple(caveat for caveat in listed.caveats if pick.text not in caveat)
    return replace(listed, text=f"{listed.text}\n{found.text}", items=items, caveats=caveats)


def _name_one(task: ReaderTask, text: str, noun: str) -> str:
    """The pick with the noun of the list: "which one has" and "which of them has" are "which segment has"."""
    words = text.split()
    opener = words[0] if words else ""
    rest = words[1:]
    pointing = (*task.view.lexicon.anaphora, *cue_of(task.view.lexicon.value_cues, "of which"))
    while rest and fold(rest[0]) in pointing:
        rest = rest[1:]
    return " ".join((opener, noun, *rest))


def _is_same(item: Item, winner: Item) -> bool:
    """Whether an item is the member that was found, by the name of the one in the other."""
    own, other = fold(item.text), fold(winner.label)
    return bool(other) and (contains_folded(other, own) or contains_folded(own, other))
