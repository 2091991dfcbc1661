"""The polarity of a governing sentence: what it forbids is not called permitted."""

from __future__ import annotations

import pytest

from pipeline.models.settings import Settings
from pipeline.run import ask


@pytest.mark.parametrize(
    ("document", "question", "label", "contrary"),
    [
        ("policy.pdf", "Are shared accounts permitted?", "must_not", "may"),
        ("policy.pdf", "May text messages be used as a second factor?", "must_not", "must"),
    ],
)
def test_polarity_is_that_of_the_longest_cue_when_a_shorter_one_stands_inside(
    built_documents, document, question, label, contrary
):
    answer = ask(built_documents / document, question, Settings(is_cache_used=False)).body.answer
    assert label in answer.items[0].qualifiers
    assert contrary not in answer.items[0].qualifiers
