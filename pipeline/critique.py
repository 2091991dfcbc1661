"""Critique: an answer held against its evidence and its question; it yields signals and never chooses an action."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.validate import find_answer_faults
from pipeline.models.run import Signal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pipeline.models.answer import Answer
    from pipeline.models.evidence import Evidence
    from pipeline.models.plan import SignalKind
    from pipeline.models.question import GenerationBrief
    from pipeline.structure.view import DocumentView

_LIST_SHAPES = ("list", "count")


class Critique(NamedTuple):
    """What a critique found. `faults` are sentences; an answer without any is validated."""

    signals: tuple[Signal, ...]
    is_validated: bool
    faults: tuple[str, ...] = ()


def critique_answer(
    answer: Answer, evidence: tuple[Evidence, ...], brief: GenerationBrief, view: DocumentView
) -> Critique:
    """Check an answer and turn its feedback, certificates, open parts and pages into signals, most urgent first.

    Targets are canonical (sorted, each once); what has no target is no signal, so an empty list never counts as one.
    """
    faults = find_answer_faults(answer, view, brief.max_quote_characters)
    open_parts = _find_open_parts(answer, brief)
    short, cut = _find_unfinished_lists(answer, brief)
    feedback = answer.feedback
    is_settled = answer.found and answer.complete and not open_parts
    found: tuple[tuple[SignalKind, Iterable[str], str], ...] = (
        ("page_check_failed", _find_failed_pages(answer, evidence, view, is_settled), "pages failed a parse check"),
        ("context_unstructured", _find_unstructured_pages(answer, evidence), "evidence has no structure to read"),
        # other words help only as long as something is missing
        ("discovered_vocabulary", () if is_settled else feedback.discovered_keywords, "the document uses other words"),
        ("incomplete_answer", open_parts, "parts of the question are open"),
        ("pending_references", feedback.pending_references, "the evidence points elsewhere"),
        ("short_list", short, "a list is shorter than announced"),
        ("cut_list", cut, "the end of a list was not seen"),
        ("failed_validation", faults, "the answer does not hold against the document"),
    )
    signals = tuple(
        Signal(kind=kind, targets=targets, detail=detail)
        for kind, noticed, detail in found
        if (targets := tuple(sorted(set(noticed))))
    )
    return Critique(signals=signals, is_validated=not faults, faults=faults)


def _find_open_parts(answer: Answer, brief: GenerationBrief) -> tuple[str, ...]:
    if answer.clarification is not None:
        return ()
    asked = [part for part in brief.question.sub_questions if part.id in brief.open_sub_questions]
    return tuple(part.id for part in asked if part.id not in answer.closed and not part.is_optional)


def _find_unfinished_lists(answer: Answer, brief: GenerationBrief) -> tuple[list[str], list[str]]:
    # an unverified list has no denominator, so nothing says that it is short
    unfinished = [proof for proof in answer.certificates if proof.verdict == "incomplete"]
    cut = [proof.sub_question for proof in unfinished if not proof.is_end_seen]
    short = [proof.sub_question for proof in unfinished if proof.is_end_seen]
    short += [part for part in answer.feedback.short_lists if part not in cut]
    if answer.feedback.is_list_likely_complete is False and not cut and not short:
        parts = brief.question.sub_questions
        short = [part.id for part in parts if part.id in brief.open_sub_questions and part.shape in _LIST_SHAPES]
    return short, cut


def _find_failed_pages(
    answer: Answer, evidence: tuple[Evidence, ...], view: DocumentView, is_settled: bool
) -> tuple[str, ...]:
    """Pages that failed a check: all that were read while something is missing, else only those that are cited."""
    if is_settled:
        # a reparse is dear: once the answer is whole, pages that were read and not used may stay as they are
        pages = frozenset(citation.page for item in answer.items for citation in item.citations)
    else:
        pages = _find_pages(evidence)
    return tuple(f"page:{page.number}" for page in view.document.pages if page.number in pages and page.failed_checks)


def _find_unstructured_pages(answer: Answer, evidence: tuple[Evidence, ...]) -> tuple[str, ...]:
    if not answer.feedback.is_context_unstructured:
        return ()
    pages = answer.feedback.unstructured_pages or sorted(_find_pages(evidence))
    return tuple(f"page:{page}" for page in pages)


def _find_pages(evidence: tuple[Evidence, ...]) -> frozenset[int]:
    return frozenset(span.page for piece in evidence for span in piece.candidate.spans)
