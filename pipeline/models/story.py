"""A run told as a story, a rule that did not fire explained, and what another budget would have changed."""

from pipeline.models.answer import Certificate
from pipeline.models.base import Contract
from pipeline.models.plan import ConditionOutcome, FactValue, OutcomeState, SignalKind
from pipeline.models.run import LedgerEntry, StopReason


class FactUse(Contract):
    """A fact that decided something: the rules that fired because of it, and those that it kept from firing."""

    fact: str
    value: FactValue
    fired: tuple[str, ...]
    blocked: tuple[str, ...]


class FiredRule(Contract):
    """A rule that fired: what it put into the plan, why, which conditions were met, in which iterations it acted."""

    rule: str
    name: str
    because: str
    then: str
    conditions: tuple[ConditionOutcome, ...]
    iterations: tuple[int, ...]


class IterationStory(Contract):
    """One row of the budget ledger: who spent the iteration, what it found, what it changed, and what followed.

    `evidence_added` and `evidence_lost` are references against the iteration before; confidence is in thousandths.
    """

    number: int
    budget_before: int
    budget_after: int
    spent_by: str
    rules: tuple[str, ...]
    parts: tuple[str, ...]
    changed: tuple[str, ...]
    refused: tuple[str, ...]
    candidate_count: int
    dropped_count: int
    evidence_count: int
    evidence_added: tuple[str, ...]
    evidence_lost: tuple[str, ...]
    is_found: bool
    is_validated: bool
    item_count: int
    confidence: int
    confidence_change: int
    signals: tuple[str, ...]
    followed_by: str
    is_best: bool


class RunStory(Contract):
    """Everything that led to an answer, in the order in which it came about."""

    run_id: str
    question: str
    understood: tuple[str, ...]
    facts: tuple[FactUse, ...]
    rules: tuple[FiredRule, ...]
    iterations: tuple[IterationStory, ...]
    stop_reason: StopReason
    stop_words: str
    pending: str
    best_iteration: int
    answer: str
    is_found: bool
    confidence: int
    confidence_parts: tuple[str, ...]
    references: tuple[LedgerEntry, ...]
    reparses: tuple[LedgerEntry, ...]
    certificates: tuple[Certificate, ...]
    not_run: tuple[str, ...]


class FactChange(Contract):
    """A fact that would have to be another; `is_read` when the rule reads it, else it only goes along with one."""

    fact: str
    observed: FactValue
    needed: FactValue
    is_read: bool


class SignalStory(Contract):
    """What became of the signal that a standby rule waits for; `iterations` gave it, `acted_after` were acted on."""

    signal: SignalKind
    action: str
    iterations: tuple[int, ...]
    acted_after: tuple[int, ...]
    words: str


class WhyNot(Contract):
    """Why a rule did not do anything in a run, or what it did.

    `changes` are the fewest facts that would have to differ for it to fire; empty when it fired, is retired, or can
    never fire.
    """

    run_id: str
    rule: str
    name: str
    because: str
    state: OutcomeState
    words: str
    blocked_by: tuple[ConditionOutcome, ...]
    overridden_by: tuple[str, ...]
    changes: tuple[FactChange, ...]
    signal: SignalStory | None = None


class RunEnd(Contract):
    """How a run ended."""

    stop_reason: StopReason
    stop_detail: str
    iteration_count: int
    best_iteration: int
    is_found: bool
    is_complete: bool
    confidence: int
    answer: str


class WhatIf(Contract):
    """A run with another budget: how the recorded one ended and how it would have. `caveats` limit the comparison."""

    run_id: str
    recorded_budget: int
    budget: int
    recorded: RunEnd
    would_be: RunEnd
    iterations: tuple[IterationStory, ...]
    is_same_answer: bool
    caveats: tuple[str, ...] = ()
