"""The ledger as it is read: its lines, what a check of it found, and the head that is kept outside of it."""

from typing import Literal

from pydantic import Field

from pipeline.models.base import Contract
from pipeline.models.run import RunRecord

FaultKind = Literal[
    "torn", "form", "value", "number", "previous", "chain", "body_hash", "redaction", "record", "truncated",
    "checkpoint", "signature",
]  # fmt: skip


class LedgerFault(Contract):
    """The first thing that is wrong: `line` counts within the file (1-based), `number` within the whole ledger."""

    kind: FaultKind
    file: str
    line: int
    number: int
    detail: str


class RedactedField(Contract):
    """A field that is blinded, or (in `unfinished`) that was declared so and still holds its value."""

    number: int
    name: str


class Checkpoint(Contract):
    """A head to be kept outside the ledger: how many lines there were, and the chain hash of the last of them.

    `signature` is HMAC-SHA256 over the canonical JSON of the other fields, or empty.
    """

    format: Literal[1] = 1
    count: int = Field(ge=0)
    chain_hash: str = Field(pattern="^[0-9a-f]{64}$")
    signature: str = Field(default="", pattern="^([0-9a-f]{64})?$")


class LedgerReport(Contract):
    """What a check of a ledger found; `count` and `chain_hash` are those of the last good line.

    `redacted` are blinded fields whose redaction stands in the ledger; `unfinished` fields whose redaction stands there
    although the value is still to be read. `is_signed` says that the signature of a checkpoint was checked.
    """

    count: int
    record_count: int
    segment_count: int
    chain_hash: str
    fault: LedgerFault | None = None
    redacted: tuple[RedactedField, ...] = ()
    unfinished: tuple[RedactedField, ...] = ()
    checkpoint: Literal["", "holds", "written"] = ""
    is_signed: bool = False

    @property
    def is_intact(self) -> bool:
        """Whether nothing was changed, removed, inserted or reordered."""
        return self.fault is None


class Redaction(Contract):
    """A line that says which fields of an earlier line were blinded, when (UTC) and why."""

    at: str
    fields: tuple[str, ...]
    number: int
    reason: str


class LedgerLine(Contract):
    """One line: a run, or the redaction of an earlier one.

    `record` is there when the body is whole; blinded volatile fields then hold their default. `text` is the canonical
    JSON as it stands, with null for every blinded field. `unreadable` says why the line holds, but not as a record of
    this version; `is_schema_known` is false when its schema version is the reason.
    """

    number: int
    chain_hash: str
    previous_hash: str
    redacted: tuple[str, ...] = ()
    record: RunRecord | None = None
    redaction: Redaction | None = None
    unreadable: str = ""
    is_schema_known: bool = True
    text: str = Field(repr=False)

    @property
    def is_replayable(self) -> bool:
        """Whether the run can be run again; not when a field of its body is blinded, or unknown to this version."""
        return self.record is not None
