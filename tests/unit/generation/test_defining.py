"""Defining sentences and rows anywhere in a document, against sentences that only use the term."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.generation.extractive.deferred import follow_meaning
from pipeline.generation.extractive.defining import DEFERRED, FIRM, LOOSE, NAMED, NONE, rate_defining, read_defining
from pipeline.generation.extractive.definition import list_terms, read_definition
from pipeline.generation.extractive.doubts import MERE_USE, mark_mere_use
from pipeline.generation.extractive.passage import read_passage
from tests.unit.generation.pages import make_task, make_view

USES = ["Lamp yield rose in every yard last spring.", "", "The board was glad of the lamp yield."]


def _rate(sentence: str, question: str = "What is lamp yield?") -> int:
    task = make_task(make_view([sentence]), question)
    return min(rate_defining(task, sentence, term) for term in list_terms(task))


@pytest.mark.parametrize(
    ("sentence", "rank"),
    [
        ("We define lamp yield as the hours lit per barrel of oil.", FIRM),
        ("The term \u201clamp yield\u201d means the hours lit per barrel.", FIRM),
        ("Lamp yield (as used herein) shall mean the hours lit per barrel.", FIRM),
        ("(b) Lamp yield is defined as hours lit per barrel.", FIRM),
        ("Lamp yield refers to the hours lit per barrel.", FIRM),
        ("Lamp yield is a measure of the hours lit per barrel.", FIRM),
        ("The yards report lamp yield, which we define as hours lit per barrel.", LOOSE),
        ("Lamp yield is a figure that is defined by the harbour board as hours lit per barrel.", LOOSE),
        ("The hours lit per barrel (the \u201cLamp Yield\u201d) are counted daily.", NAMED),
        ("\u201cLamp yield\u201d shall have the meaning specified in Attachment A.", DEFERRED),
        ("Lamp yield rose in every yard last spring.", NONE),
        ("Adjusted lamp yield means the yield without storms.", NONE),
    ],
)
def test_sentence_is_rated_by_how_firmly_it_defines_when_it_holds_a_term(sentence, rank):
    assert _rate(sentence) == rank


@pytest.mark.parametrize(
    "question", ["What is lamp yield?", "How does Harbour Light define lamp yield?", "What does lamp yield mean?"]
)
def test_definition_beats_use_when_only_uses_are_evidence(question):
    view = make_view(USES, ["The oil is dear.", "", "We define lamp yield as the hours lit per barrel of oil."])
    reading = read_definition(make_task(view, question, pages=(1,)))
    assert reading is not None
    assert "hours lit per barrel" in reading.text
    assert reading.items[0].citations[0].page == 2


def test_little_confidence_is_claimed_when_a_term_is_only_used():
    task = make_task(make_view(USES), "What is lamp yield?")
    assert read_definition(task) is None
    reading = mark_mere_use(task, read_passage(task))
    assert reading.max_confidence == MERE_USE
    assert any("lamp yield" in caveat for caveat in reading.caveats)


def test_meaning_is_read_when_it_stands_right_of_its_term_in_a_list():
    rows = [
        [(0, "ABD"), (20, "annual barrel demand")],
        [(0, "HLB"), (20, "Harbour Light Board")],
        [(0, "LYP"), (20, "lamp yield plan")],
        [(0, "Quay"), (20, "the stone landing place")],
        [(0, "TWR"), (20, "tower watch roster")],
    ]
    reading = read_definition(make_task(make_view(rows), "What does HLB stand for?"))
    assert reading is not None
    assert reading.items[0].value == "Harbour Light Board"


def test_no_meaning_is_read_when_the_right_cells_are_figures():
    rows = [[(0, name), (20, str(number))] for number, name in enumerate(["ABD", "HLB", "LYP", "TWR", "OIL"], 17)]
    assert read_definition(make_task(make_view(rows), "What does HLB stand for?")) is None


def test_meaning_is_added_when_a_passage_leaves_it_to_another_place():
    view = make_view(
        ["The keeper leaves upon a Change of Watch. \u201cChange of Watch\u201d has the meaning specified in Annex A."],
        ["A Change of Watch shall mean that forty percent of the lamps pass to one owner."],
    )
    task = make_task(view, 'What share of lamps makes a "Change of Watch"?', pages=(1,))
    reading = follow_meaning(task, read_passage(task))
    assert "forty percent" in reading.text
    assert {citation.page for item in reading.items for citation in item.citations} == {1, 2}


WORDS = st.lists(st.sampled_from("the keeper lit every lamp before dusk and wrote oil down".split()), min_size=3)


@settings(max_examples=40, deadline=None)
@given(before=WORDS, behind=WORDS, is_first=st.booleans())
def test_definition_is_read_when_uses_surround_it_in_any_order(before, behind, is_first):
    uses = [f"{' '.join(words)} lamp yield {' '.join(words)}.".capitalize() for words in (before, behind)]
    firm = "Lamp yield means the hours lit per barrel."
    page = [firm, "", uses[0], "", uses[1]] if is_first else [uses[0], "", uses[1], "", firm]
    task = make_task(make_view(page), "What is lamp yield?")
    reading = read_defining(task, list_terms(task), FIRM)
    assert reading is not None
    assert reading.text == firm


def test_quoted_term_is_defined_when_a_question_calls_it_a_term():
    view = make_view(
        ["The \u201cLamp\u201d burns.", "", "The term \u201cLamp\u201d or \u201cLight\u201d refers to the north lamp."]
    )
    reading = read_definition(make_task(view, 'What does the term "Light" refer to?'))
    assert reading is not None
    assert "the north lamp" in reading.text
