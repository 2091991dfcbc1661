"""Actions between iterations: priorities, bounds, what was refused, and what the plan does not list."""

from __future__ import annotations

import pytest

from pipeline.loop import ActionResult, run_loop
from pipeline.loop.best import choose_best
from pipeline.loop.drift import drop_drifted, is_drift
from pipeline.loop.expansions import join_expansions
from pipeline.loop.triggers import choose_trigger
from pipeline.models.plan import Limits, Parameter
from pipeline.models.run import LedgerEntry
from pipeline.policy.vocabulary import TRIGGER_ORDER
from tests.unit.loop.fakes import (
    EXPANDED,
    OPEN,
    VOCABULARY,
    WHOLE,
    ScriptedPorts,
    Turn,
    make_answer,
    make_candidate,
    make_certificate,
    make_expansion,
    make_plan,
    make_signal,
)
from tests.unit.policy.builders import make_anchor, make_part, make_question

QUESTION = make_question()
ALL_SIGNALS = tuple(make_signal(kind, "x") for kind in dict.fromkeys(kind for _, kind, _ in reversed(TRIGGER_ORDER)))


def test_triggers_come_in_their_fixed_order_when_every_signal_is_raised(monkeypatch):
    plan = make_plan(monkeypatch)
    used = set()
    order = []
    while (choice := choose_trigger(ALL_SIGNALS, plan, frozenset(used))).trigger is not None:
        order.append((choice.trigger.priority, choice.trigger.signal, choice.trigger.action))
        used.add(choice.trigger.key)
    assert order == list(TRIGGER_ORDER)
    assert choice.repeated.signal == "page_check_failed"
    assert choose_trigger(ALL_SIGNALS, plan, frozenset(used), frozenset(used)).repeated is None


def test_a_sweep_follows_when_widening_changes_nothing():
    swept = make_candidate(7, derived_from="ref:1")
    results = {"sweep": ActionResult(derived=(swept,))}
    turns = (
        Turn(OPEN, (make_signal("short_list", "q1"),), candidates=(make_candidate(1),), results=results),
        Turn(WHOLE, candidates=(make_candidate(1), make_candidate(2))),
    )
    ports = ScriptedPorts(*turns)
    outcome = run_loop(QUESTION, make_plan(), ports)
    assert [request.trigger.action for request in ports.requests] == ["widen_section", "sweep"]
    opening = outcome.iterations[1].opened_by
    assert (opening.action, opening.changed) == ("sweep", ("q1: ref:7",))
    assert opening.refused == ("widen_section for short_list changed nothing",)
    assert [found.ref for found in outcome.iterations[1].candidates] == ["ref:1", "ref:7", "ref:2"]
    assert outcome.iterations[1].executed[0] == "sweep"


def test_a_sweep_follows_when_the_list_is_still_short_after_widening():
    results = {
        "widen_section": ActionResult(widened=(("q1", 3),)),
        "sweep": ActionResult(derived=(make_candidate(7, derived_from="gone"),)),
    }
    turns = [
        Turn(OPEN, (make_signal("short_list", "q1"),), candidates=(make_candidate(place),), results=results)
        for place in (1, 2, 3)
    ]
    outcome = run_loop(QUESTION, make_plan(), ScriptedPorts(*turns))
    assert [i.opened_by.action for i in outcome.iterations[1:]] == ["widen_section", "sweep"]
    assert outcome.stop_reason == "nothing_applicable"
    assert outcome.stop_detail == "short_list: looking further brought no other member, and the answer says so"
    assert [found.ref for found in outcome.iterations[2].candidates] == ["ref:7", "ref:3"]


def test_a_derived_candidate_stands_once_when_a_step_finds_it_too():
    swept = make_candidate(2, derived_from="ref:1")
    turns = (
        Turn(
            OPEN,
            (make_signal("short_list", "q1"),),
            candidates=(make_candidate(1),),
            results={"sweep": ActionResult(derived=(swept, swept))},
        ),
        Turn(WHOLE, candidates=(make_candidate(1), make_candidate(2))),
    )
    outcome = run_loop(QUESTION, make_plan(), ScriptedPorts(*turns))
    assert [found.ref for found in outcome.iterations[1].candidates] == ["ref:1", "ref:2"]


def test_sections_are_refused_when_an_action_offers_more_than_its_limit():
    offered = tuple(("q1", index) for index in (9, 8, 9, 7, 6))
    turns = (
        Turn(
            OPEN,
            (make_signal("cut_list", "q1"),),
            candidates=(make_candidate(1),),
            results={"widen_section": ActionResult(widened=offered)},
        ),
        Turn(WHOLE, candidates=(make_candidate(2),)),
    )
    outcome = run_loop(QUESTION, make_plan(), ScriptedPorts(*turns))
    assert outcome.iterations[1].queries[0].widened_sections == (7, 8, 9)
    assert outcome.iterations[1].opened_by.refused == ("q1: section 6 is beyond 3 sections an action",)


def test_expansions_are_refused_when_they_add_no_form_or_no_room_is_left():
    plan = make_plan()
    standby = tuple(
        step.model_copy(update={"parameters": (Parameter(name="max_keywords", value=3),)})
        if step.action == "expand_keywords"
        else step
        for step in plan.standby
    )
    offered = (make_expansion("retention", 900), make_expansion("low", 10), make_expansion("high", 90))
    results = {"expand_keywords": ActionResult(expansions=offered, ledger=(_row("a"),))}
    turns = (
        Turn(OPEN, (VOCABULARY,), candidates=(make_candidate(1),), results=results),
        Turn(WHOLE, candidates=(make_candidate(2),)),
    )
    outcome = run_loop(QUESTION, plan.model_copy(update={"standby": standby}), ScriptedPorts(*turns))
    assert [anchor.key for anchor in outcome.iterations[1].queries[0].expansions] == ["high"]
    assert [words.split()[1] for words in outcome.iterations[1].opened_by.refused] == ["retention", "low"]
    assert outcome.ledger == outcome.iterations[1].ledger == (_row("a"),)


def _row(target):
    return LedgerEntry(kind="cross_reference", target=target, outcome="resolved", why="a test")


def test_expansions_keep_their_order_and_the_least_informative_goes_when_the_cap_is_reached():
    anchors = (make_anchor("a"), make_anchor("b", forms=("b", "bee")))
    present = (make_anchor("p", 300), make_anchor("q", 100))
    offered = (make_anchor("r", 200), make_anchor("bee", 999), make_anchor("s", 100), make_anchor("p", 999))
    joined = join_expansions(anchors, present, offered, 5)
    assert [anchor.key for anchor in joined] == ["p", "q", "r"]
    assert join_expansions(anchors, present, offered, 1) == ()


def test_a_drifted_candidate_is_dropped_when_it_carries_neither_focus_nor_half_of_the_weight():
    part = make_part(anchors=(make_anchor("a", 400), make_anchor("b", 500), make_anchor("c", 100)), focus=())
    part = part.model_copy(update={"focus": part.anchors[:1]})
    brief = _brief(part)
    found = (
        make_candidate(1, matched=("c",), matched_expansions=("x",)),
        make_candidate(2, matched=("b",), matched_expansions=("x",)),
        make_candidate(3, matched=("a",), matched_expansions=("x",)),
        make_candidate(4, matched=("c",)),
        make_candidate(5, matched=(), matched_expansions=("x",)),
        make_candidate(6, matched=(), matched_expansions=("x",), derived_from="ref:1"),
    )
    check = drop_drifted(found, brief, frozenset({"ref:5"}), Limits())
    assert [candidate.ref for candidate in check.dropped] == ["ref:1"]
    assert [candidate.ref for candidate in check.kept] == ["ref:2", "ref:3", "ref:4", "ref:5", "ref:6"]
    assert check.new_count == 4


def _brief(part):
    ports = ScriptedPorts(Turn(OPEN))
    run_loop(make_question(part), make_plan(), ports)
    return ports.retrieved[0][1]


@pytest.mark.parametrize(
    ("dropped", "new", "drifts"),
    [(0, 0, False), (0, 3, False), (1, 2, False), (2, 3, True), (3, 3, True), (65, 99, False)],
)
def test_drift_begins_at_two_thirds_when_new_candidates_are_counted(dropped, new, drifts):
    assert is_drift(dropped, new, Limits()) is drifts


def test_the_best_iteration_is_chosen_by_rank_when_several_are_there():
    def best(*turns):
        varied = [
            turn._replace(
                candidates=(make_candidate(place),), signals=(make_signal("discovered_vocabulary", str(place)),)
            )._replace(results={"expand_keywords": ActionResult(expansions=(make_expansion(str(place)),))})
            for place, turn in enumerate(turns, 1)
        ]
        iterations = run_loop(QUESTION, make_plan(), ScriptedPorts(*varied)).iterations
        return choose_best(iterations[: len(turns)]).number

    assert best(Turn(OPEN, faults=("f",)), Turn(make_answer(confidence=400))) == 2
    assert best(Turn(make_answer(confidence=600)), Turn(make_answer(closed=("q1",)))) == 2
    proved = make_answer(certificates=(make_certificate("complete"),), confidence=400)
    lacking = make_answer(certificates=(make_certificate("complete"), make_certificate("incomplete")))
    assert best(Turn(OPEN), Turn(proved)) == 2
    assert best(Turn(lacking), Turn(make_answer(confidence=400))) == 2
    assert best(Turn(OPEN), Turn(make_answer(confidence=501))) == 2
    assert best(Turn(OPEN), Turn(OPEN)) == 1


def test_nothing_is_retrieved_when_no_step_of_the_plan_can_run():
    plan = make_plan()
    plan = plan.model_copy(
        update={"steps": tuple(step.model_copy(update={"is_available": False}) for step in plan.steps)}
    )
    ports = ScriptedPorts(Turn(OPEN, candidates=(make_candidate(1),)))
    outcome = run_loop(QUESTION, plan, ports)
    assert ports.retrieved == []
    assert outcome.iterations[0].executed == ()
    assert [skipped.step for skipped in outcome.iterations[0].skipped] == ["keyword", "aggregation"]


def test_only_the_best_candidates_are_kept_when_there_are_many():
    found = tuple(make_candidate(place) for place in range(1, 8))
    ports = ScriptedPorts(Turn(OPEN, candidates=found))
    few = run_loop(QUESTION, make_plan(limits=Limits(max_candidates=3)), ports).iterations[0]
    assert (len(few.candidates), few.candidate_count) == (3, 7)
    fewer = ScriptedPorts(Turn(OPEN, candidates=found[:6]))
    assert run_loop(QUESTION, make_plan(), fewer).iterations[0].ranking_hash != few.ranking_hash


def test_the_original_question_is_handed_on_when_expansions_came_in():
    turns = (
        Turn(OPEN, (VOCABULARY,), candidates=(make_candidate(1),), results=EXPANDED),
        Turn(WHOLE, candidates=(make_candidate(2),)),
    )
    ports = ScriptedPorts(*turns)
    run_loop(QUESTION, make_plan(), ports)
    assert all(brief.question == QUESTION for brief in ports.briefs)
    assert [brief.expansions for _, brief in ports.retrieved if brief.expansions]
