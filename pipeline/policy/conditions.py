"""Conditions of rules: six operators over typed facts, read strictly and judged with the value that they met."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

from pipeline.errors import RulebookError
from pipeline.models.base import Contract
from pipeline.models.facts import Facts
from pipeline.models.plan import ConditionOutcome, FactValue, Operator
from pipeline.policy.facts import FactKind, list_facts, read_fact

Group = Literal["all", "any", "none"]
ConditionValue = FactValue | tuple[str, ...] | tuple[int, ...]

GROUPS: tuple[Group, ...] = get_args(Group)
OPERATORS: tuple[Operator, ...] = get_args(Operator)
_COMPARING: frozenset[Operator] = frozenset({"at_least", "at_most", "above", "below"})


class Condition(Contract):
    """One comparison of a fact with a value; `value` is a tuple for `one_of` only."""

    group: Group
    fact: str
    op: Operator
    value: ConditionValue


def parse_condition(raw: object, group: Group, where: str) -> Condition:
    """Read `{fact, op, value}` as a rule file has it; `where` names file and rule in errors.

    Raises:
        RulebookError: unknown fact or operator, a key too many or too few, or a value of the wrong type.
    """
    if not isinstance(raw, Mapping) or set(raw) != {"fact", "op", "value"}:
        raise RulebookError(f"{where}: a condition under '{group}' is not {{ fact, op, value }}: {raw!r}")
    fact, op, value = raw["fact"], raw["op"], raw["value"]
    kind = list_facts().get(fact) if isinstance(fact, str) else None
    if kind is None:
        raise RulebookError(f"{where}: unknown fact {fact!r}", "rules/README.md lists the facts")
    if op not in OPERATORS:
        raise RulebookError(f"{where}: unknown operator {op!r}", f"one of {', '.join(OPERATORS)}")
    return Condition(group=group, fact=fact, op=op, value=_read_value(value, op, kind, f"{where}: {fact} {op}"))


def _read_value(value: object, op: Operator, kind: FactKind, where: str) -> ConditionValue:
    if op in _COMPARING and kind.type is not int:
        raise RulebookError(f"{where}: only counts can be compared, this fact is {kind.type.__name__}")
    if op != "one_of":
        return _check_type(value, kind, where)
    if kind.type is bool or not isinstance(value, list) or not value:
        raise RulebookError(f"{where}: one_of takes a list of words or counts, not {value!r}")
    members = tuple(_check_type(member, kind, where) for member in value)
    # _check_type lets through one type only, so the tuple is of that type whole
    return members  # type: ignore[return-value]


def _check_type(value: object, kind: FactKind, where: str) -> FactValue:
    # bool is an int in Python, and `page_count at_least true` would otherwise load
    if type(value) is not kind.type:
        raise RulebookError(f"{where}: {value!r} is not of type {kind.type.__name__}")
    if kind.words and value not in kind.words:
        raise RulebookError(f"{where}: unknown value {value!r}", f"one of {', '.join(kind.words)}")
    assert isinstance(value, (bool, int, str))  # noqa: S101 - said by kind.type, told to the type checker
    return value


def judge_condition(condition: Condition, facts: Facts) -> ConditionOutcome:
    """The condition with the value that it met."""
    observed = read_fact(facts, condition.fact)
    return ConditionOutcome(
        group=condition.group,
        fact=condition.fact,
        op=condition.op,
        value=condition.value,
        observed=observed,
        is_met=is_value_met(condition.op, observed, condition.value),
    )


def is_value_met(op: Operator, observed: FactValue, value: ConditionValue) -> bool:
    """Whether a value of a fact meets `op value`; comparing operators take counts only."""
    if op == "is":
        return observed == value
    if isinstance(value, tuple):
        return observed in value
    # loading has made sure that comparing operators see counts only
    left, right = int(observed), int(value)
    return {"at_least": left >= right, "at_most": left <= right, "above": left > right, "below": left < right}[op]


def judge_conditions(conditions: tuple[Condition, ...], facts: Facts) -> tuple[ConditionOutcome, ...]:
    """All conditions of a rule with the values that they met, in their order."""
    return tuple(judge_condition(condition, facts) for condition in conditions)


def find_blockers(conditions: tuple[Condition, ...], facts: Facts) -> tuple[ConditionOutcome, ...]:
    """The conditions that keep a rule from firing, in their order; empty when it fires."""
    return pick_blockers(judge_conditions(conditions, facts))


def pick_blockers(outcomes: tuple[ConditionOutcome, ...]) -> tuple[ConditionOutcome, ...]:
    """Those of a rule's judged conditions that keep it from firing.

    All of `all` must be met, none of `none`, and at least one of `any`: when none is, every one of them blocks.
    """
    alternatives = tuple(outcome for outcome in outcomes if outcome.group == "any")
    is_any_met = not alternatives or any(outcome.is_met for outcome in alternatives)
    return tuple(
        outcome
        for outcome in outcomes
        if (outcome.group == "all" and not outcome.is_met)
        or (outcome.group == "none" and outcome.is_met)
        or (outcome.group == "any" and not is_any_met)
    )
