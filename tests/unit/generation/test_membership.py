"""Members of lists that are covered or not, as the line or the heading over the list says."""

from __future__ import annotations

import pytest

from pipeline.generation.extractive.membership import is_member
from pipeline.models.settings import Settings
from pipeline.question.anchors import make_word_anchor
from pipeline.question.terms import split_words
from pipeline.run import ask
from tests.unit.generation.pages import read_lexicons


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Does the Lamp Fund pay for boots?", "no"),
        ("Does the Lamp Fund cover journeys to other harbours?", "no"),
        ("Are meals on the pier covered?", "no"),
        ("Does the Lamp Fund cover glass?", "yes"),
        ("Does the Lamp Fund reimburse courses in signalling?", "yes"),
    ],
)
def test_verdict_is_that_of_the_list_when_the_thing_is_its_member(built_documents, question, verdict):
    answer = ask(built_documents / "lamps.pdf", question, Settings(is_cache_used=False)).body.answer
    assert {item.value for item in answer.items} == {verdict}


@pytest.mark.parametrize(
    ("text", "above", "is_one"),
    [
        ("boots and coats", "What the fund does not cover", True),
        ("boots and coats", "What is not covered", False),
        ("gloves", "What the fund does not cover: boots", False),
    ],
)
def test_member_is_one_when_it_has_what_tells_it_and_its_lead_the_rest(text, above, is_one):
    lexicon = read_lexicons().of("en")
    wanted = tuple(make_word_anchor(word, lexicon) for word in split_words("fund boots", lexicon))
    assert is_member(wanted, text, above) is is_one
