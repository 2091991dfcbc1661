"""Values over and beside their captions on title pages."""

from __future__ import annotations

import pytest

from pipeline.generation.extractive.cover import read_cover
from tests.unit.generation.pages import make_task, make_view

FORM = [
    "                Commission File Number 01-4534",
    "",
    "                  HARBOUR LIGHT COMPANY",
    "           (Exact name of registrant as specified)",
    "",
    [(4, "Oregon"), (40, "93-0584541")],
    [(0, "(State of incorporation)"), (36, "(I.R.S. Employer No.)")],
    "",
    "One Quay Road, Saltport",
    "(Address of executive offices)",
    "",
    "Registrant's telephone number, including area code: (503) 671-6453",
]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is the commission file number?", "01-4534"),
        ("In which state is the company incorporated?", "Oregon"),
        ("What is the IRS employer number of the registrant?", "93-0584541"),
        ("What is the address of the executive offices?", "One Quay Road, Saltport"),
        ("What is the company's phone number?", "(503) 671-6453"),
    ],
)
def test_value_is_read_when_a_form_has_its_caption(question, expected):
    reading = read_cover(make_task(make_view(FORM), question))
    assert reading is not None
    assert reading.text == expected


def test_nothing_is_read_when_no_caption_has_all_words():
    assert read_cover(make_task(make_view(FORM), "What is the zip code of the executive offices?")) is None


def test_nothing_is_read_when_the_form_stands_behind_the_first_pages():
    view = make_view(["A letter."], ["More of it."], FORM)
    assert read_cover(make_task(view, "What is the commission file number?")) is None
