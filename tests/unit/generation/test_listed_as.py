"""Lists that nothing shows to be the ones asked for: told with a doubt, and never certified `complete`."""

from __future__ import annotations

import pytest

from pipeline.generation.extractive.listed_as import UNNAMED_ROWS
from pipeline.generation.extractive.listing import read_list
from pipeline.generation.extractive.nouns import find_noun
from tests.unit.generation.pages import Row, make_task, make_view

AFTER = ["", "Nothing else is told of them in this report of the year."]


def _list_below(lead: str) -> list[Row]:
    return [lead, "1. the coal line", "2. the timber line", "3. the grain line", *AFTER]


@pytest.mark.parametrize(
    ("lead", "question", "ceiling"),
    [
        ("The motion on the fee asks the following of the members:", "What motions did members vote on?", 400),
        (
            "Motion 1. For the motion to build locks, the votes were cast as follows:",
            "Which motions were voted on?",
            400,
        ),
        ("In some counties the right can be lost through one of the following:", "Which counties have the right?", 500),
        ("The trust has three aims for ships and for crews:", "Which crews are there?", 500),
        ("The gear that firms leave with us is kept with care in the following:", "Which firms leave gear?", 500),
    ],
)
def test_a_list_is_doubted_when_its_lead_does_not_call_it_so(lead: str, question: str, ceiling: int):
    reading = read_list(make_task(make_view(_list_below(lead)), question))
    assert reading.certificate.verdict == "unverified"
    assert reading.max_confidence <= ceiling
    assert len(reading.caveats) == 1
    assert reading.caveats[0] in reading.certificate.why


@pytest.mark.parametrize(
    ("lead", "question"),
    [
        ("The port has the following lines:", "What lines does the port have?"),
        ("The lines of the port are as follows:", "What lines does the port have?"),
        ("Three kinds of lines were kept for the whole winter here:", "Which lines are kept?"),
        ("For all of the winter the following lines are kept:", "Which lines are kept?"),
        ("Three lines were kept for the whole of the winter here:", "Which lines were kept?"),
    ],
)
def test_a_list_is_certified_when_its_lead_calls_it_so(lead: str, question: str):
    reading = read_list(make_task(make_view(_list_below(lead)), question))
    assert (reading.certificate.verdict, reading.caveats) == ("complete", ())


def test_a_list_is_doubted_when_the_name_that_is_asked_stands_nowhere_at_it():
    rows = [
        *_list_below("The following lockkeepers are known:"),
        "",
        "The lockkeepers of Winter are told elsewhere.",
    ]
    reading = read_list(
        make_task(
            make_view([AFTER[1]], rows[:-2], [rows[-1]]),
            "Which lockkeepers does the report name for Winter?",
        )
    )
    assert reading.caveats == ('nothing at this list says "Winter": it may be of another one',)
    assert (reading.certificate.verdict, reading.max_confidence) == ("unverified", 400)


@pytest.mark.parametrize(
    ("question", "noun"),
    [
        ("Which strategies Verity uses keep its network good?", "strategies"),
        ("List the exhibits filed with the yearly report.", "exhibits"),
        ("Which sales categories does the shop have?", "categories"),
        ("With which individual risk programs can it be joined?", "programs"),
    ],
)
def test_the_noun_is_the_last_plural_when_several_words_stand_side_by_side(question: str, noun: str):
    assert find_noun(make_task(make_view(["A line of text."]), question))[-1].text == noun


def test_rows_are_not_certified_when_what_is_asked_has_no_name_of_its_own():
    rows = [
        "Motion 1. For the board, the votes were cast as follows:",
        "",
        [(30, "Votes For"), (45, "Votes Against")],
        [(0, "Ada Brook"), (31, "9,658"), (48, "294")],
        [(0, "Ben Carr"), (31, "9,483"), (48, "161")],
        [(0, "Cy Dorn"), (31, "9,481"), (48, "163")],
        *AFTER,
    ]
    reading = read_list(make_task(make_view(rows), "List every matter that votes were cast on."))
    assert (reading.certificate.verdict, reading.caveats[-1]) == ("unverified", UNNAMED_ROWS)
