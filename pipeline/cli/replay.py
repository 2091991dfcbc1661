"""`pdfdocket replay RUN|LEDGER`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipeline.cli.options import document_options, json_option, read_settings
from pipeline.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.models.replay import ReplayReport
    from pipeline.models.run import RunRecord
    from pipeline.rerun.replay import ReplaySources

EPILOG = """\b
Examples:
  pdfdocket replay 3f2a9c
  pdfdocket replay .pdfdocket/ledger.jsonl --docs contracts/
  pdfdocket replay .pdfdocket/ledger.jsonl --rules my-rules/ --json
\b
Exit codes: 0 all identical, 1 one differs, 2 one cannot be replayed or bad input, 3 rules invalid.
"""


@click.command(epilog=EPILOG)
@click.argument("source")
@click.option("--docs", type=click.Path(path_type=Path), help="Folder where documents are found by their hash.")
@click.option(
    "--rules", "rules", type=click.Path(path_type=Path), help="Decide by this rulebook instead of the recorded one."
)
@json_option
@document_options
def command(source: str, docs: Path | None, rules: Path | None, as_json: bool, **flags: object) -> int:
    """Run the record or ledger SOURCE again from recorded effects, without network, and name the first difference."""
    from pipeline.audit.archive import ARCHIVE_NAME
    from pipeline.cli.output import print_json, print_text
    from pipeline.rerun.documents import DocumentFinder
    from pipeline.rerun.replay import ReplaySources

    if docs is not None and not docs.is_dir():
        raise UsageError(f"{docs}: no such folder", "name the folder that holds the documents")
    settings = read_settings(flags)
    forbid_network()
    ledger = Path(source) if is_ledger(Path(source)) else settings.ledger_path
    sources = ReplaySources(settings, DocumentFinder(docs), ledger.parent / ARCHIVE_NAME, rules)
    reports = list(_replay_all(source, sources))
    if as_json:
        print_json({"summary": _count(reports), "reports": [report.model_dump(mode="json") for report in reports]})
    else:
        for report in reports:
            print_text(render_report(report))
        counts = _count(reports)
        print_text(", ".join(f"{count} {state.replace('_', ' ')}" for state, count in counts.items()))
    states = {report.state for report in reports}
    return 2 if "cannot_be_replayed" in states else 1 if "differs" in states else 0


def forbid_network() -> None:
    """Refuse every connection for the rest of this process: a replay reaches nothing."""
    import sys

    def refuse(event: str, _: tuple[object, ...]) -> None:
        if event in ("socket.connect", "socket.getaddrinfo", "socket.sendto"):
            raise PermissionError("a replay reaches no network")

    sys.addaudithook(refuse)


def is_ledger(path: Path) -> bool:
    """Whether a path is a ledger and not the record of one run."""
    return path.is_file() and path.suffix == ".jsonl"


def _replay_all(source: str, sources: ReplaySources) -> Iterator[ReplayReport]:
    from pipeline.models.replay import ReplayReport
    from pipeline.rerun.replay import replay_record

    for number, run_id, record in _read_records(source):
        if record is None:
            words = "a field of its body was blinded"
            yield ReplayReport(
                run_id=run_id, number=number, state="cannot_be_replayed", reason="redacted", detail=words
            )
        else:
            yield replay_record(record, sources, number)


def _read_records(source: str) -> Iterator[tuple[int | None, str, RunRecord | None]]:
    """(line number, run id, record) of a ledger or of one record; the record is None where its body is blinded."""
    from pipeline.audit.reading import read_ledger
    from pipeline.audit.record import load_record
    from pipeline.cli.show import find_record

    if not is_ledger(Path(source)):
        record = load_record(find_record(source))
        yield None, record.run_id, record
        return
    for line in read_ledger(Path(source)):
        if line.redaction is None:
            yield line.number, line.record.run_id if line.record else "", line.record


def render_report(report: ReplayReport) -> str:
    """One report in words."""
    name = f"line {report.number}, run {report.run_id}" if report.number is not None else f"run {report.run_id}"
    if report.difference is not None:
        difference = report.difference
        return (
            f"{name}: differs first in {difference.step} ({difference.path})\n"
            f"  recorded: {difference.recorded}\n  replayed: {difference.replayed}"
        )
    if report.reason is not None:
        return f"{name}: cannot be replayed: {report.reason.replace('_', ' ')}: {report.detail}"
    return f"{name}: identical{f' ({report.detail})' if report.detail else ''}"


def _count(reports: list[ReplayReport]) -> dict[str, int]:
    states = ("identical", "differs", "cannot_be_replayed")
    return {state: sum(report.state == state for report in reports) for state in states}
