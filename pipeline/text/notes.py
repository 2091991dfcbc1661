"""Notes called by a small letter: "note b to Table 2", "table note (c)", "footnote a below"."""

from __future__ import annotations

import re
from typing import NamedTuple

from pipeline.text.late import compile_late

# "note a" opens many a sentence: the letter a counts only where what follows cannot be its noun
_LETTERED = compile_late(
    r"\b(?:table\s+)?(?P<kind>foot)?notes?\s+(?:\((?P<closed>[a-z])\)|(?P<open>[b-z])(?![\w'])|"
    r"(?P<first>a)(?=\s+(?:to|of|under|below|above)\b|\s*[.,;)]))",
    re.IGNORECASE,
)


class LetteredNote(NamedTuple):
    """A note and its letter, where the text names it."""

    start: int
    end: int
    text: str
    kind: str
    letter: str


def find_lettered_notes(text: str) -> tuple[LetteredNote, ...]:
    """Every note that is called by a small letter without a number, in order."""
    # plain test first: hardly a line speaks of notes
    if "note" not in text.lower():
        return ()
    found = []
    for match in _LETTERED.finditer(text):
        letter = match["closed"] or match["open"] or match["first"]
        if letter.islower():
            kind = "footnote" if match["kind"] else "note"
            found.append(LetteredNote(match.start(), match.end(), match[0], kind, letter))
    return tuple(found)
