"""Typed values in prose: the value of what was asked, or none."""

from __future__ import annotations

import pytest

from pipeline.generation.extractive.value import read_value
from pipeline.generation.validate import find_answer_faults
from pipeline.models.answer import Answer
from tests.unit.generation.pages import make_task, make_view

PAPER = [
    "We train with a batch size of 256 and use label smoothing of value e = 0.1.",
    "",
    "In this work we employ h = 8 parallel attention layers, or heads.",
    "",
    "The encoder is a stack of N = 6 identical layers. We compare two different heads below.",
    "",
    "Our model achieves 28.4 BLEU on the WMT 2014 English-to-German task, improving by over 2 BLEU.",
    "",
    "The big models were trained for 300,000 steps (3.5 days). The base models took 12 hours.",
    "",
    "We used a beam size of 4. The remaining 5 checkpoints were dropped.",
]
POLICY = [
    "The deductible is $1,500 per person. Office visits have a copay of $35.",
    "",
    "Visits with specialists have a copay of $60.",
    "",
    "Records of access are kept for 180 days. The policy was approved by Jane Doe on 4 May 2021.",
    "",
    "The CSF 2.0 Core was described first. Coverage for hearing aids is up to $900 every 3 years.",
]


def _read(question, page):
    view = make_view(page)
    reading = read_value(make_task(view, question))
    if reading is not None:
        answer = Answer(found=True, complete=True, text=reading.text, items=reading.items)
        assert find_answer_faults(answer, view, 3600) == ()
    return reading


@pytest.mark.parametrize(
    ("question", "printed", "page"),
    [
        ("What is the batch size?", "256", PAPER),
        ("What value of label smoothing was used?", "0.1", PAPER),
        ("How many attention heads are used?", "8", PAPER),
        ("How many layers does the encoder have?", "6", PAPER),
        ("What BLEU does the model reach on WMT 2014 English-to-German?", "28.4", PAPER),
        ("How long were the big models trained?", "3.5 days", PAPER),
        ("What is the beam size?", "4", PAPER),
        ("What is the deductible?", "$1,500", POLICY),
        ("What is the copay for visits with specialists?", "$60", POLICY),
        ("How long are records of access kept?", "180 days", POLICY),
        ("Who approved the policy?", "Jane Doe", POLICY),
        ("How much is the coverage for hearing aids?", "$900", POLICY),
    ],
)
def test_value_is_read_when_it_stands_next_to_its_concept(question, printed, page):
    reading = _read(question, page)
    assert reading is not None
    assert printed in reading.items[0].text
    assert reading.items[0].extraction == "verbatim"
    assert reading.conflict is None


@pytest.mark.parametrize(
    ("question", "page"),
    [
        ("What BLEU does the model reach on WMT 2014 English-to-French?", PAPER),
        ("How many checkpoints were used?", PAPER),
        ("What is the out-of-pocket maximum?", POLICY),
        ("Who founded the company?", POLICY),
        ("What percentage is the coinsurance?", POLICY),
    ],
)
def test_no_value_is_read_when_its_concept_does_not_fit(question, page):
    assert _read(question, page) is None


def test_values_are_all_shown_when_two_sentences_contradict():
    page = ["The warranty period is 24 months.", "", "As agreed, the warranty period is 12 months."]
    reading = _read("How long is the warranty period?", page)
    assert reading is not None
    assert reading.conflict is not None
    assert sorted(reading.conflict.values) == ["12 months", "24 months"]
    assert len(reading.items) == 2


def test_values_agree_when_two_places_say_the_same():
    page = ["The warranty period is 24 months.", "", "As agreed, the warranty period is 24 months."]
    reading = _read("How long is the warranty period?", page)
    assert reading is not None
    assert reading.has_second_place
    assert len(reading.items) == 1
    assert len(reading.items[0].citations) == 2


def test_other_value_is_no_conflict_when_a_qualifier_tells_them_apart():
    page = ["On the dev set the accuracy is 91%.", "", "On the test set the accuracy is 88%."]
    reading = _read("What is the accuracy on the test set?", page)
    assert reading is not None
    assert reading.conflict is None
    assert "88%" in reading.items[0].text


def test_date_of_the_document_is_read_when_its_publication_is_asked():
    page = ["Access Control Standard", "", "March 3, 2022", "", "The Access Control Standard applies from 2030 on."]
    reading = _read("When was the Access Control Standard published?", page)
    assert reading is not None
    assert "March 3, 2022" in reading.text


@pytest.mark.parametrize("printed", ["–5 euros", "1.234 euros", "1 234 euros"])
def test_value_of_a_neighbour_is_not_given_when_the_own_one_cannot_be_read(printed):
    page = [f"The mooring fee is {printed} a year. The slipway fee is 42 euros a year."]
    reading = read_value(make_task(make_view(page), "How much is the mooring fee?"))
    assert reading is None or all(item.value not in ("42", "234") for item in reading.items)


def test_value_is_given_when_the_sentence_before_names_what_it_is_of():
    page = ["The mooring fee is due [3]. The fee is 42 euros a year."]
    reading = read_value(make_task(make_view(page), "How much is the mooring fee?"))
    assert reading is not None
    assert reading.items[0].value == "42"


def test_part_of_what_is_counted_is_no_contradiction_when_the_whole_is_told_before():
    page = ["We had 550 employees in all. Of these employees, 540 were full-time."]
    reading = read_value(make_task(make_view(page), "How many employees were there?"))
    assert reading is not None
    assert reading.conflict is None
    assert [item.value for item in reading.items] == ["550"]


@pytest.mark.parametrize(
    ("page", "name"),
    [
        ("Mary Dillon’s is the chief executive officer.", "Mary Dillon"),
        ("R EED H ASTINGS, chief executive officer", None),
    ],
)
def test_name_is_whole_or_not_given_when_print_breaks_it(page, name):
    reading = read_value(make_task(make_view([page]), "Who is the chief executive officer?"))
    assert (reading.items[0].value if reading else None) == name


def test_nobody_is_named_when_those_are_asked_to_whom_it_is_done():
    page = ["Maren Oduya covers the cost of every guest."]
    assert read_value(make_task(make_view(page), "Whom may you cover?")) is None
