"""Figures of parts that leave each other out: each belongs to the part whose words stand beside it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.generation.extractive.count import read_count
from pipeline.generation.extractive.opposites import drop_opposites, judge_sides, read_sides
from pipeline.generation.extractive.reading import Reading
from pipeline.generation.extractive.shares import list_shares
from pipeline.models.answer import Citation, Item
from tests.unit.generation.pages import make_task, make_view, read_lexicons

LEXICON = read_lexicons().of("en")
PAIRS = [("women", "men"), ("female", "male"), ("full-time", "part-time")]


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("What share of the crew are women?", {"sex": "women"}),
        ("male pilots", {"sex": "men"}),
        ("men and women", {}),
        ("berths that are leased", {"title": "leased"}),
        ("crews outside the U.S.", {"border": "abroad"}),
        ("the women of management", {"sex": "women"}),
    ],
)
def test_a_part_is_read_when_a_text_speaks_of_one_of_two(text, sides):
    assert read_sides(text, LEXICON) == sides


def _keep(question: str, sentence: str) -> list[str]:
    task = make_task(make_view([sentence]), question)
    return [share.printed for share in drop_opposites(task, sentence, list_shares(sentence, LEXICON))]


@pytest.mark.parametrize(
    ("sentence", "kept"),
    [
        ("Our crew is comprised of 62% men and 38% women.", ["38%"]),
        ("The crew was 66.9% male, 33.1% female and 0.1% unknown.", ["33.1%", "0.1%"]),
        ("Men compose 51% and women 49% of the crew.", ["49%"]),
        ("Men compose approximately 51% of our crew, and 34% of the pilots are Danes.", ["34%"]),
    ],
)
def test_figures_of_the_other_part_are_dropped_when_one_part_is_asked(sentence, kept):
    assert _keep("What percentage of the crew are women?", sentence) == kept


@given(pair=st.sampled_from(PAIRS), first=st.integers(1, 99), is_turned=st.booleans(), is_behind=st.booleans())
def test_no_figure_of_the_other_part_is_kept_when_both_are_stated(pair, first, is_turned, is_behind):
    asked, other = pair[::-1] if is_turned else pair
    own, rest = (f"{first}%", f"{100 - first}%") if first != 50 else ("50.5%", "49.5%")
    told = f"{rest} {other} and {own} {asked}" if is_behind else f"{other} {rest} and {asked} {own}"
    assert _keep(f"What percentage of the crew is {asked}?", f"The crew is {told}.") == [own]


@pytest.mark.parametrize(("value", "is_kept"), [("62%", False), ("38%", True)])
def test_an_answer_is_none_when_its_sentence_states_it_of_the_other_part(value, is_kept):
    quote = "Our crew is comprised of 62% men and 38% women."
    task = make_task(make_view([quote]), "What percentage of the crew are women?")
    citation = Citation(ref="doc", page=1, line_start=1, line_end=1, quote=quote)
    item = Item(sub_question="q1", text=value, value=value[:-1], citations=(citation,), extraction="verbatim")
    assert (judge_sides(task, Reading(text=value, items=(item,), has_typed_fit=True)) is not None) is is_kept


@pytest.mark.parametrize(
    ("question", "is_counted"),
    [
        ("How many patents does the North Towage segment hold?", False),
        ("How many segments are there?", True),
    ],
)
def test_members_are_not_counted_when_the_question_names_one_of_them(question, is_counted):
    page = [
        "Patents of the segments are held in these fields, by segment:",
        "",
        "• Harbour Lights: patents for lamps",
        "• North Towage: patents for winches",
        "• Ferry Lines: patents for ramps",
        "",
        "The harbour goes on.",
    ]
    reading = read_count(make_task(make_view(page), question))
    assert (reading is not None and "counted" in reading.text) is is_counted
