"""Second parts that point at what the first one names: they ask of it, not for the whole place that they name."""

from __future__ import annotations

import pytest

from pipeline.question.parse import parse_question
from tests.unit.generation.pages import read_lexicons


@pytest.mark.parametrize(
    "tail",
    [
        "how does Table 1 define it",
        "how does Table 1 define them",
        "what does Table 3 say about it",
        "what does section 4 say of them",
    ],
)
def test_part_asks_for_no_whole_place_when_it_points_at_the_part_before(tail):
    parts = parse_question(f"What are the effects of a HIGH impact, and {tail}?", read_lexicons()).sub_questions
    assert len(parts) == 2
    assert parts[1].shape != "section"


@pytest.mark.parametrize(
    "question", ["What does Table 1 say?", "What is section 4 about?", "What does it say in section 4?"]
)
def test_place_is_asked_for_when_nothing_behind_it_points_back(question):
    assert parse_question(question, read_lexicons()).sub_questions[0].shape == "section"
