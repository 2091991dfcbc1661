"""Every outcome of the cross-reference ledger, each driven by a question over a built document."""

from __future__ import annotations

import pytest

from pipeline.models.settings import RunSettings, Settings
from pipeline.run import ask

LUGGAGE = "How much does the Trust pay for lost luggage?"
CASES = (
    ("charter.pdf", LUGGAGE, "section:5.2", "followed"),
    ("charter.pdf", "What is the load of a crossing?", "section:1.6", "already there"),
    ("charter.pdf", "How are fog signals given?", "section:1.9", "already there"),
    ("charter.pdf", "What do groups pay?", "annex:c", "dangling"),
    ("charter.pdf", "How are the hours of rest kept?", "section:4", "external"),
    ("charter.pdf", "How is a late return charged?", "section:1", "ambiguous"),
    ("charter.pdf", "What do groups pay?", "annex:a", "not needed"),
    ("charter.pdf", "What is the fare for a horse?", "note:b", "already there"),
    ("charter.pdf", "What does a Night Crossing need?", "section:glossary", "already there"),
    ("estatutos.pdf", "Como se fazem as obras?", "article:19", "dangling"),
    ("zh_lease.pdf", "押金的退还依照什么执行？", "article:12", "external"),
    ("zh_lease.pdf", "租金按照什么确定？", "article:5(2)", "dangling"),
)


def _ask(built_documents, document, question, **run):
    return ask(built_documents / document, question, Settings(is_cache_used=False, run=RunSettings(**run))).body


@pytest.mark.parametrize(("document", "question", "key", "outcome"), CASES)
def test_the_ledger_says_what_became_of_a_reference_when_a_question_meets_it(
    built_documents, document, question, key, outcome
):
    rows = [entry for entry in _ask(built_documents, document, question).ledger if entry.kind == "cross_reference"]
    mine = [entry for entry in rows if entry.target.startswith(f"{key}@")]
    assert outcome in {entry.outcome for entry in mine}, [(entry.target, entry.outcome) for entry in rows]
    assert all(entry.why for entry in mine)


def test_a_reference_is_out_of_budget_when_no_iteration_is_left_for_it(built_documents):
    body = _ask(built_documents, "charter.pdf", LUGGAGE, max_iterations=1)
    assert {entry.outcome for entry in body.ledger if entry.target.startswith("section:5.2@")} == {"budget spent"}


@pytest.mark.parametrize("question", ["What is the load of a crossing?", "What is the wind limit?", LUGGAGE])
def test_a_circle_or_a_chain_ends_within_the_budget_when_references_lead_on(built_documents, question):
    body = _ask(built_documents, "charter.pdf", question)
    targets = [entry.target for entry in body.ledger if entry.kind == "cross_reference"]
    assert len(body.iterations) <= 4
    assert len(targets) == len(set(targets))
