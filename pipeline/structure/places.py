"""Places of an anchor: the lines that carry one of its forms, also over a line end."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.models.base import Position
from pipeline.models.document import ParsedDocument
from pipeline.models.question import Anchor


def find_places(document: ParsedDocument, anchor: Anchor) -> tuple[Position, ...]:
    """Positions of evidence lines that carry the anchor, ascending, each once."""
    from pipeline.text.anchors import occurs

    folded, lines = document.folded, document.lines
    hits = [index for index, text in enumerate(folded) if occurs(anchor, text)]
    carried = set(hits)
    for index in _list_breaks(folded, anchor):
        if index in carried or not lines[index].is_evidence:
            continue
        after = _find_next(document, index)
        if after is None or after in carried:
            continue
        left, right = folded[index], folded[after]
        joined = [f"{left} {right}"]
        if left.endswith("-"):
            joined = [left[:-1] + right, left + right]
        if any(occurs(anchor, text) for text in joined):
            carried.add(index)
    return tuple(lines[index].position for index in sorted(carried) if lines[index].is_evidence)


def _list_breaks(folded: tuple[str, ...], anchor: Anchor) -> Iterator[int]:
    """Lines at whose end a form may break: a hyphen, or the first word of a form of several words."""
    firsts = sorted({form.split()[0] for form in anchor.forms if " " in form})
    heads = tuple(sorted({form[:3] for form in anchor.forms}))
    for index, text in enumerate(folded):
        # a word broken by a hyphen begins in the last word of the line
        if text.endswith("-") and text[text.rfind(" ") + 1 :].startswith(heads) or (
            firsts and any(first in text for first in firsts)
        ):
            yield index


def _find_next(document: ParsedDocument, index: int) -> int | None:
    """The next evidence line of the text: of the same column, or the first of the next column or page."""
    for after in range(index + 1, min(index + 12, len(document.lines))):
        if document.lines[after].is_evidence:
            return after
    return None
