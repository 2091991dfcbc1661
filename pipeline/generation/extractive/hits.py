"""A value found for a question: where it stands, what speaks for it, and what it is of."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pipeline.generation.extractive.qualifiers import Qualifier
    from pipeline.generation.extractive.typed import Typed
    from pipeline.models.answer import Citation
    from pipeline.models.base import Position
    from pipeline.models.question import Anchor


class ValueHit(NamedTuple):
    """A typed value with its score (thousandths), place, citations, and the words around it that say what it is of."""

    typed: Typed
    score: int
    place: Position
    citations: tuple[Citation, ...]
    matched: tuple[str, ...]
    qualifiers: frozenset[Qualifier]
    context: str
    label: str = ""
    is_cell: bool = False


def weigh(anchors: tuple[Anchor, ...], keys: frozenset[str]) -> int:
    """Share of the anchors' weight, in thousandths, that the given keys make up."""
    total = sum(anchor.weight for anchor in anchors) or 1
    return sum(anchor.weight for anchor in anchors if anchor.key in keys) * 1000 // total


def rank_hits(hits: list[ValueHit]) -> tuple[ValueHit, ...]:
    """Best first; ties by place and value; the same value on the same line once."""
    ordered = sorted(hits, key=lambda hit: (-hit.score, hit.place, hit.typed.start, hit.typed.value))
    seen: set[tuple[object, ...]] = set()
    kept = []
    for hit in ordered:
        key = (hit.place, hit.typed.value, hit.typed.unit)
        if key not in seen:
            seen.add(key)
            kept.append(hit)
    return tuple(kept)
