"""The published truth table, read from the shipped rules."""

from __future__ import annotations

import pytest

from pipeline.decide import build_plan
from pipeline.policy.rulebook import load_rulebook
from tests.unit.policy.builders import make_facts

BOOK = load_rulebook()


@pytest.mark.parametrize(
    ("given", "patterns"),
    [
        ({}, ["keyword"]),
        ({"has_usable_outline": True, "has_sections": True}, ["toc_retrieval", "keyword"]),
        ({"has_sections": True}, ["toc_retrieval", "keyword"]),
        ({"has_section_hint": True}, ["keyword", "two_hop"]),
        ({"has_layout_hint": True}, ["keyword", "two_hop"]),
        ({"intent": "section"}, ["keyword", "two_hop"]),
        ({"intent": "reason", "is_open": True}, ["keyword", "two_hop"]),
        ({"intent": "listing", "is_listing": True}, ["keyword", "aggregation"]),
        ({"scanned_page_count": 1}, ["reparse", "keyword"]),
        ({"table_page_count": 1}, ["reparse", "keyword"]),
    ],
)
def test_the_steps_are_those_of_the_truth_table_when_decided(given, patterns):
    assert [step.pattern for step in build_plan(make_facts(**given), BOOK).steps] == patterns


@pytest.mark.parametrize(
    ("given", "waiting"),
    [
        ({}, {"reparse", "expand_keywords", "resolve_references"}),
        ({"is_listing": True}, {"reparse", "expand_keywords", "resolve_references", "widen_section", "sweep"}),
        ({"has_model_engine": True}, {"reparse", "expand_keywords", "resolve_references", "regenerate"}),
    ],
)
def test_the_actions_wait_for_their_signals_when_decided(given, waiting):
    assert {step.action for step in build_plan(make_facts(**given), BOOK).standby} == waiting
