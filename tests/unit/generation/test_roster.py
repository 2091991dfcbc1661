"""Persons of a role: one item each with office and age, from tables without rulings, run-in heads and headings."""

from __future__ import annotations

import pytest

from pipeline.generation.extractive.roster import read_roster
from pipeline.models.document import Section
from pipeline.structure.view import DocumentView
from tests.unit.generation.pages import make_task, make_view, read_lexicons

TABLE = [
    "Executive Officers of the Registrant",
    "The executive officers of the company are listed below.",
    [(0, "Name"), (30, "Age"), (40, "Position")],
    [(0, "Ada B. Merrow"), (30, "58"), (40, "Chief Executive Officer. Ms. Merrow joined in 1998.")],
    [(40, "She was Vice President before that.")],
    [(0, "Tom Quayle, Jr."), (30, "61 Vice President, Ferries since 2011")],
    [(0, "Iris Lund"), (30, "44"), (40, "General Counsel")],
    "Other Matters",
    "Nothing else is reported.",
]
PROSE = [
    "Executive Officers",
    "The executive officers of Harbour Works, Inc. are as follows:",
    "Ada Merrow, Chairman and President \u2014 Ms. Merrow, 58, was appointed in 2006.",
    "She led the ferries before.",
    "Tom Quayle, Vice President \u2014 Mr. Quayle, 61, joined Harbour Works, Inc. in 1999.",
    "Iris Lund, General Counsel \u2014 Ms. Lund, 44, joined in 2012.",
]
AGED = [
    "Information about our Executive Officers",
    "Ada Merrow (age 58), Chairman and President",
    "Ms. Merrow has served since 2006.",
    "Tom Quayle III (age 61), Executive Vice President - Ferries",
    "Mr. Quayle has served since 2011.",
]


def _with_section(page):
    view = make_view(page)
    section = Section(
        index=0,
        title=page[0],
        number="",
        level=1,
        breadcrumb=(),
        start=(1, 1),
        end=(2, 1),
        source="typography",
    )
    return DocumentView(view.document.model_copy(update={"sections": (section,)}), read_lexicons().of("en"))


@pytest.mark.parametrize(
    ("page", "names", "ages"),
    [
        (TABLE, ["Ada B. Merrow", "Tom Quayle, Jr.", "Iris Lund"], ["58", "61", "44"]),
        (PROSE, ["Ada Merrow", "Tom Quayle", "Iris Lund"], ["58", "61", "44"]),
        (AGED, ["Ada Merrow", "Tom Quayle III"], ["58", "61"]),
    ],
)
def test_each_person_is_one_item_when_executive_officers_are_asked_for(page, names, ages):
    reading = read_roster(make_task(_with_section(page), "Who are the executive officers?"))
    assert reading is not None
    assert [item.label for item in reading.items] == names
    assert all(f"(age {age})" in item.text for item, age in zip(reading.items, ages, strict=True))


@pytest.mark.parametrize("question", ["List the executive officers.", "What are the names of the executive officers?"])
def test_offices_stand_beside_names_when_officers_are_listed(question):
    reading = read_roster(make_task(_with_section(TABLE), question))
    assert reading is not None
    assert "Chief Executive Officer" in reading.items[0].text
    assert "Vice President, Ferries" in reading.items[1].text


def test_persons_are_counted_when_their_number_is_asked():
    reading = read_roster(make_task(_with_section(TABLE), "How many executive officers are listed?"))
    assert reading is not None
    assert reading.items[0].value == "3"
    assert reading.certificate is not None


@pytest.mark.parametrize(
    "question",
    [
        "What do the executive officers receive?",
        "Which executive officers joined after 2000?",
        "Who is the chief executive officer?",
        "What bonus is paid to executive officers?",
    ],
)
def test_no_roster_is_read_when_something_else_is_asked(question):
    assert read_roster(make_task(_with_section(TABLE), question)) is None


def test_no_roster_is_read_when_the_section_names_nobody():
    page = ["Executive Officers", "See the proxy statement for the executive officers."]
    assert read_roster(make_task(_with_section(page), "Who are the executive officers?")) is None
