"""Which share of the anchors the titles of a section and its ancestors carry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.text.anchors import occurs
from pipeline.text.matching import fold

if TYPE_CHECKING:
    from pipeline.models.document import Section
    from pipeline.retrieval.hits import Hits

# what a word in an ancestor's title is worth to a section
ANCESTOR_SHARE = 0.5


def score_titles(sections: tuple[Section, ...], hits: Hits) -> dict[int, float]:
    """For each section (by index) whose own or ancestors' titles carry anchors: their share of all weight, 0 to 1."""
    if not hits.total:
        return {}
    terms = [term for term in hits.terms if not term.is_expansion]
    known: dict[str, tuple[float, ...]] = {}
    for title in dict.fromkeys(title for section in sections for title in (section.title, *section.breadcrumb)):
        folded = fold(title)
        weights = tuple(term.weight if occurs(term.anchor, folded) else 0.0 for term in terms)
        if any(weights):
            known[title] = weights
    scores: dict[int, float] = {}
    nothing = (0.0,) * len(terms)
    for section in sections:
        own = known.get(section.title, nothing)
        above = [known[title] for title in section.breadcrumb if title in known]
        if above:
            lent = [ANCESTOR_SHARE * max(weights) for weights in zip(*above, strict=True)]
            own = tuple(max(pair) for pair in zip(own, lent, strict=True))
        total = sum(own)
        if total:
            scores[section.index] = total / hits.total
    return scores
