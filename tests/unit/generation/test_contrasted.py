"""Two things told apart by what each of them is."""

from __future__ import annotations

import pytest

from pipeline.generation.extractive.contrasted import ONE_SIDED, find_contrasted, mark_sides, read_contrast
from pipeline.generation.extractive.passage import read_passage
from tests.unit.generation.pages import make_task, make_view, read_lexicons

QUESTION = "What is the difference between a day watch and a night watch?"
DAY, NIGHT = "A day watch means that the lamp is cleaned.", "A night watch means that the lamp is lit."


@pytest.mark.parametrize(
    ("question", "sides"),
    [
        (QUESTION, (("day", "watch"), ("night", "watch"))),
        ("What is the difference between a mild and a grave fault?", (("mild",), ("grave", "fault"))),
        ("How do new keepers differ from old keepers?", (("new", "keepers"), ("old", "keepers"))),
        ("What distinguishes oil from gas in the plan?", (("oil",), ("gas",))),
        ("What is the rent of the quay?", None),
    ],
)
def test_sides_are_found_when_a_question_names_two(question, sides):
    assert find_contrasted(question, read_lexicons().of("en")) == sides


def test_each_side_has_an_item_when_both_are_explained():
    reading = read_contrast(make_task(make_view([DAY, "", NIGHT]), QUESTION))
    assert reading is not None
    assert [item.text for item in reading.items] == [DAY, NIGHT]
    assert reading.max_confidence == 1000


def test_missing_side_is_named_when_only_one_is_explained():
    reading = read_contrast(make_task(make_view([DAY, "", "The night watch is cold."]), QUESTION))
    assert reading is not None
    assert reading.max_confidence == ONE_SIDED
    assert any("night watch" in caveat for caveat in reading.caveats)


def test_adjective_takes_the_noun_of_the_other_side_when_the_document_has_it_so():
    page = ["A mild fault means that a lamp is dim.", "", "A grave fault means that a lamp is out."]
    reading = read_contrast(make_task(make_view(page), "What is the difference between a mild and a grave fault?"))
    assert reading is not None
    assert len(reading.items) == 2


def test_little_is_claimed_when_a_passage_only_names_both():
    task = make_task(make_view(["Keepers choose the day watch and the night watch in spring."]), QUESTION)
    assert read_contrast(task) is None
    assert mark_sides(task, read_passage(task)).max_confidence == ONE_SIDED
