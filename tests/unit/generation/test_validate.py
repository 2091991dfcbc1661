"""Citations are true or refused: page, line, digit, furniture and length."""

from __future__ import annotations

import pytest

from pipeline.generation.extractive.citing import cite_lines
from pipeline.generation.validate import find_answer_faults
from pipeline.models.answer import Answer, Item
from tests.unit.generation.pages import make_view

VIEW = make_view(["Logs are kept for 180 days.", "Gates close\nat noon."], ["Other words."])


def _answer(**changes):
    citation = cite_lines(VIEW, VIEW.document.lines_on(1))[0].model_copy(update=changes)
    item = Item(sub_question="q1", text="180 days", citations=(citation,), extraction="verbatim")
    return Answer(found=True, complete=True, text="180 days", items=(item,))


def test_answer_is_valid_when_its_quote_stands_on_its_lines_even_with_a_line_end_inside():
    assert find_answer_faults(_answer(), VIEW, 3600) == ()


@pytest.mark.parametrize(
    "changes",
    [
        {"page": 2},
        {"line_start": 2},
        {"quote": "Logs are kept for 181 days."},
        {"quote": "Logs are kept for 18"},
        {"quote": "ogs are kept for 180 days."},
        {"quote": "Records are kept for 180 days."},
        {"quote": "Gates close\nat noon.\nLogs are kept for 180 days."},
        {"line_start": 9, "line_end": 9},
    ],
)
def test_answer_is_refused_when_a_citation_is_changed(changes):
    assert find_answer_faults(_answer(**changes), VIEW, 3600) != ()


def test_answer_is_refused_when_quotes_are_too_long_or_missing():
    assert find_answer_faults(_answer(), VIEW, 10) != ()
    bare = Answer(found=True, complete=True, text="x")
    assert find_answer_faults(bare, VIEW, 3600) != ()
    item = Item(sub_question="q1", text="x", citations=(), extraction="verbatim")
    assert find_answer_faults(bare.model_copy(update={"items": (item,)}), VIEW, 3600) != ()
