"""Evidence: the best candidates with their text, within the limits of the plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.models.evidence import Evidence

if TYPE_CHECKING:
    from pipeline.models.evidence import Candidate, EvidenceLine
    from pipeline.models.plan import Limits
    from pipeline.structure.view import DocumentView

# One long section must not crowd out every other place.
LARGEST_SHARE = 3


def assemble_evidence(view: DocumentView, candidates: tuple[Candidate, ...], limits: Limits) -> tuple[Evidence, ...]:
    """Text of the best candidates, in rank order, within `max_evidence` pieces and `max_evidence_lines` lines.

    A piece longer than a third of all lines is cut at its end; the candidate still names all of its spans.
    """
    pieces: list[Evidence] = []
    room = limits.max_evidence_lines
    for candidate in candidates:
        if len(pieces) == limits.max_evidence or room <= 0:
            break
        lines = _read_lines(view, candidate, min(room, limits.max_evidence_lines // LARGEST_SHARE))
        if not lines:
            continue
        room -= len(lines)
        section = None if candidate.section is None else view.document.sections[candidate.section]
        breadcrumb = () if section is None else (*section.breadcrumb, section.title)
        pieces.append(Evidence(candidate=candidate, lines=lines, breadcrumb=breadcrumb))
    return tuple(pieces)


def _read_lines(view: DocumentView, candidate: Candidate, max_lines: int) -> tuple[EvidenceLine, ...]:
    lines: list[EvidenceLine] = []
    for span in candidate.spans:
        lines += view.evidence_lines(span)
        if len(lines) >= max_lines:
            break
    return tuple(lines[:max_lines])
