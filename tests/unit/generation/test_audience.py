"""Whom a document is for: a heading for its readers, or what it says of itself, and never of another thing."""

from __future__ import annotations

import pytest

from pipeline.generation.extractive.audience import read_audience
from tests.unit.generation.pages import make_task, make_view

HEADED = [
    "Standard of the Weir Board",
    "",
    "Audience",
    "",
    "Keepers of weirs are the first whom this standard helps. Others may read it to learn.",
    "",
    "Purpose",
    "",
    "The rules are written for every season.",
]
TOLD = [
    "Guide to Moorings",
    "",
    "The lamps are designed for rough seas. This guide is intended for skippers who moor",
    "alone. It was printed in spring.",
]


@pytest.mark.parametrize(
    "question",
    ["Who is the standard written for?", "Who is the intended audience of this document?",
     "Who is the document intended for?"],
)  # fmt: skip
def test_what_stands_below_a_heading_for_readers_is_told_when_the_document_is_asked_about(question: str):
    reading = read_audience(make_task(make_view(HEADED), question))
    assert reading is not None
    assert reading.text.startswith("Keepers of weirs are the first")
    assert "season" not in reading.text


def test_the_sentence_of_the_document_about_itself_is_told_when_no_heading_is_there():
    reading = read_audience(make_task(make_view(TOLD), "Who is the guide written for?"))
    assert reading is not None
    assert reading.text == "This guide is intended for skippers who moor alone."


@pytest.mark.parametrize(
    ("page", "question"),
    [(HEADED, "Who are the lamps designed for?"), (TOLD, "Who are the lamps designed for?"),
     (["The rules are written for every season."], "Who is the document written for?")],
)  # fmt: skip
def test_nobody_is_told_when_another_thing_is_asked_about_or_the_document_names_no_readers(page, question: str):
    assert read_audience(make_task(make_view(page), question)) is None
