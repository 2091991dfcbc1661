"""Where derived candidates stand in the ranking that evidence is taken from."""

from __future__ import annotations

from pipeline.loop.passes import _place_derived
from tests.unit.loop.fakes import make_candidate


def _derive(place, source):
    return make_candidate(place).model_copy(update={"derived_from": source.ref})


def _places(ranking, derived, room=12):
    return [candidate.ref for candidate in _place_derived(tuple(ranking), tuple(derived), room)]


def test_a_derived_candidate_stands_behind_its_source_when_that_is_ranked():
    first, second = make_candidate(1), make_candidate(2)
    new = _derive(9, first)
    assert _places([first, second], [new]) == [first.ref, new.ref, second.ref]


def test_it_stands_at_the_front_when_its_source_is_gone():
    first = make_candidate(1)
    new = _derive(9, make_candidate(5))
    assert _places([first], [new]) == [new.ref, first.ref]


def test_one_derived_from_a_derived_one_follows_it_when_both_are_new():
    first = make_candidate(1)
    new = _derive(8, first)
    deeper = _derive(9, new)
    assert _places([first, make_candidate(2)], [deeper, new])[:3] == [first.ref, new.ref, deeper.ref]


def test_it_moves_up_when_the_ranking_holds_it_beyond_what_is_read():
    ranking = [make_candidate(place) for place in range(1, 6)]
    new = _derive(5, ranking[0])
    assert _places(ranking, [new], room=2)[:2] == [ranking[0].ref, new.ref]
    assert len(_places(ranking, [new], room=2)) == 5


def test_it_stays_where_it_is_when_it_is_read_anyway():
    ranking = [make_candidate(place) for place in range(1, 4)]
    assert _places(ranking, [_derive(3, ranking[0])]) == [candidate.ref for candidate in ranking]
