"""Where a thing is a member of a list: the member alone, and the line or heading that says what the list is of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.extractive.sentences import Sentence
from pipeline.models.structure import Extent
from pipeline.text.anchors import find_anchor

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.base import Position
    from pipeline.models.question import Anchor

MAX_LINES = 400
"""Lists of a longer section are not looked for: recognising them is dear."""


Membership = tuple[tuple[Sentence, ...], Sentence]
"""What may say what a list is of, the nearest first, and the member."""


def find_membership(task: ReaderTask, place: Position, wanted: Sequence[Anchor]) -> Membership | None:
    """(leads, member) of the list around a place that has a member with all that is wanted; None where there is none.

    The line before the list leads it; where that says nothing ("These include:"), the heading of its section does.
    """
    view = task.view
    section = view.document.section_at(place)
    start, end = (section.start, section.end) if section is not None else ((place[0], 1), (place[0] + 1, 0))
    if len(view.lines_in(start, end)) > MAX_LINES:
        start, end = (place[0], 1), (place[0] + 1, 0)
    for enumeration in view.enumerations_in(start, end):
        for item in enumeration.items:
            if not _covers(item.extents, place):
                continue
            own = (Sentence(enumeration.lead, enumeration.lead_extents, 0),) if enumeration.lead_extents else ()
            leads = (*(lead for lead in own if lead.text), *_list_heads(task, place))
            if is_member(wanted, item.text, " ".join(lead.text for lead in leads)):
                return leads, Sentence(item.text, item.extents, 0)
    return None


def is_member(wanted: Sequence[Anchor], text: str, above: str) -> bool:
    """Whether a member of a list is what is wanted: it has what tells it, and what stands over it may have the rest."""
    held = [anchor for anchor in wanted if find_anchor(anchor, text)]
    lent = [anchor for anchor in wanted if anchor not in held and find_anchor(anchor, above)]
    return len(held) + len(lent) == len(wanted) and any(not find_anchor(anchor, above) for anchor in held)


def _covers(extents: Sequence[Extent], place: Position) -> bool:
    """Whether a member stands on the page of the place, at it or behind it."""
    return any(extent.page == place[0] and extent.line_end >= place[1] for extent in extents)


def _list_heads(task: ReaderTask, place: Position) -> tuple[Sentence, ...]:
    section = task.view.document.section_at(place)
    if section is None:
        return ()
    page, line = section.start
    heading = Extent(page=page, line_start=line, line_end=line)
    return (Sentence(section.title, (heading,), 0),)
