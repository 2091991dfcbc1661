"""Which list is meant: not the one of the siblings of what is asked about, and not one of something else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pipeline.generation.extractive.certificate import list_members
from pipeline.generation.extractive.listing import read_list
from pipeline.generation.extractive.passage import read_passage
from pipeline.models.structure import Enumeration, EnumerationItem
from tests.unit.generation.pages import make_task, make_view

CORE = [
    "The functions PLAN and BUILD order the outcomes:",
    "",
    "• PLAN (PL): What is to be done is known.",
    "• BUILD (BU): What is known is done.",
    "",
    "BUILD (BU): The outcomes of this function are:",
    "",
    "• Parts are bought",
    "• Parts are joined",
    "",
    "The north depot works with a range of partners, including carriers, brokers and agents.",
]


@pytest.mark.parametrize("question", ["What are the outcomes under BUILD?", "List the outcomes of BUILD."])
def test_parts_are_listed_when_another_list_holds_the_thing_itself(question):
    reading = read_list(make_task(make_view(CORE), question))
    assert reading is not None
    assert [item.text for item in reading.items] == ["Parts are bought", "Parts are joined"]


def test_members_are_listed_when_all_of_them_are_asked_for():
    reading = read_list(make_task(make_view(CORE), "List the functions."))
    assert reading is not None
    assert len(reading.items) == 2
    assert "PLAN" in reading.text


@pytest.mark.parametrize("noun", ["warehouses", "drawbacks"])
def test_nothing_is_listed_when_the_sentence_lists_something_else(noun):
    assert read_list(make_task(make_view(CORE), f"Which {noun} does the north depot have?")) is None


def test_series_is_listed_when_its_noun_is_asked_for():
    reading = read_list(make_task(make_view(CORE), "Which partners does the north depot have?"))
    assert reading is not None
    assert [item.text for item in reading.items] == ["carriers", "brokers", "agents"]


@pytest.mark.parametrize(
    "lead", [["These rules do not apply to:"], ["Some things are out of scope. They include, among others:"]]
)
def test_list_is_read_when_a_short_paragraph_leads_to_what_is_excluded(lead):
    page = [*lead, "", "• cats", "• birds", "", "Dogs are covered."]
    task = make_task(make_view(page), "What is excluded?")
    heading = task.evidence[0].model_copy(update={"breadcrumb": ("Exclusions",)})
    reading = read_passage(replace(task, evidence=(heading,)))
    assert reading is not None
    assert [item.text for item in reading.items] == ["cats", "birds"]


def test_member_is_left_out_when_the_question_excludes_it():
    page = ["The port keeps three books:", "", "• ships", "• crews", "• cargo"]
    reading = read_list(make_task(make_view(page), "List the books of the port except crews."))
    assert reading is not None
    assert [item.text for item in reading.items] == ["ships", "cargo"]
    assert reading.is_complete


def test_every_entry_is_a_member_when_entries_of_one_family_are_set_in():
    items = [EnumerationItem(marker=f"AB.C-0{n}", head="", text="x", extents=(), level=n // 3) for n in (1, 2, 3)]
    own = Enumeration(kind="identifier", items=tuple(items), start=(1, 1), end=(1, 9))
    assert len(list_members(own)) == 3


@pytest.mark.parametrize(
    ("question", "is_answered"),
    [("Who is the purser of Kestrel Lines?", False), ("What does Kestrel Lines carry?", True)],
)
def test_passage_is_given_only_when_it_has_more_of_the_question_than_the_name_that_all_pages_have(
    question, is_answered
):
    pages = [
        ["Kestrel Lines carries grain and ore to the north."],
        ["Kestrel Lines is old."],
        ["Kestrel Lines is large."],
    ]
    assert (read_passage(make_task(make_view(*pages), question)) is not None) == is_answered


def test_no_list_is_given_when_its_members_have_nothing_of_the_topic():
    page = ["The port keeps these books:", "", "• ships", "• crews", "", "The insurance is old."]
    assert read_list(make_task(make_view(page), "Which books of the port deal with insurance?")) is None
    assert read_list(make_task(make_view(page), "Which books of the port are there?")) is not None


def test_series_is_taken_when_its_lead_ends_with_what_is_asked():
    page = [
        "Table 1: Harbour risk by kind of harm",
        "",
        [(0, "Kind of harm"), (30, "CALM"), (50, "ROUGH")],
        "",
        [(0, "Drift"), (30, "Boats stay"), (50, "Boats go")],
        "",
        [(0, "Fire"), (30, "Sheds stay"), (50, "Sheds go")],
        "",
        "A sheet names each berth, where the accepted values for harbour risk are CALM, ROUGH, or UNKNOWN.",
    ]
    reading = read_list(make_task(make_view(page), "What are the levels of harbour risk?"))
    assert reading is not None
    assert [item.text for item in reading.items] == ["CALM", "ROUGH", "UNKNOWN"]
