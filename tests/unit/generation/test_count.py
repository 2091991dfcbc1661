"""Counts: stated numbers, members of a list, identifiers of a whole document or under a code."""

from __future__ import annotations

from pipeline.generation.extractive.count import read_count
from tests.unit.generation.pages import make_task, make_view

BOOKS = ["The port keeps books of:", "• ships", "• crews", "• cargo", "", "They are shown to whoever asks for them."]
CORE = [
    "A Rule has a code and a number, for instance PL.AA-01 or BU.CC-02.",
    "PLAN (PL) is what is done first and BUILD (BU) is what is done next.",
    "",
    "PL.AA-01: Aims are written down.",
    "PL.AA-02: Aims are made known.",
    "PL.BB-01: Costs are known.",
    "",
    "BU.CC-01: Parts are bought.",
    "BU.CC-02: Parts are joined.",
]


def test_the_stated_number_is_given_when_the_text_says_it():
    view = make_view(["The port has seven quays on the river.", "", *BOOKS])
    assert read_count(make_task(view, "How many quays does the port have?")).items[0].value == "7"


def test_members_are_counted_when_no_number_is_stated():
    reading = read_count(make_task(make_view(BOOKS), "How many books does the port keep?"))
    assert (reading.items[0].value, reading.items[0].extraction) == ("3", "computed")
    assert reading.certificate.item_count == 3


def test_identifiers_are_counted_when_a_sentence_says_what_they_are_called():
    reading = read_count(make_task(make_view(CORE), "How many Rules are there in total?"))
    certificate = reading.certificate
    assert reading.items[0].value == "5"
    assert (certificate.verdict, certificate.denominator, certificate.gaps) == ("complete", 5, ())
    assert certificate.why == "5 identifiers of the form PL.AA-01 counted over all pages"


def test_only_some_identifiers_are_counted_when_the_question_names_their_code():
    task = make_task(make_view(CORE), "How many Rules does PLAN have?")
    assert read_count(task).items[0].value == "3"


def test_the_count_is_not_verified_when_numbers_are_left_out():
    rows = [row for row in CORE if not row.startswith("PL.AA-01:")]
    rows[0] = "A Rule has a code and a number, for instance BU.CC-02."
    certificate = read_count(make_task(make_view(rows), "How many Rules are there in total?")).certificate
    assert (certificate.verdict, certificate.denominator, certificate.gaps) == ("unverified", None, ("PL.AA-01",))


def test_the_count_is_verified_when_the_document_says_that_numbers_are_left_out():
    rows = [row for row in CORE if not row.startswith("PL.AA-01:")]
    rows[0] = "A Rule has a code, for instance BU.CC-02. Numbers are not always consecutive."
    certificate = read_count(make_task(make_view(rows), "How many Rules are there in total?")).certificate
    assert (certificate.verdict, certificate.item_count, certificate.gaps) == ("complete", 4, ("PL.AA-01",))


def test_what_something_consists_of_is_counted_when_a_verb_of_doing_stands_further_before():
    rows = ["The keepers trained on a set of charts consisting of about 4,500 charts of the harbour."]
    reading = read_count(make_task(make_view(rows), "How many charts does the set have?"))
    assert reading.items[0].value == "4500"


def test_no_members_are_counted_when_nothing_calls_the_list_so():
    rows = ["The keepers of the boats see to these things:", *BOOKS[1:4], "", "The boats lie at the quay."]
    assert read_count(make_task(make_view(rows), "How many boats are there?")) is None


def test_what_a_picture_shows_is_no_number_of_all_when_something_is_counted():
    rows = ["Figure 3: Lamps of two different keepers at the gate.", "", "The harbour has eight keepers in all."]
    reading = read_count(make_task(make_view(rows), "How many keepers are there?"))
    assert reading.items[0].value == "8"
