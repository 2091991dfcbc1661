"""Which passage is quoted: a clause before a mention, text below a heading, and what is said of doubts."""

from __future__ import annotations

import pytest

from pipeline.generation.extractive.passage import read_passage
from pipeline.generation.extractive.ranked import rank_passages
from tests.unit.generation.pages import make_task, make_view

MENTION = "4. No Pledge. Except as required by applicable law, none of the rights under this letter may be pledged."
CLAUSE = "5. Applicable Law. This letter shall be governed by and construed in accordance with the laws of Norway."


@pytest.mark.parametrize("rows", [[MENTION, "", CLAUSE], [CLAUSE, "", MENTION]])
def test_clause_goes_first_when_another_only_mentions_the_words(rows):
    reading = read_passage(make_task(make_view(rows), "What is the governing law?"))
    assert "Norway" in reading.text
    assert reading.has_typed_fit


def test_doubt_is_said_when_only_another_word_stands_in_passing():
    reading = read_passage(make_task(make_view([MENTION]), "What is the governing law?"))
    assert not reading.has_typed_fit
    assert not reading.has_second_place
    assert "does not say governing law" in reading.caveats[0]


def test_synonyms_are_no_doubt_when_two_of_them_agree():
    text = "The deed is governed by the laws of Norway and construed in accordance with the laws of that country."
    reading = read_passage(make_task(make_view([text]), "What is the governing law?"))
    assert reading.caveats == ()


def test_passage_is_not_sure_when_it_has_a_part_of_the_focus_only():
    rows = ["The harbour pilots are paid by the hour.", "", "Lanterns hang on the eastern mole."]
    task = make_task(make_view(rows), "What is the tide signal of the harbour pilots and its shutter?")
    reading = read_passage(task)
    assert reading is None or not (reading.has_typed_fit and reading.has_second_place)


def test_heading_is_quoted_with_its_text_when_it_stands_on_a_line_of_its_own():
    rows = ["Mooring Fees", "", "Boats pay by length for every night at the quay and settle before they leave."]
    reading = read_passage(make_task(make_view(rows), "What about the mooring fees?"))
    assert "Boats pay by length" in reading.text


def test_heading_lends_nothing_when_it_names_more_than_is_asked():
    rows = [
        "Mooring Fees Exceptions",
        "",
        "Mooring is free of charge for boats of the rescue service and for the pilots of the harbour office.",
        "",
        "Mooring fees are paid by length for every night at the quay, and mooring fees are due at noon.",
    ]
    passages = rank_passages(make_task(make_view(rows), "What about the mooring fees?"))
    assert passages[0].headed == frozenset()


def test_nothing_is_quoted_when_there_is_a_heading_alone():
    rows = ["Mooring Fees"]
    assert rank_passages(make_task(make_view(rows), "What about the mooring fees?")) == ()
