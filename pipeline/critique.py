"""Critique: an answer held against its evidence and its question; it yields signals and never chooses an action."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.validate import find_answer_faults
from pipeline.models.run import Signal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pipeline.models.answer import Answer, Certificate, Citation
    from pipeline.models.document import Line, Page
    from pipeline.models.evidence import Evidence
    from pipeline.models.plan import SignalKind
    from pipeline.models.question import GenerationBrief
    from pipeline.structure.view import DocumentView

_LIST_SHAPES = ("list", "count")
_MEASURED_TYPES = ("number", "money", "percent", "date", "duration")
_TYPED_SHAPES = ("value", "list", "count", "comparison")
_UNREADABLE = frozenset({"undefined_characters", "ocr_noise", "wrong_encoding", "no_text"})
_PLACES = frozenset({"section", "appendix", "table", "figure"})
_UNREAD_STATES = ("without_text", "garbled")


class Critique(NamedTuple):
    """What a critique found. `faults` are sentences; an answer without any is validated."""

    signals: tuple[Signal, ...]
    is_validated: bool
    faults: tuple[str, ...] = ()


def critique_answer(
    answer: Answer,
    evidence: tuple[Evidence, ...],
    brief: GenerationBrief,
    view: DocumentView,
    reread: frozenset[int] = frozenset(),
) -> Critique:
    """Check an answer and turn its feedback, certificates, open parts and pages into signals, most urgent first.

    `reread` are pages that were read again already: they are not asked for twice. Targets are canonical (sorted, each
    once); what has no target is no signal, so an empty list never counts as one.
    """
    faults = find_answer_faults(answer, view, brief.max_quote_characters)
    open_parts = _find_open_parts(answer, brief)
    short, cut = _find_unfinished_lists(answer, brief)
    feedback = answer.feedback
    is_settled = answer.found and answer.complete and not open_parts
    is_reliable = is_settled and not _lacks_value(answer, brief) and not _misses_place(answer, brief, view)
    failed = _find_unreliable(answer, brief, view) if is_reliable else _find_failed_pages(answer, evidence, brief, view)
    unstructured = _find_unstructured_pages(answer, evidence)
    found: tuple[tuple[SignalKind, Iterable[str], str], ...] = (
        ("page_check_failed", _name_pages(failed, reread), "pages failed a parse check"),
        ("context_unstructured", _name_pages(unstructured, reread), "evidence has no structure to read"),
        # other words help only as long as something is missing
        ("discovered_vocabulary", () if is_settled else feedback.discovered_keywords, "the document uses other words"),
        ("incomplete_answer", open_parts, "parts of the question are open"),
        ("pending_references", feedback.pending_references, "the evidence points elsewhere"),
        ("short_list", short, "a list is not as long as announced"),
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
    # more members than announced are a mismatch as well: another list may be the one that is meant
    short += [proof.sub_question for proof in answer.certificates if _is_overfull(proof)]
    short += [part for part in answer.feedback.short_lists if part not in cut]
    if answer.feedback.is_list_likely_complete is False and not cut and not short:
        parts = brief.question.sub_questions
        short = [part.id for part in parts if part.id in brief.open_sub_questions and part.shape in _LIST_SHAPES]
    return short, cut


def _is_overfull(proof: Certificate) -> bool:
    is_stated = proof.denominator_source == "stated" and proof.denominator is not None
    return is_stated and proof.item_count > (proof.denominator or 0)


def _name_pages(pages: Iterable[int], reread: frozenset[int]) -> list[str]:
    return [f"page:{page}" for page in pages if page not in reread]


def _lacks_value(answer: Answer, brief: GenerationBrief) -> bool:
    """Whether a part asks for an amount or a date, and nothing that was found for it is one."""
    measured = [part.id for part in brief.question.sub_questions if part.value_type in _MEASURED_TYPES]
    valued = {item.sub_question for item in answer.items if item.value is not None}
    return any(part in answer.closed and part not in valued for part in measured)


def _misses_place(answer: Answer, brief: GenerationBrief, view: DocumentView) -> bool:
    """Whether pages are unread, and a place that the question or the answer's own text names may stand on them."""
    if not any(page.state in _UNREAD_STATES and page.failed_checks for page in view.document.pages):
        return False
    from pipeline.retrieval.hints import resolve_target

    if any(report.state == "dangling" for report in answer.feedback.references):
        return True
    hints = (hint for hint in brief.question.hints if hint.kind in _PLACES)
    return any(not resolve_target(view, hint) for hint in hints)


def _find_unreliable(answer: Answer, brief: GenerationBrief, view: DocumentView) -> list[int]:
    """Cited pages whose fault reaches the quote itself: a reparse is dear, and a whole answer needs no better pages."""
    shapes = {part.id: part for part in brief.question.sub_questions}
    found = []
    for item in answer.items:
        part = shapes.get(item.sub_question)
        is_typed = part is not None and part.shape in _TYPED_SHAPES and part.value_type != "any"
        for citation in item.citations:
            page = view.document.pages[citation.page - 1]
            if page.failed_checks and _is_unreliable(citation, page, view, is_typed):
                found.append(citation.page)
    return found


def _is_unreliable(citation: Citation, page: Page, view: DocumentView, is_typed: bool) -> bool:
    from pipeline.parsing.checks import is_faulty_text

    lines = [line for line in view.document.lines_on(page.number) if _is_cited(line, citation)]
    if any(line.method == "ocr" for line in lines):
        return False
    checks = frozenset(page.failed_checks)
    if "text_under_image" in checks or is_faulty_text(citation.quote):
        return True
    if "mixed_columns" in checks and _crosses_columns(lines):
        return True
    return is_typed and "flattened_table" in checks and not _is_in_table(citation, view)


def _is_cited(line: Line, citation: Citation) -> bool:
    return citation.line_start <= line.number <= citation.line_end and line.is_evidence


def _crosses_columns(lines: list[Line]) -> bool:
    """Whether lines of one quote stand beside each other, as no two lines of one column do."""
    return any(after.box[0] >= before.box[2] for before, after in pairwise(lines))


def _is_in_table(citation: Citation, view: DocumentView) -> bool:
    """Whether a quote stands in a cell of a table that was read as one."""
    return any(
        extent.page == citation.page
        and extent.line_start <= citation.line_end
        and citation.line_start <= extent.line_end
        for table in view.tables_touching(citation.page)
        for cell in table.cells
        for extent in cell.extents
    )


def _find_failed_pages(
    answer: Answer, evidence: tuple[Evidence, ...], brief: GenerationBrief, view: DocumentView
) -> list[int]:
    """While something is missing: pages that were read and whose fault may hide it, and pages that have no text yet."""
    read = _find_pages(evidence)
    open_parts = [part for part in brief.question.sub_questions if part.id not in answer.closed]
    is_tabular = any(part.shape in _TYPED_SHAPES for part in open_parts)
    asks_for_figure = any(hint.kind == "figure" for hint in brief.question.hints)
    relevant = _UNREADABLE | {"text_under_image", "mixed_columns", "letter_spaced"}
    relevant |= {"flattened_table"} if is_tabular else set()
    relevant |= {"figure_without_text"} if asks_for_figure else set()
    return [
        page.number
        for page in view.document.pages
        # a blank page failed no check: there is nothing on it to read
        if (page.number in read and relevant & frozenset(page.failed_checks))
        or (page.state in _UNREAD_STATES and page.failed_checks)
    ]


def _find_unstructured_pages(answer: Answer, evidence: tuple[Evidence, ...]) -> tuple[int, ...]:
    if not answer.feedback.is_context_unstructured:
        return ()
    return answer.feedback.unstructured_pages or tuple(sorted(_find_pages(evidence)))


def _find_pages(evidence: tuple[Evidence, ...]) -> frozenset[int]:
    return frozenset(span.page for piece in evidence for span in piece.candidate.spans)
