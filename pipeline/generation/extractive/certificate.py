"""Completeness certificates: how many members a list should have, how we know, and whether they are all here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.models.answer import Certificate, DetectorCount
from pipeline.text.identifiers import identifier_family
from pipeline.text.matching import squeeze

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.models.answer import Verdict
    from pipeline.models.structure import Enumeration, EnumerationItem

STRUCTURAL_KINDS = frozenset({"numbered", "lettered", "identifier", "table_rows"})
COUNTED_OTHERS = 4
# the worst verdict of several lists is the verdict of all
VERDICTS: tuple[Verdict, ...] = ("incomplete", "unverified", "complete")


def list_members(own: Enumeration) -> tuple[EnumerationItem, ...]:
    """The members of the list itself; what is nested below one of them belongs to it.

    Identifiers of one family are of one rank, however far they are set in ("A.B-01", "A.B-02", "A.B-10").
    """
    top = min((item.level for item in own.items), default=0)
    firsts = [item for item in own.items if item.level == top]
    families = {identifier_family(item.marker) for item in firsts} if own.kind == "identifier" else set()
    is_one = len(families) == 1 and "" not in families
    return tuple(
        item for item in own.items if item.level == top or (is_one and identifier_family(item.marker) in families)
    )


def certify_list(
    part_id: str, own: Enumeration, others: Sequence[Enumeration], count: int | None = None
) -> Certificate:
    """Certify a list against its own numbering, its cue, and the other lists of the same members.

    A stated number is the stronger denominator: a numbering without gaps does not show what was cut off at its end.
    `count` is how many members are left when repeated ones are told once.
    """
    count = len(list_members(own)) if count is None else count
    agreeing = [own, *(other for other in others[:COUNTED_OTHERS] if _share_members(own, other))]
    announcing = next((entry for entry in agreeing if entry.cue), None)
    if announcing is not None:
        denominator, source = announcing.cue, "stated"
    else:
        denominator, source = _count_structure(own, count)
    verdict, why = _judge(own, count, denominator, agreeing)
    if own.continued_from:
        why += f"; the numbering goes on from page {own.continued_from}"
    return Certificate(
        sub_question=part_id,
        denominator=denominator,
        denominator_source=source,  # type: ignore[arg-type]
        denominator_quote=announcing.lead if announcing is not None else "",
        detectors=tuple(DetectorCount(detector=entry.kind, item_count=len(list_members(entry))) for entry in agreeing),
        item_count=count,
        is_end_seen=own.is_closed,
        gaps=own.gaps,
        verdict=verdict,
        why=why,
    )


def certify_uncounted(part_id: str, detector: str, count: int, why: str) -> Certificate:
    """The certificate of members whose number nothing says: all that one detector found, `unverified`."""
    return Certificate(
        sub_question=part_id,
        denominator=None,
        denominator_source="none",
        denominator_quote="",
        detectors=(DetectorCount(detector=detector, item_count=count),),
        item_count=count,
        is_end_seen=True,
        gaps=(),
        verdict="unverified",
        why=why,
    )


def join_certificates(certificates: Sequence[Certificate]) -> Certificate:
    """One certificate for several lists that answer together: counts add up, the worst verdict is that of all."""
    first = certificates[0]
    if len(certificates) == 1:
        return first
    denominators = [entry.denominator for entry in certificates if entry.denominator is not None]
    is_counted = len(denominators) == len(certificates)
    sources = {entry.denominator_source for entry in certificates}
    return first.model_copy(
        update={
            "denominator": sum(denominators) if is_counted else None,
            "denominator_source": first.denominator_source if len(sources) == 1 else "none",
            "denominator_quote": "\n".join(
                entry.denominator_quote for entry in certificates if entry.denominator_quote
            ),
            "detectors": tuple(count for entry in certificates for count in entry.detectors),
            "item_count": sum(entry.item_count for entry in certificates),
            "is_end_seen": all(entry.is_end_seen for entry in certificates),
            "gaps": tuple(gap for entry in certificates for gap in entry.gaps),
            "verdict": min((entry.verdict for entry in certificates), key=VERDICTS.index),
            "why": "; ".join(entry.why for entry in certificates),
        }
    )


def tell_mismatch(certificate: Certificate) -> str:
    """The sentence of an answer whose list is not as long as its text announces; "" where it is, or nothing says."""
    if certificate.denominator_source != "stated" or certificate.denominator in (None, certificate.item_count):
        return ""
    return f"The text announces {certificate.denominator}, the list has {certificate.item_count}."


def tell_doubts(certificate: Certificate) -> tuple[str, ...]:
    """What a certificate says against a list, as caveats: numbers left out, members missing, or more than announced."""
    doubts = [f"numbering gaps: {', '.join(certificate.gaps)}"] if certificate.gaps else []
    if certificate.verdict == "incomplete":
        doubts.append(f"the list may be incomplete: {certificate.why}")
    elif certificate.verdict == "unverified" and certificate.denominator is not None:
        doubts.append(f"the list could not be verified: {certificate.why}")
    return tuple(doubts)


def _count_structure(own: Enumeration, count: int) -> tuple[int | None, str]:
    # subsections and series in a sentence are counted by structure where each of them has a number of its own
    is_marked = own.kind in ("headings", "inline") and all(item.marker for item in own.items)
    if own.kind in STRUCTURAL_KINDS or is_marked:
        return count + _count_lost(own), "structural"
    return None, "none"


def _count_lost(own: Enumeration) -> int:
    """Numbers that the numbering leaves out; those that the document says it leaves out are gaps, not losses."""
    return 0 if own.has_announced_gaps else len(own.gaps)


def _share_members(own: Enumeration, other: Enumeration) -> bool:
    """Whether most members of the shorter list stand in the longer one: then they count the same thing."""
    mine = {squeeze(item.head or item.text)[:40] for item in list_members(own)}
    theirs = {squeeze(item.head or item.text)[:40] for item in list_members(other)}
    shared = sum(1 for name in sorted(mine) if any(name in member or member in name for member in theirs if member))
    return shared * 2 > min(len(mine), len(theirs))


def _judge(
    own: Enumeration, count: int, denominator: int | None, agreeing: Sequence[Enumeration]
) -> tuple[Verdict, str]:
    if denominator is not None and count < denominator:
        return "incomplete", f"{count} of {denominator} members found"
    if not own.is_closed:
        return "incomplete", "the end of the list was not seen"
    if denominator is not None and count > denominator:
        return "unverified", f"{count} members found where {denominator} are announced"
    if denominator is None:
        return "unverified", "nothing says how many members there are"
    is_cut_off = own.begins_at > 1 and not own.continued_from and not own.gaps
    if is_cut_off and not any(entry.cue == denominator for entry in agreeing):
        return "unverified", f"the numbering begins at {own.items[0].marker.strip()} and nothing before it was found"
    longest = max(len(list_members(entry)) for entry in agreeing)
    if longest > max(count, len(list_members(own))):
        return "unverified", f"another detector found {longest} members"
    return "complete", f"all {count} members found and the end of the list seen"
