"""The actions between iterations that this version runs: expand keywords, resolve references, widen, sweep."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.loop import ActionResult
from pipeline.retrieval.expansion import find_expansions
from pipeline.retrieval.widening import find_wider_sections, sweep_document

if TYPE_CHECKING:
    from pipeline.loop import ActionRequest
    from pipeline.models.lexicon import Lexicon
    from pipeline.models.plan import Limits
    from pipeline.models.question import Question, RetrievalBrief
    from pipeline.structure.view import DocumentView


def perform_action(
    view: DocumentView, lexicon: Lexicon, question: Question, request: ActionRequest, limits: Limits
) -> ActionResult:
    """Carry out one action of the plan, within its limits.

    Raises:
        ValueError: an action that this version cannot run; the loop never asks for one.
    """
    action = request.trigger.action
    if action == "expand_keywords":
        return _expand(view, lexicon, request)
    if action == "resolve_references":
        return _resolve(view, request, limits)
    if action == "widen_section":
        return _widen(view, request)
    if action == "sweep":
        return _sweep(view, request)
    raise ValueError(f"action {action} is not available")


def _targeted_queries(request: ActionRequest) -> tuple[RetrievalBrief, ...]:
    """Queries of the parts that a trigger names; all open ones where its targets are no parts."""
    # targets of a trigger may be parts, sections or references, by its kind
    targets = frozenset(request.trigger.targets)
    named = tuple(query for query in request.queries if query.sub_question in targets)
    return named or tuple(query for query in request.queries if query.sub_question not in request.answer.closed)


def _expand(view: DocumentView, lexicon: Lexicon, request: ActionRequest) -> ActionResult:
    offered = tuple(
        (query.sub_question, anchor)
        for query in _targeted_queries(request)
        for anchor in find_expansions(
            view, lexicon, query, request.evidence, request.answer.feedback.discovered_keywords
        )
    )
    return ActionResult(expansions=offered)


def _resolve(view: DocumentView, request: ActionRequest, limits: Limits) -> ActionResult:
    # few runs have a reference to follow, and what resolves them takes its time to import
    from pipeline.retrieval.references import follow_references

    asked = {parameter.name: int(parameter.value) for parameter in request.parameters}
    ceiling = min(limits.max_references, asked.get("max_references", limits.max_references))
    followed = follow_references(view, request.trigger.targets, request.evidence, ceiling)
    return ActionResult(derived=followed.derived, ledger=followed.ledger, refused=followed.refused)


def _widen(view: DocumentView, request: ActionRequest) -> ActionResult:
    widened = tuple(
        (query.sub_question, section)
        for query in _targeted_queries(request)
        for section in find_wider_sections(view, query, request.evidence)
    )
    return ActionResult(widened=widened)


def _sweep(view: DocumentView, request: ActionRequest) -> ActionResult:
    derived = tuple(
        candidate for query in _targeted_queries(request) for candidate in sweep_document(view, query, request.evidence)
    )
    return ActionResult(derived=derived)
