"""Cells of a table of words that a question names by one label, against glossaries that define a word of the label."""

from __future__ import annotations

import textwrap

import pytest

from pipeline.generation.extractive.asking import names_label
from pipeline.generation.extractive.naming import Asked, find_named, list_words, spell_numbers
from pipeline.generation.extractive.rowcells import read_row_cell
from tests.unit.generation.pages import make_task, make_view, read_lexicons

ENGLISH = read_lexicons().of("en")
ROWS = (
    ("Level 1: Loose", "Mates train when there is time. Drills are not planned at all.",
     "Hulls are seen to when they leak. News of faults is kept by the finder. The yard knows no suppliers."),
    ("Level 2: Aware", "Training is agreed by the master but is not set as company rule. Drills follow what is asked.",
     "Hulls are looked at in the spring. News of faults goes by word of mouth. The yard knows its suppliers by name."),
    ("Level 3: Steady", "Training is a rule of the company. Drills are planned for the year.",
     "Hulls are looked at in all months. News of faults is written in a book."),
)  # fmt: skip


def _set_row(name: str, *texts: str):
    """A row whose cells are wrapped, line by line."""
    lines = [textwrap.wrap(text, 26) for text in texts]
    for at in range(max(map(len, lines))):
        cells = [(36 + 40 * column, own[at]) for column, own in enumerate(lines) if at < len(own)]
        yield [(0, name), *cells] if not at else cells


LEVELS = [
    "The Levels are told in the following table.",
    "",
    [(0, "Level"), (36, "Crew Training"), (76, "Vessel Care")],
    *(line for row in ROWS for line in ("", *_set_row(*row))),
]
GLOSSARY = ["Glossary", "", "Level: A mark of how ready a company is. There are three Levels, Loose to Steady."]


def _read(question: str):
    return read_row_cell(make_task(make_view(LEVELS, GLOSSARY), question))


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How does news of faults go at Level 2?", "News of faults goes by word of mouth."),
        ("What does Level 1 say about suppliers?", "The yard knows no suppliers."),
        ("How are drills planned at Level 3?", "Drills are planned for the year."),
    ],
)
def test_the_sentence_of_the_row_is_told_when_only_the_row_is_named(question: str, text: str):
    reading = _read(question)
    assert reading is not None
    assert [item.text for item in reading.items] == [text]


def test_the_quotes_hold_no_cell_beside_when_lines_of_two_cells_stand_in_turns():
    reading = _read("How is training set as company rule at Level 2?")
    assert reading is not None
    quotes = " ".join(citation.quote for item in reading.items for citation in item.citations)
    assert "is not set as company rule" in quotes
    assert "Hulls" not in quotes
    assert "word of mouth" not in quotes


def test_all_cells_of_the_row_are_told_when_nothing_else_is_asked():
    reading = _read("What is Level 3: Steady?")
    assert reading is not None
    assert [item.label for item in reading.items] == ["Level 3: Steady, Crew Training", "Level 3: Steady, Vessel Care"]


@pytest.mark.parametrize(
    ("question", "label"),
    [
        ("What is the name of Level 3?", "Level 3: Steady"),
        ("At which Level is training agreed by the master but not set as company rule?", "Level 2: Aware"),
        ("Which Level is called Loose?", "Level 1: Loose"),
    ],
)
def test_the_label_is_told_when_it_is_what_is_asked_for(question: str, label: str):
    reading = _read(question)
    assert reading is not None
    assert [item.text for item in reading.items] == [label]


@pytest.mark.parametrize(
    "question",
    [
        "What is a Level?",
        "How are anchors painted at Level 2?",
        "At which Level are anchors painted?",
        "What are Drills?",
    ],
)
def test_no_cell_is_told_when_no_label_is_named_or_no_cell_says_the_rest(question: str):
    assert _read(question) is None


@pytest.mark.parametrize(
    ("question", "is_named"),
    [
        ("How are drills planned at Level 3?", True),
        ("At which Level are drills planned?", True),
        ("What is a mate?", False),
        ("What is said of drills on December 31?", False),
        ("How many drills were held in 2023?", False),
    ],
)
def test_tables_are_looked_at_when_a_line_begins_with_what_the_question_names(question: str, is_named: bool):
    assert names_label(make_task(make_view(LEVELS, GLOSSARY), question)) is is_named


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        ("Level 1, 2 and 3 of it", "Level 1, Level 2 and Level 3 of it"),
        ("Level 1 and Level 3", "Level 1 and Level 3"),
        ("Level 2 of 3", "Level 2 of 3"),
        ("no number", "no number"),
    ],
)
def test_each_number_has_its_noun_when_numbers_follow_one_another(text: str, spelled: str):
    assert spell_numbers(text, ENGLISH) == spelled


def test_a_phrase_beside_a_slash_names_a_row_when_a_single_word_does_not():
    labels = {0: "Divisions/businesses", 1: "Example brands/offers"}
    asked = Asked(list_words("What are example brands of the business?", ENGLISH))
    assert find_named(labels, asked, ENGLISH).places == (1,)
