"""Where a quote stands among the characters of a page, so that exactly its words can be marked, or nothing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pipeline.parsing.constants import MAX_SCRIPT_SIZE
from pipeline.text.folding import is_bounded

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pipeline.models.base import Box

# hundredths of a point: a character may stick out of the box of its line by so much
_EDGE = 100
# two occurrences so near to each other are one text that was painted twice
_SAME = 200
# a box of a cell may be an estimate; more than half of the words must be in it
_MIN_SHARE = 500
# thousandths of the height of the characters; a wider gap parts words
_WORD_GAP = 150


class Glyph(NamedTuple):
    """A character and its box on the page as it is shown."""

    text: str
    box: Box


class Place(NamedTuple):
    """The boxes of one occurrence, one for each run of characters, or why there is none that is certain."""

    boxes: tuple[Box, ...] = ()
    fault: str = ""


class _Occurrence(NamedTuple):
    boxes: tuple[Box, ...]
    glyphs: tuple[Box, ...]


def find_quote(runs: Sequence[tuple[Glyph, ...]], parts: Sequence[str], boxes: Sequence[Box]) -> Place:
    """The place of a quote: each of its parts, verbatim and as whole words, once and only once inside its box.

    `runs` are the characters of a page in the order in which they were written. Where there is not a box for each
    part, a part may stand in any of them; without any box it must stand once on the whole page.
    """
    found: list[Box] = []
    if not any(part.strip() for part in parts):
        return Place(fault="nothing is quoted")
    for number, part in enumerate(parts):
        own = (boxes[number],) if len(boxes) == len(parts) else tuple(boxes)
        place = _find_part(runs, part, own)
        if place.fault:
            return place
        found += place.boxes
    return Place(tuple(dict.fromkeys(found)))


def _find_part(runs: Sequence[tuple[Glyph, ...]], part: str, boxes: Sequence[Box]) -> Place:
    if not boxes:
        return _choose([(1000, seen) for seen in _find_all(runs, part)])
    shared: list[tuple[int, _Occurrence]] = []
    seen_count = 0
    for box in boxes:
        occurrences = _find_all([run for run in runs if _is_beside(run, box)], part)
        seen_count += len(occurrences)
        shared += [(_measure_share(seen, box), seen) for seen in occurrences]
    place = _choose(shared)
    if place.fault and seen_count and not any(share >= _MIN_SHARE for share, _ in shared):
        return Place(fault="the quote stands beside its place, not in it")
    return place


def _choose(shared: Sequence[tuple[int, _Occurrence]]) -> Place:
    """The one occurrence that is wholly inside, or else the one that mostly is."""
    for least in (1000, _MIN_SHARE):
        inside: list[_Occurrence] = []
        for share, seen in shared:
            if share >= least and not any(_is_same(seen, other) for other in inside):
                inside.append(seen)
        if len(inside) == 1:
            return Place(inside[0].boxes)
        if inside:
            return Place(fault=f"the quote stands {len(inside)} times at its place")
    return Place(fault="the quote is not at its place")


def _find_all(runs: Sequence[tuple[Glyph, ...]], part: str) -> list[_Occurrence]:
    """Every occurrence of a text among runs, whatever white space is between its characters."""
    text, places = _join(runs)
    letters = [re.escape(letter) for letter in part if not letter.isspace()]
    found: list[_Occurrence] = []
    if not letters:
        return found
    # overlapping occurrences count too: each is a place that might have been meant
    words = r"\s*".join(letters)
    for match in re.finditer(f"(?=({words}))", text):
        start, end = match.span(1)
        if is_bounded(text, start, end):
            found.append(_collect(runs, places[start:end]))
    return found


def _join(runs: Sequence[tuple[Glyph, ...]]) -> tuple[str, list[tuple[int, int]]]:
    """The text of runs, and for each character its run and place there; white space between runs has none (-1)."""
    text: list[str] = []
    places: list[tuple[int, int]] = []
    for number, run in enumerate(runs):
        if number and _is_apart(runs[number - 1], run):
            text.append("\n")
            places.append((number, -1))
        for at, glyph in enumerate(run):
            # some glyphs stand for several characters
            text.append(glyph.text)
            places += [(number, at)] * len(glyph.text)
    return "".join(text), places


def _is_apart(before: tuple[Glyph, ...], after: tuple[Glyph, ...]) -> bool:
    last, first = before[-1].box, after[0].box
    low, height = sorted((last[3] - last[1], first[3] - first[1]))
    # a superscript is no part of the word or number that it stands behind
    if low * 1000 < MAX_SCRIPT_SIZE * height:
        return True
    is_level = min(last[3], first[3]) > max(last[1], first[1])
    return not is_level or not -height <= first[0] - last[2] <= _WORD_GAP * height // 1000


def _collect(runs: Sequence[tuple[Glyph, ...]], places: Iterable[tuple[int, int]]) -> _Occurrence:
    by_run: dict[int, list[Box]] = {}
    for number, at in places:
        if at >= 0 and not runs[number][at].text.isspace():
            by_run.setdefault(number, []).append(runs[number][at].box)
    boxes = tuple(unite_boxes(group) for group in by_run.values())
    return _Occurrence(boxes, tuple(box for group in by_run.values() for box in group))


def unite_boxes(boxes: Sequence[Box]) -> Box:
    """The smallest box around boxes."""
    return (
        min(box[0] for box in boxes), min(box[1] for box in boxes),
        max(box[2] for box in boxes), max(box[3] for box in boxes),
    )  # fmt: skip


def _is_beside(run: tuple[Glyph, ...], box: Box) -> bool:
    """Whether a run shares height with a box; where it begins and ends does not matter."""
    around = unite_boxes([glyph.box for glyph in run])
    return around[1] < box[3] and around[3] > box[1]


def _measure_share(seen: _Occurrence, box: Box) -> int:
    """Thousandths of the characters whose middle is inside a box."""
    inside = sum(
        box[0] - _EDGE <= (glyph[0] + glyph[2]) // 2 <= box[2] + _EDGE
        and box[1] - _EDGE <= (glyph[1] + glyph[3]) // 2 <= box[3] + _EDGE
        for glyph in seen.glyphs
    )
    return inside * 1000 // len(seen.glyphs)


def _is_same(seen: _Occurrence, other: _Occurrence) -> bool:
    ours, theirs = unite_boxes(seen.boxes), unite_boxes(other.boxes)
    return all(abs(edge - same) <= _SAME for edge, same in zip(ours, theirs, strict=True))
