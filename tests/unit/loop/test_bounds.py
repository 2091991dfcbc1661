"""Whatever is signalled: at most four iterations, anchors in every query, the cap holds, only what the plan lists."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from pipeline.decide import build_plan
from pipeline.loop import run_loop, walk_loop
from pipeline.models.plan import Limits
from pipeline.policy.rulebook import load_rulebook
from tests.conftest import ROOT
from tests.unit.loop import arbitrary
from tests.unit.loop.fakes import ScriptedPorts
from tests.unit.policy.builders import make_facts

BOOK = load_rulebook()


def _decide(facts, limits, runs_everything):
    plan = build_plan(facts, BOOK, limits)
    if not runs_everything:
        return plan
    available = {"is_available": True}
    return plan.model_copy(
        update={
            "steps": tuple(step.model_copy(update=available) for step in plan.steps),
            "standby": tuple(step.model_copy(update=available) for step in plan.standby),
        }
    )


limits = st.builds(
    Limits, max_iterations=st.integers(0, 6), max_model_calls=st.integers(0, 5), max_model_tokens=st.integers(0, 90)
)
shapes = st.sampled_from([{}, {"is_listing": True}, {"is_listing": True, "is_open": True, "has_model_engine": True}])
plans = st.builds(lambda shape, *rest: _decide(make_facts(**shape), *rest), shapes, limits, st.booleans())
EXAMPLE_COUNT = max(25, settings().max_examples // 4)


class LoopMachine(RuleBasedStateMachine):
    """The loop taken one iteration at a time, each with arbitrary answers of its ports."""

    @initialize(question=arbitrary.questions, plan=plans, turn=arbitrary.turns)
    def begin(self, question, plan, turn):
        self.question, self.plan = question, plan
        self.ports = ScriptedPorts(turn)
        self.walk = walk_loop(question, plan, self.ports)
        self.iterations = []
        self.outcome = None

    @precondition(lambda self: self.outcome is None)
    @rule(turn=arbitrary.turns)
    def go_on(self, turn):
        self.ports.turns.append(turn)
        try:
            self.iterations.append(next(self.walk))
        except StopIteration as end:
            self.outcome = end.value
            assert self.outcome.iterations == tuple(self.iterations)
            check_outcome(self.question, self.plan, self.outcome)

    @precondition(lambda self: self.outcome is not None)
    @rule(question=arbitrary.questions, plan=plans, turn=arbitrary.turns)
    def begin_anew(self, question, plan, turn):
        self.begin(question, plan, turn)

    @invariant()
    def it_ends_within_its_budget(self):
        for iteration in getattr(self, "iterations", ()):
            check_iteration(self.question, self.plan, iteration)
        assert len(getattr(self, "iterations", ())) <= 4

    def teardown(self):
        # a walk that was left in the middle still ends
        for iteration in getattr(self, "walk", ()) if getattr(self, "outcome", True) is None else ():
            self.iterations.append(iteration)
        assert len(getattr(self, "iterations", ())) <= 4


def check_iteration(question, plan, iteration):
    """The promises that every single iteration keeps."""
    parts = {part.id: part for part in question.sub_questions}
    for query in iteration.queries:
        assert query.anchors == parts[query.sub_question].anchors
        assert query.focus == parts[query.sub_question].focus
        assert len(query.expansions) <= max(0, plan.limits.max_keywords - len(query.anchors))
        assert not {anchor.key for anchor in query.anchors} & {anchor.key for anchor in query.expansions}
    runnable = [step.pattern for step in plan.steps if step.is_available]
    actions = {(step.signal, step.action) for step in plan.standby if step.is_available}
    opening = (iteration.opened_by.action,) if iteration.opened_by else ()
    assert iteration.executed == (*opening, *runnable)
    assert all(action in {name for _, name in actions} for action in opening)
    assert iteration.trigger is None or (iteration.trigger.signal, iteration.trigger.action) in actions
    assert iteration.budget_before - iteration.budget_after == 1
    assert iteration.budget_after >= 0


def check_outcome(question, plan, outcome):
    """The promises of a whole run."""
    assert 1 <= len(outcome.iterations) <= plan.limits.max_iterations
    assert [iteration.number for iteration in outcome.iterations] == list(range(1, len(outcome.iterations) + 1))
    best = outcome.iterations[outcome.best_iteration - 1]
    assert outcome.answer == best.answer
    if outcome.stop_reason == "satisfied":
        assert outcome.answer.found
    if outcome.stop_reason == "budget_spent":
        assert len(outcome.iterations) == plan.limits.max_iterations
    assert outcome.iterations[0].opened_by is None


def test_the_loop_keeps_its_bounds_when_driven_by_arbitrary_signals():
    run_state_machine_as_test(LoopMachine, settings=settings(max_examples=EXAMPLE_COUNT, stateful_step_count=6))


@settings(max_examples=EXAMPLE_COUNT)
@given(arbitrary.questions, plans, st.lists(arbitrary.turns, min_size=1, max_size=5))
def test_no_trigger_opens_two_iterations_when_signals_repeat(question, plan, turns):
    outcome = run_loop(question, plan, ScriptedPorts(*turns))
    check_outcome(question, plan, outcome)
    acted_on = [iteration.trigger.key for iteration in outcome.iterations[:-1] if iteration.trigger]
    assert len(acted_on) == len(set(acted_on))


@settings(max_examples=EXAMPLE_COUNT)
@given(arbitrary.questions, plans, st.lists(arbitrary.turns, min_size=1, max_size=5))
def test_the_outcome_is_the_same_when_run_again(question, plan, turns):
    first = run_loop(question, plan, ScriptedPorts(*turns))
    assert run_loop(question, plan, ScriptedPorts(*turns)) == first


def test_the_record_is_the_same_when_the_hash_seed_differs():
    """Targets, forms and references go through sets; another order of theirs must not show."""
    command = [sys.executable, "-m", "tests.unit.loop.replay_script"]
    printed = set()
    for seed in ("0", "1", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        printed.add(subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True).stdout)
    assert len(printed) == 1
    hashes = json.loads(printed.pop())
    assert len(set(hashes)) > 1
