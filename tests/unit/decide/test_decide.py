"""Decide is pure and total: any facts give a plan within limits, with the outcome of every rule."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.decide import build_plan, lower_limits
from pipeline.errors import RuleConflict
from pipeline.models.plan import Limits
from pipeline.policy.rulebook import load_rulebook
from pipeline.policy.vocabulary import AVAILABLE, PHASES, TRIGGER_ORDER
from tests.unit.policy.builders import any_facts, make_facts, make_rule, write_rules

TOC = 'pattern = "toc_retrieval"'
SHIPPED = load_rulebook()
limit_values = st.fixed_dictionaries({}, optional={name: st.integers(-2, 5000) for name in Limits.model_fields})


def _load(tmp_path, *rules, **given_to_folder):
    return load_rulebook(write_rules(tmp_path / "r", *rules, **given_to_folder))


def _state_of(plan, rule_id):
    return next(outcome for outcome in plan.outcomes if outcome.rule == rule_id)


@given(any_facts, limit_values)
def test_any_facts_give_a_plan_within_limits_when_decided_by_the_shipped_rules(facts, asked):
    plan = build_plan(facts, SHIPPED, Limits(**asked))
    assert any(step.pattern == "keyword" and step.is_available for step in plan.steps)
    patterns = [step.pattern for step in plan.steps]
    assert patterns == [pattern for pattern in PHASES if pattern in patterns]
    order = [(signal, action) for _, signal, action in TRIGGER_ORDER]
    places = [order.index((step.signal, step.action)) for step in plan.standby]
    assert places == sorted(set(places))
    assert [outcome.rule for outcome in plan.outcomes] == [rule.id for rule in SHIPPED.rules]
    assert 1 <= plan.worst_case_iterations == plan.limits.max_iterations <= 4
    for name in Limits.model_fields:
        if name not in ("max_model_calls", "max_model_tokens"):
            assert 0 <= getattr(plan.limits, name) <= getattr(Limits(), name)
    assert build_plan(facts, SHIPPED, Limits(**asked)) == plan


@given(any_facts)
def test_every_outcome_is_explained_when_decided(facts):
    plan = build_plan(facts, SHIPPED)
    placed = {rule for step in (*plan.steps, *plan.standby) for rule in step.rules}
    for outcome in plan.outcomes:
        assert (outcome.state == "fired") == (outcome.rule in placed)
        assert (outcome.state == "blocked") == bool(outcome.blocked_by)
        for condition in outcome.blocked_by:
            assert condition.observed == getattr(facts, condition.fact)
            assert condition.is_met == (condition.group == "none")


def test_steps_say_what_this_version_can_run_when_planned():
    plan = build_plan(make_facts(scanned_page_count=1, is_open=True, is_listing=True, has_usable_outline=True), SHIPPED)
    assert {step.pattern: step.is_available for step in plan.steps} == {
        pattern: pattern in AVAILABLE for pattern in PHASES
    }


def test_equal_steps_merge_and_keep_both_rules_when_two_fire():
    plan = build_plan(make_facts(has_section_hint=True, is_open=True), SHIPPED)
    step = next(step for step in plan.steps if step.pattern == "two_hop")
    assert step.rules == ("HOP01", "HOP02")
    assert len(step.because) == 2


def test_a_conflict_is_raised_when_two_rules_ask_for_one_pattern_differently(tmp_path):
    rules = _load(tmp_path, make_rule("ABC12", TOC + "\nmax_sections = 1"), make_rule("ABC13", TOC))
    with pytest.raises(RuleConflict, match="rules ABC12 and ABC13 ask for toc_retrieval with different parameters"):
        build_plan(make_facts(), rules)


def test_a_conflict_is_avoided_when_one_rule_overrides_the_other(tmp_path):
    wide = make_rule("ABC12", TOC + "\nmax_sections = 3")
    narrow = make_rule("ABC13", TOC + "\nmax_sections = 1", extra='overrides = ["ABC12"]')
    plan = build_plan(make_facts(), _load(tmp_path, wide, narrow))
    assert _state_of(plan, "ABC12").state == "overridden"
    assert _state_of(plan, "ABC12").overridden_by == ("ABC13",)
    step = next(step for step in plan.steps if step.pattern == "toc_retrieval")
    assert [parameter.value for parameter in step.parameters] == [1]
    assert step.rules == ("ABC13",)


def test_a_rule_stays_when_the_one_that_overrides_it_is_blocked(tmp_path):
    wide = make_rule("ABC12", TOC + "\nmax_sections = 3")
    when = 'all = [{ fact = "page_count", op = "above", value = 9 }]'
    narrow = make_rule("ABC13", TOC + "\nmax_sections = 1", when, extra='overrides = ["ABC12"]')
    plan = build_plan(make_facts(page_count=9), _load(tmp_path, wide, narrow))
    assert _state_of(plan, "ABC12").state == "fired"
    assert _state_of(plan, "ABC13").blocked_by[0].observed == 9


def test_preview_rules_run_in_shadow_when_they_would_fire_or_not(tmp_path):
    when = 'all = [{ fact = "is_listing", op = "is", value = true }]'
    rules = _load(
        tmp_path,
        make_rule("ABC12", TOC, status="preview", extra='overrides = ["KEY01"]'),
        make_rule("ABC13", TOC, when, status="preview"),
        make_rule("ABC14", TOC, status="retired"),
    )
    plan = build_plan(make_facts(), rules)
    states = {outcome.rule: outcome.state for outcome in plan.outcomes}
    assert states == {"ABC12": "shadow_fired", "ABC13": "shadow_blocked", "ABC14": "retired", "KEY01": "fired"}
    assert [step.pattern for step in plan.steps] == ["keyword"]
    assert _state_of(plan, "ABC13").blocked_by[0].fact == "is_listing"
    assert _state_of(plan, "ABC14").blocked_by == ()


def test_a_parameter_is_lowered_when_the_limit_is_lower(tmp_path):
    book = 'name = "own"\n[limits]\nmax_sections = 2'
    plan = build_plan(make_facts(), _load(tmp_path, make_rule("ABC12", TOC + "\nmax_sections = 3"), book=book))
    step = next(step for step in plan.steps if step.pattern == "toc_retrieval")
    assert [(parameter.name, parameter.value) for parameter in step.parameters] == [("max_sections", 2)]


def test_limits_are_only_lowered_when_rulebook_and_run_ask(tmp_path):
    rules = _load(tmp_path, book='name = "own"\n[limits]\nmax_iterations = 3\nmax_keywords = 5')
    limits = lower_limits(Limits(max_iterations=9, max_keywords=4, max_sections=-3, max_model_calls=6), rules)
    assert (limits.max_iterations, limits.max_keywords, limits.max_sections, limits.max_model_calls) == (3, 4, 0, 6)
    assert lower_limits(Limits(max_iterations=0), rules).max_iterations == 1


def test_the_worst_case_names_model_calls_when_a_model_writes():
    limits = Limits(max_model_calls=6, max_model_tokens=9000)
    with_model = build_plan(make_facts(has_model_engine=True), SHIPPED, limits)
    without = build_plan(make_facts(), SHIPPED, limits)
    assert (with_model.worst_case_model_calls, with_model.worst_case_model_tokens) == (6, 9000)
    assert (without.worst_case_model_calls, without.worst_case_model_tokens) == (0, 0)


@pytest.mark.parametrize(("scanned", "page_count"), [(1, 4 * 8), (0, 3 * 8)])
def test_the_worst_case_counts_reparsed_pages_when_reparse_can_run(monkeypatch, scanned, page_count):
    monkeypatch.setattr("pipeline.decide.AVAILABLE", AVAILABLE | {"reparse"})
    assert build_plan(make_facts(scanned_page_count=scanned), SHIPPED).worst_case_reparsed_pages == page_count


def test_the_worst_case_counts_no_page_when_reparse_cannot_run(monkeypatch):
    monkeypatch.setattr("pipeline.decide.AVAILABLE", AVAILABLE - {"reparse"})
    assert build_plan(make_facts(scanned_page_count=1), SHIPPED).worst_case_reparsed_pages == 0
