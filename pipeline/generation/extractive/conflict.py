"""Values of one concept side by side: which agree, which contradict, and which are merely of different things."""

from __future__ import annotations

from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.hits import holds
from pipeline.generation.extractive.qualifiers import tells_apart
from pipeline.models.answer import Conflict
from pipeline.models.lexicon import singular
from pipeline.text.matching import fold

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pipeline.generation.extractive.hits import ValueHit

# A second value contradicts the first only when nearly as much speaks for it (percent of the best score).
CONFLICT_PERCENT = 75
MAX_CONFLICT_VALUES = 4
MAX_MISSING_PERCENT = 20


class Verdict(NamedTuple):
    """The hits of the best value, and the best hit of each value that contradicts it."""

    agreeing: tuple[ValueHit, ...]
    others: tuple[ValueHit, ...]


def weigh_hits(hits: Sequence[ValueHit], weights: Mapping[str, int]) -> Verdict:
    """Sort ranked hits into those that say what the first says and those that contradict it.

    `weights` are those of the anchors: a hit that lacks much of what the first has is about something else.
    """
    best = hits[0]
    agreeing = [best]
    others: list[ValueHit] = []
    for hit in hits[1:]:
        if agrees(best, hit):
            agreeing.append(hit)
        elif _says_as_much(best, hit, weights) and _contradicts(best, hit):
            others.append(hit)
    # A value that an agreeing hit also stands for in its own cell or sentence is no contradiction.
    kept: list[ValueHit] = []
    for hit in others:
        if not any(_is_same_place(hit, one) for one in agreeing) and not any(agrees(hit, other) for other in kept):
            kept.append(hit)
    return Verdict(tuple(agreeing), tuple(kept[: MAX_CONFLICT_VALUES - 1]))


def _says_as_much(best: ValueHit, hit: ValueHit, weights: Mapping[str, int]) -> bool:
    given = frozenset(hit.matched)
    missing = sum(weights.get(key, 0) for key in best.matched if not holds(key, given))
    return missing * 100 <= MAX_MISSING_PERCENT * sum(weights.get(key, 0) for key in best.matched)


def build_conflict(concept: str, hits: Sequence[ValueHit]) -> Conflict:
    """All contradicting values as printed, with their citations."""
    return Conflict(
        concept=concept,
        values=tuple(hit.typed.text for hit in hits),
        citations=tuple(citation for hit in hits for citation in hit.citations),
    )


def agrees(one: ValueHit, other: ValueHit) -> bool:
    """Whether two hits say the same: equal values, or one the rounded form of the other, in the same unit."""
    if not _share_unit(one, other):
        return False
    if one.typed.number is None or other.typed.number is None:
        return fold(one.typed.value) == fold(other.typed.value)
    return is_rounded(one.typed.number, other.typed.number)


def is_rounded(one: Decimal, other: Decimal) -> bool:
    """Whether two numbers are equal at the precision of the coarser one ("28" and "28.4")."""
    if one == other:
        return True
    coarse, fine = (one, other) if _decimals(one) < _decimals(other) else (other, one)
    if _decimals(coarse) == _decimals(fine):
        return False
    quantum = Decimal(1).scaleb(-_decimals(coarse))
    # Authors round half up, half even or cut off; any of them makes the two numbers one.
    modes = (ROUND_HALF_UP, ROUND_HALF_EVEN, ROUND_DOWN)
    return any(fine.quantize(quantum, rounding=mode) == coarse for mode in modes)


def _decimals(number: Decimal) -> int:
    exponent = number.as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _contradicts(best: ValueHit, hit: ValueHit) -> bool:
    if best.typed.number is None and hit.typed.number is None:
        return False  # names and dates that differ are further ones, rarely contradictions
    if best.is_cell and hit.is_cell:
        return False  # different cells are of different rows or columns
    if not _share_unit(best, hit) or (hit.score + hit.unsaid_cost) * 100 < best.score * CONFLICT_PERCENT:
        return False
    return not tells_apart(best.qualifiers, hit.qualifiers) and not _is_same_place(best, hit)


def _is_same_place(one: ValueHit, other: ValueHit) -> bool:
    """Two values of one sentence are two things said of it, not two answers."""
    return one.place == other.place and one.context == other.context


def _share_unit(one: ValueHit, other: ValueHit) -> bool:
    units = {singular(fold(unit)) for unit in (one.typed.unit, other.typed.unit) if unit}
    return len(units) <= 1
