"""Anchors, focus, hints and periods of a question."""

from __future__ import annotations

import pytest


def anchors_of(question, source):
    return [anchor.text for anchor in question.anchors if anchor.source == source]


@pytest.mark.parametrize(
    ("text", "source", "expected"),
    [
        ("What does 'net cost' mean in \u201cfair value\u201d?", "quoted", ["net cost", "fair value"]),
        ("Do ID.AM-1 and d_model matter?", "identifier", ["ID.AM-1", "d_model"]),
        ("Does it need quantum-safe cryptography?", "compound", ["quantum-safe cryptography"]),
        ("What does Northwind Health Plus offer?", "compound", ["Northwind Health Plus"]),
        ("When is NOT APPLICABLE allowed?", "compound", ["NOT APPLICABLE"]),
        ("What is Coordination of Duties?", "compound", ["Coordination of Duties"]),
        ("What applies at Tier 3?", "compound", ["Tier 3"]),
        (
            "What is Northwind Health Plus hospital coverage?",
            "compound",
            ["Northwind Health Plus", "hospital coverage"],
        ),
        ("Is home medical care planning done?", "compound", ["home medical", "medical care", "care planning"]),
        ("Was average adjusted net income growth high?", "compound", ["average adjusted"]),
        ("What is the maximum file size?", "compound", ["maximum file size"]),
        ("Are accounts payable balances due?", "compound", []),
        ("What were Acme's capex and COGS?", "concept", ["capex", "COGS"]),
        ("What was the gross margin in FY2018?", "period", ["FY2018"]),
    ],
)
def test_an_anchor_is_found_when_the_question_names_it(parse, text, source, expected):
    assert anchors_of(parse(text), source)[: len(expected)] == expected


def test_synonyms_are_forms_when_a_concept_is_asked(parse):
    (concept,) = [anchor for anchor in parse("What is the capex?").anchors if anchor.source == "concept"]
    assert concept.key == "capital expenditures"
    assert concept.forms[0] == "capex"
    assert "purchases of property, plant and equipment" in concept.forms


def test_inputs_are_light_anchors_when_a_derived_figure_is_asked(parse):
    question = parse("What is the quick ratio?")
    weights = {anchor.key: anchor.weight for anchor in question.anchors}
    assert weights["quick ratio"] > weights["current assets"]
    assert [anchor.key for anchor in question.focus] == ["quick ratio"]
    assert "current assets" in question.focus[0].forms


def test_a_concept_is_no_part_of_a_word_when_letters_surround_it(parse):
    assert anchors_of(parse("What is the varnish?"), "concept") == []


def test_rare_words_weigh_more_when_compared_with_common_ones(parse):
    weights = {anchor.key: anchor.weight for anchor in parse("Does the house have a barometer?").anchors}
    assert weights["baromet"] > weights["hous"]


@pytest.mark.parametrize(
    ("text", "required"),
    [
        ("Does the framework require quantum-safe cryptography?", {"quantum-safe", "cryptography"}),
        ("What does the document say about multi-factor authentication?", {"multi-factor authentication"}),
        ("What was the annual revenue in 2024?", {"annual revenue"}),
        ("What does AC-2(1) say?", {"AC-2(1)"}),
        ('Where is "adequate security" used?', {"adequate security"}),
        ("Did JnJ grow?", set()),
        ("What does section 3 argue?", set()),
        ("Who signed the agreement?", set()),
        ("Does the policy require background checks for contractors?", set()),
        ("What does Northwind offer for eye care?", set()),
    ],
)
def test_what_decides_absence_is_required_when_it_is_special(parse, text, required):
    assert {anchor.text for anchor in parse(text).focus if anchor.is_required} == required


@pytest.mark.parametrize(
    ("text", "focus"),
    [
        ("What does section 3 argue?", []),
        ("On which printed page does Appendix B start?", []),
        ("How long does it last?", []),
        ("What should insured individuals know?", ["insured individuals", "insured", "individuals"]),
        ("How many employees does the company have?", ["employees"]),
        ("Does the agreement mention subcontractors?", ["subcontractors"]),
    ],
)
def test_the_focus_is_what_must_occur_when_words_are_weighed(parse, text, focus):
    assert [anchor.text for anchor in parse(text).focus][: len(focus) or None] == focus


def test_the_base_counts_when_a_derived_word_is_required(parse):
    assert "subcontract" in parse("Does the agreement mention subcontractors?").focus[0].forms


def test_a_name_is_never_the_whole_focus_when_there_is_a_topic(parse):
    texts = [anchor.text for anchor in parse("Are JnJ's results those of a growing company?").focus]
    assert len(texts) > 1


@pytest.mark.parametrize(
    ("text", "hints"),
    [
        ("What is section 5.4 about?", [("section", "section:5.4")]),
        ("What does Article 5(2) require?", [("section", "article:5(2)")]),
        ("On which page is Fig. 2?", [("figure", "figure:2")]),
        ("What is in Table 3 of Appendix B?", [("table", "table:3"), ("appendix", "appendix:b")]),
        ("What starts on printed page 15?", [("printed_page", "page:15")]),
        ("What is on page 12 of the PDF?", [("physical_page", "page:12")]),
        ("What is on page 12?", [("printed_page", "page:12"), ("physical_page", "page:12")]),
        ("What does the Training section say?", [("section", "section:training")]),
        ("What does the balance sheet show?", [("statement", "statement:balance sheet")]),
    ],
)
def test_a_place_becomes_a_hint_when_it_is_named(parse, text, hints):
    assert [(hint.kind, hint.key) for hint in parse(text).hints] == hints


@pytest.mark.parametrize(
    ("text", "periods"),
    [
        ("Sales in FY2018?", ("2018",)),
        ("Sales in FY20 and FY21?", ("2020", "2021")),
        ("Average sales FY2015 - FY2017?", ("2015", "2016", "2017")),
        ("Sales from FY2016 to FY2018?", ("2016", "2017", "2018")),
        ("Sales in Q2 of FY2023?", ("2023 Q2",)),
        ("Sales in 2021 Q1?", ("2021 Q1",)),
        ("Sales in the second fiscal quarter of 2023?", ("2023 Q2",)),
        ("BLEU on WMT 2014 English-to-French?", ()),
    ],
)
def test_periods_are_read_when_years_or_quarters_stand_in_the_question(parse, text, periods):
    assert parse(text).periods == periods
