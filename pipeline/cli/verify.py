"""`pdfdocket verify LEDGER`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipeline.cli.options import json_option, read_settings
from pipeline.errors import UsageError

if TYPE_CHECKING:
    from pipeline.models.ledger import Checkpoint, LedgerReport

EPILOG = """\b
Examples:
  pdfdocket verify .pdfdocket/ledger.jsonl
  pdfdocket verify .pdfdocket/ledger.jsonl --checkpoint /media/usb/head.json
  pdfdocket verify .pdfdocket/ledger.jsonl --head 12:9f0c...
  PDFDOCKET_LEDGER_KEY=... pdfdocket verify --checkpoint head.json
\b
Exit codes: 0 nothing was changed, 1 a line is not what it was, 2 bad input or usage.
"""


@click.command(epilog=EPILOG)
@click.argument("ledger", type=click.Path(path_type=Path), required=False)
@click.option(
    "--checkpoint", type=click.Path(path_type=Path), help="Head kept elsewhere: checked, or written when not there."
)
@click.option("--head", help="The same on paper: COUNT:HASH as printed by an earlier call.")
@click.option("--records", "reads_records", is_flag=True, help="Also read every record whole; takes much longer.")
@json_option
def command(
    ledger: Path | None, checkpoint: Path | None, head: str | None, as_json: bool, *, reads_records: bool
) -> int:
    """Find any changed, removed, inserted or moved line of LEDGER (default: that of the settings) and name it."""
    from pipeline.audit.checkpoint import parse_head, read_checkpoint, write_checkpoint
    from pipeline.audit.verify import verify_ledger
    from pipeline.cli.output import print_json, print_text

    settings = read_settings({})
    if checkpoint is not None and head is not None:
        raise UsageError("--checkpoint and --head say the same twice", "give one of them")
    path = ledger or settings.ledger_path
    key = settings.ledger_key.encode() if settings.ledger_key else None
    expected: Checkpoint | None = None if head is None else parse_head(head)
    if checkpoint is not None and checkpoint.exists():
        expected = read_checkpoint(checkpoint)
    report = verify_ledger(path, expected, key if head is None else None, reads_records=reads_records)
    if checkpoint is not None and expected is None and report.is_intact:
        written = write_checkpoint(path, checkpoint, key)
        report = report.model_copy(update={"checkpoint": "written", "is_signed": bool(written.signature)})
    if as_json:
        print_json({"ledger": str(path), "is_intact": report.is_intact, **report.model_dump(mode="json")})
    else:
        has_unchecked = expected is not None and bool(expected.signature) and not report.is_signed
        print_text(render_report(report, path, has_unchecked_signature=has_unchecked))
    return 0 if report.is_intact else 1


def render_report(report: LedgerReport, path: Path, *, has_unchecked_signature: bool = False) -> str:
    """A report as text: the verdict first, then the head, for the next time."""
    lines = []
    if report.fault is None:
        counted = f"{_count(report.count, 'line')}, {_count(report.record_count, 'run')}"
        lines.append(f"{path}: {counted}: nothing was changed")
    else:
        fault = report.fault
        place = f"{fault.file}, line {fault.line}" if fault.file else str(path)
        lines.append(f"{place}: {fault.detail} [{fault.kind}, number {fault.number}]")
        lines.append("the line before it holds" if report.count == 1 else f"the {report.count} lines before it hold")
    if report.segment_count > 1:
        lines.append(f"segments: {report.segment_count}")
    for number in sorted({field.number for field in report.redacted}):
        names = [field.name for field in report.redacted if field.number == number]
        # volatile fields take no part in a replay
        is_lost = any(not name.startswith("volatile.") for name in names)
        lost = "; the run cannot be replayed from it" if is_lost else ""
        lines.append(f"redacted: line {number}: {', '.join(names)}{lost}")
    for field in report.unfinished:
        lines.append(f"redaction not finished: {field.name} of line {field.number} still holds its value")
    if report.checkpoint:
        signed = ", signature checked" if report.is_signed and report.checkpoint == "holds" else ""
        if has_unchecked_signature:
            signed = ", but its signature was not checked: PDFDOCKET_LEDGER_KEY is not set"
        lines.append(f"checkpoint: {report.checkpoint}{signed}")
    if report.fault is None:
        lines.append(f"head: {report.count}:{report.chain_hash}")
    return "\n".join(lines)


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
