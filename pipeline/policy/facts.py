"""Facts: what rules may read of one document and one question, computed here and nowhere else."""

from __future__ import annotations

import functools
from typing import Literal, NamedTuple, get_args, get_origin

from pipeline.models.document import DocumentProfile, OutlineSource
from pipeline.models.facts import Facts
from pipeline.models.plan import FactReading, FactValue
from pipeline.models.question import AnswerShape, Decomposition, HintKind, Intent, Question, ValueType

DOCUMENT_KINDS = ("paper", "standard", "contract", "filing", "policy", "handbook", "unknown")
OPEN_INTENTS: frozenset[Intent] = frozenset({"reason", "procedure", "comparison", "summary"})
LIST_INTENTS: frozenset[Intent] = frozenset({"listing", "count"})

_SECTION_HINTS: frozenset[HintKind] = frozenset({"section", "appendix"})
_PAGE_HINTS: frozenset[HintKind] = frozenset({"physical_page", "printed_page"})
_LAYOUT_HINTS: frozenset[HintKind] = frozenset({"table", "figure", "layout"})
# where a fact is one of a closed list of words, a rule that asks for another is a misprint
_VOCABULARIES: dict[str, tuple[str, ...]] = {
    "section_source": get_args(OutlineSource),
    "document_kind": DOCUMENT_KINDS,
    "intent": get_args(Intent),
    "answer_shape": get_args(AnswerShape),
    "value_type": get_args(ValueType),
    "decomposition": get_args(Decomposition),
}


class FactKind(NamedTuple):
    """How a fact is typed: bool, int or str, and the words it can be where they are a closed list."""

    type: type[bool] | type[int] | type[str]
    words: tuple[str, ...]
    description: str


@functools.cache
def list_facts() -> dict[str, FactKind]:
    """Every fact by name, in the order of the model."""
    return {
        name: FactKind(_find_type(field.annotation), _VOCABULARIES.get(name, ()), field.description or "")
        for name, field in Facts.model_fields.items()
    }


def _find_type(annotation: object) -> type[bool] | type[int] | type[str]:
    if annotation is bool:
        return bool
    if annotation is int:
        return int
    # what is left are plain words and closed lists of them; the model test keeps it so
    assert annotation is str or get_origin(annotation) is Literal  # noqa: S101
    return str


def read_facts(facts: Facts) -> tuple[FactReading, ...]:
    """All facts as name and value, in the order of the model; this is what a record keeps."""
    return tuple(FactReading(name=name, value=read_fact(facts, name)) for name in Facts.model_fields)


def read_fact(facts: Facts, name: str) -> FactValue:
    """The value of one fact.

    Raises:
        AttributeError: no fact has this name.
    """
    value: FactValue = getattr(facts, name)
    return value


def compute_facts(profile: DocumentProfile, question: Question, has_model_engine: bool = False) -> Facts:
    """Compute every fact from the profile and the parsed question; pure, and blind to the text of the document."""
    # a list hidden in the second part of a question still needs its members collected
    intents = frozenset(part.intent for part in question.sub_questions) | {question.intent}
    shapes = frozenset(part.shape for part in question.sub_questions) | {question.shape}
    hints = frozenset(hint.kind for hint in question.hints)
    return Facts(
        has_usable_outline=profile.has_usable_outline,
        has_sections=profile.section_count > 0,
        section_source=profile.section_source,
        section_count=profile.section_count,
        page_count=profile.page_count,
        document_kind=profile.kind,
        document_language=profile.language,
        scanned_page_count=len(profile.scanned_pages),
        garbled_page_count=len(profile.garbled_pages),
        table_page_count=len(profile.table_pages),
        column_count=profile.column_count,
        has_failed_pages=bool(profile.failed_pages or profile.pages_without_text or profile.garbled_pages),
        intent=question.intent,
        answer_shape=question.shape,
        value_type=question.value_type,
        question_language=question.language,
        decomposition=question.decomposition,
        sub_question_count=len(question.sub_questions),
        anchor_count=len(question.anchors),
        focus_count=len(question.focus),
        identifier_count=sum(1 for anchor in question.anchors if anchor.source == "identifier"),
        concept_count=sum(1 for anchor in question.anchors if anchor.source == "concept"),
        has_section_hint=bool(hints & _SECTION_HINTS),
        has_page_hint=bool(hints & _PAGE_HINTS),
        has_layout_hint=bool(hints & _LAYOUT_HINTS),
        has_statement_hint="statement" in hints,
        asks_for_references=question.asks_for_references,
        is_listing=bool(intents & LIST_INTENTS or shapes & {"list", "count"}),
        is_open=bool(intents & OPEN_INTENTS),
        asks_for_place="place" in shapes,
        has_clarification=question.clarification is not None,
        has_model_engine=has_model_engine,
    )
