"""Following references: from what the evidence points at to derived candidates, each with why and a ledger row."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pipeline.models.evidence import Candidate, FoundBy
from pipeline.models.run import LedgerEntry
from pipeline.retrieval.candidates import inherit_anchors
from pipeline.retrieval.passages import build_spans
from pipeline.structure.pointers import (
    Pointer,
    is_read,
    list_target_lines,
    parse_pointer,
    resolve_pointer,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.models.base import Position
    from pipeline.models.document import Line
    from pipeline.models.evidence import Evidence
    from pipeline.models.question import RetrievalBrief
    from pipeline.structure.resolving import Resolution
    from pipeline.structure.view import DocumentView

LENT_SHARE = 900
"""Thousandths of its source's score that a derived candidate has: it stands right behind it."""


class Followed(NamedTuple):
    """What an action on references brought: derived candidates, a row for each reference, and what was refused."""

    derived: tuple[Candidate, ...] = ()
    ledger: tuple[LedgerEntry, ...] = ()
    refused: tuple[str, ...] = ()


def follow_references(
    view: DocumentView, targets: Sequence[str], evidence: tuple[Evidence, ...], max_references: int
) -> Followed:
    """Resolve the references that the answer needs and derive candidates from them, in document order.

    A reference whose target was read already brings nothing, so circles end. At most `max_references` are followed;
    the rest is refused and may be asked for again.
    """
    # document order, not that of the names: the first references of a text are followed first
    pointers = sorted(
        (pointer for text in targets if (pointer := parse_pointer(text)) is not None),
        key=lambda pointer: (pointer.place, pointer.part, pointer.key),
    )
    derived: list[Candidate] = []
    ledger: list[LedgerEntry] = []
    refused: list[str] = []
    for pointer in pointers:
        if len(derived) >= max_references:
            refused.append(f"{pointer.name} is beyond {max_references} references an action")
            continue
        entry, candidate = _follow(view, pointer, evidence, len(derived) + 1)
        ledger.append(entry)
        if candidate is None:
            refused.append(f"{pointer.name}: {entry.outcome}: {entry.why}")
        # two references to one place are one place to read
        elif all(candidate.ref != other.ref or candidate.sub_question != other.sub_question for other in derived):
            derived.append(candidate)
    return Followed(tuple(derived), tuple(ledger), tuple(refused))


def derive_candidate(
    view: DocumentView, source: Candidate, lines: Sequence[Line], why: str, rank: int
) -> Candidate | None:
    """A candidate over lines that another one leads to; it inherits the anchors of where it comes from."""
    spans = build_spans(view.document, [view.document.index_of(line.position) for line in lines])
    if not spans:
        return None
    score = source.score * LENT_SHARE // 1000
    return inherit_anchors(view, source, spans, FoundBy(method="two_hop", rank=rank, score=score, why=why))


def list_open_anchors(view: DocumentView, brief: RetrievalBrief, lines: Sequence[Line]) -> frozenset[str]:
    """Keys of the anchors that none of the lines carries: the part of the query that a reference may still serve."""
    positions = {line.position for line in lines}
    return frozenset(anchor.key for anchor in brief.anchors if positions.isdisjoint(view.positions_of(anchor)))


def carries_any(view: DocumentView, brief: RetrievalBrief, keys: frozenset[str], lines: Sequence[Line]) -> bool:
    """Whether lines carry one of the anchors with these keys."""
    positions = {line.position for line in lines}
    wanted = (anchor for anchor in brief.anchors if anchor.key in keys)
    return any(not positions.isdisjoint(view.positions_of(anchor)) for anchor in wanted)


def _follow(
    view: DocumentView, pointer: Pointer, evidence: tuple[Evidence, ...], rank: int
) -> tuple[LedgerEntry, Candidate | None]:
    resolution = resolve_pointer(view, pointer)
    if resolution is None:
        return _write(pointer, "dangling", "no reference stands there"), None
    if resolution.state != "resolved":
        return _write(pointer, resolution.state, resolution.why), None
    # each part of a question reads its own evidence, so that what another part read does not count
    own = [piece for piece in evidence if piece.candidate.sub_question == pointer.part]
    lines = list_target_lines(view, resolution.target, resolution.cells)
    if is_read(lines, _list_positions(own)):
        return _write(pointer, "already there", resolution.why), None
    source = _find_source(own, pointer)
    candidate = None if source is None else derive_candidate(view, source, lines, _explain(resolution, pointer), rank)
    if candidate is None:
        return _write(pointer, "dangling", "nothing readable stands there"), None
    return _write(pointer, "followed", resolution.why), candidate


def _write(pointer: Pointer, outcome: str, why: str) -> LedgerEntry:
    return LedgerEntry(kind="cross_reference", target=pointer.name, outcome=outcome, why=why)


def _explain(resolution: Resolution, pointer: Pointer) -> str:
    page, line = pointer.place
    return f"{resolution.why}; the reference stands on page {page}, line {line}"


def _find_source(evidence: Sequence[Evidence], pointer: Pointer) -> Candidate | None:
    """The best evidence of the part that holds the reference, else its best evidence."""
    for piece in evidence:
        if any((line.page, line.number) == pointer.place for line in piece.lines):
            return piece.candidate
    return evidence[0].candidate if evidence else None


def _list_positions(evidence: Sequence[Evidence]) -> frozenset[Position]:
    return frozenset((line.page, line.number) for piece in evidence for line in piece.lines)
