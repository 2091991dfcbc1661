"""What a figure is in a movement that a sentence tells: how far it went, where to, or where from."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.question.terms import cue_of
from pipeline.text.tokens import PLAIN_WORD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.models.lexicon import Lexicon

MAX_TO_MOVE = 4
"""Words between a verb of movement and how far it went."""


def find_role(text: str, run: Sequence[tuple[int, int]], lexicon: Lexicon) -> str:
    """What a run of figures is in a movement: "change", "to" or "from"; "" where nothing moves.

    "Sales rose 5% to $10 million, compared to $9 million" holds all three.
    """
    cues = lexicon.value_cues
    moves = frozenset(cue_of(cues, "moves"))
    before = text[: run[0][0]].casefold()
    for phrase in cue_of(cues, "moves not"):
        # "made up of 5,000 people" moves nothing
        before = before.replace(phrase, " ")
    words = PLAIN_WORD.findall(before)
    while words and words[-1] in cue_of(cues, "roughly"):
        words.pop()
    near = words[-1] if words else ""
    if any(word in moves for word in words):
        lead = " ".join(words[-3:])
        if any(re.search(rf"(?:^| ){re.escape(cue)}(?: [^ ]+)?$", lead) for cue in cue_of(cues, "moved from")):
            return "from"
        if near in cue_of(cues, "moved to"):
            return "to"
        if near in moves or near in cue_of(cues, "by") or _is_twin(text[run[-1][1] :], words, lexicon):
            return "change"
        if words[-2:-1] and words[-2] in moves and near in lexicon.stop_word_set:
            return "change"
    # "a 26% increase in revenues", but not "12%, down from 13%"
    following = re.match(r"\s+([^\W\d_]+)(?!\s+from\b)", text[run[-1][1] :])
    return "change" if following is not None and following[1].casefold() in moves else ""


def _is_twin(behind: str, words: Sequence[str], lexicon: Lexicon) -> bool:
    """Whether a figure says again in another unit how far it went: "rose $3 million, or 5%", not "or 5% of sales"."""
    is_or = words[-1] in cue_of(lexicon.value_cues, "or")
    is_share = bool(re.match(r"\s+(?:of|from)\b", behind))
    moves = cue_of(lexicon.value_cues, "moves")
    return is_or and not is_share and any(word in moves for word in words[-2 * MAX_TO_MOVE :])
