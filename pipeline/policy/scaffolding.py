"""A new rule with its cases: written as TOML, complete, and in preview, so that it changes no plan until it is read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from pipeline.errors import RulebookError, UsageError
from pipeline.models.facts import Facts
from pipeline.models.plan import FactValue
from pipeline.policy.case_checks import list_boundary
from pipeline.policy.cases import make_facts
from pipeline.policy.catalogue import describe_condition, describe_consequence, render_catalogue
from pipeline.policy.conditions import GROUPS, OPERATORS, Condition, find_blockers
from pipeline.policy.facts import list_facts
from pipeline.policy.rulebook import load_rulebook
from pipeline.policy.rules import Rule, parse_rule
from pipeline.policy.solving import Literal, Way, find_nearest, list_blocking_ways, list_firing_ways

_BOOK = 'name = "own"\nextends = "default"\n'
_CATALOGUE = "README.md"
_TODO = "say here why; this sentence is quoted into plans and records"


class Draft(NamedTuple):
    """What a new rule is to say.

    `conditions` are groups with "page_count at_least 20"; `then` holds a pattern, or a signal and an action, and
    parameters.
    """

    rule_id: str
    name: str = "to-be-named"
    because: str = _TODO
    since: str = "0.0.0"
    conditions: tuple[tuple[str, str], ...] = ()
    then: tuple[tuple[str, str], ...] = (("pattern", "keyword"),)


class _Wanted(NamedTuple):
    """A case to be found: what it shows, and the ways in which that can be, the better ones first."""

    name: str
    tiers: tuple[tuple[Way, ...], ...]


def scaffold_rule(draft: Draft, folder: Path, cases: Path) -> tuple[Path, ...]:
    """Write the file of a rule, its cases and the row of the catalogue; give the paths that were written.

    A folder without a rulebook becomes one that extends the shipped rulebook.

    Raises:
        UsageError: the id is taken or retired, or a condition is not `fact operator value`.
        RulebookError: the rule would not load.
        OSError: a file cannot be written.
    """
    rule = _build_rule(draft)
    path, case_path = folder / f"{rule.id}.toml", cases / f"{rule.id}.toml"
    for taken in (path, case_path):
        if taken.exists():
            raise UsageError(f"{taken}: exists already", "take another id; ids of retired rules never come back")
    book = folder / "rulebook.toml"
    # the id may belong to the rulebook that this one extends
    if book.exists() and load_rulebook(folder).find(rule.id):
        raise UsageError(f"{folder}: there is a rule {rule.id} already", "take another id")
    written = [path, case_path]
    # cases first: they are found before anything is written, so a rule that can never fire leaves no file
    texts = {case_path: render_cases(rule), path: render_rule_file(rule)}
    if not book.exists():
        texts[book] = _BOOK
        written.append(book)
    for target, text in texts.items():
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    if (folder / _CATALOGUE).is_file():
        (folder / _CATALOGUE).write_text(render_catalogue(load_rulebook(folder)), encoding="utf-8")
        written.append(folder / _CATALOGUE)
    return tuple(written)


def _build_rule(draft: Draft) -> Rule:
    when: dict[str, list[object]] = {}
    for group, text in draft.conditions:
        when.setdefault(group, []).append(_parse_condition(text))
    raw: dict[str, object] = {
        "id": draft.rule_id,
        "name": draft.name,
        # a rule that nobody has read yet must not change plans
        "status": "preview",
        "since": draft.since,
        "because": draft.because,
        "then": {key: int(value) if value.isdecimal() else value for key, value in draft.then},
    }
    return parse_rule({**raw, "when": when} if when else raw, "the new rule")


def _parse_condition(text: str) -> dict[str, object]:
    """A condition from `page_count at_least 20`, `is_open is true` or `intent one_of reason,summary`."""
    match = re.fullmatch(r"\s*(\w+)\s+(\w+)\s+(\S.*?)\s*", text)
    if match is None or match[2] not in OPERATORS:
        raise UsageError(f"{text!r} is no condition", f"write: fact operator value, with {', '.join(OPERATORS)}")
    fact, op, words = match.groups()
    kind = list_facts().get(fact)
    if kind is None:
        raise UsageError(f"unknown fact {fact!r}", "rules/README.md lists the facts")
    values = [_parse_value(word.strip(), kind.type) for word in words.split(",")] if op == "one_of" else []
    return {"fact": fact, "op": op, "value": values or _parse_value(words, kind.type)}


def _parse_value(word: str, kind: type) -> FactValue:
    if kind is bool and word in ("true", "false"):
        return word == "true"
    return int(word) if kind is int and word.isdecimal() else word


def render_rule_file(rule: Rule) -> str:
    """A rule as a TOML file in the layout of the shipped ones."""
    lines = [f"{key} = {_write(getattr(rule, key))}" for key in ("id", "name", "status", "since", "because")]
    if rule.overrides:
        lines.append(f"overrides = {_write(rule.overrides)}")
    groups = {group: [each for each in rule.conditions if each.group == group] for group in GROUPS}
    if rule.conditions:
        lines += ["", "[when]"]
    for group, members in groups.items():
        tables = [f'{{ fact = "{each.fact}", op = "{each.op}", value = {_write(each.value)} }}' for each in members]
        if len(tables) == 1:
            lines.append(f"{group} = [{tables[0]}]")
        elif tables:
            lines += [f"{group} = [", *(f"    {table}," for table in tables), "]"]
    lines += ["", "[then]"]
    for key in ("pattern", "signal", "action"):
        if getattr(rule, key):
            lines.append(f"{key} = {_write(getattr(rule, key))}")
    lines += [f"{parameter.name} = {_write(parameter.value)}" for parameter in rule.parameters]
    return "\n".join(lines) + "\n"


def render_cases(rule: Rule) -> str:
    """Cases of a rule as a TOML file: one that fires, one at each boundary, one blocked by each condition.

    Raises:
        RulebookError: no possible facts give one of them: the rule contradicts itself, or a condition decides nothing.
    """
    rendered: list[str] = []
    seen: set[Facts] = set()
    for wanted in _list_wanted(rule):
        solutions = (find_nearest(ways, make_facts({})) for ways in wanted.tiers)
        found = next((solution for solution in solutions if solution), None)
        if found is None:
            raise RulebookError(f"{rule.id}: no possible facts give a case {wanted.name}", "mend its conditions")
        # one case may show several things at once
        if found.facts not in seen:
            seen.add(found.facts)
            rendered.append(_render_case(rule, wanted.name, found.facts, found.changes))
    return "\n".join(rendered)


def _list_wanted(rule: Rule) -> Iterator[_Wanted]:
    firing = list_firing_ways(rule.conditions)
    yield _Wanted("that fires", (firing,))
    for condition in rule.conditions:
        words = describe_condition(condition)
        alone = tuple(_fire_by(rule, condition))
        if condition.group == "any":
            yield _Wanted(f"that fires by {words} alone", (alone,))
        blocked = tuple(_block_by(rule, condition))
        yield _Wanted(f"blocked by {words}", (blocked,))
        for value in (*list_boundary(condition), *(condition.value if isinstance(condition.value, tuple) else ())):
            exact = Literal(Condition(group="all", fact=condition.fact, op="is", value=value), True)
            # best where this condition alone decides, so that a threshold that moves is noticed
            tiers = (alone, blocked, firing, list_blocking_ways(rule.conditions))
            yield _Wanted(
                f"with {condition.fact} {value}", tuple(tuple((*way, exact) for way in ways) for ways in tiers)
            )


def _fire_by(rule: Rule, condition: Condition) -> Iterator[Way]:
    """Ways in which a rule fires; by a condition of `any`, while its other alternatives are not met."""
    others = tuple(each for each in rule.conditions if each.group == "any" and each is not condition)
    for way in list_firing_ways(rule.conditions):
        if condition.group != "any":
            yield way
        elif Literal(condition, True) in way:
            yield (*way, *(Literal(each, False) for each in others))


def _block_by(rule: Rule, condition: Condition) -> Iterator[Way]:
    """Ways in which a condition blocks while all others would let the rule fire (of `any`, all block together)."""
    for way in list_blocking_ways((condition,)):
        others = tuple(each for each in rule.conditions if each is not condition and each.group != "any")
        if condition.group == "any":
            blocked = tuple(Literal(each, False) for each in rule.conditions if each.group == "any")
            yield (*list_firing_ways(others)[0], *blocked)
        else:
            rest = tuple(each for each in rule.conditions if each is not condition)
            for firing in list_firing_ways(rest):
                yield (*firing, *way)


def _render_case(rule: Rule, name: str, facts: Facts, changes: tuple[tuple[str, FactValue], ...]) -> str:
    blockers = find_blockers(rule.conditions, facts)
    prefix = "shadow_" if rule.status == "preview" else ""
    given = ", ".join(f"{fact} = {_write(value)}" for fact, value in changes)
    lines = [
        "[[case]]",
        f"name = {_write(name)}",
        f"facts = {{ {given} }}" if given else "facts = {}",
        f'state = "{prefix}{"blocked" if blockers else "fired"}"',
        f"blocked_by = {_write(tuple(blocker.fact for blocker in blockers))}",
    ]
    if not blockers:
        lines.append(f"then = {_write(describe_consequence(rule))}")
    return "\n".join(lines) + "\n"


def _write(value: FactValue | tuple[FactValue, ...]) -> str:
    # JSON strings, numbers, booleans and lists are TOML as well
    return json.dumps(value, ensure_ascii=False)
