"""One test a stop reason that drives the loop into it, and what the outcome says then."""

from __future__ import annotations

import pytest

from pipeline.loop import ActionResult, ModelUse, run_loop
from pipeline.models.plan import Limits
from tests.unit.loop.fakes import (
    EXPANDED,
    INCOMPLETE,
    OPEN,
    VOCABULARY,
    WHOLE,
    Absent,
    ScriptedPorts,
    Turn,
    make_answer,
    make_candidate,
    make_expansion,
    make_plan,
    make_signal,
)
from tests.unit.policy.builders import make_part, make_question

QUESTION = make_question()


def _expanding(number):
    return {"expand_keywords": ActionResult(expansions=(make_expansion(f"term{number}"),))}


def _vary(count, **given):
    """Turns that always bring a new signal and new evidence."""
    return [
        Turn(
            OPEN,
            (make_signal("discovered_vocabulary", f"term{number}"),),
            candidates=(make_candidate(number + 1),),
            results=_expanding(number),
            **given,
        )
        for number in range(count)
    ]


def test_the_run_is_satisfied_when_the_answer_is_whole_and_nothing_is_asked_for():
    ports = ScriptedPorts(Turn(WHOLE, candidates=(make_candidate(1),)))
    outcome = run_loop(QUESTION, make_plan(), ports)
    assert (outcome.stop_reason, outcome.best_iteration, len(outcome.iterations)) == ("satisfied", 1, 1)
    assert outcome.answer == WHOLE
    assert outcome.pending_trigger is None
    assert ports.requests == []


def test_the_run_is_satisfied_when_only_an_action_that_cannot_run_is_asked_for():
    signals = (make_signal("pending_references", "table:2"), make_signal("page_check_failed", "page:2"))
    plan = make_plan()
    plan = plan.model_copy(
        update={"standby": tuple(step.model_copy(update={"is_available": False}) for step in plan.standby)}
    )
    outcome = run_loop(QUESTION, plan, ScriptedPorts(Turn(WHOLE, signals)))
    assert outcome.stop_reason == "satisfied"
    assert "pending_references would ask for resolve_references" in outcome.stop_detail
    assert {skipped.step for skipped in outcome.iterations[0].skipped} >= {"reparse", "resolve_references"}


def test_the_run_is_satisfied_when_only_an_optional_part_is_open():
    question = make_question(make_part("q1"), make_part("q2", is_optional=True))
    outcome = run_loop(question, make_plan(), ScriptedPorts(Turn(WHOLE)))
    assert outcome.stop_reason == "satisfied"


def test_the_budget_is_spent_when_every_iteration_brings_something_new():
    outcome = run_loop(QUESTION, make_plan(), ScriptedPorts(*_vary(9)))
    assert outcome.stop_reason == "budget_spent"
    assert [iteration.number for iteration in outcome.iterations] == [1, 2, 3, 4]
    assert [(i.budget_before, i.budget_after) for i in outcome.iterations] == [(4, 3), (3, 2), (2, 1), (1, 0)]
    assert outcome.pending_trigger.targets == ("term3",)
    assert outcome.iterations[-1].trigger == outcome.pending_trigger
    assert outcome.iterations[1].opened_by.changed == ("q1: term0",)


def test_the_budget_is_smaller_when_the_plan_says_so():
    outcome = run_loop(QUESTION, make_plan(limits=Limits(max_iterations=2)), ScriptedPorts(*_vary(9)))
    assert (outcome.stop_reason, len(outcome.iterations)) == ("budget_spent", 2)


def test_the_run_stops_when_the_same_key_comes_twice():
    turns = (
        Turn(OPEN, (VOCABULARY,), candidates=(make_candidate(1),), results=EXPANDED),
        Turn(OPEN, (VOCABULARY,), candidates=(make_candidate(2),), results=EXPANDED),
    )
    outcome = run_loop(QUESTION, make_plan(), ScriptedPorts(*turns))
    assert (outcome.stop_reason, len(outcome.iterations)) == ("repeated_trigger", 2)
    assert outcome.pending_trigger.key == ("discovered_vocabulary", "expand_keywords", ("term",))


def test_the_same_key_is_recognised_when_its_targets_come_in_another_order():
    signals = [make_signal("discovered_vocabulary", *targets) for targets in (("b", "a"), ("a", "b", "a"))]
    turns = [
        Turn(OPEN, (signal,), candidates=(make_candidate(place),), results=_expanding(place))
        for place, signal in enumerate(signals, 1)
    ]
    assert run_loop(QUESTION, make_plan(), ScriptedPorts(*turns)).stop_reason == "repeated_trigger"


def test_the_run_stops_when_an_action_brings_the_same_evidence():
    turns = (
        Turn(OPEN, (VOCABULARY,), candidates=(make_candidate(1), make_candidate(2)), results=EXPANDED),
        Turn(OPEN, (INCOMPLETE,), candidates=(make_candidate(2), make_candidate(1)), results=_expanding(1)),
    )
    outcome = run_loop(QUESTION, make_plan(), ScriptedPorts(*turns))
    assert (outcome.stop_reason, len(outcome.iterations)) == ("same_evidence", 2)
    assert outcome.pending_trigger.signal == "incomplete_answer"


def test_a_reparse_is_new_evidence_when_the_method_differs(monkeypatch):
    again = make_candidate(1).spans[0].model_copy(update={"method": "reparsed"})
    read = {"reparse": ActionResult(changed=("page:1",))}
    turns = (
        Turn(OPEN, (make_signal("page_check_failed", "page:1"),), candidates=(make_candidate(1),), results=read),
        Turn(WHOLE, candidates=(make_candidate(1, spans=(again,)),)),
    )
    outcome = run_loop(QUESTION, make_plan(monkeypatch), ScriptedPorts(*turns))
    assert (outcome.stop_reason, outcome.best_iteration) == ("satisfied", 2)


def test_regenerating_is_exempt_when_the_evidence_stays_the_same(monkeypatch):
    redo = {"regenerate": ActionResult(changed=("asked again",))}
    turns = (
        Turn(WHOLE, (make_signal("failed_validation", "quote 1"),), ("quote 1",), (make_candidate(1),), redo),
        Turn(WHOLE, (make_signal("failed_validation", "quote 2"),), ("quote 2",), (make_candidate(1),), redo),
        Turn(WHOLE, candidates=(make_candidate(1),)),
    )
    ports = ScriptedPorts(*turns)
    outcome = run_loop(QUESTION, make_plan(monkeypatch), ports)
    assert (outcome.stop_reason, outcome.best_iteration) == ("satisfied", 3)
    assert [brief.faults for brief in ports.briefs] == [(), ("quote 1",), ("quote 2",)]


@pytest.mark.parametrize(("fall", "reason"), [(201, "confidence_fell"), (200, "repeated_trigger")])
def test_the_run_stops_when_confidence_falls_by_more_than_the_threshold(fall, reason):
    turns = (
        Turn(make_answer(confidence=700), (VOCABULARY,), candidates=(make_candidate(1),), results=EXPANDED),
        Turn(make_answer(confidence=700 - fall), (VOCABULARY,), candidates=(make_candidate(2),), results=EXPANDED),
    )
    outcome = run_loop(QUESTION, make_plan(), ScriptedPorts(*turns))
    assert (outcome.stop_reason, outcome.best_iteration) == (reason, 1)
    assert outcome.answer.confidence == 700


def test_the_run_stops_as_drift_when_expansions_bring_most_of_what_is_new():
    stray = [make_candidate(place, matched=(), matched_expansions=("term",)) for place in (2, 3)]
    turns = (
        Turn(OPEN, (VOCABULARY,), candidates=(make_candidate(1),), results=EXPANDED),
        Turn(OPEN, (INCOMPLETE,), candidates=(make_candidate(1), *stray, make_candidate(4))),
    )
    outcome = run_loop(QUESTION, make_plan(), ScriptedPorts(*turns))
    assert outcome.stop_reason == "drift"
    assert outcome.iterations[1].dropped == ("ref:2", "ref:3")
    assert [found.ref for found in outcome.iterations[1].candidates] == ["ref:1", "ref:4"]
    assert [piece.candidate.ref for piece in outcome.iterations[1].evidence] == ["ref:1", "ref:4"]


def test_nothing_is_applicable_when_no_signal_is_raised_and_the_answer_is_open():
    outcome = run_loop(QUESTION, make_plan(), ScriptedPorts(Turn(OPEN)))
    assert outcome.stop_reason == "nothing_applicable"
    assert outcome.stop_detail == "no signal asks for an action of the plan"


def test_nothing_is_applicable_when_the_action_is_not_in_the_plan():
    plan = make_plan().model_copy(update={"standby": ()})
    outcome = run_loop(QUESTION, plan, ScriptedPorts(Turn(OPEN, (VOCABULARY,), results=EXPANDED)))
    assert (outcome.stop_reason, outcome.iterations[0].trigger) == ("nothing_applicable", None)


def test_nothing_is_applicable_when_an_action_changes_nothing():
    ports = ScriptedPorts(Turn(OPEN, (VOCABULARY, INCOMPLETE), results={}))
    outcome = run_loop(QUESTION, make_plan(), ports)
    assert (outcome.stop_reason, len(outcome.iterations)) == ("nothing_applicable", 1)
    assert len(ports.requests) == 2
    assert "expand_keywords for discovered_vocabulary changed nothing" in outcome.stop_detail


def test_an_empty_list_is_no_signal_when_it_has_no_target():
    outcome = run_loop(QUESTION, make_plan(), ScriptedPorts(Turn(OPEN, (make_signal("short_list"),))))
    assert outcome.stop_reason == "nothing_applicable"


def test_the_user_is_asked_back_when_the_question_is_too_vague():
    ports = ScriptedPorts(Turn(WHOLE))
    outcome = run_loop(make_question(clarification="Which cap?"), make_plan(), ports)
    assert (outcome.stop_reason, outcome.iterations, outcome.best_iteration) == ("clarification_needed", (), 0)
    assert outcome.answer.clarification == "Which cap?"
    assert not outcome.answer.found
    assert ports.retrieved == []


def test_the_user_is_asked_back_when_the_generator_needs_it():
    turns = (
        Turn(make_answer(confidence=900), (VOCABULARY,), candidates=(make_candidate(1),), results=EXPANDED),
        Turn(make_answer(found=False, confidence=0, clarification="Which year?"), candidates=(make_candidate(2),)),
    )
    outcome = run_loop(QUESTION, make_plan(), ScriptedPorts(*turns))
    assert (outcome.stop_reason, outcome.best_iteration) == ("clarification_needed", 2)
    assert outcome.answer.clarification == "Which year?"


def test_absence_stops_the_run_when_it_is_established():
    ports = ScriptedPorts(Turn(WHOLE, absence=Absent()))
    outcome = run_loop(QUESTION, make_plan(), ports)
    assert (outcome.stop_reason, outcome.best_iteration, len(outcome.iterations)) == ("absence_established", 1, 1)
    assert (outcome.answer.found, outcome.answer.absence) == (False, "no_match")
    assert outcome.answer.near_misses == ("something near",)
    assert ports.briefs == []
    assert outcome.iterations[0].queries[0].anchors == QUESTION.sub_questions[0].anchors


def test_absence_is_asked_for_again_only_when_nothing_was_found():
    lost = make_answer(found=False, confidence=0)
    turns = (
        Turn(lost, (VOCABULARY,), candidates=(make_candidate(1),), results=EXPANDED),
        Turn(OPEN, (INCOMPLETE,), candidates=(make_candidate(2),), results=_expanding(2)),
        Turn(WHOLE, candidates=(make_candidate(3),)),
    )
    ports = ScriptedPorts(*turns)
    assert run_loop(QUESTION, make_plan(), ports).stop_reason == "satisfied"
    assert ports.absence_count == 2


@pytest.mark.parametrize(
    ("use", "unit"), [(ModelUse(call_count=3, token_count=10), "calls"), (ModelUse(1, 5000), "tokens")]
)
def test_the_run_stops_when_the_cost_ceiling_is_reached(use, unit):
    limits = Limits(max_model_calls=3, max_model_tokens=5000)
    outcome = run_loop(QUESTION, make_plan(limits=limits), ScriptedPorts(*_vary(3, use=use)))
    assert (outcome.stop_reason, len(outcome.iterations)) == ("cost_ceiling", 1)
    assert unit in outcome.stop_detail
    assert outcome.pending_trigger is not None


def test_the_run_goes_on_when_the_cost_is_below_its_ceiling():
    limits = Limits(max_model_calls=3, max_model_tokens=5000)
    outcome = run_loop(QUESTION, make_plan(limits=limits), ScriptedPorts(*_vary(9, use=ModelUse(2, 4999))))
    assert outcome.stop_reason == "budget_spent"


def _flawed(*pages):
    return make_signal("page_check_failed", *(f"page:{page}" for page in pages))


def test_reading_goes_on_with_other_pages_when_the_first_ones_brought_no_evidence(monkeypatch):
    read = {"reparse": ActionResult(changed=("read",))}
    turns = (
        Turn(OPEN, (_flawed(1, 2),), results=read),
        Turn(OPEN, (_flawed(2),), results=read),
        Turn(WHOLE, candidates=(make_candidate(2),)),
    )
    outcome = run_loop(QUESTION, make_plan(monkeypatch), ScriptedPorts(*turns))
    assert (outcome.stop_reason, outcome.best_iteration) == ("satisfied", 3)


def test_a_reparse_stops_as_the_same_evidence_when_no_page_is_left_to_read(monkeypatch):
    read = {"reparse": ActionResult(changed=("read",))}
    turns = (Turn(OPEN, (_flawed(1),), results=read), Turn(OPEN, (INCOMPLETE,), results=EXPANDED))
    outcome = run_loop(QUESTION, make_plan(monkeypatch), ScriptedPorts(*turns))
    assert (outcome.stop_reason, len(outcome.iterations)) == ("same_evidence", 2)


def test_a_whole_answer_satisfies_when_reading_its_page_again_changes_nothing(monkeypatch):
    ports = ScriptedPorts(Turn(WHOLE, (_flawed(1),), candidates=(make_candidate(1),), results={}))
    outcome = run_loop(QUESTION, make_plan(monkeypatch), ports)
    assert (outcome.stop_reason, len(outcome.iterations)) == ("satisfied", 1)
    assert outcome.stop_detail == "reparse for page_check_failed changed nothing"
    assert len(ports.requests) == 1
