"""The generator as a whole: parts of a question read one by one and put together with a stated confidence."""

from __future__ import annotations

import pytest

from pipeline.generation.extractive import ExtractiveGenerator
from pipeline.generation.validate import find_answer_faults
from pipeline.models.question import GenerationBrief
from tests.unit.generation.pages import make_task, make_view

POLICY = [
    "Visitors must wear a badge. Staff may not share passwords.",
    "",
    "Accounts are locked after 5 failed attempts. Logs are kept for 180 days.",
    "",
    "Gates close at night because deliveries end at noon. The guard checks every gate by hand.",
]


def _answer(question, *pages):
    view = make_view(*(pages or (POLICY,)))
    task = make_task(view, question)
    parsed = task.question
    evidence = tuple(
        piece.model_copy(update={"candidate": piece.candidate.model_copy(update={"sub_question": part.id})})
        for part in parsed.sub_questions
        for piece in task.evidence
    )
    brief = GenerationBrief(
        question=parsed, open_sub_questions=tuple(part.id for part in parsed.sub_questions), max_quote_characters=3600
    )
    answer = ExtractiveGenerator().generate(brief, evidence, view)
    assert find_answer_faults(answer, view, 3600) == ()
    return answer


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How long are logs kept?", "180 days"),
        ("Must visitors wear a badge?", "must"),
        ("May staff share passwords?", "may not"),
        ("Why do gates close at night?", "deliveries end at noon"),
    ],
)
def test_part_is_answered_when_the_page_says_it(question, expected):
    answer = _answer(question)
    assert answer.found
    assert expected in answer.text
    assert answer.confidence > 0


def test_both_parts_are_answered_when_a_question_has_two():
    answer = _answer("How long are logs kept, and how many failed attempts lock an account?")
    assert answer.found
    assert "180 days" in answer.text
    assert "5" in answer.text
    assert len(answer.closed) == 2


def test_confidence_is_capped_when_values_contradict():
    answer = _answer(
        "How long are logs kept?", ["Logs are kept for 180 days."], ["Logs are kept for 90 days."], ["Nothing else."]
    )
    assert answer.conflict is not None
    assert answer.confidence <= 500


def test_nothing_is_found_when_no_reader_reads_anything():
    answer = _answer("What is the deductible?", ["Nothing here."])
    assert not answer.found
    assert answer.items == ()
