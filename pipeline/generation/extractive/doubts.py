"""What makes a reading doubtful whichever reader it is from: a year that is asked for and stands nowhere."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pipeline.text.numbers import find_years

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask, Reading

EXACT_SHAPES = frozenset({"value", "count", "comparison"})


def mark_unsaid_years(task: ReaderTask, reading: Reading) -> Reading:
    """The reading with a caveat where the years that the question names are on no line: it is of another year then."""
    if task.part.shape not in EXACT_SHAPES:
        return reading
    dated = [anchor for anchor in task.part.anchors if anchor.source == "period" and find_years(anchor.text)]
    if not dated or any(task.view.positions_of(anchor) for anchor in dated):
        return reading
    told = ", ".join(dict.fromkeys(anchor.text for anchor in dated))
    caveat = f"{told} stands nowhere in this document"
    return replace(reading, has_typed_fit=False, has_second_place=False, caveats=(*reading.caveats, caveat))
