"""How much an anchor says in one document: rare in general language and not on every page of this document."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.models.question import Anchor
    from pipeline.structure.view import DocumentView


def weigh_anchor(view: DocumentView, anchor: Anchor) -> int:
    """Thousandths: the anchor's own weight, lowered by the share of the pages that carry it; never below 1.

    The name of the product or company that a document is about stands on every page and tells no two pages apart.
    """
    pages = view.count_pages(anchor)
    total = len(view.document.pages)
    return max(1, anchor.weight * (total + 1 - pages) // (total + 1))
