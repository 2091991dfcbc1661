"""Lines of one page from the engine's blocks: runs of one baseline joined, cells kept apart, text verbatim."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from pipeline.parsing.constants import (
    MAX_BASELINE_SHIFT,
    MAX_BLOCK_GAP,
    MAX_JOIN_GAP,
    MAX_MARKER_GAP,
    MAX_SCRIPT_SIZE,
    MIN_FILL_EDGE,
    MIN_WORD_GAP,
)
from pipeline.parsing.drafts import DraftLine, unite_boxes
from pipeline.parsing.runs import build_run

_BULLETS = "•◦▪▫●○■□➢►▶–—-*·‣⁃✓❖\uf0b7\uf0a7\uf0d8\uf076\u2751"
_TEXT_BLOCK = 0


def build_lines(blocks: list[dict[str, Any]]) -> list[DraftLine]:
    """Lines of a page in the order of the content stream, from the blocks of PyMuPDF's `dict` output."""
    lines: list[DraftLine] = []
    drawn: list[dict[str, Any]] = []
    group = 0
    for paint, block in enumerate(blocks):
        if block["type"] != _TEXT_BLOCK:
            drawn.append(block)
            continue
        group += 1
        runs = [line for run in block["lines"] for line in build_run(run, paint)]
        for at, line in enumerate(runs):
            before = lines[-1] if lines else None
            line.block = group
            if before and _is_continued(before, line) and not (at == 0 and _is_covered(before, drawn)):
                lines[-1] = _join_runs(before, line)
                group = before.block
                continue
            if at == 0 and drawn and before and _is_same_block(before, line):
                group = line.block = before.block
            lines.extend(split_cells(line))
        drawn = []
    return lines


def _is_covered(line: DraftLine, drawn: list[dict[str, Any]]) -> bool:
    """Whether an area was drawn over a line before what follows it on the page was written."""
    x0, y0, x1, y1 = line.box
    for block in drawn:
        left, top, right, bottom = block["bbox"]
        is_area = (bottom - top) * 100 >= MIN_FILL_EDGE and not block.get("stroked")
        if is_area and left * 100 < x1 and right * 100 > x0 and top * 100 < y1 and bottom * 100 > y0:
            return True
    return False


def split_cells(line: DraftLine) -> list[DraftLine]:
    """Cells that one run holds, told apart by typed white space: figures by two blanks, other text by four.

    The engine gives no places of characters here, so the boxes of the cells are shares of the line's width.
    """
    text = line.text.strip()
    if "  " not in text.replace("\xa0", " "):
        return [line]
    pattern = r"\s{4,}" if any(map(str.isalpha, text)) else r"\s{2,}"
    parts = [match.span() for match in re.finditer(rf"\S(?:(?!{pattern}).)*", line.text, re.DOTALL)]
    if len(parts) < 2:
        return [line]
    # A blank is about half as wide as the mean character.
    weights = [1 if char.isspace() else 2 for char in line.text]
    edges = [0]
    for weight in weights:
        edges.append(edges[-1] + weight)
    x0, y0, x1, y1 = line.box
    cells = []
    for start, end in parts:
        box = (x0 + (x1 - x0) * edges[start] // edges[-1], y0, x0 + (x1 - x0) * edges[end] // edges[-1], y1)
        cells.append(
            replace(
                line,
                text=line.text[start:end],
                box=box,
                bold_prefix=max(0, min(end, line.bold_prefix) - start),
                raised=_cut(line.raised, start, end),
                lowered=_cut(line.lowered, start, end),
            )
        )
    return cells


def _cut(ranges: tuple[tuple[int, int], ...], start: int, end: int) -> tuple[tuple[int, int], ...]:
    return tuple((max(a, start) - start, min(b, end) - start) for a, b in ranges if a < end and b > start)


def _is_continued(before: DraftLine, after: DraftLine) -> bool:
    """Whether two runs are one line of text: same baseline and a gap of a word, or a list marker and its text."""
    size = max(before.size, after.size)
    gap = (after.box[0] - before.box[2]) * 1000
    # Most runs begin a new line, far to the left of where the last one ended.
    if not -MAX_JOIN_GAP * size <= gap <= MAX_MARKER_GAP * size or after.box[0] < before.box[0]:
        return False
    if not (before.is_upright and after.is_upright) or before.hidden != after.hidden:
        return False
    shift = abs(before.baseline - after.baseline) * 1000
    if shift > MAX_BASELINE_SHIFT * size and not _is_script_of(before, after):
        return False
    return gap <= MAX_JOIN_GAP * size or (_is_marker(before.text) and after.text.lstrip()[:1].isalpha())


def _is_same_block(before: DraftLine, after: DraftLine) -> bool:
    """Whether only a rule or shading parted two lines of one paragraph."""
    gap = (after.box[1] - before.box[3]) * 1000
    overlaps = after.box[0] < before.box[2] and before.box[0] < after.box[2]
    return overlaps and abs(before.size - after.size) < 50 and abs(gap) <= MAX_BLOCK_GAP * after.size


def _is_script_of(before: DraftLine, after: DraftLine) -> bool:
    """Whether one run is so small and so near that it is a superscript or subscript of the other."""
    small, large = (before, after) if before.size < after.size else (after, before)
    if small.size * 1000 > large.size * MAX_SCRIPT_SIZE:
        return False
    return large.box[1] <= (small.box[1] + small.box[3]) // 2 <= large.box[3]


def _is_marker(text: str) -> bool:
    """Whether a run is a bullet or a heading number, so that the text after the gap belongs to it."""
    marker = text.strip()
    if marker in _BULLETS:
        return True
    if len(marker) > 14:
        return False
    if re.fullmatch(r"[^\W\d_]{2,10}\s\w{1,4}[.:]", marker):
        return True
    core = marker.strip("().")
    if not core or len(core) > 8:
        return False
    if core != marker or "." in core:
        parts = core.split(".")
        return all(part.isdigit() or (len(part) <= 4 and part.isalpha() and part.isascii()) for part in parts)
    return core.isdigit() and len(core) <= 2


def _join_runs(before: DraftLine, after: DraftLine) -> DraftLine:
    size = max(before.size, after.size)
    gap = (after.box[0] - before.box[2]) * 1000
    needs_space = gap > MIN_WORD_GAP * size and not (before.text[-1:].isspace() or after.text[:1].isspace())
    head = f"{before.text} " if needs_space else before.text
    shift = len(head)
    large = before if len(before.text) >= len(after.text) else after
    raised = before.raised + tuple((start + shift, end + shift) for start, end in after.raised)
    lowered = before.lowered + tuple((start + shift, end + shift) for start, end in after.lowered)
    small, span = (after, (shift, shift + len(after.text)))
    if before.size < after.size:
        small, span = (before, (0, len(before.text)))
    other = before if small is after else after
    if small.size * 1000 <= other.size * MAX_SCRIPT_SIZE and small.baseline != other.baseline:
        if small.baseline < other.baseline:
            raised = tuple(sorted((*raised, span)))
        else:
            lowered = tuple(sorted((*lowered, span)))
    prefix = before.bold_prefix
    if prefix >= len(before.text) and after.bold_prefix:
        prefix = shift + after.bold_prefix
    return replace(
        large,
        text=head + after.text,
        box=unite_boxes(before.box, after.box),
        bold=before.bold and after.bold,
        bold_prefix=prefix,
        block=before.block,
        raised=raised,
        lowered=lowered,
        paint=max(before.paint, after.paint),
    )
