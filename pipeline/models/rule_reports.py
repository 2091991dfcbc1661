"""What the analysis of a rulebook finds: faults, what was exercised, mutants that nobody noticed, plans that change."""

from typing import Literal

from pipeline.models.base import Contract
from pipeline.models.plan import FactReading

Severity = Literal["error", "warning", "note"]
# names are part of --json, so they are added to and never renamed
FindingKind = Literal[
    "does_not_load", "contradiction", "unreachable", "idle_condition", "conflict", "always_overridden", "idle_override",
    "duplicate", "rearming", "beyond_limits", "never_acts", "unread_facts", "not_available", "missing_cases",
    "wrong_case",
]  # fmt: skip
MutantFate = Literal["killed", "survived", "allowed", "equivalent"]
SampleSource = Literal["case", "question", "run"]


class Finding(Contract):
    """One thing that is wrong or worth knowing. `witness` are facts under which it shows (those that matter only)."""

    kind: FindingKind
    severity: Severity
    rules: tuple[str, ...]
    message: str
    witness: tuple[FactReading, ...] = ()


class CheckReport(Contract):
    """Everything that the static check of a rulebook found, errors first."""

    rulebook: str
    revision: str
    rule_count: int
    case_count: int
    findings: tuple[Finding, ...]

    @property
    def is_clean(self) -> bool:
        """Whether nothing but notes was found."""
        return all(finding.severity == "note" for finding in self.findings)


class ConditionCoverage(Contract):
    """How often a condition was met and not met, how often it alone decided, and which sides of it nobody touched."""

    condition: str
    met_count: int
    unmet_count: int
    deciding_count: int
    gaps: tuple[str, ...]


class RuleCoverage(Contract):
    """How often a rule fired, was blocked and was set aside, over everything that exercised it."""

    rule: str
    name: str
    fired_count: int
    blocked_count: int
    overridden_count: int
    conditions: tuple[ConditionCoverage, ...]
    gaps: tuple[str, ...]


class Sources(Contract):
    """What a rulebook was exercised with; `left_out` names, with the reason, what could not be used."""

    case_count: int
    question_count: int
    run_count: int
    left_out: tuple[str, ...] = ()


class CoverageReport(Contract):
    """Coverage of every rule that is not retired."""

    rulebook: str
    revision: str
    sources: Sources
    rules: tuple[RuleCoverage, ...]

    @property
    def gap_count(self) -> int:
        """How many sides of rules and conditions nothing exercised."""
        return sum(len(rule.gaps) + sum(len(each.gaps) for each in rule.conditions) for rule in self.rules)


class MutantReport(Contract):
    """One mutant: what was changed, its fate, what killed it, and for a survivor the question that is missing.

    `because` is the reason that the list of survivors gives; `witness` are facts that tell the mutant apart.
    """

    mutant: str
    rule: str
    fate: MutantFate
    killed_by: str = ""
    because: str = ""
    missing: str = ""
    witness: tuple[FactReading, ...] = ()


class MutationReport(Contract):
    """All mutants of a rulebook. `failing_cases` fail without any change, so they prove nothing."""

    rulebook: str
    revision: str
    sources: Sources
    mutants: tuple[MutantReport, ...]
    failing_cases: tuple[str, ...] = ()
    stale_survivors: tuple[str, ...] = ()

    def count(self, fate: MutantFate) -> int:
        """How many mutants met this fate."""
        return sum(1 for mutant in self.mutants if mutant.fate == fate)

    @property
    def is_passed(self) -> bool:
        """Whether every mutant is killed, equivalent, or listed as a survivor with a reason."""
        return not self.failing_cases and self.count("survived") == 0


class RuleChange(Contract):
    """A rule whose outcome is another: how often from which state to which, and some of the runs."""

    rule: str
    before: str
    after: str
    count: int
    examples: tuple[str, ...]


class PlanChange(Contract):
    """A run whose plan is another. `removed` and `added` are steps, standby steps and limits in words.

    `conflict` says why the other rulebook gives no plan at all; empty where it gives one.
    """

    run: str
    question: str
    removed: tuple[str, ...]
    added: tuple[str, ...]
    rules: tuple[str, ...]
    conflict: str = ""


class RulesDifference(Contract):
    """Recorded questions decided under two rulebooks, without running anything.

    `thresholds` are those of rulebook.toml that differ, as `listing 150 to 300`; like lexicons, they take part in what
    is found and not in the plan.
    """

    old: str
    old_revision: str
    new: str
    new_revision: str
    run_count: int
    changes: tuple[PlanChange, ...]
    rules: tuple[RuleChange, ...]
    has_other_lexicons: bool = False
    thresholds: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
