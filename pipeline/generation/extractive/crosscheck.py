"""A figure of a statement held against what sentences say of it: the text and the table may contradict each other."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING

from pipeline.generation.extractive.prose import find_prose_hits
from pipeline.generation.extractive.qualifiers import find_year_qualifiers
from pipeline.question.terms import cue_of
from pipeline.text.matching import contains_folded, fold
from pipeline.text.numbers import find_quantities

if TYPE_CHECKING:
    from pipeline.generation.extractive.figures import Figure
    from pipeline.generation.extractive.hits import ValueHit
    from pipeline.generation.extractive.reading import ReaderTask

NEAR_PERCENT = 5
"""A contradiction is a slip or a revision; an amount that is farther away is of something else."""
MAX_STEP_SHARE = 200
"""An amount counts as exact when its last printed digit is at most one part in this many of the figure."""


def find_contradiction(task: ReaderTask, figure: Figure) -> ValueHit | None:
    """The best sentence that gives another amount for a figure, None where none does."""
    part = task.part.model_copy(update={"value_type": "money", "shape": "value"})
    hits = find_prose_hits(replace(task, part=part), "money")
    least = task.view.lexicon.thresholds.crosscheck_score
    for hit in sorted(hits, key=lambda entry: (-entry.score, entry.place)):
        if hit.score < least or hit.unsaid_cost or not _is_same_thing(task, figure, hit):
            continue
        number = hit.typed.number
        if number is not None and _is_near(number, figure.value) and not _agrees(hit, figure.value):
            return hit
    return None


def _is_same_thing(task: ReaderTask, figure: Figure, hit: ValueHit) -> bool:
    """Whether a sentence speaks of the whole company and of the year of the figure, or of no year at all."""
    folded = fold(hit.context)
    cues = task.view.lexicon.calculation_cues
    others = (*cue_of(cues, "restated"), *cue_of(cues, "narrowed"), *cue_of(cues, "partial"))
    if any(contains_folded(cue, folded) for cue in others):
        return False
    years = find_year_qualifiers(hit.context)
    return not years or ("year", str(figure.year)) in years


def _is_near(one: Decimal, other: Decimal) -> bool:
    return abs(one - other) * 100 <= abs(other) * NEAR_PERCENT


def _agrees(hit: ValueHit, value: Decimal) -> bool:
    """Whether the amount of a sentence may be the figure, at the precision it is printed with ("$32.8 billion")."""
    for quantity in find_quantities(hit.typed.text):
        exponent = quantity.value.as_tuple().exponent
        decimals = max(0, -exponent) if isinstance(exponent, int) else 0
        step = Decimal(1).scaleb(quantity.scale - decimals)
        return step * MAX_STEP_SHARE > abs(value) or abs(quantity.amount - value) <= step
    return True
