"""Questions for attachments: by number, by what they are, all of them; and what is asked of their insides."""

from __future__ import annotations

import pytest

from pipeline.generation.extractive.attached import read_attached
from pipeline.retrieval.absence import establish_absence
from tests.unit.generation.pages import make_task, make_view

COVER = ["Harbour Trust of Torv", "Filing of May 2023"]
INDEX = [
    "Index to Exhibits",
    "",
    [(0, "Exhibit No."), (20, "Description"), (80, "Filed")],
    "",
    [(0, "3.1"), (20, "Articles of the trust"), (80, "earlier")],
    "",
    [(0, "10.1*"), (20, "Lease of the north quay, dated"), (80, "herewith")],
    [(20, "2 May 2023")],
    "",
    [(0, "10.2*"), (20, "Service contract with Ada Lind"), (80, "herewith")],
    "",
    [(0, "31.1"), (20, "Certification of the chief executive officer"), (80, "herewith")],
    "",
    [(0, "31.2"), (20, "Certification of the chief financial officer"), (80, "herewith")],
]
CONTRACT = [
    "Service Contract",
    "",
    "10.2 Offices. The director gives up all offices.",
    "10.4 Keys. Keys are given back.",
    "",
    "List of Schedules",
    "Schedule 1 Duties",
    "Schedule 2 Insurance",
]


@pytest.fixture(scope="module")
def view():
    return make_view(COVER, INDEX, CONTRACT)


def ask(view, question):
    return read_attached(make_task(view, question))


@pytest.mark.parametrize(
    "question",
    [
        "What document is filed as exhibit 10.2?", "What is Ex. 10.2?", "What is EX-10.2?",
        "What does Exhibit 10.2 contain?",
        "What is exhibit number 10.2 of the Torv filing of May 2023?", "Which service contract is Exhibit 10.2?",
    ],
)  # fmt: skip
def test_the_entry_is_told_when_its_number_is_named(view, question):
    reading = ask(view, question)
    assert [(item.label, item.text) for item in reading.items] == [("Exhibit 10.2", "Service contract with Ada Lind")]
    assert {citation.page for citation in reading.items[0].citations} == {2}


@pytest.mark.parametrize(
    "question",
    [
        "What salary does Exhibit 10.2 provide?", "What does section 10.2 of Exhibit 10.2 say?",
        "Is Exhibit 10.2 a lease?",
        "What is exhibit 10.4?", "List the exhibits and say who signed them.", "What does section 10.2 say?",
        "Which exhibit is the bill of lading?", "On which page is Exhibit 10.2?",
    ],
)  # fmt: skip
def test_nothing_is_told_when_the_index_does_not_say_what_is_asked(view, question):
    assert ask(view, question) is None


@pytest.mark.parametrize(
    ("question", "labels"),
    [
        ("Which exhibit is the lease of the north quay?", ["10.1"]),
        ("What is the exhibit number of the articles?", ["3.1"]),
        ("Which exhibit contains the certification of the chief financial officer?", ["31.2"]),
        ("Which exhibits are certifications?", ["31.1", "31.2"]),
        ("Which exhibits are filed herewith?", ["10.1", "10.2", "31.1", "31.2"]),
        ("What are Exhibits 31.1 and 3.1?", ["31.1", "3.1"]),
    ],
)
def test_entries_are_found_when_the_question_says_what_they_are(view, question, labels):
    assert [item.label for item in ask(view, question).items] == [f"Exhibit {label}" for label in labels]


def test_all_entries_are_told_and_certified_by_nothing_when_numbers_leave_numbers_out(view):
    reading = ask(view, "Which exhibits are listed in the filing?")
    assert [item.label.split()[1] for item in reading.items] == ["3.1", "10.1", "10.2", "31.1", "31.2"]
    assert reading.certificate.verdict == "unverified"
    assert reading.certificate.denominator is None
    assert not reading.is_complete


def test_the_list_of_an_attached_document_is_complete_when_it_is_counted_without_a_gap(view):
    reading = ask(view, "Which schedules are listed?")
    assert [item.text for item in reading.items] == ["Duties", "Insurance"]
    assert reading.certificate.verdict == "complete"
    assert reading.is_complete


def test_entries_are_counted_when_the_question_asks_how_many(view):
    assert ask(view, "How many exhibits are in the index?").items[0].value == "5"


def test_a_list_is_incomplete_when_its_entries_do_not_fit_into_the_answer(view):
    from dataclasses import replace

    reading = read_attached(replace(make_task(view, "List all exhibits."), max_quote_characters=100))
    assert 0 < len(reading.items) < 5
    assert not reading.is_complete
    assert reading.caveats


def test_an_exhibit_is_absent_when_the_index_lacks_its_number(view):
    found = establish_absence(view, make_task(view, "What is exhibit 10.4?").question)
    assert found.kind == "no_such_target"
    assert "page 2" in found.reason
    assert "10.1" in found.near_misses[0]


def test_an_exhibit_is_not_absent_when_a_line_of_the_index_begins_with_its_number():
    rows = [*INDEX, "", "10.5 to be filed by amendment"]
    view = make_view(COVER, rows)
    assert establish_absence(view, make_task(view, "What is exhibit 10.5?").question) is None


def test_a_letter_is_not_absent_when_the_index_counts_numbers(view):
    assert establish_absence(view, make_task(view, "What is Exhibit A?").question) is None
