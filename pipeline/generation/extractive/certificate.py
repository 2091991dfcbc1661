"""Completeness certificates: how many members a list should have, how we know, and whether they are all here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.models.answer import Certificate, DetectorCount
from pipeline.text.matching import squeeze

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.models.answer import Verdict
    from pipeline.models.structure import Enumeration

STRUCTURAL_KINDS = frozenset({"numbered", "lettered", "identifier", "table_rows"})
COUNTED_OTHERS = 4


def certify_list(part_id: str, own: Enumeration, others: Sequence[Enumeration]) -> Certificate:
    """Certify a list against its own numbering, its cue, and the other lists of the same members.

    A stated number is the stronger denominator: a numbering without gaps does not show what was cut off at its end.
    """
    count = sum(1 for item in own.items if item.level == min(member.level for member in own.items))
    agreeing = [own, *(other for other in others[:COUNTED_OTHERS] if _share_members(own, other))]
    cue = own.cue or next((other.cue for other in agreeing[1:] if other.cue), None)
    denominator, source = (cue, "stated") if cue else _count_structure(own, count)
    verdict, why = _judge(own, count, denominator, agreeing)
    return Certificate(
        sub_question=part_id,
        denominator=denominator,
        denominator_source=source,  # type: ignore[arg-type]
        denominator_quote=own.lead if cue == own.cue else "",
        detectors=tuple(DetectorCount(detector=entry.kind, item_count=len(entry.items)) for entry in agreeing),
        item_count=count,
        is_end_seen=own.is_closed,
        gaps=own.gaps,
        verdict=verdict,
        why=why,
    )


def _count_structure(own: Enumeration, count: int) -> tuple[int | None, str]:
    if own.kind in STRUCTURAL_KINDS:
        return count, "structural"
    return None, "none"


def _share_members(own: Enumeration, other: Enumeration) -> bool:
    """Whether most members of the shorter list stand in the longer one: then they count the same thing."""
    mine = {squeeze(item.head or item.text)[:40] for item in own.items}
    theirs = {squeeze(item.head or item.text)[:40] for item in other.items}
    shared = sum(1 for name in sorted(mine) if any(name in member or member in name for member in theirs if member))
    return shared * 2 > min(len(mine), len(theirs))


def _judge(
    own: Enumeration, count: int, denominator: int | None, agreeing: Sequence[Enumeration]
) -> tuple[Verdict, str]:
    if denominator is not None and count < denominator:
        return "incomplete", f"{count} of {denominator} members found"
    if denominator is not None and count > denominator:
        return "unverified", f"{count} members found where {denominator} are announced"
    if not own.is_closed:
        return "incomplete", "the end of the list was not seen"
    if denominator is None:
        return "unverified", "nothing says how many members there are"
    longest = max(len(entry.items) for entry in agreeing)
    if longest > len(own.items):
        return "unverified", f"another detector found {longest} members"
    return "complete", f"all {count} members found and the end of the list seen"
