"""Invariants hold for the facts of every document and question at hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.models.facts import Facts
from pipeline.policy.cases import make_facts
from pipeline.policy.facts import compute_facts
from pipeline.policy.invariants import INVARIANTS, find_broken
from pipeline.policy.rulebook import load_rulebook
from pipeline.question.parse import parse_question
from pipeline.run import profile
from tests.conftest import ROOT
from tests.unit.policy.builders import make_profile

QUESTIONS = [
    json.loads(line)["question"]
    for path in sorted((ROOT / "fixtures" / "cases").glob("*.jsonl"))
    for line in path.read_text(encoding="utf-8").splitlines()
]
LEXICONS = load_rulebook().lexicons


def test_every_question_keeps_them_when_parsed():
    assert len(QUESTIONS) > 50
    broken = {q: find_broken(compute_facts(make_profile(), parse_question(q, LEXICONS))) for q in QUESTIONS}
    assert {question: words for question, words in broken.items() if words} == {}


@given(st.text(max_size=80).map(lambda drawn: f"x{drawn}"))
def test_any_words_keep_them_when_parsed(text: str):
    question = parse_question(text, LEXICONS)
    assert find_broken(compute_facts(make_profile(), question)) == ()


@pytest.mark.parametrize("name", ["standard.pdf", "paper.pdf", "lying.pdf", "columns.pdf"])
def test_documents_keep_them_when_profiled(name: str, built_documents: Path):
    facts = compute_facts(profile(built_documents / name), parse_question(QUESTIONS[0], LEXICONS))
    assert find_broken(facts) == ()


def test_an_uneventful_question_keeps_them_and_impossible_facts_are_named_when_checked():
    assert find_broken(make_facts({})) == ()
    assert find_broken(make_facts({"scanned_page_count": 11})) == ("scanned_page_count is at most page_count",)
    assert find_broken(make_facts({"intent": "count"})) == ("lists are listings",)


def test_every_invariant_speaks_of_facts_when_listed():
    assert all({each.first, each.second} <= set(Facts.model_fields) for each in INVARIANTS)
