"""`pdfdocket ask DOC QUESTION`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipeline.cli.options import (
    document_options,
    json_option,
    ledger_options,
    read_question,
    read_settings,
    rule_options,
)
from pipeline.errors import UsageError

if TYPE_CHECKING:
    from pipeline.models.run import RunRecord
    from pipeline.models.settings import Settings

EPILOG = """\b
Examples:
  pdfdocket ask csf.pdf "What are all the Categories under GOVERN, and which one covers supply chain risk?"
  pdfdocket ask contract.pdf "Which law governs the agreement?" --json
  pdfdocket ask report.pdf "How many segments are there?" --out run.json
  PDFDOCKET_PASSWORD=... pdfdocket ask sealed.pdf "What is the deposit?"
\b
Exit codes: 0 answered, 1 not found or asked back, 2 bad input or usage, 3 rules invalid.
"""


@click.command(epilog=EPILOG)
@click.argument("document", type=click.Path(path_type=Path))
@click.argument("question")
@click.option("--out", type=click.Path(path_type=Path), help="Write the record here instead of .pdfdocket/runs/.")
@json_option
@ledger_options
@rule_options
@document_options
def command(document: Path, question: str, out: Path | None, as_json: bool, **flags: object) -> int:
    """Ask DOCUMENT a QUESTION: the answer with page, line and quote, and the record of how it came about."""
    from pipeline.audit.record import write_record
    from pipeline.cli.output import print_json, print_text
    from pipeline.cli.progress import watch_run
    from pipeline.run import ask

    settings = read_settings(flags)
    _protect_document(document, out)
    with watch_run(settings, document) as observe:
        record = ask(document, read_question(question), settings, observe)
    path = out or settings.records_folder / f"{record.run_id}.json"
    # The record is on disk before the answer is on the screen: no answer without its record.
    write_record(record, path)
    place = _append(record, settings)
    if as_json:
        from pipeline.cli.objects import describe_run

        print_json({**describe_run(record, str(path)), "ledger_line": place})
    else:
        from pipeline.cli.answers import render_run

        kept = "" if place is None else f"\n  ledger: {place['path']}, line {place['number']}"
        print_text(render_run(record, str(path)) + kept)
    return 0 if record.body.answer.found else 1


def _append(record: RunRecord, settings: Settings) -> dict[str, object] | None:
    """Append the run to the ledger and say where; None without a ledger."""
    if not settings.is_ledger_kept:
        return None
    from pipeline.audit.archive import ARCHIVE_NAME, archive_rulebook
    from pipeline.audit.ledger import append_record
    from pipeline.audit.writing import refuse_device
    from pipeline.cli.output import print_error

    path = settings.ledger_path
    # where no ledger can be, no rules are left behind either
    refuse_device(path)
    # the rules of the day are kept before the run that names them
    archive_rulebook(settings.rules_folder, path.parent / ARCHIVE_NAME, record.body.plan.rulebook_revision)
    appended = append_record(record, path, settings.ledger_limits)
    if appended.torn is not None:
        words = f"the last line of {path} was torn by an interrupted run"
        print_error(f"pdfdocket: {words} (half a line was set aside as {appended.torn})")
    return {"path": str(path), "number": appended.number, "chain_hash": appended.chain_hash}


def _protect_document(document: Path, out: Path | None) -> None:
    if out is not None and out.exists() and document.exists() and out.samefile(document):
        raise UsageError(f"{out}: the record would overwrite the document", "give another file to --out")
