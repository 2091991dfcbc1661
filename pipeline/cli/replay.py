"""`pdfdocket replay RUN|LEDGER`."""

from __future__ import annotations

import socket
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipeline.cli.options import document_options, json_option, read_settings
from pipeline.cli.progress import SHOWN_AFTER_MS
from pipeline.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pipeline.cli.logs import Observer
    from pipeline.models.replay import ReplayReport
    from pipeline.models.settings import Settings
    from pipeline.rerun.replay import LedgerReplay

EPILOG = """\b
Examples:
  pdfdocket replay 3f2a9c
  pdfdocket replay .pdfdocket/ledger.jsonl --docs contracts/
  pdfdocket replay .pdfdocket/ledger.jsonl --rules my-rules/ --json
\b
Exit codes: 0 all identical, 1 one differs, 2 one cannot be replayed or bad input, 3 rules invalid.
"""
STATES = ("identical", "unchanged", "differs", "cannot_be_replayed")


@click.command(epilog=EPILOG)
@click.argument("source")
@click.option("--docs", type=click.Path(path_type=Path), help="Folder where documents are found by their hash.")
@click.option(
    "--rules", "rules", type=click.Path(path_type=Path), help="Decide by this rulebook; runs it does not change stay."
)
@json_option
@document_options
def command(source: str, docs: Path | None, rules: Path | None, as_json: bool, **flags: object) -> int:
    """Run the record or ledger SOURCE again from recorded effects, without network, and name the first difference."""
    from pipeline.cli.output import print_error, print_json, print_text

    if docs is not None and not docs.is_dir():
        raise UsageError(f"{docs}: no such folder", "name the folder that holds the documents")
    settings = read_settings(flags)
    forbid_network()
    sign = _Sign(settings)
    replay = _start_replay(source, settings, (docs, rules), sign)
    if replay.torn:
        print_error(f"pdfdocket: {replay.torn} (the lines before it are replayed)")
    reports: list[ReplayReport] = []
    for report in sign.count(replay.reports, replay.line_count):
        reports.append(report)
        # one by one, so that what was found stands there when somebody interrupts a long replay
        if not as_json:
            print_text(render_report(report))
    counts = {state: sum(report.state == state for report in reports) for state in STATES}
    if as_json:
        shown = [report.model_dump(mode="json") for report in reports]
        print_json({"summary": counts, "torn": replay.torn, "reports": shown})
    else:
        counted = [f"{count} {state.replace('_', ' ')}" for state, count in counts.items()]
        print_text(", ".join(words for words in counted if words != "0 unchanged"))
    return 2 if counts["cannot_be_replayed"] else 1 if counts["differs"] else 0


def _start_replay(
    source: str, settings: Settings, folders: tuple[Path | None, Path | None], observe: Observer
) -> LedgerReplay:
    """A ledger, or one record as if it were one, about to be replayed; `folders` are those of --docs and --rules."""
    from pipeline.audit.archive import ARCHIVE_NAME
    from pipeline.audit.record import load_record
    from pipeline.cli.show import find_archive, find_record
    from pipeline.policy.rulebook import load_rulebook
    from pipeline.rerun.replay import LedgerReplay, ReplaySources, replay_ledger, replay_record
    from pipeline.run.documents import DocumentFinder

    docs, rules = folders
    if rules is not None:
        # invalid rules are refused before the first run, also where no run would need them
        load_rulebook(rules)
    if is_ledger(Path(source)):
        archive = Path(source).parent / ARCHIVE_NAME
        documents = DocumentFinder(docs, Path(source))
        return replay_ledger(Path(source), ReplaySources(settings, documents, archive, rules), observe)
    path = find_record(source)
    record = load_record(path)
    archive = find_archive(path, settings, record.body.plan.rulebook_revision)
    sources = ReplaySources(settings, DocumentFinder(docs, path), archive, rules)
    return LedgerReplay(1, "", (replay_record(each, sources, None, observe) for each in (record,)))


def forbid_network() -> None:
    """Refuse every connection for the rest of this process and of those forked from it: a replay reaches nothing."""

    def refuse(event: str, arguments: tuple[object, ...]) -> None:
        if not event.startswith("socket."):
            return
        # one end of a pair of local sockets reaches nobody, and the system may use them within a process
        if event == "socket.__new__" and arguments[1] == socket.AF_UNIX:
            return
        raise PermissionError("a replay reaches no network")

    sys.addaudithook(refuse)


def is_ledger(path: Path) -> bool:
    """Whether a path is a ledger and not the record of one run: by what stands in it, an empty one by its name."""
    from pipeline.audit.lines import LINE_START
    from pipeline.audit.rotation import list_full_segments

    if not path.is_file():
        # right after a rotation there are full segments only
        return path.suffix == ".jsonl" and bool(list_full_segments(path))
    try:
        with path.open("rb") as stream:
            start = stream.read(len(LINE_START))
    except OSError:
        # why it cannot be read is said by whoever reads it
        start = b""
    return start == LINE_START or (path.suffix == ".jsonl" and not start.startswith(b'{"body"'))


class _Sign:
    """One moving line on a terminal that says which line of a ledger is replayed; it also passes events to the log.

    It is drawn without a thread, because a process with threads does not fork its parse child.
    """

    def __init__(self, settings: Settings) -> None:
        from pipeline.cli.logs import make_observer

        self._log = make_observer(settings)
        self._is_shown = bool(sys.stderr) and sys.stderr.isatty()
        self._start = time.monotonic()
        self._words = ""

    def __call__(self, event: str, fields: tuple[tuple[str, str], ...]) -> None:
        """Take an event of a run."""
        if event != "waiting" and self._log is not None:
            self._log(event, fields)
        seconds = int(time.monotonic() - self._start)
        if self._is_shown and seconds * 1000 > SHOWN_AFTER_MS:
            self._write(f"replaying {self._words}, {seconds} s")

    def count(self, reports: Iterable[ReplayReport], total: int) -> Iterable[ReplayReport]:
        """The reports; while the next one is made, the line says which."""
        done = 0
        self._words = f"1 of {total}"
        for report in reports:
            if self._is_shown:
                self._write("")
            yield report
            # redactions are lines too and have no report
            done = report.number or done + 1
            self._words = f"{min(done + 1, total)} of {total}"

    def _write(self, words: str) -> None:
        sys.stderr.write(f"\r\x1b[K{words}")
        sys.stderr.flush()


def render_report(report: ReplayReport) -> str:
    """One report in words."""
    name = f"run {report.run_id}" if report.run_id else "run"
    if report.number is not None:
        name = f"line {report.number}, {name}"
    if report.reason is not None:
        return f"{name}: cannot be replayed: {report.reason.replace('_', ' ')}: {report.detail}"
    words = f" ({report.detail})" if report.detail else ""
    if report.difference is not None:
        difference = report.difference
        return (
            f"{name}: differs first in {difference.step} ({difference.path}){words}\n"
            f"  recorded: {difference.recorded}\n  replayed: {difference.replayed}"
        )
    return f"{name}: {report.state}{words}"
