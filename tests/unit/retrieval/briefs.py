"""Briefs for tests of retrieval: parsed from a question, as a run makes them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from pipeline.models.lexicon import Lexicons
from pipeline.models.plan import Limits, Step
from pipeline.models.question import Question, RetrievalBrief
from pipeline.policy.lexicon import load_lexicons
from pipeline.question.parse import parse_question

LIMITS = Limits()
STEP = Step(pattern="keyword", parameters=(), rules=(), because=())


@cache
def load_default() -> Lexicons:
    return load_lexicons(Path(__file__).resolve().parents[3] / "rules" / "lexicons")


def ask(text: str) -> Question:
    return parse_question(text, load_default())


def make_brief(text: str, **fields: object) -> RetrievalBrief:
    question = ask(text)
    part = question.sub_questions[0]
    brief = RetrievalBrief(
        sub_question=part.id,
        anchors=part.anchors,
        focus=part.focus,
        expansions=(),
        hints=question.hints,
        periods=question.periods,
        shape=part.shape,
        value_type=part.value_type,
        language=question.language,
    )
    return brief.model_copy(update=fields)
