"""Facts are typed, complete and computed from profile and question alone."""

from __future__ import annotations

from hypothesis import given

from pipeline.models.facts import Facts
from pipeline.policy.facts import compute_facts, list_facts, read_facts
from tests.unit.policy.builders import any_facts, make_anchor, make_hint, make_part, make_profile, make_question


def test_every_fact_is_described_and_typed_when_listed():
    facts = list_facts()
    assert list(facts) == list(Facts.model_fields)
    assert all(kind.description for kind in facts.values())
    assert facts["page_count"].type is int
    assert facts["is_listing"].type is bool
    assert "listing" in facts["intent"].words
    assert facts["section_source"].type is str


def test_document_facts_are_counted_when_pages_are_flawed():
    profile = make_profile(
        page_count=9,
        scanned_pages=(1, 2),
        garbled_pages=(3,),
        table_pages=(4, 5, 6),
        section_count=7,
        section_source="outline",
        has_usable_outline=True,
        kind="standard",
        language="pt",
        column_count=2,
    )
    facts = compute_facts(profile, make_question())
    assert (facts.scanned_page_count, facts.garbled_page_count, facts.table_page_count) == (2, 1, 3)
    assert facts.has_failed_pages
    assert facts.has_sections
    assert facts.has_usable_outline
    assert (facts.document_kind, facts.document_language, facts.column_count) == ("standard", "pt", 2)


def test_failed_pages_are_no_fact_when_every_page_is_good():
    facts = compute_facts(make_profile(), make_question())
    assert not facts.has_failed_pages
    assert not facts.has_sections
    assert not facts.has_model_engine


def test_hints_become_facts_when_the_question_names_places():
    for kind, fact in (
        ("section", "has_section_hint"),
        ("appendix", "has_section_hint"),
        ("physical_page", "has_page_hint"),
        ("printed_page", "has_page_hint"),
        ("table", "has_layout_hint"),
        ("figure", "has_layout_hint"),
        ("layout", "has_layout_hint"),
        ("statement", "has_statement_hint"),
    ):
        facts = compute_facts(make_profile(), make_question(hints=(make_hint(kind),)))
        set_hints = {reading.name for reading in read_facts(facts) if reading.name.endswith("_hint") and reading.value}
        assert set_hints == {fact}


def test_a_part_decides_when_only_it_asks_for_a_list_or_a_reason():
    listing = make_question(make_part("q1"), make_part("q2", intent="listing", shape="list"))
    reason = make_question(make_part("q1"), make_part("q2", intent="reason", shape="text"))
    count = make_question(make_part("q1", shape="count"))
    assert compute_facts(make_profile(), listing).is_listing
    assert not compute_facts(make_profile(), listing).is_open
    assert compute_facts(make_profile(), reason).is_open
    assert not compute_facts(make_profile(), reason).is_listing
    assert compute_facts(make_profile(), count).is_listing


def test_question_facts_are_counted_when_anchors_are_of_many_kinds():
    anchors = (
        make_anchor("gv.sc", source="identifier"),
        make_anchor("id.am", source="identifier"),
        make_anchor("liability", source="concept"),
        make_anchor("cap"),
    )
    question = make_question(anchors=anchors, focus=anchors[:3], clarification="Which one?", asks_for_references=True)
    facts = compute_facts(make_profile(), question, has_model_engine=True)
    assert (facts.anchor_count, facts.focus_count, facts.identifier_count, facts.concept_count) == (4, 3, 2, 1)
    assert facts.has_clarification
    assert facts.asks_for_references
    assert facts.has_model_engine


@given(any_facts)
def test_readings_hold_every_fact_when_read(facts):
    assert {reading.name: reading.value for reading in read_facts(facts)} == facts.model_dump()
