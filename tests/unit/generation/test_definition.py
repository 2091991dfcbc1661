"""Meanings: entries, defining sentences, abbreviations and symbols."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pipeline.generation.extractive.definition import expand_abbreviation, read_definition
from pipeline.generation.extractive.displayed import read_displayed
from pipeline.generation.extractive.passage import read_passage
from pipeline.generation.extractive.termrows import read_term_row
from pipeline.structure.view import DocumentView
from tests.unit.generation.pages import make_task, make_view

PAGE = [
    "AC-01: Accounts are reviewed by their owners",
    "every quarter",
    "",
    "AC-02: Passwords are rotated",
    "",
    "Phishing refers to messages that trick people. Phishing is a problem.",
    "",
    "All outputs have dimension dmodel = 512. For each head we use dk = dv = dmodel/h = 64.",
    "",
    "Accounts need Multi-Factor Authentication (MFA) for remote access.",
]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What does AC-1 cover?", "Accounts are reviewed by their owners every quarter"),
        ("What does AC-02 say?", "Passwords are rotated"),
        ("What is d_model?", "512"),
        ("What is d_k?", "64"),
        ("What does phishing mean?", "Phishing refers to messages that trick people."),
        ("What does MFA stand for?", "Multi-Factor Authentication"),
    ],
)
def test_meaning_is_read_when_the_page_says_it(question, expected):
    reading = read_definition(make_task(make_view(PAGE), question))
    assert reading is not None
    assert expected in reading.items[0].text


@pytest.mark.parametrize("question", ["What does ransomware mean?", "What is d_ff?", "What does AC-7 cover?"])
def test_no_meaning_is_read_when_the_page_is_silent(question):
    assert read_definition(make_task(make_view(PAGE), question)) is None


def test_symbol_is_a_conflict_when_it_is_set_to_two_numbers():
    page = ["All outputs have dimension dmodel = 512.", "", "In all layers we set dmodel = 256."]
    reading = read_definition(make_task(make_view(page), "What is d_model?"))
    assert reading is not None
    assert reading.conflict is not None
    assert len(reading.items) == 2


@pytest.mark.parametrize(
    ("letters", "text", "words"),
    [
        ("MFA", "use Multi-Factor Authentication (MFA) here", "Multi-Factor Authentication"),
        ("COB", "Coordination of Benefits (COB)", "Coordination of Benefits"),
        ("MFA", "use passwords (MFA) here", ""),
        ("MFA", "nothing", ""),
    ],
)
def test_abbreviation_is_expanded_when_the_initials_fit(letters, text, words):
    assert expand_abbreviation(letters, text) == words


@pytest.mark.parametrize(("stage", "level"), [("initial", "LOW"), ("final", "HIGH")])
def test_displayed_text_is_read_when_its_announcement_names_the_stage(stage, level):
    page = [
        "The security category of the pump system is initially expressed as:",
        "",
        "SC pump system = {(integrity, LOW)},",
        "",
        "which changed later. The final security category of the pump system is expressed as:",
        "",
        "SC pump system = {(integrity, HIGH)}.",
    ]
    reading = read_displayed(make_task(make_view(page), f"What is the {stage} security category of the pump system?"))
    assert reading is not None
    assert level in reading.items[0].text


def test_entry_is_read_alone_when_terms_are_listed():
    page = [
        "In this policy:",
        "(a) “Visitor”: a person who is not employed",
        "by the company;",
        "(b) “Host”: the employee who receives a visitor.",
    ]
    reading = read_definition(make_task(make_view(page), "What does visitor mean?"))
    assert reading is not None
    assert reading.items[0].text == "(a) “Visitor”: a person who is not employed by the company"


def test_displayed_text_is_read_when_the_evidence_ends_at_its_announcement():
    page = ["The load of the pump system is computed as:", "", "L = 3 Q + 2"]
    task = make_task(make_view(page), "How is the load of the pump system computed?")
    piece = task.evidence[0]
    short = piece.model_copy(update={"lines": piece.lines[:1]})
    reading = read_displayed(replace(task, evidence=(short,)))
    assert reading is not None
    assert reading.items[0].text == "L = 3 Q + 2"


@pytest.mark.parametrize("is_whole", [True, False])
def test_formula_is_told_whole_when_an_exponent_over_an_index_cuts_it_in_two(is_whole):
    page = ["The load of the pump system is computed as:", "", [(0, "L = d0.5"), (7, "in · min(a, b)")], "", "Next."]
    view = make_view(page)
    lines = tuple(line.model_copy(update={"block": 9}) if line.number == 3 else line for line in view.document.lines)
    view = DocumentView(view.document.model_copy(update={"lines": lines}), view.lexicon)
    task = make_task(view, "How is the load of the pump system computed?")
    piece = task.evidence[0]
    announced = piece.model_copy(update={"lines": piece.lines[:1]})
    reading = read_displayed(task if is_whole else replace(task, evidence=(announced,)))
    assert reading is not None
    assert reading.items[0].text == "L = d0.5 in · min(a, b)"


def test_nothing_is_displayed_when_a_long_paragraph_follows():
    page = ["The load of the pump system is computed as:", "", *(["Words and more words stand here."] * 6)]
    assert read_displayed(make_task(make_view(page), "How is the load of the pump system computed?")) is None


ENTRIES = [
    "A loss of tide data harms the service.",
    "",
    "“Tide” means the rise of the sea.",
    "",
    "“Tide data” means records of the sea level.",
]


@pytest.mark.parametrize(
    ("question", "entry"),
    [
        ("What is the definition of tide data?", "records of the sea level"),
        ("What does the term tide data mean?", "records of the sea level"),
        ("What is the meaning of tide?", "the rise of the sea"),
    ],
)
def test_entry_of_the_whole_term_is_read_when_another_term_is_part_of_it(question, entry):
    reading = read_definition(make_task(make_view(ENTRIES), question))
    assert reading is not None
    assert entry in reading.items[0].text


def test_no_entry_is_read_when_the_term_is_only_part_of_what_is_asked():
    reading = read_definition(make_task(make_view(ENTRIES), "What is the definition of tide gauge?"))
    assert reading is None


@pytest.mark.parametrize(("letters", "is_spelled"), [("MFA", True), ("VPN", False)])
def test_abbreviation_is_answered_only_when_the_page_spells_it_out(letters, is_spelled):
    page = ["Accounts need Multi-Factor Authentication (MFA).", "", "The VPN is used for remote access."]
    task = make_task(make_view(page), f"What does {letters} stand for?")
    assert (read_definition(task) is not None) == is_spelled
    assert read_passage(task) is None


GREEK = ["We set β1 = 0.9 and ϵ = 10−9 in every run.", "", "The smoothing is ϵls = 0.2 at the end."]


@pytest.mark.parametrize(
    ("question", "value"), [("What is beta1?", "0.9"), ("What is β1?", "0.9"), ("What is epsilon_ls?", "0.2")]
)
def test_symbol_is_read_when_the_question_spells_its_letter_out(question, value):
    reading = read_definition(make_task(make_view(GREEK), question))
    assert reading is not None
    assert reading.items[0].value == value


def test_symbol_is_not_read_when_its_number_is_a_power():
    assert read_definition(make_task(make_view(GREEK), "What is epsilon?")) is None


@pytest.mark.parametrize(("cell", "is_row"), [("Buoyancy", True), ("buoyancy", True), ("buoyancy.", False)])
def test_the_last_word_of_a_sentence_heads_no_row_when_it_stands_alone_on_a_line(cell: str, is_row: bool):
    names = ("Ballast", "Beam", cell, "Draught", "Freeboard")
    rows = [
        [(0, name), (30, f"This is what is meant by it, which is told in full {at}.")] for at, name in enumerate(names)
    ]
    task = make_task(make_view(["Terms and what they mean", "", *rows]), "What is buoyancy?")
    terms = tuple(anchor for anchor in task.part.anchors if anchor.text == "buoyancy")
    assert (read_term_row(task, terms) is not None) is is_row
