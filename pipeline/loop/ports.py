"""What the loop asks of others. It sees neither documents nor files, so that arbitrary ports can drive it in a test."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from pipeline.critique import Critique
from pipeline.models.answer import Absence, Answer
from pipeline.models.evidence import Candidate, Evidence
from pipeline.models.plan import Parameter, Step
from pipeline.models.question import Anchor, GenerationBrief, RetrievalBrief
from pipeline.models.run import LedgerEntry, Trigger


class AbsenceFinding(Protocol):
    """Proof that what is asked for is not in the document."""

    @property
    def kind(self) -> Absence:
        """Which kind of absence."""
        ...

    @property
    def reason(self) -> str:
        """Why, in words."""
        ...

    @property
    def near_misses(self) -> tuple[str, ...]:
        """What comes closest and does occur."""
        ...

    @property
    def is_certain(self) -> bool:
        """Whether no other words could stand for what is missing."""
        ...


class ActionRequest(NamedTuple):
    """An action of the plan, the trigger that asks for it, and the pass that it follows."""

    trigger: Trigger
    parameters: tuple[Parameter, ...]
    queries: tuple[RetrievalBrief, ...]
    candidates: tuple[Candidate, ...]
    evidence: tuple[Evidence, ...]
    answer: Answer


class ActionResult(NamedTuple):
    """What an action offers. The loop adds what its bounds allow and says what it refused.

    `expansions` and `widened` (section indexes) are pairs with the sub-question they are for; `changed` names in words
    what the action changed beside those (pages read again, references followed); empty everywhere: nothing changed.
    """

    changed: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    expansions: tuple[tuple[str, Anchor], ...] = ()
    widened: tuple[tuple[str, int], ...] = ()
    derived: tuple[Candidate, ...] = ()
    ledger: tuple[LedgerEntry, ...] = ()


# counts, never money or seconds: prices and clocks break replay
class ModelUse(NamedTuple):
    """Model calls and tokens that a run has used so far; zero without a model."""

    call_count: int = 0
    token_count: int = 0


class LoopPorts(Protocol):
    """The bricks of an iteration and of the actions between iterations; every one a pure function of its run."""

    def retrieve(self, step: Step, brief: RetrievalBrief) -> tuple[Candidate, ...]:
        """Candidates of one step for one sub-question, best first."""
        ...

    def fuse(self, rankings: tuple[tuple[Candidate, ...], ...]) -> tuple[Candidate, ...]:
        """One ranking from those of all steps for one sub-question; a candidate keeps who found it and why."""
        ...

    def assemble(self, candidates: tuple[Candidate, ...]) -> tuple[Evidence, ...]:
        """The text of the best candidates, within the limits of the plan."""
        ...

    def find_absence(self) -> AbsenceFinding | None:
        """Proof that the document cannot answer the question, or None."""
        ...

    def generate(self, brief: GenerationBrief, evidence: tuple[Evidence, ...]) -> Answer:
        """An answer to the open sub-questions."""
        ...

    def critique(self, answer: Answer, evidence: tuple[Evidence, ...], brief: GenerationBrief) -> Critique:
        """Signals and faults of an answer."""
        ...

    def perform(self, request: ActionRequest) -> ActionResult:
        """Carry out an action of the plan between two iterations."""
        ...

    def count_model_use(self) -> ModelUse:
        """What the run has spent on a model so far."""
        ...
