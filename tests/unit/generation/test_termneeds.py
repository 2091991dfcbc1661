"""Defined terms that a definition uses, followed where the question asks for them."""

from __future__ import annotations

import pytest

from pipeline.generation.extractive.definition import read_definition
from pipeline.generation.extractive.linked import asks_terms
from pipeline.generation.extractive.references import join_references
from pipeline.generation.extractive.termneeds import MAX_TERMS, find_terms, mark_terms
from tests.unit.generation.pages import make_task, make_view

DEED = [
    "\u201cBerth Fee\u201d means the sum that the Harbour Office asks for at a Long Quay.",
    "",
    "\u201cHarbour Office\u201d means the house at the north gate.",
    "",
    "\u201cLong Quay\u201d means a quay at which a Tall Ship may lie.",
    "",
    "\u201cTall Ship\u201d means a ship that fits no place but a Long Quay.",
]
ALL = 'What is the "Berth Fee", including the defined terms it refers to?'
ONE = 'What is the "Berth Fee", including the meaning of the Harbour Office it refers to?'


def _join(question: str, rows: list[str] = DEED):
    task = make_task(make_view(rows), question)
    reading = read_definition(task)
    assert reading is not None
    return mark_terms(task, join_references(task, reading, lambda _: None))


def _states(reading) -> dict[str, str]:
    return {report.target.partition("@")[0]: report.state for report in reading.references}


def test_all_terms_are_told_when_a_question_asks_for_the_defined_terms():
    reading = _join(ALL)
    assert [item.label for item in reading.items[1:]] == ["Harbour Office", "Long Quay"]
    assert "north gate" in reading.text


def test_one_term_is_told_and_the_others_not_needed_when_the_question_names_it():
    reading = _join(ONE)
    assert [item.label for item in reading.items[1:]] == ["Harbour Office"]
    assert _states(reading) == {"definition:harbour office": "already there", "definition:long quay": "not needed"}


def test_circle_ends_when_two_definitions_use_each_other():
    reading = _join('What does "Long Quay" mean, including the defined terms it refers to?')
    assert [item.label for item in reading.items[1:]] == ["Tall Ship"]


def test_answer_is_doubted_when_a_term_is_defined_in_two_ways():
    rows = [*DEED, "", "\u201cWatch Roll\u201d means a list of each Slack Hour.", ""]
    rows += ["\u201cSlack Hour\u201d means an hour without a ship.", "", "\u201cSlack Hour\u201d means low water."]
    reading = _join('What is the "Watch Roll", including the defined terms it refers to?', rows)
    assert len(reading.items) == 1
    assert _states(reading) == {"definition:slack hour": "ambiguous"}
    assert reading.max_confidence < 700


def test_terms_beyond_the_most_are_pending_when_a_definition_uses_many():
    names = ["Red", "Blue", "Green", "Black", "White", "Brown", "Grey"]
    rows = [f"\u201cFlag Roll\u201d means {', '.join(f'{name} Flag' for name in names)}."]
    for name in names:
        rows += ["", f"\u201c{name} Flag\u201d means a flag of one sort that the {name.lower()} yard flies."]
    reading = _join('What is the "Flag Roll", including the defined terms it refers to?', rows)
    assert len(reading.items) == 1 + MAX_TERMS
    assert list(_states(reading).values()).count("pending") == len(names) - MAX_TERMS
    assert any("Grey Flag" in caveat for caveat in reading.caveats)


@pytest.mark.parametrize("question", ['What is the "Berth Fee"?', 'What is the "Berth Fee" as defined in the deed?'])
def test_no_term_is_followed_when_the_question_asks_for_no_references(question):
    assert not asks_terms(make_task(make_view(DEED), question))


def test_no_term_is_found_when_there_is_nothing_cited():
    assert find_terms(make_task(make_view(DEED), ALL), ()) == []


def test_answer_is_doubted_when_the_question_names_a_term_that_nothing_defines():
    reading = _join('What is the "Berth Fee", including the meaning of the Steering Board it refers to?')
    assert reading.max_confidence < 700
    assert any("no definition" in caveat for caveat in reading.caveats)
