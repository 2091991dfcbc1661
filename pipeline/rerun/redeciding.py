"""Recorded questions decided under another rulebook from their recorded facts; nothing is parsed, asked or run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from pipeline.decide import build_plan
from pipeline.errors import RecordError, RuleConflict
from pipeline.models.plan import Limits
from pipeline.models.rule_reports import PlanChange, RuleChange, RulesDifference
from pipeline.rerun.judging import list_effects
from pipeline.rerun.samples import build_facts

if TYPE_CHECKING:
    from pipeline.models.plan import Plan
    from pipeline.models.run import RunRecord
    from pipeline.policy.rulebook import Rulebook
    from pipeline.rerun.samples import RunsRead

_EXAMPLE_COUNT = 3
_ABSENT = "absent"


class _Pair(NamedTuple):
    """One run under both rulebooks; a plan is None where the rules contradict each other, and `conflict` says how."""

    record: RunRecord
    old: Plan | None
    new: Plan | None
    conflict: str


def redecide(record: RunRecord, rulebook: Rulebook) -> Plan:
    """The plan that a rulebook makes of the recorded facts and the limits that the run asked for.

    Raises:
        RecordError: the record has other facts than this version reads.
        RuleConflict: the rulebook gives no plan for them.
    """
    asked = record.body.settings.max_iterations
    limits = Limits() if asked is None else Limits(max_iterations=asked)
    return build_plan(build_facts(record.body.facts), rulebook, limits)


def compare_rulebooks(old: Rulebook, new: Rulebook, runs: RunsRead) -> RulesDifference:
    """Decide every recorded question under two rulebooks and list the plans that change, by run and by rule."""
    pairs: list[_Pair] = []
    left_out = list(runs.left_out)
    for record in runs.records:
        try:
            pairs.append(_decide_twice(record, old, new))
        except RecordError as error:
            left_out.append(f"run {record.run_id}: {error}")
    changes = tuple(change for pair in pairs if (change := _compare_plans(pair)) is not None)
    return RulesDifference(
        old=old.name,
        old_revision=old.revision,
        new=new.name,
        new_revision=new.revision,
        run_count=len(pairs),
        changes=changes,
        rules=_count_rules(pairs),
        has_other_lexicons=has_other_words(old, new),
        thresholds=list_thresholds(old, new),
        left_out=tuple(left_out),
    )


def list_thresholds(old: Rulebook, new: Rulebook) -> tuple[str, ...]:
    """The thresholds of two rulebooks that differ, in words."""
    before, after = old.lexicons.of("en").thresholds, new.lexicons.of("en").thresholds
    pairs = zip(before, after, strict=True)
    return tuple(f"{name} {value} to {other}" for (name, value), (_, other) in pairs if value != other)


def has_other_words(old: Rulebook, new: Rulebook) -> bool:
    """Whether the lexicons differ by more than the thresholds that are reached through them."""
    return old.lexicons.set_thresholds(new.lexicons.of("en").thresholds) != new.lexicons


def _decide_twice(record: RunRecord, old: Rulebook, new: Rulebook) -> _Pair:
    plans: list[Plan | None] = []
    conflicts: list[str] = []
    for rulebook in (old, new):
        try:
            plans.append(redecide(record, rulebook))
        except RuleConflict as conflict:
            plans.append(None)
            conflicts.append(f"{rulebook.name}: {conflict}")
    return _Pair(record, plans[0], plans[1], "; ".join(conflicts))


def _compare_plans(pair: _Pair) -> PlanChange | None:
    before = list_effects(pair.old) if pair.old else ()
    after = list_effects(pair.new) if pair.new else ()
    if before == after and not pair.conflict:
        return None
    return PlanChange(
        run=pair.record.run_id,
        question=pair.record.body.question.text,
        # with one plan missing every step would look removed or added, and the conflict says more
        removed=tuple(words for words in before if words not in after) if pair.new else (),
        added=tuple(words for words in after if words not in before) if pair.old else (),
        rules=tuple(rule for rule, old, new in _list_states(pair) if old != new),
        conflict=pair.conflict,
    )


def _list_states(pair: _Pair) -> list[tuple[str, str, str]]:
    """Rule, state before, state after; of all rules that either rulebook has."""
    # both rulebooks, because a rule may be new in one or gone from the other
    old = {outcome.rule: outcome.state for outcome in pair.old.outcomes} if pair.old else {}
    new = {outcome.rule: outcome.state for outcome in pair.new.outcomes} if pair.new else {}
    return [(rule, old.get(rule, _ABSENT), new.get(rule, _ABSENT)) for rule in sorted(old.keys() | new.keys())]


def _count_rules(pairs: Iterable[_Pair]) -> tuple[RuleChange, ...]:
    runs: dict[tuple[str, str, str], list[str]] = {}
    for pair in pairs:
        # under a conflict no rule has an outcome, and every one of them would look changed
        for key in _list_states(pair) if pair.old and pair.new else ():
            if key[1] != key[2]:
                runs.setdefault(key, []).append(pair.record.run_id)
    return tuple(
        RuleChange(rule=rule, before=before, after=after, count=len(ids), examples=tuple(ids[:_EXAMPLE_COUNT]))
        for (rule, before, after), ids in sorted(runs.items())
    )
