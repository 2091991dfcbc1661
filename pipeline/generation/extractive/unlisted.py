"""A passage for a question that asks for a list, where no list was found: only if it speaks of such things at all."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pipeline.generation.extractive.nouns import find_noun
from pipeline.generation.extractive.passage import read_passage
from pipeline.text.anchors import find_anchor

PASSAGE_CEILING, UNNAMED_CEILING = 600, 400
"""Thousandths of confidence in words where members were asked for: nothing shows that all of them are there."""

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask, Reading


def read_unlisted(task: ReaderTask) -> Reading | None:
    """The best passage, never a sure one; doubted where it says nothing of what is to be listed.

    None where the question says how many there are ("the four codes") and the passage does not say the noun.
    """
    reading = read_passage(task)
    noun = find_noun(task)
    if reading is None:
        return None
    reading = replace(reading, has_typed_fit=False, max_confidence=min(reading.max_confidence, PASSAGE_CEILING))
    if not noun:
        return reading
    said = " ".join((reading.text, *(citation.quote for item in reading.items for citation in item.citations)))
    is_counted = task.part.expected_count is not None
    if any(find_anchor(anchor, said) for anchor in (noun[-1:] if is_counted else noun)):
        return reading
    doubt = f'no list of "{noun[-1].text}" was found, and the passage does not name them'
    caveats = (*reading.caveats, doubt)
    return None if is_counted else replace(reading, max_confidence=UNNAMED_CEILING, caveats=caveats)
