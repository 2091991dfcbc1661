"""Drift: candidates that only expansions found must still carry what was asked for."""

from __future__ import annotations

from typing import NamedTuple

from pipeline.models.evidence import Candidate
from pipeline.models.plan import Limits
from pipeline.models.question import RetrievalBrief


class DriftCheck(NamedTuple):
    """What is left of a ranking; `new_count` are candidates that no earlier iteration found."""

    kept: tuple[Candidate, ...]
    dropped: tuple[Candidate, ...]
    new_count: int


def drop_drifted(
    candidates: tuple[Candidate, ...], brief: RetrievalBrief, seen: frozenset[str], limits: Limits
) -> DriftCheck:
    """Drop the new candidates that expansions alone found and that carry neither focus nor half of the anchor weight.

    `seen` are references that earlier iterations found without them. Derived candidates inherit the anchors of where
    they come from and are exempt.
    """
    focus = frozenset(anchor.key for anchor in brief.focus)
    weights = {anchor.key: anchor.weight for anchor in brief.anchors}
    needed = limits.drift_anchor_weight * sum(weights.values())
    kept: list[Candidate] = []
    dropped: list[Candidate] = []
    for candidate in candidates:
        is_from_expansions = candidate.matched_expansions and candidate.ref not in seen and not candidate.derived_from
        carried = sum(weights.get(key, 0) for key in frozenset(candidate.matched))
        is_drifted = is_from_expansions and not focus & frozenset(candidate.matched) and carried * 1000 < needed
        (dropped if is_drifted else kept).append(candidate)
    # derived candidates are no news of a query: they come from an action
    new_count = sum(1 for candidate in candidates if candidate.ref not in seen and not candidate.derived_from)
    return DriftCheck(tuple(kept), tuple(dropped), new_count)


def is_drift(dropped_count: int, new_count: int, limits: Limits) -> bool:
    """Whether two thirds (as the limit says, in thousandths) or more of an iteration's new candidates were dropped."""
    if not dropped_count:
        return False
    # rounded up, so that two of three is two thirds although 667 is a little more
    share = -(-dropped_count * 1000 // new_count)
    return share >= limits.drift_dropped_share
