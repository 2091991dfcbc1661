"""Text that a reader of the page cannot see: what spans do not say of themselves, their surroundings do.

Cheap geometry names candidates (a later fill over the line, a colour like its ground, an image, an annotation); only a
page with candidates is drawn, and a candidate is hidden when its place shows nothing in its own colour. A page without
candidates, which is nearly every page, pays for the geometry alone.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from pipeline.parsing.constants import (
    MAX_COLOUR_DISTANCE,
    MIN_BACKGROUND_SHARE,
    MIN_COVERED_SHARE,
    MIN_FILL_EDGE,
    MIN_SCAN_COVER,
)
from pipeline.parsing.drafts import Box, DraftLine, DraftPage
from pipeline.parsing.runs import to_box

_VECTOR_BLOCK = 3
_WHITE = 0xFFFFFF


class Fill(NamedTuple):
    """A filled opaque area: its box, its colour, its place in the painting order."""

    box: Box
    colour: int
    paint: int


class Image(NamedTuple):
    """An image as painted: its box and how many runs of text were painted before it."""

    box: Box
    paint: int


class Painted(NamedTuple):
    """What the engine's log of painting says of images, and of runs of text painted over them."""

    images: tuple[Image, ...] = ()
    texts: tuple[Image, ...] = ()


def collect_fills(blocks: list[dict[str, Any]]) -> list[Fill]:
    """Filled opaque rectangles large enough to hold or to hide a line."""
    fills: list[Fill] = []
    for paint, block in enumerate(blocks):
        if block["type"] == _VECTOR_BLOCK and not block["stroked"] and block["isrect"] and block["alpha"] > 250:
            x0, y0, x1, y1 = block["bbox"]
            if (x1 - x0) * 100 >= MIN_FILL_EDGE and (y1 - y0) * 100 >= MIN_FILL_EDGE:
                fills.append(Fill(to_box(block["bbox"]), block["color"], paint))
    return fills


def flag_off_page(draft: DraftPage) -> None:
    """Flag lines whose middle lies outside the visible page."""
    for line in draft.lines:
        x0, y0, x1, y1 = line.box
        if x0 < 0 or y0 < 0 or x1 > draft.width or y1 > draft.height:
            is_inside = 0 <= x0 + x1 <= 2 * draft.width and 0 <= y0 + y1 <= 2 * draft.height
            if not is_inside and not line.hidden:
                line.hidden = "off_page"


def flag_redacted(draft: DraftPage, boxes: list[Box]) -> None:
    """Flag lines under a redaction that was marked but not applied."""
    for line in draft.lines:
        if not line.hidden and any(_share_inside(line.box, box) * 2 >= 1000 for box in boxes):
            line.hidden = "redacted"


def admit_scan_layer(draft: DraftPage) -> bool:
    """Whether invisible text is the OCR layer of a scan; it then counts as text and is flagged no longer."""
    if draft.image_cover < MIN_SCAN_COVER:
        return False
    layer = [line for line in draft.lines if line.hidden in ("invisible", "transparent", "covered")]
    for line in layer:
        line.hidden = ""
    return bool(layer)


def flag_under_images(draft: DraftPage, painted: Painted) -> None:
    """Flag lines that an opaque image painted later covers, unless the same place was written on again."""
    for line in draft.lines:
        if line.hidden:
            continue
        middle = ((line.box[0] + line.box[2]) // 2, (line.box[1] + line.box[3]) // 2)
        for image in painted.images:
            if _share_inside(line.box, image.box) < MIN_COVERED_SHARE:
                continue
            orders = [text.paint for text in painted.texts if _holds(text.box, middle)]
            if orders and max(orders) < image.paint:
                line.hidden = "covered"
                break


def find_suspects(lines: list[DraftLine], fills: list[Fill], over: list[Box]) -> list[tuple[DraftLine, str]]:
    """Lines that may be covered by a later fill or an annotation, or have the colour of what is behind them."""
    suspects = [(line, "covered") for line in _find_covered(lines, fills)]
    known = {id(line) for line, _ in suspects}
    shades: dict[int, bool] = {}
    for line in lines:
        if line.hidden or id(line) in known:
            continue
        if any(_share_inside(line.box, box) >= MIN_COVERED_SHARE for box in over):
            suspects.append((line, "covered"))
        elif (line.colour and _is_close(line.colour, _WHITE)) or (fills and _is_on_own_colour(line, fills, shades)):
            suspects.append((line, "same_colour"))
    return suspects


def _find_covered(lines: list[DraftLine], fills: list[Fill]) -> list[DraftLine]:
    """Lines under a fill that was painted after them, in stream order."""
    covered: list[DraftLine] = []
    earlier: list[DraftLine] = []
    lowest = at = 0
    for fill in fills:
        while at < len(lines) and lines[at].paint < fill.paint:
            earlier.append(lines[at])
            y0, y1 = lines[at].box[1], lines[at].box[3]
            lowest = max(lowest, y1 - (y1 - y0) // 4)
            at += 1
        # Most pages are painted downwards, rows with their shading: then nothing earlier reaches below its top.
        if lowest > fill.box[1]:
            covered += [
                line
                for line in earlier
                if line.box[3] > fill.box[1]
                and line.box[1] < fill.box[3]
                and _share_inside(_core_of(line.box), fill.box) >= MIN_COVERED_SHARE
            ]
    unique = {id(line) for line in covered}
    return [line for line in lines if id(line) in unique and not line.hidden]


def _is_on_own_colour(line: DraftLine, fills: list[Fill], shades: dict[int, bool]) -> bool:
    """Whether the last fill under the line has its colour; most pages have no fill of a text's colour at all."""
    known = shades.get(line.colour)
    if known is None:
        known = shades[line.colour] = any(_is_close(line.colour, fill.colour) for fill in fills)
    if not known:
        return False
    below = [fill for fill in fills if fill.paint < line.paint and _share_inside(line.box, fill.box) >= 500]
    return bool(below) and _is_close(line.colour, below[-1].colour)


def find_bare_spans(line: DraftLine, lines: list[DraftLine], span: tuple[int, int]) -> list[tuple[int, int]]:
    """The stretches of `span` (whole points) where no other line was written over this one later."""
    y0, y1 = line.box[1], line.box[3]
    over = sorted(
        (other.box[0] // 100 - 1, other.box[2] // 100 + 2)
        for other in lines
        if other.paint > line.paint and not other.hidden and other.box[1] < y1 and other.box[3] > y0
    )
    bare: list[tuple[int, int]] = []
    at, end = span
    for start, stop in over:
        if stop <= at or start >= end:
            continue
        if start > at:
            bare.append((at, start))
        at = max(at, stop)
    return [*bare, (at, end)] if at < end else bare


def is_unseen(samples: list[tuple[int, int, int]], colour: int) -> bool:
    """Whether pixels of a line's place show no text of this colour: all alike, or the colour itself is the ground.

    No pixels are left where other text was written all over the line.
    """
    if not samples:
        return True
    for channel in range(3):
        values = [sample[channel] for sample in samples]
        if max(values) - min(values) > MAX_COLOUR_DISTANCE:
            break
    else:
        return True
    own = sum(_is_close((red << 16) | (green << 8) | blue, colour) for red, green, blue in samples)
    return own * 1000 >= MIN_BACKGROUND_SHARE * len(samples)


def _is_close(first: int, second: int) -> bool:
    return all(abs((first >> bits & 255) - (second >> bits & 255)) <= MAX_COLOUR_DISTANCE for bits in (16, 8, 0))


def _core_of(box: Box) -> Box:
    """The middle half of a line's height, where its letters are."""
    quarter = (box[3] - box[1]) // 4
    return (box[0], box[1] + quarter, box[2], box[3] - quarter)


def _share_inside(inner: Box, outer: Box) -> int:
    """Thousandths of `inner` that lie inside `outer`."""
    width = min(inner[2], outer[2]) - max(inner[0], outer[0])
    height = min(inner[3], outer[3]) - max(inner[1], outer[1])
    area = (inner[2] - inner[0]) * (inner[3] - inner[1])
    return 0 if width <= 0 or height <= 0 or area <= 0 else width * height * 1000 // area


def _holds(box: Box, point: tuple[int, int]) -> bool:
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]
