"""The first difference: none for equal bodies, found and named for any value that changes, in causal order."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from pipeline.models.run import Iteration, RunBody
from pipeline.rerun.comparison import (
    AFTER_LOOP,
    BEFORE_LOOP,
    IN_ITERATION,
    MAX_SHOWN,
    NOTHING,
    compare_bodies,
    find_first_difference,
)
from tests.unit.loop.fakes import WHOLE, Turn, make_candidate
from tests.unit.rerun.records import make_record

Place = tuple[str | int, ...]


@pytest.fixture(scope="module")
def body() -> RunBody:
    body = make_record(Turn(WHOLE, candidates=(make_candidate(1), make_candidate(2)))).body
    return body.model_copy(
        update={"iterations": tuple(body.iterations[0].model_copy(update={"number": at}) for at in (1, 2))}
    )


def _walk_leaves(value: object, place: Place = ()) -> Iterator[Place]:
    """Places of everything that holds nothing itself, empty lists and objects included."""
    if isinstance(value, dict | list) and value:
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _walk_leaves(inner, (*place, key))
    else:
        yield place


def _spell(place: Place) -> str:
    """A place as a difference names it."""
    names = [f"[{part}]" if isinstance(part, int) else f".{part}" for part in place]
    if place[0] == "iterations":
        number, name = int(place[1]) + 1, str(place[2]).replace("_", " ")
        return f"iteration {number} {name}{''.join(names[3:])}"
    return f"{str(place[0]).replace('_', ' ')}{''.join(names[1:])}"


def _put(content: Any, place: Place, value: object) -> Any:
    changed = copy.deepcopy(content)
    target = changed
    for part in place[:-1]:
        target = target[part]
    target[place[-1]] = value
    return changed


def _change(value: object) -> object:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    return f"{value}?" if isinstance(value, str) else ["another"]


def test_every_changed_value_is_named_when_it_is_the_only_one(body):
    content = body.model_dump(mode="json")
    leaves = list(_walk_leaves(content))
    assert len(leaves) > 300
    for place in leaves:
        old = json.loads(json.dumps(content))
        for part in place:
            old = old[part]
        difference = compare_bodies(content, _put(content, place, _change(old)))
        assert difference is not None, place
        # a list that was empty differs in its first entry
        assert difference.path in (_spell(place), f"{_spell(place)}[0]")
        assert difference.path.startswith(difference.step)
        assert difference.recorded != difference.replayed


def test_another_rule_is_named_when_a_rulebook_has_one_more(body):
    content = body.model_dump(mode="json")
    outcomes = [{"rule": name, "because": f"because of {name}", "conditions": []} for name in ("ABC01", "DEF01")]
    more = [outcomes[0], {"rule": "BCD01", "because": "new", "conditions": [1]}, outcomes[1]]
    old, new = (_put(content, ("plan", "outcomes"), value) for value in (outcomes, more))
    difference = compare_bodies(old, new)
    assert (difference.path, difference.recorded, difference.replayed) == (
        "plan.outcomes[1].rule",
        '"DEF01"',
        '"BCD01"',
    )


def test_nothing_differs_when_bodies_are_equal(body):
    assert find_first_difference(body, RunBody.model_validate_json(body.model_dump_json())) is None


def test_the_earlier_step_is_named_when_two_values_differ(body):
    content = body.model_dump(mode="json")
    leaves = list(_walk_leaves(content))
    order = [*BEFORE_LOOP, "iterations", *AFTER_LOOP]
    chance = random.Random(4)
    for _ in range(40):
        first, second = chance.sample(leaves, 2)
        changed = _put(_put(content, first, "one"), second, "two")
        ahead = min((first, second), key=lambda place: order.index(str(place[0])))
        difference = compare_bodies(content, changed)
        assert difference is not None
        if first[0] != second[0] and ahead[0] != "iterations":
            assert difference.step == str(ahead[0]).replace("_", " ")


def test_every_field_has_its_place_when_bodies_are_compared():
    """A field that is added to a body needs a place in the order of causes."""
    assert {*BEFORE_LOOP, *AFTER_LOOP, "iterations"} == set(RunBody.model_fields)
    assert set(IN_ITERATION) == set(Iteration.model_fields)


def test_true_and_one_differ_when_only_their_bytes_do(body):
    content = body.model_dump(mode="json")
    content["facts"][0]["value"] = 1
    difference = compare_bodies(content, _put(content, ("facts", 0, "value"), True))
    assert difference is not None
    assert (difference.path, difference.recorded, difference.replayed) == ("facts[0].value", "1", "true")


def test_a_field_that_only_one_side_has_is_named_when_nothing_else_differs(body):
    content = body.model_dump(mode="json")
    for place in (("later",), ("iterations", 0, "later"), ("profile", "later")):
        difference = compare_bodies(content, _put(content, place, "new"))
        assert difference is not None
        assert difference.path.endswith("later")
        assert (difference.recorded, difference.replayed) == (NOTHING, '"new"')


def test_the_entry_that_is_missing_is_named_when_a_list_is_shorter(body):
    content = body.model_dump(mode="json")
    shorter = _put(content, ("facts",), content["facts"][:-1])
    difference = compare_bodies(content, shorter)
    assert difference is not None
    assert difference.path == f"facts[{len(content['facts']) - 1}]"
    assert difference.replayed == NOTHING
    fewer = _put(content, ("iterations",), content["iterations"][:1])
    difference = compare_bodies(content, fewer)
    assert difference is not None
    assert (difference.step, difference.recorded, difference.replayed) == ("number of iterations", "2", "1")


def test_the_part_that_differs_is_shown_when_values_are_long(body):
    content = body.model_dump(mode="json")
    long = "x" * 5000
    old, new = (_put(content, ("stop_detail",), f"{long}{word}{long}") for word in ("here", "there"))
    difference = compare_bodies(old, new)
    assert difference is not None
    assert "here" in difference.recorded
    assert "there" in difference.replayed
    assert len(difference.recorded) < MAX_SHOWN + 50
    assert difference.recorded.endswith("(10006 characters)")
