"""Facts that make rules fire or not: exact answers to "can this happen?", each with facts as a witness.

Conditions compare one fact with a constant and invariants tie two facts, so this is a small constraint problem over
finite domains; it is solved by arc consistency (Mackworth, "Consistency in networks of relations", 1977) and branch
and bound on the number of facts that change.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from pipeline.models.facts import Facts
from pipeline.models.plan import ConditionOutcome, FactValue
from pipeline.policy.conditions import Condition, is_value_met
from pipeline.policy.facts import list_facts, read_fact
from pipeline.policy.invariants import INVARIANTS

_OTHER_WORD = "xx"
_COUNTED_WAYS = 4096

Way = tuple["Literal", ...]
"""Literals that together make something happen."""


class Literal(NamedTuple):
    """A condition that is to be met, or is not to be."""

    condition: Condition | ConditionOutcome
    is_met: bool


class Solution(NamedTuple):
    """Facts that satisfy what was asked, and those of them that differ from where the search began, in model order."""

    facts: Facts
    changes: tuple[tuple[str, FactValue], ...]


_Domains = dict[str, tuple[FactValue, ...]]


def list_firing_ways(conditions: Iterable[Condition | ConditionOutcome]) -> tuple[Way, ...]:
    """The ways in which all conditions of a rule can hold: one for each member of `any`, or a single one."""
    conditions = tuple(conditions)
    fixed = tuple(Literal(each, each.group == "all") for each in conditions if each.group != "any")
    alternatives = tuple(each for each in conditions if each.group == "any")
    if not alternatives:
        return (fixed,)
    return tuple((*fixed, Literal(each, True)) for each in alternatives)


def list_blocking_ways(conditions: Iterable[Condition | ConditionOutcome]) -> tuple[Way, ...]:
    """The ways in which a rule can be kept from firing; none for a rule without conditions."""
    conditions = tuple(conditions)
    single = tuple((Literal(each, each.group != "all"),) for each in conditions if each.group != "any")
    alternatives = tuple(Literal(each, False) for each in conditions if each.group == "any")
    return (*single, alternatives) if alternatives else single


def join_ways(*choices: tuple[Way, ...]) -> Iterator[Way]:
    """Every way to have one of each; the first 4,096 of them, which no rulebook written by hand reaches."""
    for combination in itertools.islice(itertools.product(*choices), _COUNTED_WAYS):
        yield tuple(itertools.chain.from_iterable(combination))


def find_nearest(ways: Iterable[Way], start: Facts) -> Solution | None:
    """The facts nearest to `start` (fewest changes, then smallest steps) that make one of the ways happen, or None."""
    best: tuple[int, int, Solution] | None = None
    for way in ways:
        search = _Search(way, start)
        found = search.run()
        if found is not None and (best is None or found[:2] < best[:2]):
            best = found
    return best[2] if best else None


class _Search:
    """Branch and bound over the facts that a way reads and those that invariants tie to them."""

    def __init__(self, way: Way, start: Facts) -> None:
        self._start = start
        self._names = _list_involved(way)
        self._domains = _build_domains(way, self._names, start)
        self._cost: tuple[int, int] | None = None
        self._best: dict[str, FactValue] = {}

    def run(self) -> tuple[int, int, Solution] | None:
        if _make_consistent(self._domains):
            self._extend({}, (0, 0))
        if self._cost is None:
            return None
        changed = {name for name, value in self._best.items() if value != read_fact(self._start, name)}
        facts = self._start.model_copy(update=self._best)
        changes = tuple((name, read_fact(facts, name)) for name in Facts.model_fields if name in changed)
        return (*self._cost, Solution(facts, changes))

    def _extend(self, chosen: dict[str, FactValue], cost: tuple[int, int]) -> None:
        if self._cost is not None and cost >= self._cost:
            return
        if len(chosen) == len(self._names):
            self._cost, self._best = cost, dict(chosen)
            return
        name = self._names[len(chosen)]
        # facts that stay cost nothing; those tied by invariants change only where they must
        present = read_fact(self._start, name)
        # nearest first, so that the bound bites early
        for value in sorted(self._domains[name], key=lambda each: _measure(each, present)):
            chosen[name] = value
            if _keeps_invariants(chosen, name):
                changed, distance = _measure(value, present)
                self._extend(chosen, (cost[0] + changed, cost[1] + distance))
            del chosen[name]


def _measure(value: FactValue, present: FactValue) -> tuple[int, int]:
    """Whether a value is a change (1 or 0), and by how much counts differ."""
    if value == present:
        return (0, 0)
    is_count = not isinstance(value, (bool, str)) and not isinstance(present, (bool, str))
    return (1, abs(int(value) - int(present)) if is_count else 1)


def _list_involved(way: Way) -> tuple[str, ...]:
    """Facts of the literals first, then those that invariants tie to them, nearest first."""
    names = list(dict.fromkeys(literal.condition.fact for literal in way))
    for name in names:
        # names grows while it is walked: what is tied to a tied fact is tied too
        for invariant in INVARIANTS:
            if name in (invariant.first, invariant.second):
                names += [other for other in invariant[:2] if other not in names]
    return tuple(names)


def _build_domains(way: Way, names: tuple[str, ...], start: Facts) -> _Domains:
    counts = {0, 1} | {int(read_fact(start, name)) for name in names if list_facts()[name].type is int}
    for literal in way:
        for value in _list_values(literal.condition):
            if type(value) is int:
                # nothing changes between two thresholds, so their neighbours stand for all counts
                counts |= {max(0, value - 1), value, value + 1}
    domains: _Domains = {}
    for name in names:
        kind = list_facts()[name]
        values: Iterable[FactValue]
        if kind.type is bool:
            values = (False, True)
        elif kind.type is int:
            values = sorted(counts)
        else:
            named = [v for literal in way if literal.condition.fact == name for v in _list_values(literal.condition)]
            # languages are no closed list; one word that nobody names stands for all others
            values = kind.words or dict.fromkeys([read_fact(start, name), *named, _OTHER_WORD])
        own = [literal for literal in way if literal.condition.fact == name]
        domains[name] = tuple(value for value in values if all(_satisfies(literal, value) for literal in own))
    return domains


def _list_values(condition: Condition | ConditionOutcome) -> tuple[FactValue, ...]:
    return condition.value if isinstance(condition.value, tuple) else (condition.value,)


def _satisfies(literal: Literal, value: FactValue) -> bool:
    return is_value_met(literal.condition.op, value, literal.condition.value) == literal.is_met


def _make_consistent(domains: _Domains) -> bool:
    """Drop values that no value of a tied fact allows; False when nothing is left of a fact."""
    is_changed = True
    while is_changed:
        is_changed = False
        for first, second, is_kept, _ in INVARIANTS:
            if first not in domains or second not in domains:
                continue
            if first == second:
                pairs = [(value, value) for value in domains[first] if is_kept(value, value)]
            else:
                pairs = [(a, b) for a in domains[first] for b in domains[second] if is_kept(a, b)]
            kept: Mapping[str, set[FactValue]] = {first: {a for a, _ in pairs}, second: {b for _, b in pairs}}
            for name in dict.fromkeys((first, second)):
                left = tuple(value for value in domains[name] if value in kept[name])
                is_changed |= len(left) < len(domains[name])
                domains[name] = left
    return all(domains.values())


def _keeps_invariants(chosen: dict[str, FactValue], name: str) -> bool:
    """Whether the invariants that tie `name` to facts chosen so far hold."""
    return all(
        invariant.is_kept(chosen[invariant.first], chosen[invariant.second])
        for invariant in INVARIANTS
        if name in (invariant.first, invariant.second) and invariant.first in chosen and invariant.second in chosen
    )
