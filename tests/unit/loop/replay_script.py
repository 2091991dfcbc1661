"""Prints the hashes of a few fixed runs; run by test_bounds.py under several hash seeds."""

from __future__ import annotations

import json

from pipeline.canonical import encode_json, hash_bytes
from pipeline.loop import ActionResult, run_loop
from pipeline.policy.vocabulary import ACTIONS, SIGNALS
from tests.unit.loop.fakes import (
    ScriptedPorts,
    Turn,
    make_answer,
    make_candidate,
    make_expansion,
    make_plan,
    make_signal,
)
from tests.unit.policy.builders import make_anchor, make_part, make_question

WORDS = tuple(f"word{number}" for number in range(12))


def _make_turn(number: int) -> Turn:
    moved = WORDS[number:] + WORDS[:number]
    results = {
        action: ActionResult(
            expansions=tuple(make_expansion(word, 10 * place % 70) for place, word in enumerate(moved)),
            widened=tuple(("q1", place) for place in range(number, number + 5)),
        )
        for action in ACTIONS
    }
    found = tuple(
        make_candidate(place, matched=(), matched_expansions=moved[:2]) if place % 3 == 0 else make_candidate(place)
        for place in range(number + 1, number + 9)
    )
    signals = tuple(make_signal(kind, *moved) for kind in SIGNALS[number % 3 :])
    return Turn(make_answer(confidence=500 + number), signals, candidates=found, results=results)


def _hash_run(start: int) -> str:
    anchors = tuple(make_anchor(f"anchor{place}", 100 + place, forms=WORDS[place : place + 3]) for place in range(4))
    question = make_question(make_part(anchors=anchors, focus=anchors[:2]), make_part("q2", depends_on=("q1",)))
    turns = [_make_turn(start + number) for number in range(4)]
    outcome = run_loop(question, make_plan(), ScriptedPorts(*turns))
    body = [iteration.model_dump(mode="json") for iteration in outcome.iterations]
    return hash_bytes(encode_json([body, outcome.stop_reason, outcome.stop_detail, outcome.best_iteration]))


if __name__ == "__main__":
    print(json.dumps([_hash_run(start) for start in range(3)]))
