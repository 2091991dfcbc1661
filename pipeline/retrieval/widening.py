"""Looking further for the rest of a list: the section around the evidence, then every line of the document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.models.evidence import Candidate, FoundBy, Span

if TYPE_CHECKING:
    from pipeline.models.document import Section
    from pipeline.models.evidence import Evidence
    from pipeline.models.question import RetrievalBrief
    from pipeline.structure.view import DocumentView

READ_PIECES = 3
SWEEP_SCORE = 100_000


def find_wider_sections(view: DocumentView, brief: RetrievalBrief, evidence: tuple[Evidence, ...]) -> tuple[int, ...]:
    """Sections to read whole beside the evidence: the parent of its section, else the one that follows."""
    wider: list[int] = []
    for piece in _own_pieces(brief, evidence):
        section = view.document.section_at((piece.lines[0].page, piece.lines[0].number))
        if section is None:
            continue
        following = _find_following(view, section)
        candidates = [section.index, section.parent, following]
        wider += [index for index in candidates if index is not None and index not in brief.widened_sections]
    return tuple(dict.fromkeys(wider))


def _find_following(view: DocumentView, section: Section) -> int | None:
    return next((other.index for other in view.document.sections if other.start >= section.end), None)


def sweep_document(view: DocumentView, brief: RetrievalBrief, evidence: tuple[Evidence, ...]) -> tuple[Candidate, ...]:
    """Candidates over every page that carries a focus anchor and that no evidence covers yet, in page order."""
    own = _own_pieces(brief, evidence)
    if not own:
        return ()
    covered = {line.page for piece in own for line in piece.lines}
    wanted = brief.focus or brief.anchors
    pages = sorted({page for anchor in wanted for page, _ in view.positions_of(anchor)} - covered)
    made: list[Candidate] = []
    for page in pages:
        lines = [line for line in view.document.lines_on(page) if line.is_evidence]
        if not lines:
            continue
        span = Span(page=page, line_start=lines[0].number, line_end=lines[-1].number, method=lines[0].method)
        section = view.document.section_at(lines[0].position)
        made.append(
            Candidate(
                ref=view.reference((span,)),
                sub_question=brief.sub_question,
                spans=(span,),
                score=SWEEP_SCORE,
                found_by=(FoundBy(method="sweep", rank=len(made) + 1, score=SWEEP_SCORE, why="sweep of all pages"),),
                matched=own[0].candidate.matched,
                section=None if section is None else section.index,
                derived_from=own[0].candidate.ref,
            )
        )
    return tuple(made)


def _own_pieces(brief: RetrievalBrief, evidence: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
    return tuple(piece for piece in evidence if piece.candidate.sub_question == brief.sub_question)[:READ_PIECES]
