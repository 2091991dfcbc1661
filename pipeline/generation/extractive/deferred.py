"""Meanings that a passage leaves to another place: "X has the meaning specified in Attachment A"; it is read there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pipeline.generation.extractive.defining import DEFERRED, FIRM, rate_defining, read_defining

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask, Reading
    from pipeline.models.question import Anchor


def follow_meaning(task: ReaderTask, reading: Reading) -> Reading:
    """A passage that only says where a term is defined, with the definition where this document has it."""
    for term in task.part.anchors:
        if not _is_term(term):
            continue
        for item in reading.items:
            if rate_defining(task, item.text, term) == DEFERRED:
                found = read_defining(task, (term,), FIRM)
                if found is not None and found.items[0].text not in reading.text:
                    added = found.items[0].model_copy(update={"label": term.text})
                    text = f"{added.label}: {added.text}\n{reading.text}"
                    return replace(reading, text=text, items=(added, *reading.items))
    return reading


def _is_term(anchor: Anchor) -> bool:
    """Whether an anchor may be a defined term: quoted, or written with capitals."""
    words = [word for word in anchor.text.split() if len(word) > 3]
    return anchor.source == "quoted" or (bool(words) and all(word[0].isupper() for word in words))
