"""Which values contradict, which agree, and which are of different things."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.generation.extractive.conflict import is_rounded, weigh_hits
from pipeline.generation.extractive.hits import ValueHit, list_weights, weigh_telling
from pipeline.generation.extractive.qualifiers import contradicts, find_qualifiers, names_sibling, tells_apart
from pipeline.generation.extractive.typed import Typed
from pipeline.models.question import Anchor
from tests.unit.generation.pages import make_task, make_view, read_lexicons


def _hit(value, *, score=900, place=(1, 1), qualifiers=(), matched=("bleu",), is_cell=False):
    typed = Typed(0, len(value), value, value, "", Decimal(value))
    return ValueHit(
        typed=typed,
        score=score,
        place=place,
        citations=(),
        matched=matched,
        qualifiers=frozenset(qualifiers),
        context=f"context {place}",
        is_cell=is_cell,
    )


WEIGHTS = {"bleu": 900, "wmt": 900, "big": 100}


@pytest.mark.parametrize(
    ("other", "is_conflict"),
    [
        (_hit("41.8", place=(2, 1)), True),
        (_hit("41", place=(2, 1)), False),
        (_hit("41.8", place=(2, 1), score=500), False),
        (_hit("41.8", place=(2, 1), qualifiers=[("split", "dev")]), False),
        (_hit("41.8", place=(2, 1), qualifiers=[("split", "test")]), True),
        (_hit("41.8"), False),
    ],
)
def test_value_contradicts_when_nothing_tells_it_apart(other, is_conflict):
    best = _hit("41.0", qualifiers=[("split", "test")])
    assert bool(weigh_hits([best, other], WEIGHTS).others) is is_conflict


def test_value_contradicts_nothing_when_it_lacks_what_the_first_is_about():
    best = _hit("41.0", matched=("bleu", "wmt"))
    assert weigh_hits([best, _hit("28.4", place=(2, 1))], WEIGHTS).others == ()


def test_cells_contradict_nothing_when_both_stand_in_tables():
    hits = [_hit("41.0", is_cell=True), _hit("41.8", place=(2, 1), is_cell=True)]
    assert weigh_hits(hits, WEIGHTS).others == ()


@given(st.decimals(min_value=-(10**6), max_value=10**6, places=3), st.integers(min_value=0, max_value=2))
def test_rounded_number_agrees_when_it_is_cut_to_fewer_decimals(number, places):
    rounded = number.quantize(Decimal(1).scaleb(-places))
    assert is_rounded(number, rounded)
    assert is_rounded(rounded, number)


@pytest.mark.parametrize(("one", "other"), [("41.0", "41.8"), ("28.4", "29"), ("0.1", "0.3")])
def test_numbers_disagree_when_no_rounding_joins_them(one, other):
    assert not is_rounded(Decimal(one), Decimal(other))


def test_qualifiers_are_one_when_a_longer_form_is_written():
    lexicon = read_lexicons().of("en")
    assert find_qualifiers("BLEU (dev)", lexicon) == find_qualifiers("on the development set", lexicon)
    assert contradicts(find_qualifiers("test set", lexicon), find_qualifiers("BLEU (dev)", lexicon))
    assert tells_apart(find_qualifiers("initially", lexicon), find_qualifiers("the final one", lexicon))


@pytest.mark.parametrize(
    ("asked", "text", "is_sibling"),
    [
        ("WMT 2014 English-to-French", "on the WMT 2014 English-to-German task", True),
        ("WMT 2014 English-to-French", "on the WMT 2014 English-to-French task", False),
        ("Tier 3", "At Tier 2 suppliers are known", True),
        ("base models trained", "We trained the base models for a week", False),
    ],
)
def test_text_names_a_sibling_when_one_name_or_number_differs(asked, text, is_sibling):
    form = asked.casefold()
    anchor = Anchor(text=asked, key=form, source="compound", forms=(form,), weight=900)
    assert names_sibling((anchor,), text) is is_sibling


def test_the_name_of_what_the_document_is_about_weighs_little_when_a_sentence_may_say_our_model():
    pages = [["The Kestrel is a model of the tide.", "", "More of the Kestrel is told below."] for _ in range(3)]
    view = make_view(*pages)
    task = make_task(view, "What error does the big Kestrel reach on the harbour data?")
    weights = list_weights(view, task.part.anchors)
    assert weights["kestrel"] * 4 <= weigh_telling(view, next(one for one in task.part.anchors if one.key == "kestrel"))
    assert all(weights[key] <= weights["big"] for key in weights if "kestrel" in key.split() and key != "kestrel")
    assert weights["harbour"] > weights["kestrel"]


def test_a_name_keeps_its_weight_when_nothing_else_is_asked():
    view = make_view(*[["The Kestrel is a model of the tide."] for _ in range(3)])
    anchors = tuple(one for one in make_task(view, "What is the Kestrel?").part.anchors if one.key == "kestrel")
    assert list_weights(view, anchors) == {"kestrel": weigh_telling(view, anchors[0])}
