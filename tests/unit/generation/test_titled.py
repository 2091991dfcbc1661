"""Holders of offices by layout: title pages, letters and signature blocks."""

from __future__ import annotations

import pytest

from pipeline.generation.extractive.officers import read_officers
from tests.unit.generation.pages import make_task, make_view

COVER = [
    "HARBOUR RULES",
    "",
    "DEPARTMENT OF FISHERIES",
    "Ada P. Moss, Secretary",
    "",
    "TIDE ADMINISTRATION",
    "Carl D. Berg, Under Secretary for Tides",
    "",
    "BOARD OF RIVERS AND TIDES",
    "Leo Marsh, Jr., Director",
    "",
    "The rules are issued after approval by the Secretary of Fisheries and the Director of the board.",
]


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Who was the Secretary of Fisheries?", "Ada P. Moss"),
        ("Who was the director of BRT?", "Leo Marsh, Jr."),
        ("Who is the Director of the Board of Rivers and Tides?", "Leo Marsh, Jr."),
        ("Who was the Under Secretary for Tides?", "Carl D. Berg"),
    ],
)
def test_holder_of_an_office_is_read_when_a_title_page_names_the_body_above(question, name):
    reading = read_officers(make_task(make_view(COVER), question))
    assert [item.value for item in reading.items] == [name]


@pytest.mark.parametrize(
    "rows",
    [
        ["Harbour Institute", "Ada Moss", "Director"],
        ["Harbour Institute", "Director: Ada Moss"],
        ["Harbour Institute", "Director of the Harbour Institute \u2013 Ada Moss"],
        ["-- ADA MOSS, DIRECTOR", "HARBOUR INSTITUTE"],
    ],
)
def test_holder_is_read_when_name_and_title_stand_in_any_order(rows):
    reading = read_officers(make_task(make_view(rows), "Who is the director of the Harbour Institute?"))
    assert [item.value.casefold() for item in reading.items] == ["ada moss"]


def test_nobody_is_named_when_the_office_is_of_another_body():
    rows = ["TIDE ADMINISTRATION", "Ada Moss, Director", "", "Goods go through the Customs House."]
    assert read_officers(make_task(make_view(rows), "Who is the director of the Customs House?")) is None


def test_others_are_named_when_several_hold_an_office_of_that_name():
    rows = ["TIDE BOARD", "Ada Moss, Director", "", "RIVER BOARD", "Leo Marsh, Director"]
    reading = read_officers(make_task(make_view(rows), "Who is the director?"))
    assert "Ada Moss (page 1), Leo Marsh (page 1)" in reading.caveats[0]
    assert not reading.has_typed_fit


def test_headline_names_nobody_when_a_person_is_told_of_on_the_line_of_the_office():
    rows = ["Blood Clots At Sea", "Harbour Names CEO Ada Moss as Chairman of the Board"]
    reading = read_officers(make_task(make_view(rows), "Who is the chairman of the board?"))
    assert reading is None or "Clots" not in reading.text
