"""Facts, the decision over them, and the plan: everything that is known before a run."""

from typing import Literal

from pipeline.models.base import Contract

Pattern = Literal["toc_retrieval", "keyword", "two_hop", "aggregation", "reparse"]
ActionName = Literal["reparse", "expand_keywords", "resolve_references", "widen_section", "sweep", "regenerate"]
SignalKind = Literal[
    "page_check_failed", "context_unstructured", "discovered_vocabulary", "incomplete_answer", "pending_references",
    "short_list", "cut_list", "failed_validation",
]  # fmt: skip
RuleStatus = Literal["preview", "stable", "retired"]
OutcomeState = Literal["fired", "blocked", "overridden", "shadow_fired", "shadow_blocked", "retired"]
Operator = Literal["is", "one_of", "at_least", "at_most", "above", "below"]
FactValue = bool | int | str


class Limits(Contract):
    """Ceilings of a run. These are the most that code allows; a rulebook may lower them, never raise them.

    Counts and tokens only, never seconds. `confidence_drop` and the two `drift_` ratios are in thousandths.
    """

    max_iterations: int = 4
    max_keywords: int = 15
    max_references: int = 5
    max_sections: int = 3
    max_reparse_pages: int = 8
    max_candidates: int = 200
    max_evidence: int = 12
    max_evidence_lines: int = 600
    max_quote_characters: int = 3600
    max_model_calls: int = 0
    max_model_tokens: int = 0
    confidence_drop: int = 200
    drift_anchor_weight: int = 500
    drift_dropped_share: int = 667


class FactReading(Contract):
    """A fact as it was read for one run."""

    name: str
    value: FactValue


class ConditionOutcome(Contract):
    """A condition with the value it met; `group` is all, any or none."""

    group: Literal["all", "any", "none"]
    fact: str
    op: Operator
    value: FactValue | tuple[str, ...] | tuple[int, ...]
    observed: FactValue
    is_met: bool


class RuleOutcome(Contract):
    """What became of one rule. `blocked_by` are the conditions that failed; `overridden_by` the rules above it.

    `conditions` are all of its conditions as they were judged, so that a record explains itself without its rulebook.
    """

    rule: str
    name: str
    state: OutcomeState
    because: str
    blocked_by: tuple[ConditionOutcome, ...] = ()
    overridden_by: tuple[str, ...] = ()
    conditions: tuple[ConditionOutcome, ...] = ()


class Parameter(Contract):
    """A parameter of a step."""

    name: str
    value: FactValue


class Step(Contract):
    """A pattern that runs in every iteration; `rules` put it there. Steps not yet available are reported, never run."""

    pattern: Pattern
    parameters: tuple[Parameter, ...]
    rules: tuple[str, ...]
    because: tuple[str, ...]
    is_available: bool = True


class StandbyStep(Contract):
    """An action that waits for its signal."""

    signal: SignalKind
    action: ActionName
    parameters: tuple[Parameter, ...]
    rules: tuple[str, ...]
    because: tuple[str, ...]
    is_available: bool = True


class Plan(Contract):
    """The whole plan of a run: what may be done, why, why not, and the worst that it can cost."""

    steps: tuple[Step, ...]
    standby: tuple[StandbyStep, ...]
    limits: Limits
    outcomes: tuple[RuleOutcome, ...]
    rulebook: str
    rulebook_revision: str
    worst_case_iterations: int
    worst_case_model_calls: int
    worst_case_model_tokens: int
    worst_case_reparsed_pages: int = 0
