"""Why a rule did nothing: its blockers, the smallest change, its signal, and what went first."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.decide import build_plan
from pipeline.errors import UsageError
from pipeline.loop import ActionResult
from pipeline.models.settings import RunSettings
from pipeline.policy.cases import make_facts
from pipeline.policy.rulebook import load_rulebook
from pipeline.rerun.judging import find_outcome
from pipeline.rerun.samples import build_facts
from pipeline.rerun.why_not import explain_rule
from tests.unit.loop.fakes import EXPANDED, VOCABULARY, WHOLE, Turn, make_answer, make_candidate, make_signal
from tests.unit.policy.builders import make_rule, write_rules
from tests.unit.rerun.records import make_record

BOOK = load_rulebook()
OPEN = make_answer(confidence=300)
SHORT = make_signal("short_list", "q1")


def _changes(why) -> list[tuple[str, object, bool]]:
    return [(change.fact, change.needed, change.is_read) for change in why.changes]


def test_the_blocker_and_the_smallest_change_are_named_when_a_rule_was_blocked():
    record = make_record(facts_given={"page_count": 9})
    why = explain_rule(record, "RPR01")
    assert why.state == "blocked"
    assert "scanned_page_count at least 1, but it is 0" in why.words
    assert _changes(why) == [("scanned_page_count", 1, True)]
    facts = build_facts(record.body.facts).model_copy(update={change.fact: change.needed for change in why.changes})
    assert find_outcome(build_plan(facts, BOOK), "RPR01").state == "fired"


def test_facts_that_go_along_are_told_apart_when_the_rule_does_not_read_them():
    why = explain_rule(make_record(facts_given=make_facts({}).model_dump()), "TOC01")
    assert _changes(why) == [
        ("has_usable_outline", True, True),
        ("has_sections", True, False),
        ("section_source", "outline", False),
        ("section_count", 1, False),
    ]


def test_no_change_is_named_when_the_rule_fired_or_is_retired(tmp_path: Path):
    why = explain_rule(make_record(), "KEY01")
    assert (why.state, why.changes) == ("fired", ())
    assert why.words == "KEY01 fired; keyword ran in iteration 1"
    retired = load_rulebook(write_rules(tmp_path, make_rule("ABC01", 'pattern = "two_hop"', status="retired")))
    why = explain_rule(make_record(rulebook=retired), "ABC01")
    assert why.changes == ()
    assert "is retired" in why.words


def test_a_step_did_not_run_when_this_version_cannot():
    why = explain_rule(make_record(facts_given={"scanned_page_count": 1, "page_count": 2}), "RPR01")
    assert why.words.startswith("RPR01 fired; reparse ")


def test_a_preview_rule_is_explained_when_it_would_have_fired_or_not(tmp_path: Path):
    when = 'all = [{ fact = "page_count", op = "at_least", value = 5 }]'
    book = load_rulebook(write_rules(tmp_path, make_rule("ABC01", 'pattern = "two_hop"', when, status="preview")))
    fired = explain_rule(make_record(rulebook=book, facts_given={"page_count": 5}), "ABC01")
    assert "would have fired, but it is a preview rule" in fired.words
    assert fired.changes == ()
    blocked = explain_rule(make_record(rulebook=book, facts_given={"page_count": 2}), "ABC01")
    assert _changes(blocked)[0] == ("page_count", 5, True)


def test_the_rule_that_sets_aside_is_named_with_the_change_that_silences_it_when_overridden(tmp_path: Path):
    when = 'all = [{ fact = "is_open", op = "is", value = true }]'
    over = make_rule("ABC02", 'pattern = "reparse"', when, extra='overrides = ["ABC01"]')
    book = load_rulebook(write_rules(tmp_path, make_rule("ABC01", 'pattern = "two_hop"'), over))
    why = explain_rule(make_record(rulebook=book, facts_given={"is_open": True}), "ABC01")
    assert (why.state, why.overridden_by) == ("overridden", ("ABC02",))
    assert "ABC02 set it aside" in why.words
    assert ("is_open", False, True) in _changes(why)


def test_nothing_would_have_fired_it_when_the_rule_contradicts_itself(tmp_path: Path):
    when = 'all = [{ fact = "page_count", op = "above", value = 5 }, { fact = "page_count", op = "below", value = 5 }]'
    book = load_rulebook(write_rules(tmp_path, make_rule("ABC01", 'pattern = "two_hop"', when)))
    assert explain_rule(make_record(rulebook=book), "ABC01").changes == ()


def test_a_rule_is_refused_when_the_run_was_decided_without_it():
    with pytest.raises(UsageError, match="without a rule ABC99"):
        explain_rule(make_record(), "ABC99")


def test_an_old_record_is_explained_by_its_blockers_when_it_keeps_no_conditions():
    record = make_record()
    bare = tuple(outcome.model_copy(update={"conditions": ()}) for outcome in record.body.plan.outcomes)
    old = make_record(plan=record.body.plan.model_copy(update={"outcomes": bare}))
    assert ("has_usable_outline", True, True) in _changes(explain_rule(old, "TOC01"))


def test_the_signal_is_told_when_a_standby_rule_waited_in_vain():
    signal = explain_rule(make_record(facts_given={"is_listing": True}), "LST02").signal
    assert (signal.iterations, signal.acted_after) == ((), ())
    assert signal.words == "no iteration gave the signal short list"


def test_the_iteration_is_told_when_its_signal_was_acted_on():
    turns = Turn(OPEN, (VOCABULARY,), results=EXPANDED, candidates=(make_candidate(1),)), Turn(WHOLE)
    signal = explain_rule(make_record(*turns), "EXP01").signal
    assert (signal.iterations, signal.acted_after) == ((1,), (1,))
    assert signal.words == "iteration 1 gave the signal discovered vocabulary: expand keywords followed"


def test_what_went_first_is_told_when_a_signal_was_passed_over():
    turns = (
        Turn(OPEN, (VOCABULARY, SHORT), results=EXPANDED, candidates=(make_candidate(1),)),
        Turn(make_answer(confidence=400), (SHORT,), candidates=(make_candidate(2),)),
    )
    record = make_record(*turns, facts_given={"is_listing": True}, settings=RunSettings(max_iterations=2))
    why = explain_rule(record, "LST01")
    assert why.signal.iterations == (1, 2)
    first, second = why.signal.words.split("; ")
    assert first.endswith("expand keywords for discovered vocabulary (priority 2) went first")
    assert second.startswith("iteration 2 gave the signal short list: the run stopped (")


def test_the_reason_is_the_version_when_the_action_is_not_available(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("pipeline.decide.AVAILABLE", frozenset({"keyword"}))
    record = make_record(Turn(OPEN, (SHORT,)), facts_given={"is_listing": True})
    assert explain_rule(record, "LST01").signal.words.endswith("widen section is not available in this version")


def test_a_part_went_first_when_no_trigger_was_chosen():
    record = make_record(Turn(OPEN, (VOCABULARY,), results=EXPANDED, candidates=(make_candidate(1),)), Turn(WHOLE))
    first, second = record.body.iterations
    waiting = first.model_copy(update={"trigger": None})
    again = make_record(iterations=(waiting, second))
    assert explain_rule(again, "EXP01").signal.words.endswith("a part whose turn had come went first")


def test_the_signal_of_a_blocked_rule_is_told_when_the_rulebook_of_the_run_is_at_hand(tmp_path: Path):
    record = make_record(Turn(OPEN, (SHORT,)), Turn(WHOLE))
    assert explain_rule(record, "LST01").signal is None
    assert explain_rule(record, "LST01", BOOK).signal.words.endswith("but nothing in the plan waited for it")
    assert explain_rule(record, "TOC01", BOOK).signal is None
    other = load_rulebook(write_rules(tmp_path, book='name = "own"\nextends = "default"', has_default=False))
    assert explain_rule(record, "LST01", other).signal is None


def test_a_sweep_is_told_apart_from_widening_when_both_wait_for_one_signal():
    results = {"sweep": ActionResult(derived=(make_candidate(7, derived_from="ref:1"),))}
    turns = Turn(OPEN, (SHORT,), results=results, candidates=(make_candidate(1),)), Turn(WHOLE)
    record = make_record(*turns, facts_given={"is_listing": True})
    assert explain_rule(record, "LST02").signal.acted_after == (1,)
    assert explain_rule(record, "LST01").signal.words.endswith("sweep for short list (priority 4) went first")
