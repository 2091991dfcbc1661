"""People who work somewhere: which people of a sentence are counted as staff, and which are served, reached or insured.

"Our network covers 328 million people" counts nobody who works there; "the workforce was 153,000" does, without a noun.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.extractive.shares import list_shares
from pipeline.models.lexicon import singular
from pipeline.question.terms import cue_of
from pipeline.text.matching import contains_folded, fold

if TYPE_CHECKING:
    from pipeline.generation.extractive.shares import Share
    from pipeline.models.lexicon import Lexicon

EMPLOYED_BONUS = 40
"""Points for a sentence that says that the people it counts are employed, not only that there are such people."""


def is_working(text: str, share: Share, lexicon: Lexicon) -> bool:
    """Whether the people that a figure counts work there: by their name, or by the words since the figure before it."""
    people = cue_of(lexicon.value_cues, "people")
    counted = [word for word in share.nouns if word in people]
    named = [word for word in share.nouns if word in cue_of(lexicon.value_cues, "staff") and word not in people]
    return not counted or bool(named) or _is_employed(text, share, lexicon)


def heads_staff(text: str, share: Share, lexicon: Lexicon) -> bool:
    """Whether a figure without a noun is that of a workforce: "total workforce was approximately 153,000"."""
    before = fold(_cut_before(text, share, lexicon))
    return any(contains_folded(word, before) for word in cue_of(lexicon.value_cues, "staff heads"))


def rate_employed(text: str, share: Share, lexicon: Lexicon) -> int:
    """Points for a figure of people before which the sentence says that they are employed."""
    before = fold(_cut_before(text, share, lexicon))
    return EMPLOYED_BONUS * any(contains_folded(word, before) for word in cue_of(lexicon.value_cues, "employing"))


def is_single(word: str, lexicon: Lexicon) -> bool:
    """Whether a word for people is one of them, not many: of "employee groups" the groups are counted."""
    staff = cue_of(lexicon.value_cues, "staff")
    return any(other != word and singular(other) == word for other in staff)


def _is_employed(text: str, share: Share, lexicon: Lexicon) -> bool:
    near = fold(f"{_cut_before(text, share, lexicon)} {_cut_behind(text, share)}")
    words = (*cue_of(lexicon.value_cues, "employing"), *cue_of(lexicon.value_cues, "staff heads"))
    return any(contains_folded(word, near) for word in words)


def _cut_before(text: str, share: Share, lexicon: Lexicon) -> str:
    """The words between a figure and the number before it that counts something else."""
    start = share.typed.start
    openers = cue_of(lexicon.value_cues, "aside openers")
    ends = [0]
    for other in list_shares(text, lexicon):
        end = other.typed.start + len(other.printed)
        # "2 million people, with 1 million people here" are parts of one number; people "who serve" others are not
        is_relative = any(word in openers for word in fold(text[end:start]).split())
        if other.kind == "number" and end <= start and (other.nouns != share.nouns or is_relative):
            ends.append(end)
    return text[max(ends) : start]


def _cut_behind(text: str, share: Share) -> str:
    behind = text[share.typed.start + len(share.printed) :]
    words = behind.split()
    return " ".join(words[:4])
