"""The record of a run: a deterministic body, hashed, and a volatile part beside it."""

from typing import Literal

from pipeline.models.answer import Answer
from pipeline.models.base import Contract
from pipeline.models.document import DocumentProfile
from pipeline.models.evidence import Candidate, Evidence
from pipeline.models.plan import ActionName, FactReading, Plan, SignalKind
from pipeline.models.question import Question, RetrievalBrief
from pipeline.models.settings import RunSettings

StopReason = Literal[
    "satisfied", "budget_spent", "repeated_trigger", "same_evidence", "confidence_fell", "drift", "nothing_applicable",
    "clarification_needed", "absence_established", "cost_ceiling",
]  # fmt: skip


class Signal(Contract):
    """Something a critique or a generator noticed; `targets` are canonical: sorted, without duplicates."""

    kind: SignalKind
    targets: tuple[str, ...]
    detail: str = ""


class Trigger(Contract):
    """The signal that was acted on (or would have been), with its fixed priority (1 is first)."""

    priority: int
    signal: SignalKind
    action: ActionName
    targets: tuple[str, ...]

    @property
    def key(self) -> tuple[str, str, tuple[str, ...]]:
        """(signal, action, targets): the same key twice stops the loop."""
        return (self.signal, self.action, self.targets)


class ActionTaken(Contract):
    """An action that opens the next iteration, what it changed, and why something was refused."""

    action: ActionName
    targets: tuple[str, ...]
    changed: tuple[str, ...]
    refused: tuple[str, ...] = ()


class SkippedStep(Contract):
    """A step of the plan that this version cannot run; reported in every iteration."""

    step: str
    reason: str


class LedgerEntry(Contract):
    """One row of the cross-reference or reparse ledger."""

    kind: Literal["cross_reference", "reparse"]
    target: str
    outcome: str
    why: str


class Iteration(Contract):
    """One retrieve-generate-critique pass, whole: nothing of it is left out."""

    number: int
    budget_before: int
    budget_after: int
    opened_by: ActionTaken | None
    queries: tuple[RetrievalBrief, ...]
    candidates: tuple[Candidate, ...]
    candidate_count: int
    ranking_hash: str
    dropped: tuple[str, ...]
    skipped: tuple[SkippedStep, ...]
    executed: tuple[str, ...]
    evidence: tuple[Evidence, ...]
    answer: Answer
    signals: tuple[Signal, ...]
    trigger: Trigger | None
    is_validated: bool
    ledger: tuple[LedgerEntry, ...] = ()


class EffectRecord(Contract):
    """The recorded outcome of an impure call: `key` names the request, `outcome` is its canonical JSON."""

    kind: str
    key: str
    outcome: str


class Versions(Contract):
    """What the body depends on beside its inputs."""

    pdfdocket: str
    schema_version: int
    parser_revision: int
    engine: str


class RunBody(Contract):
    """The deterministic part: the same inputs give the same bytes, everywhere."""

    versions: Versions
    document_sha256: str
    question_sha256: str
    settings: RunSettings
    question: Question
    profile: DocumentProfile
    facts: tuple[FactReading, ...]
    plan: Plan
    iterations: tuple[Iteration, ...]
    stop_reason: StopReason
    stop_detail: str
    pending_trigger: Trigger | None
    best_iteration: int
    answer: Answer
    ledger: tuple[LedgerEntry, ...] = ()
    effects: tuple[EffectRecord, ...] = ()


class Volatile(Contract):
    """What may differ between two runs of the same thing; never covered by the body hash."""

    started_at: str = ""
    duration_ms: int = 0
    host: str = ""
    document_path: str = ""


class RunRecord(Contract):
    """A run: its id (prefix of the body hash), the body, its hash and the volatile part."""

    run_id: str
    body_hash: str
    body: RunBody
    volatile: Volatile
