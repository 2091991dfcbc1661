"""Reasons of the thing itself: its sentence on any page before that of another thing, with what it points at."""

from __future__ import annotations

import pytest

from pipeline.generation.extractive.reasons import ELSEWHERE, read_reason
from tests.unit.generation.pages import make_task, make_view

OWN = "Our gross profit rate decreased in the year, primarily due to dearer freight and lower fees of members."
OTHER = "The decrease in revenue in the year was primarily driven by fewer boats at the quay in the winter."


def test_reason_of_the_thing_goes_first_when_it_stands_on_a_page_without_evidence():
    view = make_view([OTHER], ["Nothing of note."], [OWN])
    reading = read_reason(make_task(view, "Why did the gross profit rate decrease in the year?", (1,)))
    assert reading.items[0].text == OWN
    assert reading.has_typed_fit


def test_doubt_is_said_when_only_another_thing_has_a_reason():
    view = make_view(
        ["Wages and freight. The decrease in wages of pilots was due to fewer shifts in the year at the lock."]
    )
    reading = read_reason(make_task(view, "Why did freight decrease in the year?"))
    assert reading is None or (ELSEWHERE in reading.caveats and not reading.has_typed_fit)


def test_sentence_before_is_joined_when_the_reason_points_at_it():
    rows = [
        "Stores of rope totaled $1.6 million at the end of the year. The $0.2 million increase was due to a new quay."
    ]
    reading = read_reason(make_task(make_view(rows), "What drove the increase in stores of rope?"))
    assert reading.items[0].text.startswith("Stores of rope totaled")


@pytest.mark.parametrize(
    "question", ["What contributed to the increase in freight?", "What drove the increase in freight?"]
)
def test_words_that_ask_are_no_subject_when_a_question_asks_for_drivers(question):
    rows = [
        "Freight increased by 4 million in the year primarily due to dearer fuel.",
        "",
        "Sales of rope contributed 3 points of growth in the year, primarily due to higher prices.",
    ]
    reading = read_reason(make_task(make_view(rows), question))
    assert reading.items[0].text.startswith("Freight increased")


def test_sentence_is_whole_when_its_row_is_set_in_two_parts():
    rows = [[(0, "Freight decreased in the year, "), (31, "primarily due to a shorter way through the new canal.")]]
    reading = read_reason(make_task(make_view(rows), "Why did freight decrease in the year?"))
    assert "canal" in reading.items[0].text
