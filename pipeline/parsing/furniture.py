"""Furniture: running headers, footers and page numbers, known by position and shape repeated across pages."""

from __future__ import annotations

import re
from collections import defaultdict

from pipeline.parsing.constants import (
    FURNITURE_BAND,
    FURNITURE_TOLERANCE,
    MAX_FURNITURE_CHARACTERS,
    MIN_FURNITURE_PAGES,
)
from pipeline.parsing.drafts import DraftLine, DraftPage


def mark_furniture(pages: list[DraftPage]) -> None:
    """Mark lines in the top or bottom band of the page whose shape (digits masked) recurs there on other pages."""
    groups: dict[tuple[str, str], list[tuple[int, DraftLine]]] = defaultdict(list)
    for page in pages:
        band = page.height * FURNITURE_BAND // 1000
        for line in page.lines:
            if line.box[3] <= band or line.box[1] >= page.height - band:
                if len(line.text) <= MAX_FURNITURE_CHARACTERS:
                    where = "top" if line.box[3] <= band else "bottom"
                    groups[where, mask_digits(line.text)].append((page.number, line))
    for group in groups.values():
        _mark_recurring(group)


def mask_digits(text: str) -> str:
    """The shape of a line: digits as #, roman page numbers alike, white space out."""
    shape = "".join(text.split())
    if re.fullmatch(r"[ivxlc]+", shape):
        return "#"
    return re.sub(r"\d+", "#", shape)


def _mark_recurring(group: list[tuple[int, DraftLine]]) -> None:
    if len({number for number, _ in group}) < MIN_FURNITURE_PAGES:
        return
    ordered = sorted(group, key=lambda entry: (entry[1].box[1], entry[0]))
    start = 0
    for at in range(1, len(ordered) + 1):
        if at < len(ordered) and ordered[at][1].box[1] - ordered[at - 1][1].box[1] <= FURNITURE_TOLERANCE:
            continue
        cluster = ordered[start:at]
        if len({number for number, _ in cluster}) >= MIN_FURNITURE_PAGES:
            for _, line in cluster:
                line.is_furniture = True
        start = at
