"""Which side of the border a text is of: stores at home are none of the stores "outside the United States"."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from pipeline.text.matching import contains_folded, fold

if TYPE_CHECKING:
    from pipeline.models.lexicon import Cue, Lexicon

SIDES = ("abroad", "home")


def read_border(text: str, lexicon: Lexicon) -> str:
    """Return "abroad" or "home" where a text says one of them, empty where it says neither or both."""
    return _read(fold(text), tuple(cue for cue in lexicon.superlatives if cue.label in SIDES))


def is_beyond(wanted: str, texts: tuple[str, ...], lexicon: Lexicon) -> bool:
    """Whether the first text that says a side of the border says another one than is wanted."""
    given = next((side for text in texts if (side := read_border(text, lexicon))), "")
    return bool(wanted and given) and given != wanted


@lru_cache(maxsize=4096)
def _read(folded: str, cues: tuple[Cue, ...]) -> str:
    found: list[str] = []
    for side in SIDES:
        # "outside the United States" names the country, and is not in it
        for phrase in (phrase for cue in cues if cue.label == side for phrase in cue.phrases):
            if contains_folded(phrase, folded):
                found.append(side)
                folded = folded.replace(phrase, " ")
    return found[0] if len(set(found)) == 1 else ""
