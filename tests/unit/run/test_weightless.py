"""Questions of which no term weighs anything in the document: the place that they name is all that is left."""

from __future__ import annotations

import pytest

from pipeline.models.settings import Settings
from pipeline.run import ask


@pytest.mark.parametrize("number", [1, 2, 3])
def test_run_ends_when_no_term_of_the_question_weighs_anything(built_documents, number):
    question = f"What is the notice period in clause {number}?"
    record = ask(built_documents / "contract.pdf", question, Settings(is_cache_used=False))
    assert record.body.stop_reason
    assert not record.body.answer.found or record.body.answer.items
