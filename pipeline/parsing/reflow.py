"""Columns that a page mixes: short or narrow ones, drawn line by line across, taken apart at their gutter."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from pipeline.parsing.constants import COLUMN_TOLERANCE, MIN_FLOW_ROWS, MIN_FLOW_SHARE, MIN_RUN_ON_SHARE

if TYPE_CHECKING:
    from pipeline.models.base import Box

    class Placed(Protocol):
        """A line with its text and its place."""

        @property
        def text(self) -> str:
            """Verbatim text."""
            ...

        @property
        def box(self) -> Box:
            """Place on the page."""
            ...


AnyLine = TypeVar("AnyLine", bound="Placed")


class _Gap(NamedTuple):
    left: int
    right: int


def reflow_lines(lines: Sequence[AnyLine]) -> tuple[tuple[AnyLine, int], ...]:
    """(line, column) column after column, bands between lines that span columns; empty where nothing is mixed."""
    gutters = find_gutters(lines)
    if not gutters:
        return ()
    flow: list[tuple[AnyLine, int]] = []
    band: list[tuple[AnyLine, int]] = []
    for line in sorted(lines, key=lambda each: (each.box[1], each.box[0])):
        if any(line.box[0] < gutter < line.box[2] for gutter in gutters):
            flow += _read_band(band)
            flow.append((line, 0))
            band = []
        else:
            band.append((line, 1 + sum(gutter <= line.box[0] for gutter in gutters)))
    return (*flow, *_read_band(band))


def _read_band(band: list[tuple[AnyLine, int]]) -> list[tuple[AnyLine, int]]:
    # sorting is stable: within a column the lines stay in the order of their tops
    return sorted(band, key=lambda entry: entry[1])


def find_gutters(lines: Sequence[Placed]) -> tuple[int, ...]:
    """Places between columns that the reading order crosses row after row, left to right; () where there are none."""
    gaps = [
        _Gap(before.box[2], after.box[0])
        for before, after in pairwise(lines)
        # the next line stands to the right on the same row
        if after.box[0] > before.box[2] and after.box[1] < before.box[3] and before.box[1] < after.box[3]
        and " " in before.text.strip() and " " in after.text.strip()
    ]  # fmt: skip
    # each gutter is where most of the remaining gaps lie over each other
    gutters: list[int] = []
    while len(gaps) >= MIN_FLOW_ROWS:
        place = max(sorted({gap.right for gap in gaps}), key=lambda x: sum(_holds(gap, x) for gap in gaps))
        inside = [gap for gap in gaps if _holds(gap, place)]
        gaps = [gap for gap in gaps if not _holds(gap, place)]
        if len(inside) >= MIN_FLOW_ROWS and _is_straight(inside):
            gutters.append(min(gap.right for gap in inside))
    gutters.sort()
    return tuple(gutters) if gutters and _run_on(lines, gutters) else ()


def _holds(gap: _Gap, x: int) -> bool:
    return gap.left < x <= gap.right + COLUMN_TOLERANCE


def _is_straight(gaps: Sequence[_Gap]) -> bool:
    """Whether the lines to the right begin at one edge."""
    edge = sorted(gap.right for gap in gaps)[len(gaps) // 2]
    near = sum(abs(gap.right - edge) <= COLUMN_TOLERANCE for gap in gaps)
    return near * 1000 >= MIN_FLOW_SHARE * len(gaps)


def _run_on(lines: Sequence[Placed], gutters: Sequence[int]) -> bool:
    """Whether the text of every column goes on from line to line, which cells of a table do not."""
    for column in range(len(gutters) + 1):
        mine = sorted(
            (
                line
                for line in lines
                if sum(gutter <= line.box[0] for gutter in gutters) == column
                and not any(line.box[0] < gutter < line.box[2] for gutter in gutters)
            ),
            key=lambda line: line.box[1],
        )
        pairs = list(pairwise(mine))
        going = sum(_goes_on(before.text, after.text) for before, after in pairs)
        if len(pairs) < MIN_FLOW_ROWS - 1 or going * 1000 < MIN_RUN_ON_SHARE * len(pairs):
            return False
    return True


def _goes_on(before: str, after: str) -> bool:
    return after.lstrip()[:1].islower() and before.rstrip()[-1:] not in ".:;!?"
