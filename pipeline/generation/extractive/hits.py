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


COMMON_SHARE, SUBJECT_PART = 3, 4
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
    weights = list_weights(view, anchors)
    given = [weight for key, weight in weights.items() if holds(key, keys)]
    return sum(given) * 1000 // (sum(weights.values()) or 1)


def list_weights(view: DocumentView, anchors: tuple[Anchor, ...]) -> dict[str, int]:
    """The weights of anchors by their keys, as a value's place has to say them.

    Of the thing that the document is about a sentence says "our big model" as well as its name, so that the name and
    a compound with it ("big Transformer") tell little more than the other words of the compound.
    """
    weights = {anchor.key: weigh_telling(view, anchor) for anchor in anchors}
    subjects = {anchor.key for anchor in anchors if _is_subject(view, anchor)}
    for anchor in anchors if len(subjects) < len(anchors) else ():
        parts = anchor.key.split()
        if anchor.key in subjects:
            weights[anchor.key] //= SUBJECT_PART
        elif anchor.source == "compound" and subjects.intersection(parts):
            rest = sum(weights.get(part, 0) for part in parts if part not in subjects)
            weights[anchor.key] = min(weights[anchor.key], rest)
    return weights


def _is_subject(view: DocumentView, anchor: Anchor) -> bool:
    """Whether an anchor is a name on the first page and on so many pages that the document is about it."""
    if anchor.source != "word" or not anchor.text[:1].isupper() or anchor.text.isupper():
        return False
    is_common = view.count_pages(anchor) * COMMON_SHARE > len(view.document.pages) + COMMON_SHARE - 1
    return is_common and any(page == 1 for page, _ in view.positions_of(anchor))


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
