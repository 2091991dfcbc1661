"""Parts that leave each other out: a figure that is said of men is none of women, and one of home none of abroad."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.generation.extractive.borders import read_border
from pipeline.generation.extractive.reading import FIGURE_SHAPES
from pipeline.generation.extractive.shares import list_shares
from pipeline.question.terms import cue_of
from pipeline.text.matching import contains_folded, fold

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pipeline.generation.extractive.reading import ReaderTask, Reading
    from pipeline.generation.extractive.shares import Share
    from pipeline.models.answer import Item
    from pipeline.models.lexicon import Lexicon

WORLD = "world"
PREFIX = "side "
"""Labels of cues are "side", what is divided, and the part: "side sex women"."""


def read_sides(text: str, lexicon: Lexicon) -> dict[str, str]:
    """By what is divided, the part that a text speaks of; nothing where it speaks of both parts or of none."""
    folded = fold(text)
    found: dict[str, set[str]] = {}
    for cue in lexicon.value_cues:
        if cue.label.startswith(PREFIX) and any(contains_folded(phrase, folded) for phrase in cue.phrases):
            axis, side = cue.label.removeprefix(PREFIX).split()
            found.setdefault(axis, set()).add(side)
    sides = {axis: next(iter(said)) for axis, said in sorted(found.items()) if len(said) == 1}
    border = read_border(text, lexicon)
    if any(contains_folded(phrase, folded) for phrase in cue_of(lexicon.value_cues, WORLD)):
        # "39 plants around the world, some in the U.S." are of neither side
        border = "" if border else WORLD
    return {**sides, "border": border} if border else sides


def is_opposite(wanted: Mapping[str, str], text: str, lexicon: Lexicon) -> bool:
    """Whether a text speaks of a part that leaves out the one that is wanted."""
    if not wanted:
        return False
    given = read_sides(text, lexicon)
    return any(given.get(axis, side) != side for axis, side in wanted.items())


def drop_opposites(task: ReaderTask, text: str, shares: Sequence[Share]) -> list[Share]:
    """Figures of a sentence without those that it states of the other part than the one that is asked for."""
    lexicon = task.view.lexicon
    # most sentences state no figures, and reading the question again for each of them is not free
    wanted = read_sides(task.part.text, lexicon) if shares else {}
    if not wanted:
        return list(shares)
    others: set[int] = set()
    told: set[int] = set()
    for kind in sorted({share.kind for share in shares}):
        own = sorted((share for share in shares if share.kind == kind), key=lambda share: share.typed.start)
        words = _list_own_words(text, own, wanted, lexicon)
        pairs = zip(own, words, strict=True)
        others |= {share.typed.start for share, said in pairs if is_opposite(wanted, said, lexicon)}
        told |= {share.typed.start for share, said in zip(own, words, strict=True) if _is_told(wanted, said, lexicon)}
    # a figure that is said of the part that is asked for stands before one that is said of none
    kinds = {share.kind for share in shares if share.typed.start in told}
    kept = [share for share in shares if share.typed.start not in others]
    if "border" not in wanted or any(share.is_aligned for share in kept):
        return kept  # "21, 8 and 10 towns abroad in 2021, 2020 and 2019": what is said behind the last is of all
    return [share for share in kept if share.kind not in kinds or share.typed.start in told]


def says_border(task: ReaderTask, text: str) -> bool:
    """Whether a text says the side of the border that a question counts on: what says none may count all."""
    lexicon = task.view.lexicon
    wanted = read_sides(task.part.text, lexicon).get("border", "") if task.part.shape == "count" else ""
    folded = fold(text)
    return wanted in ("", WORLD) or any(contains_folded(it, folded) for it in cue_of(lexicon.superlatives, wanted))


def _is_told(wanted: Mapping[str, str], text: str, lexicon: Lexicon) -> bool:
    return read_sides(text, lexicon).items() >= wanted.items()


def _list_own_words(text: str, shares: Sequence[Share], wanted: Mapping[str, str], lexicon: Lexicon) -> list[str]:
    """The words up to the next figure, or those since the one before where more of these speak of such parts."""
    starts = [share.typed.start for share in shares]
    ends = [share.typed.start + len(share.printed) for share in shares]
    behind = [*(text[end:start] for end, start in zip(ends, starts[1:], strict=False)), _cut_clause(text[ends[-1] :])]
    before = [text[end:start] for end, start in zip([0, *ends], starts, strict=False)]
    said = [sum(bool(wanted.keys() & read_sides(words, lexicon)) for words in side) for side in (behind, before)]
    return before if said[1] > said[0] else behind


def _cut_clause(text: str) -> str:
    return re.split(r"(?<=[.;])\s", text, maxsplit=1)[0]


def judge_sides(task: ReaderTask, reading: Reading) -> Reading | None:
    """The reading; None where a sentence that it quotes states its figure of the other part."""
    wanted = read_sides(task.part.text, task.view.lexicon) if task.part.shape in FIGURE_SHAPES else {}
    if not wanted:
        return reading
    is_other = any(_is_of_other(task, item) for item in reading.items if item.value is not None)
    return None if is_other else reading


def _is_of_other(task: ReaderTask, item: Item) -> bool:
    for citation in item.citations:
        quote = " ".join(citation.quote.split())
        shares = list_shares(quote, task.view.lexicon)
        kept = drop_opposites(task, quote, shares)
        told = [share for share in shares if prints(item.text, share.printed)]
        if told and not any(share in kept for share in told):
            return True
    return False


def prints(text: str, printed: str) -> bool:
    """Whether a text has a number as it is printed, and not as a part of a longer one."""
    return bool(re.search(rf"(?<![\w.,]){re.escape(printed)}(?!\w|[.,]\d)", text))
