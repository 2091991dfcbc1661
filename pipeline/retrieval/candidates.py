"""Making candidates: spans, reference, matched anchors and the finding that led there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from pipeline.models.evidence import Candidate, FoundBy, Method
from pipeline.retrieval.hits import find_between
from pipeline.retrieval.lexical import quantise
from pipeline.retrieval.passages import build_spans

if TYPE_CHECKING:
    from pipeline.models.base import Position
    from pipeline.models.evidence import Span
    from pipeline.models.question import RetrievalBrief
    from pipeline.retrieval.hits import Hits
    from pipeline.structure.view import DocumentView


class Finding(NamedTuple):
    """A place before it is a candidate: its lines (ascending indices), who found it, its score and why.

    A score of 1.0 means every anchor once, close together; `parts` are further methods with their share of the score.
    """

    lines: tuple[int, ...]
    method: Method
    score: float
    why: str
    section: int | None = None
    parts: tuple[tuple[Method, float, str], ...] = ()


class CandidateMaker(NamedTuple):
    """What all candidates of one brief share."""

    view: DocumentView
    brief: RetrievalBrief
    hits: Hits

    def make(self, findings: Iterable[Finding]) -> tuple[Candidate, ...]:
        """Candidates of findings, best first (ties in document order); places without a readable line are left out."""
        ordered = sorted(findings, key=lambda found: (-quantise(found.score), found.lines))
        candidates: list[Candidate] = []
        for found in ordered:
            spans = build_spans(self.view.document, found.lines)
            if not spans:
                continue
            # what lies between the lines of a finding is no evidence, and terms stand on evidence only
            first, last = found.lines[0], found.lines[-1] + 1
            terms = [term for term in self.hits.terms if find_between(term.lines, first, last)]
            reasons = ((found.method, found.score, found.why), *found.parts)
            candidates.append(
                Candidate(
                    ref=self.view.reference(spans),
                    sub_question=self.brief.sub_question,
                    spans=spans,
                    score=quantise(found.score),
                    found_by=tuple(
                        FoundBy(method=method, rank=len(candidates) + 1, score=quantise(part), why=why)
                        for method, part, why in reasons
                    ),
                    matched=tuple(term.anchor.key for term in terms if not term.is_expansion),
                    matched_expansions=tuple(term.anchor.key for term in terms if term.is_expansion),
                    section=self._find_section(found),
                )
            )
        return tuple(candidates)

    def list_lines(self, start: Position, end: Position) -> tuple[int, ...]:
        """Indices of the readable lines from `start` up to, not including, `end`."""
        document, unit_of = self.view.document, self.hits.passages.unit_of
        return tuple(i for i in range(document.index_of(start), document.index_of(end)) if unit_of[i] >= 0)

    def list_page(self, page: int) -> tuple[int, ...]:
        """Indices of the readable lines of one physical page."""
        return self.list_lines((page, 0), (page + 1, 0))

    def _find_section(self, found: Finding) -> int | None:
        if found.section is not None:
            return found.section
        owner = self.hits.passages.units[self.hits.passages.unit_of[found.lines[0]]].section
        return owner if owner >= 0 else None


def inherit_anchors(view: DocumentView, source: Candidate, spans: tuple[Span, ...], found_by: FoundBy) -> Candidate:
    """A candidate derived from another one: it names its source and has the source's anchors."""
    section = view.document.section_at((spans[0].page, spans[0].line_start))
    return Candidate(
        ref=view.reference(spans),
        sub_question=source.sub_question,
        spans=spans,
        score=found_by.score,
        found_by=(found_by,),
        matched=source.matched,
        section=None if section is None else section.index,
        derived_from=source.ref,
    )
