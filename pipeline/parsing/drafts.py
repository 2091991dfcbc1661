"""What the child knows of lines and pages before they become models: plain slots, cheap to make and to send."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.models.document import PageCheck, PageState

Box = tuple[int, int, int, int]
Ranges = tuple[tuple[int, int], ...]


@dataclass(slots=True)
class DraftLine:
    """A line while its page is put in order; lengths in hundredths of a point.

    `baseline`, `paint` (place in the painting order), `colour` (0xRRGGBB) and `is_upright` serve the page alone and do
    not leave it.
    """

    text: str
    box: Box
    size: int
    bold: bool = False
    bold_prefix: int = 0
    italic: bool = False
    column: int = 0
    block: int = 0
    hidden: str = ""
    raised: Ranges = ()
    lowered: Ranges = ()
    baseline: int = 0
    paint: int = 0
    colour: int = 0
    is_upright: bool = True


@dataclass(slots=True)
class DraftPage:
    """A page as the child read it; `error` and `warnings` are the engine's words on it.

    With an `error` the page has failed. `links` are (box, target page, target y).
    """

    number: int
    width: int = 0
    height: int = 0
    rotation: int = 0
    state: PageState = "ok"
    column_count: int = 1
    image_cover: int = 0
    failed_checks: tuple[PageCheck, ...] = ()
    text_hash: str = ""
    error: str = ""
    warnings: tuple[str, ...] = ()
    links: tuple[tuple[Box, int | None, int | None], ...] = ()
    lines: list[DraftLine] = field(default_factory=list)


def unite_boxes(first: Box, second: Box) -> Box:
    """The smallest box around two boxes."""
    return (min(first[0], second[0]), min(first[1], second[1]), max(first[2], second[2]), max(first[3], second[3]))
