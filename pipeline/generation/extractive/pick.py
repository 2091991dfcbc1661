"""Which of the items the question asks for: "... and which one covers supply chain risk?"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.text.anchors import find_anchor

if TYPE_CHECKING:
    from pipeline.models.answer import Item
    from pipeline.models.question import SubQuestion

# The name of an item says more about what it covers than the text below it.
NAME_FACTOR = 2


def pick_items(part: SubQuestion, items: tuple[Item, ...]) -> tuple[tuple[Item, ...], str]:
    """Mark the item that carries most of the pick's anchors; a tie or no match marks none and says so."""
    if part.pick is None or not items:
        return items, ""
    scores = [_score(part, item) for item in items]
    best = max(scores)
    if best == 0:
        return items, f"no item says which one: {part.pick.text}"
    winners = [number for number, score in enumerate(scores) if score == best]
    if len(winners) > 1:
        return items, f"{len(winners)} items fit equally: {part.pick.text}"
    picked = tuple(
        item.model_copy(update={"picked": True}) if number == winners[0] else item for number, item in enumerate(items)
    )
    return picked, ""


def _score(part: SubQuestion, item: Item) -> int:
    if part.pick is None:
        return 0
    name = f"{item.label} {item.text}"
    quotes = " ".join(citation.quote.replace("\n", " ") for citation in item.citations)
    score = 0
    for anchor in part.pick.anchors:
        if find_anchor(anchor, name):
            score += NAME_FACTOR * anchor.weight
        elif find_anchor(anchor, quotes):
            score += anchor.weight
    return score
