"""Lists of advice, several lists of one title, and where in the world something is."""

from __future__ import annotations

import pytest

from pipeline.generation.extractive.listing import read_list
from pipeline.generation.extractive.place import read_place
from tests.unit.generation.pages import make_task, make_view

FIRST = ["Here are a few tips for skippers:", "", "\u2022 Check the tide table", "\u2022 Ask the lock keeper", ""]
SECOND = ["Here are a few tips for skippers when mooring:", "", "\u2022 Use two ropes", "\u2022 Mind the fender", ""]
SERVICES = [
    "The harbour offers these services to skippers:",
    "",
    "\u2022 Fuel at the quay",
    "\u2022 Mending sails",
    "",
]


def test_tips_are_left_out_when_the_question_asks_for_no_advice():
    reading = read_list(make_task(make_view([*FIRST, *SERVICES]), "What services does the harbour offer to skippers?"))
    assert [item.text for item in reading.items] == ["Fuel at the quay", "Mending sails"]


def test_nothing_is_listed_when_there_are_only_tips_and_none_are_asked_for():
    reading = read_list(make_task(make_view(FIRST), "What services do skippers get?"))
    assert reading is None


def test_pages_of_other_lists_are_told_when_the_question_fits_them_as_well():
    view = make_view(FIRST, SECOND)
    reading = read_list(make_task(view, "What are the tips for skippers?"))
    assert "other lists fit the question as well" in " ".join(reading.caveats)
    assert not reading.has_typed_fit


@pytest.mark.parametrize("pages", [[FIRST, SECOND], [SECOND, FIRST]])
def test_list_with_the_words_is_taken_when_the_question_singles_one_out(pages):
    reading = read_list(make_task(make_view(*pages), "What are the tips for skippers when mooring?"))
    assert [item.text for item in reading.items] == ["Use two ropes", "Mind the fender"]
    assert not any("other lists" in caveat for caveat in reading.caveats)


def test_place_in_the_world_is_told_when_a_sentence_names_it():
    rows = ["The pilots rest at night.", "", "The head office of the pilots is located in North Haven, by the lock."]
    reading = read_place(make_task(make_view(rows), "Where is the head office of the pilots located?"))
    assert "North Haven" in reading.text


def test_list_of_the_noun_goes_first_when_another_shares_more_of_the_rest():
    rows = ["Duties of the lock keeper at the harbour:", "", "\u2022 Open the lock", "\u2022 Mind the gate", ""]
    rows += ["Qualifications of the keeper:", "", "\u2022 Five years at sea", "\u2022 A valid ticket", ""]
    reading = read_list(make_task(make_view(rows), "What are the qualifications of the lock keeper at the harbour?"))
    assert "Five years at sea" in [item.text for item in reading.items]
