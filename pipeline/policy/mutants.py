"""Mutants of rules: small changes, one at a time, each of which a good set of cases and questions notices.

Mutation analysis after DeMillo, Lipton and Sayward, "Hints on test data selection" (1978), on rules as data: a
condition deleted, turned round or moved to another group, a threshold moved by one, a word left out, a consequence
left out, a parameter moved by one, an override left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pipeline.models.plan import FactValue, Parameter
from pipeline.policy.catalogue import describe_condition
from pipeline.policy.conditions import Condition, Group
from pipeline.policy.facts import list_facts
from pipeline.policy.rules import Rule
from pipeline.policy.vocabulary import PARAMETERS, find_code_ceiling

# a comparison and its opposite; moving thresholds covers the strict and the inclusive form of each
_OPPOSITES = {"at_least": "below", "below": "at_least", "at_most": "above", "above": "at_most"}
_GROUP_MOVES: dict[Group, Group] = {"all": "any", "any": "all", "none": "all"}


class Mutant(NamedTuple):
    """A rule with one change; `id` names it in the list of survivors and stays the same as long as the rule does."""

    id: str
    rule: Rule


def list_mutants(rule: Rule) -> tuple[Mutant, ...]:
    """All mutants of a rule, in a fixed order; a retired rule has none, because nothing judges it."""
    if rule.status == "retired":
        return ()
    changes = (*_change_conditions(rule), *_change_consequence(rule), *_change_overrides(rule))
    return tuple(Mutant(f"{rule.id}: {words}", mutated) for words, mutated in changes)


def _change_conditions(rule: Rule) -> Iterator[tuple[str, Rule]]:
    for index, condition in enumerate(rule.conditions):
        words = describe_condition(condition)
        others = rule.conditions[:index], rule.conditions[index + 1 :]
        yield f"delete {words}", rule.model_copy(update={"conditions": (*others[0], *others[1])})
        for change, mutated in _change_condition(condition, is_movable=_is_movable(rule, condition)):
            # two conditions of one group may have become equal; the order of groups is kept as a file has it
            kept = tuple(sorted((*others[0], mutated, *others[1]), key=lambda each: "all any none".index(each.group)))
            yield f"{change} in {words}", rule.model_copy(update={"conditions": kept})


def _is_movable(rule: Rule, condition: Condition) -> bool:
    """Whether another group says something else: the one member of "any" is as good as one of "all"."""
    groups = [each.group for each in rule.conditions]
    if condition.group == "any":
        return groups.count("any") > 1
    return condition.group == "none" or "any" in groups


def _change_condition(condition: Condition, *, is_movable: bool) -> Iterator[tuple[str, Condition]]:
    value = condition.value
    if condition.op in _OPPOSITES:
        yield "turn round", condition.model_copy(update={"op": _OPPOSITES[condition.op]})
    elif opposite := _negate_words(condition):
        yield "turn round", opposite
    if condition.op != "one_of" and type(value) is int:
        for moved in (value - 1, value + 1):
            if moved >= 0:
                yield f"move to {moved}", condition.model_copy(update={"value": moved})
    if isinstance(value, tuple) and len(value) > 1:
        for member in value:
            left = tuple(each for each in value if each != member)
            yield f"leave out {member}", condition.model_copy(update={"value": left})
    if is_movable:
        group = _GROUP_MOVES[condition.group]
        yield f"move to {group}", condition.model_copy(update={"group": group})


def _negate_words(condition: Condition) -> Condition | None:
    """The opposite of `is` and `one_of`, or None where the words of a fact are no closed list."""
    kind = list_facts()[condition.fact]
    values: tuple[FactValue, ...] = condition.value if isinstance(condition.value, tuple) else (condition.value,)
    if kind.type is bool:
        return condition.model_copy(update={"value": not condition.value})
    others = tuple(word for word in kind.words if word not in values)
    return condition.model_copy(update={"op": "one_of", "value": others}) if others else None


def _change_consequence(rule: Rule) -> Iterator[tuple[str, Rule]]:
    owner = rule.pattern or rule.action or ""
    nothing = {"pattern": None, "signal": None, "action": None, "parameters": ()}
    yield f"leave out {owner}", rule.model_copy(update=nothing)
    for index, parameter in enumerate(rule.parameters):
        others = rule.parameters[:index], rule.parameters[index + 1 :]
        yield f"leave out {parameter.name}", rule.model_copy(update={"parameters": (*others[0], *others[1])})
        ceiling = find_code_ceiling(PARAMETERS[owner][parameter.name])
        for moved in (int(parameter.value) - 1, int(parameter.value) + 1):
            if 1 <= moved <= ceiling:
                changed = (*others[0], Parameter(name=parameter.name, value=moved), *others[1])
                yield f"move {parameter.name} to {moved}", rule.model_copy(update={"parameters": changed})


def _change_overrides(rule: Rule) -> Iterator[tuple[str, Rule]]:
    for name in rule.overrides:
        left = tuple(other for other in rule.overrides if other != name)
        yield f"leave out the override of {name}", rule.model_copy(update={"overrides": left})
