"""The marks of a copy before they are drawn: highlights for places, and for each answer a note beside its first one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pipeline.canonical import encode_json, hash_bytes
from pipeline.report.notes import clean_text
from pipeline.report.places import unite_boxes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pipeline.models.base import Box
    from pipeline.report.notes import Note

# hundredths of a point
ICON_SIZE = 1800
_MARGIN = 400
_STEP = 2000
_ID_LENGTH = 24
_MAX_NAMED = 300


class Located(NamedTuple):
    """A quote that was found: which note it belongs to, and its boxes on its page."""

    note: int
    page: int
    boxes: tuple[Box, ...]


class Mark(NamedTuple):
    """One annotation: `kind` is Highlight or Text, `box` is around `boxes`; the id is a hash of all the rest."""

    id: str
    kind: str
    page: int
    box: Box
    boxes: tuple[Box, ...]
    subject: str
    text: str


def build_marks(notes: Sequence[Note], located: Sequence[Located], sizes: Mapping[int, tuple[int, int]]) -> list[Mark]:
    """All marks by page, highlights first; `sizes` are width and height of pages in hundredths of a point.

    A place that several answers quote is marked once and names them all.
    """
    places: dict[tuple[int, tuple[Box, ...]], list[int]] = {}
    first: dict[int, Located] = {}
    for place in located:
        owners = places.setdefault((place.page, place.boxes), [])
        if place.note not in owners:
            owners.append(place.note)
        first.setdefault(place.note, place)
    marks = [_build_highlight(page, boxes, [notes[at] for at in owners]) for (page, boxes), owners in places.items()]
    taken: dict[int, list[Box]] = {}
    for at in sorted(first):
        place = first[at]
        icon = _place_icon(place, sizes[place.page], taken.setdefault(place.page, []))
        marks.append(_finish("Text", place.page, (icon,), (notes[at].run_id, notes[at].text)))
    return sorted(marks, key=lambda mark: (mark.page, mark.kind))


def _build_highlight(page: int, boxes: tuple[Box, ...], owners: Sequence[Note]) -> Mark:
    named = [f"{note.id}: {note.question}" for note in owners]
    shown = [name if len(name) <= _MAX_NAMED else f"{name[:_MAX_NAMED]}..." for name in named]
    return _finish("Highlight", page, boxes, (", ".join(note.run_id for note in owners), clean_text("\n".join(shown))))


def _finish(kind: str, page: int, boxes: tuple[Box, ...], words: tuple[str, str]) -> Mark:
    subject, text = words
    name = hash_bytes(encode_json([kind, page, boxes, subject, text]))[:_ID_LENGTH]
    return Mark(f"pdfdocket-{name}", kind, page, unite_boxes(boxes), boxes, subject, text)


def _place_icon(place: Located, size: tuple[int, int], taken: list[Box]) -> Box:
    """A place in the nearer margin at the height of the quote, below the notes that are there already."""
    width, height = size
    around = unite_boxes(place.boxes)
    is_left = around[0] + around[2] <= width
    x = _MARGIN if is_left else max(0, width - ICON_SIZE - _MARGIN)
    lowest = max(0, height - ICON_SIZE)
    y = min(max(0, around[1]), lowest)
    icon = (x, y, x + ICON_SIZE, y + ICON_SIZE)
    while any(_overlap(icon, other) for other in taken):
        y += _STEP
        if y > lowest:
            # a full margin goes on towards the middle, from the top
            x, y = (x + _STEP if is_left else x - _STEP), 0
            if not 0 <= x <= width - ICON_SIZE:
                break
        icon = (x, y, x + ICON_SIZE, y + ICON_SIZE)
    taken.append(icon)
    return icon


def _overlap(icon: Box, other: Box) -> bool:
    return icon[0] < other[2] and other[0] < icon[2] and icon[1] < other[3] and other[1] < icon[3]
