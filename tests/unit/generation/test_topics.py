"""Questions for members by what they speak of: the noun, the topic, and what says it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.generation.extractive.kin import Kin
from pipeline.generation.extractive.topical import choose_members
from pipeline.generation.extractive.topics import find_topic, says_topic
from pipeline.question.parse import parse_question
from tests.unit.generation.pages import read_lexicons

LEXICON = read_lexicons().of("en")
WORDS = ("ropes", "rope", "lamp", "lamps", "ferry", "night", "the", "of", "are", "kept")


def _find(question):
    return find_topic(parse_question(question, read_lexicons()).sub_questions[0], LEXICON)


@pytest.mark.parametrize(
    ("question", "noun", "said"),
    [
        ("Which Rules deal with lamps?", "rules", "lamps"),
        ("Which of these Rules are about night ferries?", "rules", "night ferries"),
        ("List the duties of the keeper that concern lamps.", "duties", "lamps"),
        ("What clauses mention the Buyer?", "clauses", "the Buyer"),
        ("Which three duties cover ropes?", "duties", "ropes"),
        ("In which Rules are ropes mentioned?", "rules", "ropes"),
    ],
)
def test_noun_and_topic_are_told_apart_when_a_verb_only_asks(question, noun, said):
    asked = _find(question)
    assert asked is not None
    assert (asked.head.folded, asked.said) == (noun, said)


@pytest.mark.parametrize(
    "question",
    [
        "Which drugs does the plan cover?",
        "What does Rule 5 require?",
        "Which one covers lamps?",
        "Which states are covered?",
        "What is section 5 about?",
        "How many Rules mention lamps?",
        "Who deals with lamps?",
        "Which clauses never mention lamps?",
        "Which clauses that do not deal with lamps?",
        "Which papers describe how lamps are lit?",
    ],
)
def test_no_topic_is_read_when_no_member_of_a_family_is_asked_for(question):
    assert _find(question) is None


def test_what_narrows_the_family_is_no_topic_when_it_stands_behind_the_noun():
    asked = _find("Which duties of the lamp keeper mention ropes?")
    assert [word.folded for word in asked.tail] == ["lamp", "keeper"]
    assert [[anchor.text for anchor in words] for words in asked.topic] == [["ropes"]]


def test_one_of_the_alternatives_is_enough_when_the_topic_has_an_or():
    topic = _find("Which Rules mention ropes or lamps?").topic
    assert says_topic(topic, "A lamp is lit.")
    assert says_topic(topic, "The ropes are dry.")
    assert not says_topic(topic, "The ferry is late.")


def test_all_words_are_wanted_in_one_sentence_when_a_member_is_long():
    topic = _find("Which clauses mention wet ropes?").topic
    filler = "The harbour office keeps a book of every boat that comes in and of every boat that goes out again. " * 4
    assert says_topic(topic, f"{filler}Wet ropes are hung up.")
    assert not says_topic(topic, f"Ropes are new. {filler}Wet decks are swept.")
    assert says_topic(topic, "Ropes are new. Wet ones are hung up.")


def test_words_of_one_family_count_only_when_that_is_allowed():
    topic = _find("Which Functions cover recovery?").topic
    assert not says_topic(topic, "What was lost is brought back.", "RECOVER")
    assert says_topic(topic, "What was lost is brought back.", "RECOVER", is_wide=True)
    assert not says_topic(topic, "What was lost is brought back.", "RECORD", is_wide=True)


@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join), max_size=9))
def test_the_chosen_are_all_members_in_order_that_say_the_topic_when_any_texts_are_given(texts):
    topic = _find("Which Rules mention lamp ropes?").topic
    members = tuple(Kin(f"R-{number}", "", text, ()) for number, text in enumerate(texts))
    chosen = choose_members(members, topic)
    assert [member for member in members if member in chosen] == list(chosen)
    for member in members:
        words = set(member.text.split())
        has_both = bool(words & {"lamp", "lamps"}) and bool(words & {"rope", "ropes"})
        assert (member in chosen) == has_both
