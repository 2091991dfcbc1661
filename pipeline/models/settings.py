"""Settings of a run (part of the record) and of the program (not part of it)."""

from pathlib import Path
from typing import Literal

from pydantic import Field

from pipeline.models.base import Contract


class ParseLimits(Contract):
    """Limits of the parse child: seconds, bytes of memory, pages and characters of text. The only clock of a run."""

    max_seconds: int = Field(default=120, ge=1)
    max_memory_bytes: int = Field(default=2_000_000_000, ge=1)
    max_pages: int = Field(default=20_000, ge=1)
    max_characters: int = Field(default=60_000_000, ge=1)


class LedgerLimits(Contract):
    """Bytes of a segment, after which the ledger goes on in a new file, and of one line, beyond which it is refused."""

    max_bytes: int = Field(default=268_435_456, ge=1)
    max_record_bytes: int = Field(default=16_777_216, ge=1)


class RunSettings(Contract):
    """What changes an answer and therefore stands in the record."""

    engine: Literal["extractive", "model"] = "extractive"
    max_iterations: int | None = Field(default=None, ge=1, le=4)
    rulebook: str = "default"


class Settings(Contract):
    """All settings: the run's own, and where and how the program works. Secrets are never shown nor recorded."""

    run: RunSettings = RunSettings()
    parse: ParseLimits = ParseLimits()
    password: str | None = Field(default=None, repr=False)
    is_cache_used: bool = True
    cache_folder: Path | None = None
    rules_folder: Path | None = None
    rules_base: Path | None = None
    records_folder: Path = Path(".pdfdocket/runs")
    ledger_path: Path = Path(".pdfdocket/ledger.jsonl")
    is_ledger_kept: bool = True
    ledger_limits: LedgerLimits = LedgerLimits()
    ledger_key: str | None = Field(default=None, repr=False)
    log_level: Literal["debug", "info", "warning", "error"] = "warning"
