"""Checkpoints: the head of a ledger, kept elsewhere, so that lines cut off at the end are missed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from pipeline.audit.signing import sign_checkpoint
from pipeline.audit.verify import verify_ledger
from pipeline.audit.writing import replace_file
from pipeline.canonical import encode_model
from pipeline.errors import RecordError, UsageError
from pipeline.models.ledger import Checkpoint
from pipeline.text.late import compile_late

if TYPE_CHECKING:
    from pipeline.models.ledger import LedgerReport

_PRINTED = compile_late(r"([0-9]{1,15}):([0-9a-f]{64})")


def take_checkpoint(report: LedgerReport, key: bytes | None = None) -> Checkpoint:
    """The head of a ledger that was just verified, signed when there is a key."""
    checkpoint = Checkpoint(count=report.count, chain_hash=report.chain_hash)
    return checkpoint if key is None else sign_checkpoint(checkpoint, key)


def write_checkpoint(ledger: Path | str, path: Path | str, key: bytes | None = None) -> Checkpoint:
    """Verify a ledger and write its head to a file; a checkpoint that is there already must hold first.

    Raises:
        RecordError: the ledger does not verify, lacks lines of the older checkpoint, or the file cannot be written; or
            the older checkpoint is signed and there is no key.
    """
    path = Path(path)
    older = read_checkpoint(path) if path.exists() else None
    if older is not None and older.signature and key is None:
        # who keeps signed heads would not notice before the next check that the newest one is not
        raise RecordError(f"{path}: the head there is signed", "set PDFDOCKET_LEDGER_KEY, or name another file")
    report = verify_ledger(ledger, older, key if older is not None and older.signature else None)
    if report.fault is not None:
        raise RecordError(f"{ledger}: no checkpoint is taken: {report.fault.detail}", "see pdfdocket verify")
    checkpoint = take_checkpoint(report, key)
    replace_file(path, [encode_model(checkpoint) + b"\n"])
    return checkpoint


def read_checkpoint(path: Path) -> Checkpoint:
    """A checkpoint from its file.

    Raises:
        RecordError: the file cannot be read or is no checkpoint.
    """
    try:
        return Checkpoint.model_validate_json(path.read_bytes())
    except OSError as error:
        remedy = "give a file that --checkpoint has written"
        raise RecordError(f"{path}: the checkpoint cannot be read: {error.strerror}", remedy) from error
    except ValidationError as error:
        raise RecordError(f"{path}: not a checkpoint", "give a file that --checkpoint has written") from error


def parse_head(text: str) -> Checkpoint:
    """A checkpoint from its printed form, `COUNT:HASH`.

    Raises:
        UsageError: the text has another form.
    """
    match = _PRINTED.fullmatch(text)
    if match is None:
        raise UsageError(f"{text}: not a head", "give COUNT:HASH as pdfdocket verify prints it")
    return Checkpoint(count=int(match[1]), chain_hash=match[2])


def print_head(checkpoint: Checkpoint) -> str:
    """A checkpoint as one word, short enough for a page of paper or the subject of a mail."""
    return f"{checkpoint.count}:{checkpoint.chain_hash}"
