"""Mutation analysis of a rulebook: which small changes of its rules would nobody notice?"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pipeline.decide import build_plan
from pipeline.errors import RulebookError, RuleConflict
from pipeline.models.rule_reports import MutantReport, MutationReport, Sources
from pipeline.policy.cases import make_facts
from pipeline.policy.catalogue import describe_consequence
from pipeline.policy.checks import pick_witness
from pipeline.policy.conditions import find_blockers
from pipeline.policy.mutants import Mutant, list_mutants
from pipeline.policy.solving import find_nearest, join_ways, list_blocking_ways, list_firing_ways
from pipeline.rerun.judging import judge_rule, list_effects, meets_case

if TYPE_CHECKING:
    from pipeline.models.facts import Facts
    from pipeline.policy.cases import RuleCase
    from pipeline.policy.rulebook import Rulebook
    from pipeline.policy.rules import Rule
    from pipeline.rerun.samples import Sample


class Exercises(NamedTuple):
    """What a rulebook is held against: cases of its rules, samples of questions and runs, and what was left out."""

    cases: tuple[RuleCase, ...]
    samples: tuple[Sample, ...] = ()
    left_out: tuple[str, ...] = ()

    def count_sources(self) -> Sources:
        """How many there are of each kind."""
        questions = sum(1 for sample in self.samples if sample.source == "question")
        return Sources(
            case_count=len(self.cases),
            question_count=questions,
            run_count=len(self.samples) - questions,
            left_out=self.left_out,
        )


def mutate_rules(
    rulebook: Rulebook, exercises: Exercises, allowed: Mapping[str, str] | None = None, rules: Iterable[str] = ()
) -> MutationReport:
    """Make every mutant of the rules (all of them, or those named) and say what became of each.

    A mutant is killed when a case no longer gets what it asks for, or when the plan of a sample is another. A survivor
    that no possible facts tell apart is equivalent; the others are missing questions. `allowed` gives reasons.
    """
    allowed = allowed or {}
    chosen = frozenset(rules) or frozenset(rule.id for rule in rulebook.rules)
    failing = tuple(_describe_case(case) for case in exercises.cases if not _is_kept(case, rulebook))
    # questions with the same facts say the same about a rule
    distinct: dict[str, Sample] = {}
    for sample in exercises.samples:
        distinct.setdefault(sample.facts.model_dump_json(), sample)
    exercised = exercises._replace(samples=tuple(distinct.values()))
    mutants = tuple(
        _judge_mutant(mutant, rule, rulebook, exercised, allowed)
        for rule in rulebook.rules
        if rule.id in chosen
        for mutant in list_mutants(rule)
    )
    survivors = {mutant.mutant for mutant in mutants if mutant.fate == "allowed"}
    return MutationReport(
        rulebook=rulebook.name,
        revision=rulebook.revision,
        sources=exercises.count_sources(),
        mutants=mutants,
        failing_cases=failing,
        stale_survivors=tuple(name for name in allowed if name not in survivors),
    )


def read_survivors(path: Path) -> dict[str, str]:
    """The reasons of mutants that may survive: `[[survivor]]` tables with `mutant` and `because`; none without a file.

    Raises:
        RulebookError: the file does not have this form.
    """
    if not path.is_file():
        return {}
    try:
        raw = tomllib.loads(path.read_bytes().decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RulebookError(f"{path}: not TOML: {error}") from error
    listed = raw.get("survivor", [])
    reasons: dict[str, str] = {}
    for entry in listed if isinstance(listed, list) else [None]:
        if not isinstance(entry, dict) or set(entry) != {"mutant", "because"}:
            raise RulebookError(f"{path}: a survivor has a mutant and a because")
        if not all(isinstance(value, str) and value.strip() for value in entry.values()):
            raise RulebookError(f"{path}: mutant and because are text", "say why nobody needs to notice it")
        reasons[entry["mutant"]] = entry["because"]
    return reasons


def _judge_mutant(
    mutant: Mutant, rule: Rule, rulebook: Rulebook, exercises: Exercises, allowed: Mapping[str, str]
) -> MutantReport:
    mutated = _put_rule(rulebook, mutant.rule)
    killer = next(_find_killers(mutant.rule, rule, rulebook, mutated, exercises), "")
    # who noticed first is enough, and looking on would only cost time
    if killer:
        return MutantReport(mutant=mutant.id, rule=rule.id, fate="killed", killed_by=killer)
    # only a survivor is worth a search: is it equivalent, or is a question missing?
    witness = _find_witness(rule, mutant.rule, rulebook)
    if witness is None:
        return MutantReport(mutant=mutant.id, rule=rule.id, fate="equivalent")
    return MutantReport(
        mutant=mutant.id,
        rule=rule.id,
        fate="allowed" if mutant.id in allowed else "survived",
        because=allowed.get(mutant.id, ""),
        missing=_describe_missing(rule, mutant.rule, witness),
        witness=pick_witness((rule, mutant.rule), witness),
    )


def _put_rule(rulebook: Rulebook, changed: Rule) -> Rulebook:
    rules = tuple(changed if rule.id == changed.id else rule for rule in rulebook.rules)
    return rulebook.model_copy(update={"rules": rules})


def _find_killers(
    changed: Rule, rule: Rule, rulebook: Rulebook, mutated: Rulebook, exercises: Exercises
) -> Iterator[str]:
    # only the changed rule and those that it sets aside can have another outcome
    touched = {rule.id, *rule.overrides}
    for case in exercises.cases:
        if case.rule in touched and _is_kept(case, rulebook) and not _is_kept(case, mutated):
            yield _describe_case(case)
    for sample in exercises.samples:
        if _may_differ(changed, rule, sample.facts) and _list_effects(sample.facts, rulebook) != _list_effects(
            sample.facts, mutated
        ):
            yield f"{sample.source} {sample.name}"


def _may_differ(changed: Rule, rule: Rule, facts: Facts) -> bool:
    """Cheap: whether a changed rule fires otherwise, or fires with another consequence or other overrides."""
    fires = not find_blockers(rule.conditions, facts)
    if fires != (not find_blockers(changed.conditions, facts)):
        return True
    return fires and changed.model_copy(update={"conditions": rule.conditions}) != rule


def _list_effects(facts: Facts, rulebook: Rulebook) -> tuple[str, ...]:
    try:
        return list_effects(build_plan(facts, rulebook))
    except RuleConflict as conflict:
        return (str(conflict),)


def _is_kept(case: RuleCase, rulebook: Rulebook) -> bool:
    try:
        return meets_case(case, judge_rule(case.rule, case.facts, rulebook))
    # no plan is not what any case asks for
    except RuleConflict:
        return False


def _find_witness(rule: Rule, changed: Rule, rulebook: Rulebook) -> Facts | None:
    """Facts, as few changes as possible away from an uneventful question, that tell a mutant from its rule."""
    fires, stays = list_firing_ways(rule.conditions), list_blocking_ways(rule.conditions)
    if changed.conditions != rule.conditions:
        ways = [
            *join_ways(fires, list_blocking_ways(changed.conditions)),
            *join_ways(stays, list_firing_ways(changed.conditions)),
        ]
    # an override shows only where both rules would fire
    elif lost := set(rule.overrides) - set(changed.overrides):
        others = [other for other in rulebook.rules if other.id in lost and other.status != "retired"]
        ways = [way for other in others for way in join_ways(fires, list_firing_ways(other.conditions))]
    else:
        # another consequence shows best where no other rule puts the same step
        same = [other for other in rulebook.rules if other.id != rule.id and _has_same_place(other, rule)]
        alone = list(join_ways(fires, *(list_blocking_ways(other.conditions) for other in same)))
        ways = alone if find_nearest(alone, make_facts({})) else list(fires)
    found = find_nearest(ways, make_facts({}))
    return found.facts if found else None


def _has_same_place(other: Rule, rule: Rule) -> bool:
    place = (other.pattern, other.signal, other.action)
    return other.status == "stable" and place == (rule.pattern, rule.signal, rule.action)


def _describe_missing(rule: Rule, changed: Rule, witness: Facts) -> str:
    told = (f"{reading.name} {reading.value}" for reading in pick_witness((rule, changed), witness))
    facts = ", ".join(told).replace(" True", " true").replace(" False", " false")
    fires = not find_blockers(rule.conditions, witness)
    if fires == (not find_blockers(changed.conditions, witness)):
        tells = f"puts {describe_consequence(rule)} into the plan"
    else:
        tells = f"{'fires' if fires else 'stays silent'} although the mutant {'stays silent' if fires else 'fires'}"
    return f"a question with {facts or 'nothing special'}: {rule.id} {tells}"


def _describe_case(case: RuleCase) -> str:
    return f"case {case.rule}: {case.name}"
