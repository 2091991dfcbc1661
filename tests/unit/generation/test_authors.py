"""Who wrote the document: names of the first page, and nothing that only looks like one."""

from __future__ import annotations

import pytest

from pipeline.generation.extractive.authors import read_authors
from tests.unit.generation.pages import make_task, make_view

PAGE = [
    "Maren Oduya*, Pieter Vandal",
    "Coastal Research",
    "maren@example.org",
    "Abstract",
    "Lantern forecasts tides.",
]


@pytest.mark.parametrize("question", ["Who wrote the paper?", "Who are the authors?", "Who is the author of Lantern?"])
def test_every_author_is_named_when_names_stand_before_the_abstract(question):
    reading = read_authors(make_task(make_view(PAGE), question))
    assert reading is not None
    assert [item.text for item in reading.items] == ["Maren Oduya", "Pieter Vandal"]


def test_author_is_named_when_the_first_page_says_by_whom():
    view = make_view(["Manual", "Prepared by Iris Koh", "Read this first."])
    reading = read_authors(make_task(view, "Who wrote it?"))
    assert reading is not None
    assert reading.text == "Iris Koh"


@pytest.mark.parametrize(
    ("page", "question"),
    [
        (PAGE[1:], "Who wrote the paper?"),
        (["Water Company", "Blue Brackenfield", "Version 4"], "Who wrote the policy?"),
        (PAGE, "Who proposed Lantern?"),
        (PAGE, "Who wrote about mooring fees?"),
    ],
)
def test_nobody_is_named_when_the_page_does_not_say_so(page, question):
    assert read_authors(make_task(make_view(page), question)) is None
