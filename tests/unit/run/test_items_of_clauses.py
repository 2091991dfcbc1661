"""A question that names an item inside a clause: "clause 12.1(b)"."""

from __future__ import annotations

import pytest

from pipeline.models.settings import Settings
from pipeline.run import ask


@pytest.mark.parametrize(("label", "wording"), [("12.1(b)", "fraud"), ("14.2(a)", "material breach")])
def test_item_is_quoted_alone_when_the_question_names_it(built_documents, label, wording):
    answer = ask(built_documents / "contract.pdf", f"What does clause {label} say?", Settings()).body.answer
    assert answer.found
    assert wording in answer.items[0].text
    assert len(answer.items[0].citations) == 1


def test_no_such_target_is_said_when_the_clause_lacks_the_item(built_documents):
    answer = ask(built_documents / "contract.pdf", "What does clause 12.1(z) say?", Settings()).body.answer
    assert not answer.found
    assert answer.absence == "no_such_target"
