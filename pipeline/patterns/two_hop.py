"""Two-hop: places that the best candidates point at and that carry what is still open of the query."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.retrieval.hints import resolve_target
from pipeline.retrieval.ranking import rank_passages
from pipeline.retrieval.references import carries_any, derive_candidate, list_open_anchors
from pipeline.retrieval.sections import rank_sections
from pipeline.structure.around import list_mentions
from pipeline.structure.bridges import find_bridges
from pipeline.structure.pointers import is_read, list_target_lines
from pipeline.structure.resolving import resolve_mention

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.models.base import Position
    from pipeline.models.document import Line
    from pipeline.models.evidence import Candidate
    from pipeline.models.plan import Limits, Step
    from pipeline.models.question import RetrievalBrief
    from pipeline.structure.view import DocumentView

READ_SOURCES = 2
"""The best candidates whose references are looked at; what only a worse one points at is seldom needed."""
MAX_SOURCE_LINES = 200


def retrieve(view: DocumentView, brief: RetrievalBrief, step: Step, limits: Limits) -> tuple[Candidate, ...]:
    """Derived candidates: targets of references in the best candidates, and tables that their symbols lead to.

    A target is taken where it carries an anchor that the candidate pointing at it lacks. Each place is visited once,
    and at most `max_references` are taken.
    """
    room = next(
        (int(entry.value) for entry in step.parameters if entry.name == "max_references"), limits.max_references
    )
    found: list[Candidate] = []
    visited: set[Position] = set()
    for source in _find_sources(view, brief, limits):
        lines = _read_lines(view, source)
        steps = _bridge(view, brief, lines) if brief.shape == "place" else _point(view, brief, lines)
        for start, target_lines, why in steps:
            if len(found) >= room:
                return tuple(found)
            if start in visited or is_read(target_lines, {line.position for line in lines}):
                continue
            visited.add(start)
            candidate = derive_candidate(view, source, target_lines, why, len(found) + 1)
            if candidate is not None:
                found.append(candidate)
    return tuple(found)


def _find_sources(view: DocumentView, brief: RetrievalBrief, limits: Limits) -> tuple[Candidate, ...]:
    """The places that the query names, else the best section, else the best passages."""
    named = any(resolve_target(view, hint) for hint in brief.hints if hint.kind in ("section", "table", "appendix"))
    if brief.shape == "place" and not named:
        # what is shown elsewhere is told in a section of its own
        sections = rank_sections(view, brief, limits)[:1]
        if sections:
            return sections
    return rank_passages(view, brief, limits)[:READ_SOURCES]


def _read_lines(view: DocumentView, source: Candidate) -> tuple[Line, ...]:
    lines: list[Line] = []
    for span in source.spans:
        lines += view.lines_in((span.page, span.line_start), (span.page, span.line_end + 1))
    return tuple(lines[:MAX_SOURCE_LINES])


def _point(
    view: DocumentView, brief: RetrievalBrief, lines: tuple[Line, ...]
) -> Iterator[tuple[Position, tuple[Line, ...], str]]:
    """Targets of the references on lines that carry an open anchor; nothing is resolved where none is open."""
    # what the source says itself needs no second place
    keys = list_open_anchors(view, brief, lines) if lines else frozenset()
    if not keys:
        return
    inside = {line.position for line in lines}
    last = lines[-1].position
    for mention in list_mentions(view, lines[0].position, (last[0], last[1] + 1)):
        if (mention.extent.page, mention.extent.line_start) not in inside or mention.is_external:
            continue
        resolution = resolve_mention(view, mention)
        target_lines = list_target_lines(view, resolution.target, resolution.cells)
        if resolution.target is not None and target_lines and carries_any(view, brief, keys, target_lines):
            yield resolution.target.start, target_lines, f"{resolution.why}, and carries what is open"


def _bridge(
    view: DocumentView, brief: RetrievalBrief, lines: tuple[Line, ...]
) -> Iterator[tuple[Position, tuple[Line, ...], str]]:
    """Tables whose heads carry symbols of the lines beside an anchor that the heading above the lines does not say."""
    if not lines:
        return
    # the heading says what is shown; the table must carry what it is shown on
    heading = lines[0].position
    wanted = [anchor for anchor in brief.anchors if heading not in view.positions_of(anchor)]
    for bridge in find_bridges(view, lines, wanted):
        yield bridge.target.start, list_target_lines(view, bridge.target), bridge.why
