"""A passage for a question that asks for a list, where no list was found: only if it speaks of such things at all."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pipeline.generation.extractive.nouns import find_noun
from pipeline.generation.extractive.passage import read_passage
from pipeline.text.anchors import find_anchor

PASSAGE_CEILING = 600
"""Thousandths of confidence in words where members were asked for: nothing shows that all of them are there."""

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask, Reading


def read_unlisted(task: ReaderTask) -> Reading | None:
    """The best passage; None where it says nothing of what is to be listed.

    Where the question says how many there are ("the four codes"), the passage has to say the very noun.
    """
    reading = read_passage(task)
    noun = find_noun(task)
    if reading is None:
        return None
    reading = replace(reading, has_typed_fit=False, max_confidence=min(reading.max_confidence, PASSAGE_CEILING))
    if not noun:
        return reading
    said = " ".join((reading.text, *(citation.quote for item in reading.items for citation in item.citations)))
    wanted = noun[-1:] if task.part.expected_count is not None else noun
    return reading if any(find_anchor(anchor, said) for anchor in wanted) else None
