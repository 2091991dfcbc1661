"""Impure calls go through one door: live and recorded, from a recording, or not at all."""

from __future__ import annotations

import pytest

from pipeline.effects import Effects
from pipeline.errors import EffectMissing
from pipeline.models.run import EffectRecord

KEPT = EffectRecord(kind="model", key="abc", outcome='{"a":1}')


def _refuse() -> str:
    raise AssertionError("a live call was made")


def test_an_outcome_is_recorded_in_canonical_form_when_the_call_is_live():
    effects = Effects("live")
    assert effects.call("model", "abc", lambda: '{"b": [1, null], "a": "é"}') == '{"a":"é","b":[1,null]}'
    assert effects.records() == (EffectRecord(kind="model", key="abc", outcome='{"a":"é","b":[1,null]}'),)


def test_a_call_is_made_once_when_the_same_name_comes_again():
    effects = Effects("live")
    outcomes = iter(["1", "2", "3"])
    assert effects.call("model", "k", lambda: next(outcomes)) == "1"
    assert effects.call("model", "k", lambda: next(outcomes)) == "1"
    assert effects.call("ocr", "k", lambda: next(outcomes)) == "2"
    assert [(record.kind, record.key) for record in effects.records()] == [("model", "k"), ("ocr", "k")]


def test_nothing_is_called_when_the_outcome_is_recorded():
    effects = Effects("recorded", (KEPT,))
    assert effects.records() == ()
    assert effects.call("model", "abc", _refuse) == '{"a":1}'
    assert effects.records() == (KEPT,)


def test_a_missing_recording_is_named_when_a_replay_needs_it():
    with pytest.raises(EffectMissing, match="ocr abc, which the record does not hold"):
        Effects("recorded", (KEPT,)).call("ocr", "abc", _refuse)


def test_the_call_is_named_when_impure_calls_are_forbidden():
    with pytest.raises(EffectMissing, match="model abc, and impure calls are forbidden"):
        Effects("forbidden", (KEPT,)).call("model", "abc", _refuse)


@pytest.mark.parametrize(("outcome", "error"), [("not JSON", ValueError), ("[1.5]", TypeError)])
def test_an_outcome_is_refused_when_it_has_no_canonical_form(outcome, error):
    effects = Effects("live")
    with pytest.raises(error):
        effects.call("model", "abc", lambda: outcome)
    assert effects.records() == ()
