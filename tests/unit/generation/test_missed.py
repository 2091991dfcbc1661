"""Passages without what was asked about, and paragraphs of the shape that was asked."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.generation.extractive.missed import NEAR_MISS, mark_missed
from pipeline.generation.extractive.passage import read_passage
from pipeline.generation.extractive.ranked import rank_passages
from pipeline.generation.extractive.shaped import has_shape, prefer_shaped
from tests.unit.generation.pages import make_task, make_view

PLAN = ["The harbour plan covers the storage of nets and pays benefits after a storm."]


def test_confidence_is_low_when_a_telling_word_is_nowhere():
    task = make_task(make_view(PLAN), "What is the lifetime benefit of the harbour plan?")
    reading = mark_missed(task, read_passage(task))
    assert reading.max_confidence == NEAR_MISS
    assert any("lifetime" in caveat for caveat in reading.caveats)


def test_passage_is_no_answer_when_most_of_what_is_asked_is_nowhere():
    assert read_passage(make_task(make_view(PLAN), "What is the childcare benefit of the harbour plan?")) is None


def test_nothing_is_doubted_when_the_passage_has_all_that_is_asked():
    task = make_task(make_view(PLAN), "What does the harbour plan say on the storage of nets?")
    assert mark_missed(task, read_passage(task)).max_confidence == 1000


def test_amount_is_missed_when_a_price_is_asked_and_none_is_said():
    task = make_task(make_view(["The mooring fee is set by the harbour board."]), "What is the mooring fee?")
    reading = read_passage(task)
    assert reading is not None
    assert mark_missed(task, reading).max_confidence == NEAR_MISS


def test_paragraph_with_the_thing_asked_is_first_when_its_neighbour_lacks_it():
    page = [
        "The venue of a legal action against Harbour Light matters; know it before any such legal action.",
        "",
        "The venue of a legal action against Harbour Light is the state where the keeper lives.",
    ]
    task = make_task(make_view(page), "In which state is a legal action against Harbour Light brought?")
    reading = read_passage(task)
    assert reading is not None
    assert "where the keeper lives" in reading.text


@settings(max_examples=30, deadline=None)
@given(st.permutations(["The fee is due.", "The fee is 5 pounds.", "The fee is late.", "No fee is paid."]))
def test_passages_are_only_reordered_when_a_shape_is_preferred(texts):
    page = [row for text in texts for row in (text, "")]
    task = make_task(make_view(page), "What is the fee?")
    ranked = rank_passages(task)
    preferred = prefer_shaped(task, ranked)
    assert sorted(passage.text for passage in preferred) == sorted(passage.text for passage in ranked)
    assert has_shape(task, preferred[0].text)
