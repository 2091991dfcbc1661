"""How much an anchor says in one document: rare in general language and not on every page of this document."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.models.lexicon import Lexicon
    from pipeline.models.question import Anchor
    from pipeline.structure.view import DocumentView


def weigh_anchor(view: DocumentView, anchor: Anchor) -> int:
    """Thousandths: the anchor's own weight, lowered by the share of the pages that carry it; never below 1.

    The name of the product or company that a document is about stands on every page and tells no two pages apart.
    """
    if view.names_document(anchor):
        return 1
    pages = view.count_pages(anchor)
    total = len(view.document.pages)
    return max(1, anchor.weight * (total + 1 - pages) // (total + 1))


def keep_own_forms(lexicon: Lexicon, anchor: Anchor) -> Anchor:
    """A concept without the forms of what it is computed from, which retrieval needs and which do not say it."""
    if anchor.source != "concept":
        return anchor
    own = next((concept for concept in lexicon.concepts if concept.name == anchor.key), None)
    if own is None or not own.inputs:
        return anchor
    asked = anchor.forms[:1]
    forms = tuple(dict.fromkeys((*asked, own.name, *own.forms)))
    return anchor.model_copy(update={"forms": forms})
