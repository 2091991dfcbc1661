"""`pdfdocket redact LEDGER NUMBER FIELD...`."""

from __future__ import annotations

from pathlib import Path

import click

from pipeline.cli.options import json_option, read_settings

EPILOG = """\b
Examples:
  pdfdocket redact .pdfdocket/ledger.jsonl 17 body.question body.answer --reason "erasure request 4"
  pdfdocket redact .pdfdocket/ledger.jsonl 17 volatile.document_path
\b
The words of a question also stand in body.iterations, and those of an answer in both: name every field that has to go.
"""


@click.command(epilog=EPILOG)
@click.argument("ledger", type=click.Path(path_type=Path))
@click.argument("number", type=click.IntRange(1))
@click.argument("fields", nargs=-1, required=True)
@click.option("--reason", default="", help="Why; stands in the ledger.")
@json_option
def command(ledger: Path, number: int, fields: tuple[str, ...], reason: str, as_json: bool) -> int:
    """Blind FIELDS of line NUMBER of LEDGER for good; the ledger still verifies, the run cannot be replayed."""
    from pipeline.audit.redaction import find_run_id, redact_field
    from pipeline.cli.output import print_error, print_json, print_text

    run_id = find_run_id(ledger, number)
    redaction = redact_field(ledger, number, *fields, reason=reason)
    if as_json:
        print_json(redaction.model_dump(mode="json"))
    else:
        print_text(f"{ledger}, line {number}: blinded {', '.join(redaction.fields)}")
    copy = read_settings({}).records_folder / f"{run_id}.json"
    if run_id and copy.exists():
        print_error(f"pdfdocket: {copy} still holds what was blinded (remove it)")
    return 0
