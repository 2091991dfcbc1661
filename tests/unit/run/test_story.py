"""The story of a run: who spent each iteration, what changed, which rule acted, why it stopped."""

from __future__ import annotations

import pytest

from pipeline.loop import ActionResult
from pipeline.models.question import Hint, Pick
from pipeline.models.run import LedgerEntry, StopReason
from pipeline.models.settings import RunSettings
from pipeline.run.story import STOP_WORDS, tell_iterations, tell_run
from tests.unit.loop.fakes import (
    EXPANDED,
    INCOMPLETE,
    VOCABULARY,
    WHOLE,
    Turn,
    make_answer,
    make_candidate,
    make_certificate,
    make_signal,
)
from tests.unit.policy.builders import make_anchor, make_part, make_question
from tests.unit.rerun.records import make_record

OPEN = make_answer(confidence=300)
TWO = (
    Turn(OPEN, (VOCABULARY,), candidates=(make_candidate(1), make_candidate(2)), results=EXPANDED),
    Turn(WHOLE, candidates=(make_candidate(1), make_candidate(3))),
)
LIST_FACTS = {"is_listing": True}
SCANNED_FACTS = {"scanned_page_count": 2, "page_count": 9}


def test_one_row_tells_who_spent_an_iteration_when_an_action_opened_it():
    first, second = tell_iterations(make_record(*TWO, facts_given=LIST_FACTS).body)
    assert (first.spent_by, first.rules) == ("the steps of the plan", ("KEY01", "AGG01"))
    assert (first.budget_before, first.budget_after, first.confidence_change) == (4, 3, 0)
    assert first.followed_by == "discovered vocabulary asks to expand keywords (term)"
    assert first.signals == ("discovered_vocabulary: term",)
    assert second.spent_by == "expand keywords, because of discovered vocabulary (term)"
    assert second.rules == ("EXP01",)
    assert second.changed == ("q1: term",)
    assert (second.evidence_added, second.evidence_lost) == (("ref:3",), ("ref:2",))
    assert second.confidence_change == 600
    assert second.followed_by == "stop: satisfied"
    assert (first.is_best, second.is_best) == (False, True)


def test_a_part_spends_an_iteration_when_its_turn_has_come():
    parts = make_part("q1"), make_part("q2", depends_on=("q1",))
    turns = (
        Turn(make_answer(closed=("q1",)), candidates=(make_candidate(1),)),
        Turn(make_answer(complete=True, closed=("q1", "q2")), candidates=(make_candidate(1, "q2"),)),
    )
    record = make_record(*turns, question=make_question(*parts, decomposition="sequential"))
    first, second = tell_iterations(record.body)
    assert first.followed_by == "the next part"
    assert second.spent_by == "a part whose turn had come"
    assert second.parts == ("q2",)
    assert "q2: look for retention, period; judged on retention; after q1" in tell_run(record).understood


def test_rules_say_why_and_where_they_acted_when_they_fired():
    story = tell_run(make_record(*TWO, facts_given=LIST_FACTS))
    rules = {rule.rule: rule for rule in story.rules}
    assert rules["EXP01"].iterations == (2,)
    assert rules["KEY01"].iterations == (1, 2)
    assert rules["AGG01"].then == "aggregation"
    assert rules["AGG01"].because.startswith("a list is only complete")
    assert "TOC01" not in rules


def test_a_rule_acted_nowhere_when_this_version_cannot_run_its_step(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("pipeline.decide.AVAILABLE", frozenset({"keyword"}))
    story = tell_run(make_record(facts_given=SCANNED_FACTS))
    [rule] = [rule for rule in story.rules if rule.rule == "RPR01"]
    assert rule.iterations == ()
    # the other alternative did not make it fire
    assert [condition.fact for condition in rule.conditions] == ["scanned_page_count"]
    assert [words.partition(":")[0] for words in story.not_run] == ["reparse"]


def test_facts_are_told_when_they_fired_or_blocked_a_rule():
    story = tell_run(make_record(facts_given={**LIST_FACTS, **SCANNED_FACTS}))
    facts = {use.fact: use for use in story.facts}
    assert "AGG01" in facts["is_listing"].fired
    assert facts["is_listing"].blocked == ()
    assert facts["scanned_page_count"].fired == ("RPR01",)
    assert "RPR01" not in facts.get("garbled_page_count", facts["is_listing"]).blocked
    assert "TOC01" in facts["has_usable_outline"].blocked
    assert "moon_phase" not in facts


def test_a_preview_rule_puts_nothing_into_the_plan_when_it_would_have_fired():
    record = make_record()
    [first, *others] = record.body.plan.outcomes
    shadow = first.model_copy(update={"state": "shadow_fired"})
    plan = record.body.plan.model_copy(update={"outcomes": (shadow, *others)})
    story = tell_run(make_record(plan=plan))
    assert (story.rules[0].rule, story.rules[0].then) == (first.rule, "nothing (preview)")


def test_the_end_is_told_with_what_was_pending_when_the_budget_is_spent():
    story = tell_run(make_record(Turn(OPEN, (VOCABULARY,), results=EXPANDED), settings=RunSettings(max_iterations=1)))
    assert story.stop_reason == "budget_spent"
    assert story.stop_words.startswith(STOP_WORDS["budget_spent"])
    assert story.pending == "discovered vocabulary asks to expand keywords (term)"
    assert len(story.iterations) == 1


def test_ledgers_certificates_and_confidence_are_parted_when_the_run_has_them():
    rows = (
        LedgerEntry(kind="cross_reference", target="section:4", outcome="resolved", why="named in q1"),
        LedgerEntry(kind="reparse", target="page:3", outcome="kept", why="no better"),
    )
    answer = make_answer(certificates=(make_certificate("complete"),), confidence_parts=("no open trigger: +200",))
    story = tell_run(make_record(Turn(answer), ledger=rows))
    assert (story.references, story.reparses) == (rows[:1], rows[1:])
    assert story.certificates[0].verdict == "complete"
    assert story.confidence_parts == ("no open trigger: +200",)


def test_the_question_is_told_as_understood_when_it_names_places_and_exclusions():
    part = make_part(pick=Pick(text="which is longest", anchors=()), anchors=(), focus=())
    question = make_question(
        part,
        hints=(Hint(kind="printed_page", value="4", key="page:4"),),
        periods=("2018",),
        exclusions=("the deductible",),
        anchors=(make_anchor("x"),),
    )
    understood = tell_run(make_record(question=question)).understood
    assert understood == (
        "lookup, answer as value, single, language en",
        "q1: look for nothing; judged on nothing",
        "q1: then pick: which is longest",
        "places named: printed page 4",
        "times named: 2018",
        "kept out of the answer, not of the search: the deductible",
    )


def test_what_is_asked_back_is_told_when_nothing_was_run():
    question = make_question(clarification="which lease?")
    story = tell_run(make_record(question=question))
    assert story.iterations == ()
    assert story.understood[-1] == "to be asked back: which lease?"
    assert story.answer == "which lease?"


def test_what_could_not_run_is_told_once_when_several_iterations_skipped_it():
    story = tell_run(make_record(*TWO, facts_given=LIST_FACTS))
    assert len(story.not_run) == len(set(story.not_run))


def test_every_stop_has_words_when_listed():
    assert set(STOP_WORDS) == set(StopReason.__args__)


@pytest.mark.parametrize("signal", ["short_list", "cut_list"])
def test_lists_widen_by_the_rule_of_their_signal_when_they_are_short(signal: str):
    results = {"widen_section": ActionResult(widened=(("q1", 4),))}
    turns = Turn(OPEN, (make_signal(signal, "q1"), INCOMPLETE), results=results), Turn(WHOLE)
    _, second = tell_iterations(make_record(*turns, facts_given={"is_listing": True}).body)
    assert second.rules == (("LST01",) if signal == "short_list" else ("LST03",))
