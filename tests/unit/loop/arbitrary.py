"""Arbitrary ports: whatever an adversary could signal, as hypothesis strategies and as a seeded run."""

from __future__ import annotations

from hypothesis import strategies as st

from pipeline.loop import ActionResult, ModelUse
from pipeline.models.plan import SignalKind
from pipeline.policy.vocabulary import ACTIONS, SIGNALS
from tests.unit.loop.fakes import (
    Absent,
    Turn,
    make_answer,
    make_candidate,
    make_certificate,
    make_expansion,
    make_item,
    make_signal,
)
from tests.unit.policy.builders import make_anchor, make_part, make_question

PARTS = ("q1", "q2", "q3")
_part = st.sampled_from(PARTS)
_word = st.sampled_from([f"w{number}" for number in range(40)])
_some_parts = st.lists(_part, unique=True).map(tuple)
_targets = st.lists(st.one_of(_part, _word, st.sampled_from(["page:1", "page:2"])), max_size=4).map(tuple)


def _signal(kind: SignalKind, targets: tuple[str, ...]):
    return make_signal(kind, *targets)


signals = st.lists(st.builds(_signal, st.sampled_from(SIGNALS), _targets), max_size=5).map(tuple)
answers = st.builds(
    lambda closed, found, complete, confidence, verdicts, clarification: make_answer(
        closed=closed,
        found=found,
        complete=complete,
        confidence=confidence,
        items=tuple(make_item(part, part) for part in closed),
        certificates=tuple(make_certificate(verdict) for verdict in verdicts),
        clarification=clarification,
    ),
    _some_parts,
    st.booleans(),
    st.booleans(),
    st.integers(0, 1000),
    st.lists(st.sampled_from(["complete", "incomplete", "unverified"]), max_size=2),
    st.sampled_from([None] * 9 + ["Which?"]),
)
candidates = st.lists(
    st.builds(
        lambda place, part, matched, expansions, derived: make_candidate(
            place, part, matched=matched, matched_expansions=expansions, derived_from=derived
        ),
        st.integers(1, 12),
        _part,
        st.lists(st.sampled_from(["retention", "period"]), unique=True).map(tuple),
        st.lists(_word, max_size=1).map(tuple),
        st.sampled_from([None, None, "ref:1"]),
    ),
    max_size=8,
).map(tuple)
results = st.builds(
    lambda changed, words, sections, derived: ActionResult(
        changed=changed,
        expansions=tuple((part, make_expansion(word, weight)[1]) for part, word, weight in words),
        widened=tuple(sections),
        derived=derived,
    ),
    st.sampled_from([(), (), ("something",)]),
    st.lists(st.tuples(_part, _word, st.integers(0, 900)), max_size=9),
    st.lists(st.tuples(_part, st.integers(0, 9)), max_size=6),
    candidates,
)
turns = st.builds(
    lambda answer, raised, faults, found, outcomes, absence, use: Turn(
        answer, raised, faults, found, outcomes, absence, use
    ),
    answers,
    signals,
    st.sampled_from([(), (), ("a fault",)]),
    candidates,
    results.map(lambda result: dict.fromkeys(ACTIONS, result)),
    st.sampled_from([None] * 6 + [Absent()]),
    st.builds(ModelUse, st.integers(0, 2), st.integers(0, 50)),
)
anchors = st.lists(st.integers(1, 20), max_size=16, unique=True).map(
    lambda numbers: tuple(make_anchor(f"a{number}", 50 * number) for number in numbers)
)
questions = st.builds(
    lambda groups, order: make_question(
        *(
            make_part(part, anchors=group, focus=group[:1], depends_on=before, is_optional=part == "q3")
            for part, group, before in zip(PARTS, groups, order, strict=False)
        )
    ),
    st.lists(anchors, min_size=1, max_size=3),
    st.sampled_from([((), (), ()), ((), ("q1",), ("q2",)), ((), ("q1",), ()), (("q2",), ("q1",), ())]),
)
