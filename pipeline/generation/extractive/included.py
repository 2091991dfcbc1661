"""Figures that others include, and amounts that a question counts by: what a sentence has to say of both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.extractive.doings import keep_done
from pipeline.generation.extractive.opposites import drop_opposites
from pipeline.question.terms import cue_of
from pipeline.text.matching import contains_folded, fold
from pipeline.text.numbers import find_quantities

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.generation.extractive.shares import Share


def keep_asked(task: ReaderTask, text: str, shares: Sequence[Share]) -> list[Share]:
    """The figures of a sentence of neither another part than is asked for, nor of something else done."""
    return keep_done(task, text, drop_opposites(task, text, shares))


def join_included(task: ReaderTask, text: str, shares: Sequence[Share]) -> list[Share]:
    """The figures of a sentence without those of a kind that the figure before them includes and nobody asked for.

    "118,000 employees, including 800 Harbour employees, as of the end of 2021": the date is said of both.
    """
    kept: list[Share] = []
    asked = fold(task.part.text)
    for share in shares:
        whole = kept[-1] if kept else None
        if whole is None or not whole.nouns or whole.nouns[-1:] != share.nouns[-1:]:
            kept.append(share)
            continue
        between = fold(text[whole.typed.start + len(whole.printed) : share.typed.start])
        is_part = any(contains_folded(cue, between) for cue in cue_of(task.view.lexicon.value_cues, "heads"))
        kinds = [word for word in share.nouns if word not in whole.nouns]
        if is_part and kinds and not any(contains_folded(word, asked) for word in kinds):
            kept[-1] = whole._replace(years=whole.years | share.years)
        else:
            kept.append(share)
    return kept


def says_bounds(task: ReaderTask, text: str) -> bool:
    """Whether a sentence says the amounts that a question counts by: "in how many towns was it over $5 million"."""
    if task.part.shape != "count":
        return True
    asked = [item for item in find_quantities(task.part.text) if item.currency or item.is_percent]
    said = find_quantities(text) if asked else ()
    return all(any(item.amount == other.amount and item.currency == other.currency for other in said) for item in asked)
