"""A value found for a question: where it stands, what speaks for it, and what it is of."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.weights import weigh_anchor
from pipeline.question.concepts import find_concept
from pipeline.text.anchors import find_anchor
from pipeline.text.matching import contains_folded, fold

if TYPE_CHECKING:
    from pipeline.generation.extractive.qualifiers import Qualifier
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.generation.extractive.typed import Typed
    from pipeline.models.answer import Citation
    from pipeline.models.base import Position
    from pipeline.models.question import Anchor
    from pipeline.structure.view import DocumentView


COMMON_SHARE = 3
"""An anchor on more than one page in this many names the document's subject and tells no two places apart."""


class ValueHit(NamedTuple):
    """A typed value with its score (thousandths), place, citations, and the words around it that say what it is of.

    `unsaid_cost` is the part of the score that was lost because a qualifier of the question is not said there; `twins`
    are cells of the same table that the question names just as well.
    """

    typed: Typed
    score: int
    place: Position
    citations: tuple[Citation, ...]
    matched: tuple[str, ...]
    qualifiers: frozenset[Qualifier]
    context: str
    label: str = ""
    is_cell: bool = False
    unsaid_cost: int = 0
    twins: tuple[ValueHit, ...] = ()


def weigh(view: DocumentView, anchors: tuple[Anchor, ...], keys: frozenset[str]) -> int:
    """Share of the anchors' weight in this document, in thousandths, that the given keys make up.

    A compound whose words all stand there counts, although other words part them.
    """
    weights = {anchor.key: weigh_telling(view, anchor) for anchor in anchors}
    given = [weight for key, weight in weights.items() if holds(key, keys)]
    return sum(given) * 1000 // (sum(weights.values()) or 1)


def weigh_telling(view: DocumentView, anchor: Anchor) -> int:
    """The weight of an anchor, lowered only when it stands on so many pages that it is what the document is about."""
    pages = len({page for page, _ in view.positions_of(anchor)})
    is_common = pages * COMMON_SHARE > len(view.document.pages) + COMMON_SHARE - 1
    return weigh_anchor(view, anchor) if is_common else anchor.weight


def holds(key: str, keys: frozenset[str]) -> bool:
    """Whether an anchor is among the matched ones, whole or by all of its words."""
    return key in keys or all(part in keys for part in key.split())


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


def misnames(task: ReaderTask, label: str) -> bool:
    """Whether a label says a derived figure of the question only by what it is computed from.

    "Operating income margin" is found for an EBITDA margin, but a row that says EBITDA is the one that is meant.
    """
    keys = {anchor.key for anchor in task.part.anchors if anchor.source == "concept" and find_anchor(anchor, label)}
    folded = fold(label)
    concepts = (find_concept(key, task.view.lexicon) for key in sorted(keys))
    return any(
        concept is not None and not any(contains_folded(fold(form), folded) for form in (concept.name, *concept.forms))
        for concept in concepts
    )
