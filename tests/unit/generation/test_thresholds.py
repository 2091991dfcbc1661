"""Readers go by the thresholds of the rulebook, not by numbers of their own."""

from __future__ import annotations

import pytest

from pipeline.generation.extractive.boolean import read_boolean
from pipeline.generation.extractive.value import read_value
from pipeline.models.thresholds import Thresholds
from tests.unit.generation.pages import make_task, make_view

LEASE = ["The security deposit is 4,500 euros.", "The tenant must keep a pet only with consent."]


def _ask(question, thresholds):
    view = make_view(LEASE)
    view.lexicon = view.lexicon.model_copy(update={"thresholds": thresholds})
    return make_task(view, question)


@pytest.mark.parametrize(("least", "is_given"), [(520, True), (1000, False)])
def test_a_value_is_given_or_not_when_the_least_score_moves(least, is_given):
    reading = read_value(_ask("What is the security deposit?", Thresholds(value_score=least)))
    assert (reading is not None) is is_given


@pytest.mark.parametrize(("share", "lead"), [(0, "The text says"), (1000, "No explicit statement")])
def test_a_sentence_decides_or_not_when_the_governing_share_moves(share, lead):
    reading = read_boolean(_ask("Must the tenant keep a parrot with consent?", Thresholds(governing=share)))
    assert reading is not None
    assert reading.text.startswith(lead)
