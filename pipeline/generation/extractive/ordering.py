"""Putting members in order: who is first from one end, ties and all, or why nobody can be."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.measures import is_comparable, order

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.members import Member


class Ordering(NamedTuple):
    """The members at the asked rank (several where they tie), or the reason why there is no such rank."""

    winners: tuple[Member, ...]
    reason: str = ""


def find_extreme(members: Sequence[Member], direction: str, rank: int = 1, *, is_outflow: bool = False) -> Ordering:
    """The members with the highest (max) or lowest (min) value, or those at a rank counted from there.

    A winner must be certain: one whose order to any other is open is none. `is_outflow`: the values are expenses or
    losses, which are printed as negative amounts.
    """
    reason = explain_mixture(members)
    if reason:
        return Ordering((), reason)
    sign = 1 if direction == "max" else -1
    # of amounts that are negative only because they are subtracted, the larger number is the higher one
    sign = -sign if is_outflow and all(member.measure.size < 0 for member in members) else sign
    left = list(members)
    for _ in range(rank):
        winners = [one for one in left if all(_stands_first(one, other, sign) for other in left)]
        if not winners:
            return Ordering((), _explain_open(left, sign) if left else f"there are fewer than {rank} different values")
        left = [one for one in left if one not in winners]
    return Ordering(tuple(winners))


def explain_mixture(members: Sequence[Member]) -> str:
    """Why members cannot be compared at all, by the currencies or units that differ; empty where they can."""
    first = members[0].measure
    if all(is_comparable(first, member.measure) for member in members):
        return ""
    kinds = {member.measure.kind for member in members}
    units = list(dict.fromkeys(member.measure.printed or "no unit" for member in members))
    if kinds == {"money"}:
        units = list(dict.fromkeys(member.measure.unit for member in members))
        return f"different currencies are not compared: {', '.join(units)}"
    return f"different units are not compared: {', '.join(units)}"


def _stands_first(one: Member, other: Member, sign: int) -> bool:
    verdict = order(one.measure, other.measure)
    return verdict is not None and verdict * sign >= 0


def _explain_open(left: Sequence[Member], sign: int) -> str:
    """The first two whose order is open and that nothing else beats."""
    best = [one for one in left if not any(order(one.measure, other.measure) == -sign for other in left)]
    for at, one in enumerate(best):
        for other in best[at + 1 :]:
            if order(one.measure, other.measure) is None:
                why = "a month has 28 to 31 days" if one.measure.kind == "duration" else "their days are not said"
                if {one.measure.unit, other.measure.unit} - {"minutes", "months"} and one.measure.kind == "duration":
                    why = "their days are not counted alike"
                return f"{one.printed} and {other.printed} have no certain order: {why}"
    return "their order is not certain"
