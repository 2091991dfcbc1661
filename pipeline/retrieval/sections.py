"""Sections by their titles, numbers and breadcrumbs; a section that is found is read whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.retrieval.candidates import CandidateMaker, Finding
from pipeline.retrieval.hits import Hits, collect_hits, find_between
from pipeline.retrieval.lexical import saturate
from pipeline.text.anchors import occurs
from pipeline.text.matching import fold

if TYPE_CHECKING:
    from pipeline.models.document import Section
    from pipeline.models.evidence import Candidate
    from pipeline.models.plan import Limits
    from pipeline.models.question import RetrievalBrief
    from pipeline.structure.view import DocumentView

ANCESTOR_SHARE = 0.5
"""What a word in an ancestor's title is worth to a section."""
BODY_WEIGHT = 0.5
"""What the text of a section adds to its title."""
MIN_TITLE_SHARE = 0.2
"""A section whose title carries less of the anchors' weight is left to keyword retrieval."""


def rank_sections(view: DocumentView, brief: RetrievalBrief, limits: Limits) -> tuple[Candidate, ...]:
    """Sections whose title or breadcrumb carries anchors, best first; those that the loop widened come in any case."""
    hits = collect_hits(view, brief)
    maker = CandidateMaker(view, brief, hits)
    titles = score_headings(view, hits)
    found: list[Finding] = []
    for section in view.document.sections:
        is_widened = section.index in brief.widened_sections
        title = titles.get(section.index, 0.0)
        if not is_widened and title < MIN_TITLE_SHARE:
            continue
        lines = maker.list_lines(section.start, section.end)
        if not lines or (len(lines) > limits.max_evidence_lines and not is_widened):
            continue
        score = title + BODY_WEIGHT * _score_body(hits, lines)
        why = f"{round(1000 * title)} thousandths of the anchors' weight in its title or breadcrumb"
        found.append(Finding(lines, "toc", score, f"section {section.title}: {why}", section.index))
    return maker.make(found)


def _score_body(hits: Hits, lines: tuple[int, ...]) -> float:
    """BM25 of a section's lines as a share of the weight of all anchors; ten words a line."""
    if not hits.total:
        return 0.0
    average = max(1, len(hits.passages.unit_of) // max(1, len(hits.passages.units)))
    counts = ((term.weight, len(find_between(term.lines, lines[0], lines[-1] + 1))) for term in hits.terms)
    return sum(weight * saturate(count, len(lines), 10 * average) for weight, count in counts if count) / hits.total


def score_headings(view: DocumentView, hits: Hits) -> dict[int, float]:
    """For each section whose title or ancestors' titles carry anchors: the share of the weight of all anchors."""
    scores: dict[int, float] = {}
    if not hits.total:
        return scores
    by_title: dict[str, list[float]] = {}

    def read(title: str) -> list[float]:
        if title not in by_title:
            folded = fold(title)
            by_title[title] = [term.weight if occurs(term.anchor, folded) else 0.0 for term in hits.terms]
        return by_title[title]

    for section in view.document.sections:
        own = read(section.title)
        above = [read(title) for title in section.breadcrumb]
        total = sum(
            max(weight, ANCESTOR_SHARE * max((titles[at] for titles in above), default=0.0))
            for at, weight in enumerate(own)
        )
        if total:
            scores[section.index] = total / hits.total
    return scores
