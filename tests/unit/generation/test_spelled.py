"""Abbreviations are spelled out from where the text gives their long forms, and from nowhere else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.generation.extractive.spelled import find_long_form, read_expansion, read_spelled
from tests.unit.generation.pages import make_task, make_view

ASKED = "What does HCT stand for?"


@pytest.mark.parametrize(
    "line",
    [
        "The Harbour and Canal Trust (HCT) keeps the locks.",
        "The Harbour and Canal Trust (the \u201cHCT\u201d) keeps the locks.",
        "The HCT (Harbour and Canal Trust) keeps the locks.",
        "The Harbour and Canal Trust, HCT, keeps the locks.",
        "The Harbour and Canal Trust (HCT; a charity) keeps the locks.",
    ],
)
def test_the_long_form_is_told_when_it_stands_beside_the_abbreviation(line: str):
    reading = read_spelled(make_task(make_view(["Of the HCT more is told below.", "", line]), ASKED))
    assert reading.text == "HCT: Harbour and Canal Trust"
    assert "Harbour and Canal Trust" in reading.items[0].citations[0].quote


def test_the_long_form_is_told_when_it_breaks_over_two_lines():
    reading = read_spelled(make_task(make_view(["The locks are kept by the Harbour", "and Canal Trust (HCT)."]), ASKED))
    assert reading.text == "HCT: Harbour and Canal Trust"


def test_a_plural_is_the_same_long_form_when_it_is_spelled_out_twice():
    rows = ["Each trust category (TC) has a head.", "", "All trust categories (TCs) have a head."]
    reading = read_spelled(make_task(make_view(rows), "What does TC stand for?"))
    assert (reading.text, reading.caveats) == ("TC: trust category", ())


def test_both_are_told_when_the_text_spells_it_out_in_two_ways():
    rows = ["The Harbour and Canal Trust (HCT) keeps them.", "", "The high coal tax (HCT) is gone."]
    reading = read_spelled(make_task(make_view(rows), ASKED))
    assert reading.caveats == ("also spelled out as high coal tax",)
    assert not reading.has_typed_fit


@pytest.mark.parametrize(
    ("line", "question"),
    [
        ("The HCT keeps the locks (see below).", ASKED),
        ("The locks are kept with care (HCT).", ASKED),
        ("HCT = {(heat, LOW), (cold, HIGH), (tide, NONE)}, HCT, is told.", ASKED),
        ("The Harbour and Canal Trust (HCT) keeps the locks.", "What does the HCT of the lower river stand for?"),
        ("The Harbour and Canal Trust (HCT) keeps the locks.", "What does the trust keep?"),
        ("The Harbour and Canal Trust (HCT) keeps the locks.", "WHAT DOES HCT STAND FOR?"),
    ],
)
def test_nothing_is_spelled_out_when_no_long_form_or_no_abbreviation_stands_there(line: str, question: str):
    assert read_spelled(make_task(make_view([line]), question)) is None


def test_a_question_for_a_meaning_is_answered_when_only_the_long_form_is_there():
    task = make_task(make_view(["The Harbour and Canal Trust (HCT) keeps the locks."]), "What does HCT mean?")
    assert read_expansion(task).text == "HCT: Harbour and Canal Trust"


@given(st.lists(st.from_regex(r"[a-z]{2,9}", fullmatch=True), min_size=2, max_size=6), st.text("abc ,", max_size=20))
def test_the_words_of_an_acronym_are_found_when_they_stand_right_before_it(words: list[str], before: str):
    short = "".join(word[0] for word in words).upper()
    found = find_long_form(short, f"{before} {' '.join(words)} ")
    # a later word may begin with the same letter, so that fewer words do
    assert found
    assert " ".join(words).endswith(found)
