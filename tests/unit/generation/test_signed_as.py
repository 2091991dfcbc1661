"""Who signed, and as what."""

from __future__ import annotations

from pipeline.generation.extractive.signed_as import read_signed_as
from tests.unit.generation.pages import make_task, make_view

QUESTION = "Who signed the report and what is her title?"


def test_office_is_read_with_its_second_line_when_it_stands_below_a_signature():
    page = [
        "SIGNATURE",
        "",
        "By: /s/ Ada M. Quay",
        "Name: Ada M. Quay",
        "Title: Vice President,",
        "General Counsel",
    ]
    reading = read_signed_as(make_task(make_view(page), QUESTION))
    assert reading is not None
    assert reading.text == "Ada M. Quay, Vice President, General Counsel"
    assert reading.items[0].label == "Ada M. Quay"


def test_nothing_is_read_when_no_signature_has_an_office():
    page = ["SIGNATURE", "", "By: /s/ Ada M. Quay", "Name: Ada M. Quay"]
    assert read_signed_as(make_task(make_view(page), QUESTION)) is None
