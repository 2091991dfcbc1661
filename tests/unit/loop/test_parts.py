"""Parts of a question share the budget: independent ones one iteration, sequential ones the next."""

from __future__ import annotations

from pipeline.loop import ActionResult, run_loop
from pipeline.models.plan import Limits
from tests.unit.loop.fakes import (
    EXPANDED,
    OPEN,
    VOCABULARY,
    ScriptedPorts,
    Turn,
    make_answer,
    make_candidate,
    make_certificate,
    make_item,
    make_plan,
    make_signal,
)
from tests.unit.policy.builders import make_part, make_question

BOTH = make_question(make_part("q1"), make_part("q2"))
ONE_AFTER_THE_OTHER = make_question(make_part("q1"), make_part("q2", depends_on=("q1",)), decomposition="sequential")
FIRST = make_answer(
    complete=True,
    closed=("q1",),
    text="first",
    items=(make_item("q1", "first"),),
    confidence=800,
    caveats=("c1",),
    certificates=(make_certificate("complete"),),
)
SECOND = make_answer(
    complete=True, closed=("q2",), text="second", items=(make_item("q2", "second"),), confidence=900, caveats=("c2",)
)


def _served(outcome):
    return [[query.sub_question for query in iteration.queries] for iteration in outcome.iterations]


def test_independent_parts_are_served_together_when_both_are_open():
    whole = make_answer(complete=True, closed=("q1", "q2"))
    outcome = run_loop(BOTH, make_plan(), ScriptedPorts(Turn(whole)))
    assert _served(outcome) == [["q1", "q2"]]


def test_a_sequential_part_takes_the_next_iteration_when_its_predecessor_is_closed():
    turns = (Turn(FIRST, candidates=(make_candidate(1),)), Turn(SECOND, candidates=(make_candidate(2, "q2"),)))
    outcome = run_loop(ONE_AFTER_THE_OTHER, make_plan(), ScriptedPorts(*turns))
    assert outcome.stop_reason == "satisfied"
    assert _served(outcome) == [["q1"], ["q2"]]
    assert outcome.iterations[1].opened_by is None
    answer = outcome.answer
    assert [item.text for item in answer.items] == ["first", "second"]
    assert (answer.text, answer.closed, answer.confidence) == ("first\nsecond", ("q1", "q2"), 800)
    assert answer.caveats == ("c1", "c2")
    assert len(answer.certificates) == 1


def test_a_sequential_part_takes_its_turn_when_an_action_changes_nothing():
    turns = (Turn(FIRST, (VOCABULARY,), candidates=(make_candidate(1),)), Turn(SECOND))
    outcome = run_loop(ONE_AFTER_THE_OTHER, make_plan(), ScriptedPorts(*turns))
    assert (outcome.stop_reason, _served(outcome)) == ("satisfied", [["q1"], ["q2"]])


def test_a_sequential_part_takes_its_turn_when_the_evidence_of_an_action_is_the_same():
    turns = (
        Turn(OPEN, (VOCABULARY,), candidates=(make_candidate(1),), results=EXPANDED),
        Turn(FIRST, candidates=(make_candidate(1),)),
        Turn(SECOND, candidates=(make_candidate(1, "q2"),)),
    )
    outcome = run_loop(ONE_AFTER_THE_OTHER, make_plan(), ScriptedPorts(*turns))
    assert (outcome.stop_reason, _served(outcome)) == ("satisfied", [["q1"], ["q1"], ["q2"]])


def test_a_sequential_part_waits_when_its_predecessor_stays_open():
    outcome = run_loop(ONE_AFTER_THE_OTHER, make_plan(), ScriptedPorts(Turn(OPEN)))
    assert (outcome.stop_reason, _served(outcome)) == ("nothing_applicable", [["q1"]])
    assert "q2 waits for a part that is still open" in outcome.stop_detail


def test_a_sequential_part_is_named_when_the_budget_ends_before_its_turn():
    outcome = run_loop(ONE_AFTER_THE_OTHER, make_plan(limits=Limits(max_iterations=1)), ScriptedPorts(Turn(FIRST)))
    assert (outcome.stop_reason, outcome.pending_trigger) == ("budget_spent", None)
    assert "a part that waited is pending" in outcome.stop_detail
    assert outcome.answer == FIRST


def test_a_closed_part_keeps_its_items_when_the_other_is_looked_for_again():
    turns = (
        Turn(FIRST, (make_signal("incomplete_answer", "q2"),), candidates=(make_candidate(1),), results=EXPANDED),
        Turn(make_answer(found=False, text="", confidence=100), candidates=(make_candidate(2, "q2"),)),
    )
    outcome = run_loop(BOTH, make_plan(), ScriptedPorts(*turns))
    assert _served(outcome) == [["q1", "q2"], ["q2"]]
    last = outcome.iterations[-1].answer
    assert (last.found, last.text, last.closed) == (True, "first", ("q1",))
    assert outcome.best_iteration == 1


def test_a_closed_part_is_served_again_when_the_signal_is_about_it():
    widened = {"widen_section": ActionResult(widened=(("q1", 3),))}
    turns = (
        Turn(FIRST, (make_signal("short_list", "q1"),), candidates=(make_candidate(1),), results=widened),
        Turn(make_answer(complete=True, closed=("q1", "q2")), candidates=(make_candidate(2),)),
    )
    outcome = run_loop(BOTH, make_plan(), ScriptedPorts(*turns))
    assert _served(outcome) == [["q1", "q2"], ["q1", "q2"]]
    assert outcome.iterations[1].queries[0].widened_sections == (3,)
    assert outcome.iterations[1].queries[1].widened_sections == ()


def test_every_part_is_served_again_when_pages_are_read_again(monkeypatch):
    read = {"reparse": ActionResult(changed=("page:1",))}
    whole = make_answer(complete=True, closed=("q1", "q2"))
    turns = (
        Turn(whole, (make_signal("page_check_failed", "page:1"),), candidates=(make_candidate(1),), results=read),
        Turn(whole, candidates=(make_candidate(2),)),
    )
    outcome = run_loop(BOTH, make_plan(monkeypatch), ScriptedPorts(*turns))
    assert _served(outcome) == [["q1", "q2"], ["q1", "q2"]]


def test_every_part_is_served_again_when_all_are_closed_and_the_targets_are_no_parts():
    whole = make_answer(closed=("q1", "q2"))
    turns = (
        Turn(whole, (VOCABULARY,), candidates=(make_candidate(1),), results=EXPANDED),
        Turn(whole, candidates=(make_candidate(2),)),
    )
    assert _served(run_loop(BOTH, make_plan(), ScriptedPorts(*turns))) == [["q1", "q2"], ["q1", "q2"]]


def test_parts_take_turns_in_the_evidence_when_both_have_candidates():
    found = tuple(make_candidate(place, part) for part, place in (("q1", 1), ("q1", 2), ("q1", 3), ("q2", 4)))
    outcome = run_loop(BOTH, make_plan(), ScriptedPorts(Turn(OPEN, candidates=found)))
    assert [piece.ref for piece in outcome.iterations[0].candidates] == ["ref:1", "ref:4", "ref:2", "ref:3"]


def test_items_without_a_known_part_come_last_when_answers_are_joined():
    stray = make_answer(closed=("q2",), items=(make_item("q9", "stray"), make_item("q2", "second")))
    turns = (Turn(FIRST, candidates=(make_candidate(1),)), Turn(stray, candidates=(make_candidate(2, "q2"),)))
    outcome = run_loop(ONE_AFTER_THE_OTHER, make_plan(), ScriptedPorts(*turns))
    assert [item.text for item in outcome.iterations[1].answer.items] == ["first", "second", "stray"]
