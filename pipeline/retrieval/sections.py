"""Sections by their titles, numbers and breadcrumbs; a section that is found is read whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.retrieval.candidates import Finding
from pipeline.retrieval.hits import Hits, find_between
from pipeline.retrieval.lexical import saturate
from pipeline.retrieval.reading import read_brief
from pipeline.text.anchors import find_anchor

if TYPE_CHECKING:
    from pipeline.models.evidence import Candidate
    from pipeline.models.plan import Limits
    from pipeline.models.question import RetrievalBrief
    from pipeline.structure.view import DocumentView

# what the text of a section adds to its title
BODY_WEIGHT = 0.5
EXACT_SHARE = 0.25
"""What of a title's score depends on its saying nothing else: "Leave" before "Leave abroad"."""
# lines of a section of usual length
USUAL_LINES = 30


def rank_sections(view: DocumentView, brief: RetrievalBrief, limits: Limits) -> tuple[Candidate, ...]:
    """Sections whose title or breadcrumb carries anchors, best first; those that the loop widened come in any case."""
    reading = read_brief(view, brief)
    maker, hits, titles = reading.maker, reading.hits, reading.titles
    # a section whose title carries less of the anchors' weight is left to keyword retrieval
    least = view.lexicon.thresholds.section_title / 1000
    found: list[Finding] = []
    for section in view.document.sections:
        is_widened = section.index in brief.widened_sections
        title = titles.get(section.index, 0.0)
        if not is_widened and title < least:
            continue
        lines = maker.list_lines(section.start, section.end)
        if not lines or (len(lines) > limits.max_evidence_lines and not is_widened):
            continue
        score = title * (1 - EXACT_SHARE + EXACT_SHARE * _measure_exactness(hits, section.title))
        score += BODY_WEIGHT * _score_body(hits, lines)
        why = f"{round(1000 * title)} thousandths of the anchors' weight in its title or breadcrumb"
        found.append(Finding(lines, "toc", score, f"section {section.title}: {why}", section.index))
    return maker.make(found)


def _measure_exactness(hits: Hits, title: str) -> float:
    """Which share of a title's letters the anchors cover: 1 where it says nothing else."""
    covered: set[int] = set()
    for term in hits.terms:
        covered.update(at for start, end in find_anchor(term.anchor, title) for at in range(start, end))
    letters = [at for at, char in enumerate(title) if char.isalpha()]
    return sum(at in covered for at in letters) / len(letters) if letters else 0.0


def _score_body(hits: Hits, lines: tuple[int, ...]) -> float:
    """BM25 of a section's text as a share of the weight of all anchors, against sections of usual length."""
    if not hits.total:
        return 0.0
    counts = ((term.weight, len(find_between(term.lines, lines[0], lines[-1] + 1))) for term in hits.terms)
    return sum(weight * saturate(count, len(lines), USUAL_LINES) for weight, count in counts if count) / hits.total
