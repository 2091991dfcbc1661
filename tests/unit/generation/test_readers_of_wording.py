"""Readers that read who, why, whether and which from the wording of a page, on built documents and on names."""

from __future__ import annotations

import pytest

from pipeline.models.settings import Settings
from pipeline.run import ask
from pipeline.structure.names import clean_name, find_firm, is_person
from tests.unit.structure.pages import load_english


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("/s/ Ada M. Byron", "Ada M. Byron"),
        ("By: /s/ Ada Byron", "Ada Byron"),
        ("Name:\u200a Ada Byron", "Ada Byron"),
        ("Mr. Ada Byron 48", "Ada Byron"),
        ("Ada Byron, Jr.", "Ada Byron, Jr."),
    ],
)
def test_what_surrounds_a_name_is_cut_when_a_signature_is_read(text, name):
    assert clean_name(text) == name


@pytest.mark.parametrize(
    ("text", "is_name"),
    [
        ("Ada Byron", True),
        ("ADA M. BYRON", True),
        ("Chief Financial Officer", False),
        ("A DA B YRON", False),
        ("Byron", False),
        ("Annual Report", False),
        ("Maria de la Cruz", True),
    ],
)
def test_a_cell_is_a_person_when_no_word_names_an_office(text, is_name):
    assert is_person(text, load_english()) is is_name


def test_a_firm_is_found_by_its_legal_form_when_it_signs():
    assert find_firm("/s/ Hale & Moss LLP") == "Hale & Moss LLP"
    assert find_firm("signed by the board") == ""


@pytest.mark.parametrize(
    ("document", "question", "begins"),
    [
        ("policy.pdf", "Are shared accounts permitted?", "No: "),
        ("contract.pdf", "Can the Supplier subcontract?", "Yes: "),
        ("standard.pdf", "Is the Framework voluntary?", "Yes: "),
        ("standard.pdf", "Is the Framework mandatory?", "No explicit statement"),
        ("contract.pdf", "Who signed for the Buyer?", "T. Merrow"),
    ],
)
def test_the_answer_begins_as_the_text_says_when_it_is_asked(built_documents, document, question, begins):
    answer = ask(built_documents / document, question, Settings(is_cache_used=False)).body.answer
    assert answer.text.startswith(begins)


def test_a_page_is_quoted_from_its_first_line_when_it_is_asked_for(built_documents):
    answer = ask(built_documents / "contract.pdf", "What is on page 5?", Settings(is_cache_used=False)).body.answer
    first = answer.items[0].citations[0]
    assert (first.page, first.line_start) <= (5, 3)
    assert len(answer.items) > 1
