"""The members of families that speak of a topic: identifiers, terms, clauses, lists and rows of a table."""

from __future__ import annotations

import pytest

from pipeline.generation.extractive import ExtractiveGenerator
from pipeline.generation.extractive.topic_rows import read_topic_rows
from pipeline.generation.extractive.topical import read_topical
from pipeline.models.document import Section
from pipeline.models.question import GenerationBrief
from pipeline.structure.view import DocumentView
from tests.unit.generation.pages import make_task, make_view, read_lexicons

CONTROLS = [
    "Table 1. Controls by group",
    "",
    [(0, "Group"), (40, "Control Identifier")],
    [(0, "Water Safety"), (40, "HD.WS-01")],
    [(0, "Fire Safety"), (40, "HD.FS-01")],
    "",
    "A Control has a number, as HD.WS-01 or HD.FS-02.",
    "",
    "Water Safety (HD.WS): the crews are kept from drowning",
    "",
    "• HD.WS-01: Rings are hung at each ladder",
    "• HD.WS-02: Ladders are kept clear of hoses",
    "• HD.WS-03: Lines are coiled",
    "",
    "Fire Safety (HD.FS): the sheds are kept from burning",
    "",
    "• HD.FS-01: Pails are filled",
    "• HD.FS-02: Hoses are tried each week",
    "",
    "The list ends here.",
]
DUTIES = [
    "Keeper of the lamp",
    "",
    "The duties of the lamp keeper are:",
    "",
    "• to trim the wick each evening;",
    "• to report broken glass;",
    "• to buy oil and glass.",
    "",
    "The duties of the bell keeper are:",
    "",
    "• to ring in fog;",
    "• to polish the glass of the clock.",
    "",
    "No other duties are given.",
]
BOATS = [
    "Table 2: Boats of the yard",
    "",
    [(0, "Boat"), (30, "Drive"), (60, "Speed")],
    [(0, "Heron"), (30, "steam, coal-fired"), (60, "9.5")],
    [(0, "Plover"), (30, "sail"), (60, "11.0")],
    [(0, "Teal"), (30, "steam, oil-fired"), (60, "12.4")],
    [(0, "Wigeon"), (30, "sail"), (60, "8.1")],
    "",
    "All boats of Table 2 are sound.",
]


def _labels(reading):
    return [item.label for item in reading.items]


def _read(rows, question):
    return read_topical(make_task(make_view(rows), question))


@pytest.mark.parametrize(
    ("question", "labels"),
    [
        ("Which Controls mention ladders?", ["HD.WS-01", "HD.WS-02"]),
        ("Which Controls deal with hoses?", ["HD.WS-02", "HD.FS-02"]),
        ("Which Controls of Fire Safety mention hoses?", ["HD.FS-02"]),
        ("In which Controls are pails mentioned?", ["HD.FS-01"]),
    ],
)
def test_identifiers_are_chosen_by_their_own_text_when_a_topic_is_asked_for(question, labels):
    reading = _read(CONTROLS, question)
    assert reading is not None
    assert _labels(reading) == labels
    assert all(item.citations for item in reading.items)


def test_all_members_are_told_with_a_caveat_when_one_is_asked_for_and_two_fit():
    reading = _read(CONTROLS, "Which Control deals with hoses?")
    assert _labels(reading) == ["HD.WS-02", "HD.FS-02"]
    assert any("asks for one" in caveat for caveat in reading.caveats)


def test_the_certificate_counts_those_looked_at_when_some_say_the_topic():
    certificate = _read(CONTROLS, "Which Controls mention ladders?").certificate
    assert certificate.item_count == 5
    assert certificate.why.startswith("5 members were looked at, 2 of them say the topic")
    assert certificate.verdict == "complete"


def test_nothing_is_said_of_identifiers_when_only_an_example_gives_them_their_name():
    assert _read(CONTROLS, "Which Controls mention rats?") is None


def test_only_the_list_of_the_one_named_is_read_when_two_lists_have_the_noun():
    reading = _read(DUTIES, "Which duties of the lamp keeper mention glass?")
    assert [item.text for item in reading.items] == ["to report broken glass;", "to buy oil and glass."]
    other = _read(DUTIES, "Which responsibilities of the bell keeper mention glass?")
    assert [item.text for item in other.items] == ["to polish the glass of the clock."]


def test_lists_are_doubted_when_several_of_them_are_called_so():
    reading = _read(DUTIES, "Which duties mention glass?")
    assert len(reading.items) == 3
    assert reading.max_confidence <= 600


def _make_sections():
    view = make_view(["Nets", "Nets are dried.", "Oars", "Oars are tarred.", "Oars and nets are sold.", "Tar", "None."])
    places = [("Nets", 1, 3), ("Oars", 3, 6), ("Tar", 6, 8)]
    found = []
    for index, (title, start, end) in enumerate(places):
        place = {"index": index, "title": title, "start": (1, start), "end": (1, end)}
        found.append(Section(number="", level=1, breadcrumb=(), source="outline", **place))
    return DocumentView(view.document.model_copy(update={"sections": tuple(found)}), read_lexicons().of("en"))


@pytest.mark.parametrize(
    ("question", "starts"),
    [("Which sections of the document mention nets?", [1, 3]), ("Which sections mention tar?", [3, 6])],
)
def test_sections_without_numbers_are_chosen_by_their_own_text_when_sections_are_asked_for(question, starts):
    reading = read_topical(make_task(_make_sections(), question))
    assert [item.citations[0].line_start for item in reading.items] == starts


def test_none_is_said_to_hold_when_no_section_says_the_topic():
    reading = read_topical(make_task(_make_sections(), "Which sections mention rats?"))
    assert reading.text == 'None of the 3 sections says "rats".'
    assert reading.max_confidence <= 500
    assert reading.certificate.why.startswith("3 members were looked at, 0 of them say the topic")


def test_nothing_is_read_when_no_list_is_of_the_noun():
    assert _read(DUTIES, "Which penalties mention glass?") is None
    assert _read(DUTIES, "Which duties of the lamp keeper mention fog?") is None


@pytest.mark.parametrize(
    ("question", "boats"),
    [
        ("Which boats in Table 2 are oil-fired?", ["Teal"]),
        ("Which boats in Table 2 have steam?", ["Heron", "Teal"]),
        ("Which rows of Table 2 say sail?", ["Plover", "Wigeon"]),
        ("Which row of Table 2 has the highest speed?", ["Teal"]),
        ("Which row of Table 2 has the lowest speed?", ["Wigeon"]),
    ],
)
def test_rows_are_chosen_by_a_cell_when_a_table_is_named(question, boats):
    reading = read_topic_rows(make_task(make_view(BOATS), question))
    assert reading is not None
    assert _labels(reading) == boats


@pytest.mark.parametrize(
    "question",
    [
        "Which boats in Table 2 are not oil-fired?",
        "Which boats in Table 2 are red?",
        "Which drives in Table 2 are used?",
        "Which boats are sails?",
    ],
)
def test_no_rows_are_chosen_when_no_cell_says_it_or_the_opposite_is_asked(question):
    assert read_topic_rows(make_task(make_view(BOATS), question)) is None


def test_the_best_row_is_doubted_when_the_table_does_not_say_what_is_better():
    reading = read_topic_rows(make_task(make_view(BOATS), "Which row of Table 2 has the best speed?"))
    assert _labels(reading) == ["Teal"]
    assert reading.max_confidence <= 600


def test_a_passage_claims_little_when_a_member_was_asked_for_and_none_was_found():
    task = make_task(
        make_view(["Hens", "", "Every shed covers the hens of one farm and the grain of two others."]),
        "Which barn covers the hens of one farm?",
    )
    brief = GenerationBrief(
        question=task.question, open_sub_questions=(task.part.id,), max_quote_characters=task.max_quote_characters
    )
    answer = ExtractiveGenerator().generate(brief, task.evidence, task.view)
    assert answer.confidence <= 600


@pytest.mark.parametrize(
    ("question", "labels"),
    [
        ("Which figure shows the lamps?", ["Figure 1"]),
        ("Which figure depicts the berths of the ferry?", ["Figure 2"]),
    ],
)
def test_a_figure_is_chosen_by_its_caption_when_one_is_asked_for(question, labels):
    rows = ["Figure 1: Lamps of the gate", "", "Other text.", "", "Figure 2: Berths of the ferry", "", "More text."]
    reading = read_topical(make_task(make_view(rows), question))
    assert [item.label for item in reading.items] == labels
    assert reading.certificate.verdict == "unverified"
