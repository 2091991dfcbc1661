"""When something was done: the date behind the deed, not that of another deed in the same sentence."""

from __future__ import annotations

import pytest

from pipeline.generation.extractive.value import read_value
from tests.unit.generation.pages import make_task, make_view

LINE = "The Merrow company was founded in Oslo in August 1997 and we completed our move to the new quay in May 2002."


@pytest.mark.parametrize(
    ("question", "value"),
    [("When was Merrow founded?", "1997-08"), ("When did Merrow complete its move to the new quay?", "2002-05")],
)
def test_date_of_the_deed_is_read_when_a_sentence_tells_two(question, value):
    reading = read_value(make_task(make_view([LINE]), question))
    assert [item.value for item in reading.items] == [value]


def test_another_deed_is_no_answer_when_it_has_the_same_word():
    rows = ["Merrow (founded by grant of 2008) lists its forms.", "", "The Merrow company was founded in 1929."]
    reading = read_value(make_task(make_view(rows), "When was Merrow founded?"))
    assert [item.value for item in reading.items] == ["1929"]
