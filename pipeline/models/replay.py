"""What a replay found: the same bytes, the first step that differs, or why the run cannot be replayed."""

from typing import Literal

from pipeline.models.base import Contract

ReplayState = Literal["identical", "unchanged", "differs", "cannot_be_replayed"]
"""`unchanged` is said only of other rules that decide a run as it was decided: it was not run again."""
CannotReason = Literal[
    "document_missing", "input_changed", "rulebook_unknown", "rules_conflict", "engine_changed", "parser_changed",
    "schema_changed", "redacted", "effect_missing", "clock_limit", "limit", "password_needed", "document_unreadable",
    "question_refused", "record_unreadable",
]  # fmt: skip


class Difference(Contract):
    """The first step at which a replay parts from its record: `path` names the value, both are canonical JSON (cut)."""

    step: str
    path: str
    recorded: str
    replayed: str


class ReplayReport(Contract):
    """One record replayed. `number` is its line in the ledger, None for a record file."""

    run_id: str
    number: int | None
    state: ReplayState
    difference: Difference | None = None
    reason: CannotReason | None = None
    detail: str = ""
