"""Which way something went, as a question and a sentence say it: "net sales increased", "the decrease was due to"."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from pipeline.question.terms import cue_of, split_words
from pipeline.text.anchors import find_anchor
from pipeline.text.matching import contains_folded, fold

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.question import Anchor

WAYS = ("rises", "falls")
OPENING_CHARACTERS, OPENING_WORDS = 4, 5
BESIDE_CHARACTERS = 18
_OF = frozenset("in of".split())


def list_directions(task: ReaderTask) -> list[str]:
    """Which ways the question says that the thing went."""
    asked = fold(task.part.text)
    return [cue for cue in WAYS if has_cue(task, cue, asked)]


def points_at_move(task: ReaderTask, text: str) -> bool:
    """Whether a sentence begins with a move of something unnamed: "The increase was", not "The increase in costs"."""
    lexicon = task.view.lexicon
    words = split_words(text, lexicon)[: OPENING_WORDS + 1]
    for word, after in pairwise(words):
        if any(has_cue(task, way, word.folded) for way in WAYS):
            return after.folded not in _OF
        # "The $104.2 million increase was"
        if (
            word.folded not in lexicon.stop_word_set
            and not word.is_number
            and word.folded not in lexicon.not_cardinal_before
        ):
            return False
    return False


def says_moved(task: ReaderTask, subjects: tuple[Anchor, ...], directions: list[str], text: str, at: int) -> bool:
    """Whether it is the thing itself that rises or falls: "net sales increased", "the increase in net sales"."""
    cues = [cue for label in directions for cue in cue_of(task.view.lexicon.value_cues, label)]
    for anchor in subjects:
        for start, end in find_anchor(anchor, text):
            # what moves behind "due to" is the reason itself
            if start > at > OPENING_CHARACTERS:
                continue
            # a comma parts "as a share of sales, costs fell"
            after = fold(text[end : end + BESIDE_CHARACTERS]).partition(",")[0]
            before = fold(text[max(0, start - BESIDE_CHARACTERS) : start])
            is_led = any(contains_folded(cue, before) for cue in cues)
            # "cost of sales decreased": that is another thing than sales
            is_part = before.endswith(" of") and not is_led
            if is_led or (not is_part and any(contains_folded(cue, after) for cue in cues)):
                return True
    return False


def compare_ways(task: ReaderTask, directions: list[str], folded: str) -> int:
    """1 where the sentence goes the way that the question says, -1 where it only goes the other way."""
    own = [cue for cue in WAYS if has_cue(task, cue, folded)]
    if any(cue in own for cue in directions):
        return 1
    return -1 if own else 0


def has_cue(task: ReaderTask, label: str, folded: str) -> bool:
    """Whether a folded text has a cue of a label of the lexicon."""
    return any(contains_folded(cue, folded) for cue in cue_of(task.view.lexicon.value_cues, label))
