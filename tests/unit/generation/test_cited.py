"""Entries of a bibliography are told by their numbers, and counted."""

from __future__ import annotations

import pytest

from pipeline.generation.extractive.cited import read_cited
from pipeline.generation.extractive.count import read_count
from tests.unit.generation.pages import make_task, make_view

TEXT = ["The gate is kept as in [2], and the sluice as in [1].", "", "References"]
FIRST = ["[1] A. Byron. Of gates. Harbour Press, 2001.", "[2] B. Lovell. Of sluices and", "other things. 2003."]
SECOND = ["[3] C. Marrow. Of ropes. 2010."]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What is reference [2]?", "[2] B. Lovell. Of sluices and other things. 2003."),
        ("What is the title of reference 3?", "[3] C. Marrow. Of ropes. 2010."),
        ("Which book is cited as [1]?", "[1] A. Byron. Of gates. Harbour Press, 2001."),
    ],
)
def test_an_entry_is_told_when_its_number_is_asked(question: str, text: str):
    reading = read_cited(make_task(make_view([*TEXT, *FIRST], SECOND), question))
    assert (reading.text, reading.items[0].label) == (text, text[:3])


@pytest.mark.parametrize(
    "question", ["What is reference [9]?", "What is kept as in [2]?", "What is said in reference to 3 gates?"]
)
def test_no_entry_is_told_when_none_has_the_number_or_none_is_asked(question: str):
    assert read_cited(make_task(make_view([*TEXT, *FIRST], SECOND), question)) is None


@pytest.mark.parametrize(
    ("question", "labels"),
    [
        ("Which book is cited for the sluice?", ["[1]"]),
        ("What does the text cite for the gate?", ["[2]"]),
        ("Which works are cited for ropes?", ["[2]", "[3]"]),
    ],
)
def test_the_entry_is_told_when_the_text_cites_it_for_what_is_asked(question: str, labels: list[str]):
    text = ["The gate is kept as in [2], and the sluice as in [1].", "Of ropes [2, 3] more is known.", "", "References"]
    reading = read_cited(make_task(make_view([*text, *FIRST], SECOND), question))
    assert [item.label for item in reading.items] == labels
    # where it is cited, and what is cited
    assert [citation.page for citation in reading.items[-1].citations] == [1, 2 if labels[-1] == "[3]" else 1]


@pytest.mark.parametrize("question", ["Which book is cited for the lamps?", "What sources of ropes are there?"])
def test_no_entry_is_told_when_nothing_is_cited_for_it_or_no_citation_is_asked(question: str):
    assert read_cited(make_task(make_view([*TEXT, *FIRST], SECOND), question)) is None


def test_entries_are_counted_when_the_list_turns_a_page():
    view = make_view([*TEXT, *FIRST], SECOND)
    reading = read_count(make_task(view, "How many references are there?"))
    assert reading.items[0].value == "3"


def test_what_is_numbered_by_its_noun_is_counted_when_no_number_is_stated():
    rows = ["Example 1: a gate that is shut.", "", "Example 2: a gate that is open.", "", "Example 3: no gate."]
    reading = read_count(make_task(make_view(rows), "How many examples does the text give?"))
    assert (reading.items[0].value, reading.certificate.verdict) == ("3", "complete")
