"""`pdfdocket show RUN`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipeline.cli.options import json_option
from pipeline.errors import UsageError

if TYPE_CHECKING:
    from pipeline.models.run import RunRecord
    from pipeline.models.settings import Settings

_RECORD_ENDINGS = (".json", ".jsonl")

EPILOG = """\b
Examples:
  pdfdocket show 3f2a9c
  pdfdocket show .pdfdocket/runs/3f2a9c0d1e2b4a5f.json --json
"""


@click.command(epilog=EPILOG)
@click.argument("run")
@json_option
def command(run: str, as_json: bool) -> int:
    """Show a recorded RUN (a file, or the beginning of its id): question, plan, iterations, ledgers, answer."""
    from pipeline.audit.record import load_record
    from pipeline.cli.output import print_json, print_text

    path = find_record(run)
    record = load_record(path)
    if as_json:
        print_json(record.model_dump(mode="json"))
    else:
        print_text(render_record(record, str(path)))
    return 0


def find_record(run: str) -> Path:
    """The file of a run given by path or by the beginning of its id.

    Raises:
        UsageError: no such run, or more than one.
    """
    from pipeline.config import load_settings

    # a file of that name is meant even where a run id begins so
    if Path(run).is_file():
        return Path(run)
    folder = load_settings({}).records_folder
    found = sorted(path for path in folder.glob("*.json") if run and path.name.startswith(run))
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(f"{run} is the beginning of {len(found)} runs in {folder}", "give more of the id")
    if run.endswith(_RECORD_ENDINGS) or "/" in run:
        raise UsageError(f"{run}: no such file", "give the path of a record or ledger, or the beginning of a run id")
    raise UsageError(f"no run {run} in {folder}", "give the path of a record, or the beginning of a run id")


def find_archive(run: Path, settings: Settings, revision: str) -> Path:
    """The folder of kept rulebooks that has a revision: beside the record of a run, above it, or by the ledger.

    A record may have moved together with its rulebooks, lie in its place, or lie anywhere.
    """
    from pipeline.audit.archive import ARCHIVE_NAME

    places = [folder / ARCHIVE_NAME for folder in (run.parent, run.parent.parent, settings.ledger_path.parent)]
    return next((place for place in places if (place / revision).is_dir()), places[-1])


def render_record(record: RunRecord, path: str) -> str:
    """A record as text, in the order in which it came about."""
    from pipeline.cli.answers import render_run
    from pipeline.cli.plans import render_plan, render_question

    body = record.body
    parts = [
        f"Run {record.run_id}, document {body.document_sha256[:12]}, {record.volatile.started_at}".rstrip(", "),
        render_question(body.question),
        render_plan(body.plan),
        render_run(record, path),
    ]
    parts += [
        f"  {entry.kind.replace('_', ' ')}: {entry.target}: {entry.outcome} ({entry.why})" for entry in body.ledger
    ]
    return "\n\n".join(part for part in parts if part)
