"""Keywords added later: beside the anchors, never instead of them, each form once, capped together with them."""

from __future__ import annotations

from pipeline.models.question import Anchor


def join_expansions(
    anchors: tuple[Anchor, ...], present: tuple[Anchor, ...], offered: tuple[Anchor, ...], max_keywords: int
) -> tuple[Anchor, ...]:
    """The expansions after `offered` came in; anchors and expansions together stay within `max_keywords`.

    An expansion that matches a form of an anchor or of another expansion adds nothing. At the cap the least
    informative (lowest weight, then latest) goes first; anchors are never dropped.
    """
    forms = {form for anchor in anchors for form in _list_forms(anchor)}
    kept: list[Anchor] = []
    for expansion in present + offered:
        own = _list_forms(expansion)
        if not own & forms:
            kept.append(expansion)
            forms |= own
    # a question may have more anchors than the cap; they stay, and no expansion joins them
    room = max(0, max_keywords - len(anchors))
    by_worth = sorted(range(len(kept)), key=lambda place: (-kept[place].weight, place))
    # the order in which they came is the order in which they are recorded
    return tuple(kept[place] for place in sorted(by_worth[:room]))


def _list_forms(anchor: Anchor) -> set[str]:
    return {anchor.key, *anchor.forms}
