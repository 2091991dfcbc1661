"""`pdfdocket annotate SOURCE --out DIR`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipeline.cli.options import json_option, read_settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pipeline.models.annotation import CopyReport
    from pipeline.models.run import RunRecord
    from pipeline.report.entries import Entry
    from pipeline.report.notebook import Asked

EPILOG = """\b
Examples:
  pdfdocket annotate 3f2a9c --out annotated/
  pdfdocket annotate .pdfdocket/ledger.jsonl --out annotated/ --docs contracts/
  pdfdocket annotate results/ --out annotated/ --json
\b
SOURCE is a run (a file, or the beginning of its id), a ledger, results.jsonl of a batch, or the folder of a batch.
Each document gets one copy: highlights over the words that were quoted, and a note for each answer. Where it is not
certain which words are meant there is no highlight, and the output and annotations.jsonl in DIR say why. A copy is
the file as it was with the marks behind it; the original is never touched. See docs/batch.md.
\b
Exit codes: 0 every place is marked, 1 some place or document is not (the output says why), 2 bad input or usage.
"""
_SHOWN = 20


@click.command(epilog=EPILOG)
@click.argument("source")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder for the copies.")
@click.option("--docs", type=click.Path(path_type=Path), help="Folder where documents are found by their hash.")
@click.option("--password", help="Password of encrypted files (better: PDFDOCKET_PASSWORD).")
@json_option
def command(source: str, out: Path, docs: Path | None, as_json: bool, password: str | None) -> int:
    """Write copies of the documents that SOURCE quotes, with its answers marked where they stand."""
    from pipeline.cli.output import print_json, print_text
    from pipeline.cli.show import find_record
    from pipeline.report.annotation import Destination, write_copies
    from pipeline.report.sources import find_source, read_entries

    settings = read_settings({"password": password} if password is not None else {})
    place = Path(source)
    entries = read_entries(find_source(place) if place.exists() else find_record(source), docs)
    counts = dict.fromkeys(("documents", "copies", "refused", "notes", "highlights", "unmarked"), 0)
    shown: list[CopyReport] = []

    def take(report: CopyReport) -> None:
        counts["documents"] += 1
        counts["copies"] += bool(report.file)
        counts["notes"] += report.note_count
        counts["highlights"] += report.highlight_count
        counts["refused"] += report.is_refused
        counts["unmarked"] += report.unmarked_place_count
        if as_json:
            shown.append(report)
        else:
            # one by one, since many documents take a while
            print_text(render_copy(report, out))

    failed = _Failures()
    write_copies(_describe(failed.watch(entries)), Destination(out), settings, take)
    if as_json:
        told = [report.model_dump(mode="json") for report in shown]
        counts["failed"] = failed.count
        print_json({"summary": counts, "documents": told})
    else:
        print_text(_render_counts(counts, failed.count))
    return 1 if counts["unmarked"] or counts["refused"] or failed.count else 0


class _Failures:
    """Counts the rows that have no answer because they failed."""

    def __init__(self) -> None:
        self.count = 0

    def watch(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """The same entries."""
        for entry in entries:
            self.count += entry.row.status == "failed"
            yield entry


def _describe(entries: Iterable[Entry]) -> Iterator[Asked]:
    from pipeline.report.notebook import Asked

    for entry in entries:
        yield Asked(entry.row, entry.document, entry.document_note, partial(_give_record, entry))


def _give_record(entry: Entry) -> RunRecord | None:
    return entry.record


def render_copy(report: CopyReport, out: Path) -> str:
    """What became of one document, in words."""
    from pipeline.report.notes import name_place

    if report.reason:
        lines = [f"{report.document}: no copy: {report.reason}"]
    else:
        marks = f"{_count(report.note_count, 'note')}, {_count(report.highlight_count, 'highlight')}"
        lines = [f"{out / report.file}: {marks}"]
    lines += [f"  warning: {warning}" for warning in report.warnings]
    for one in report.unmarked[:_SHOWN]:
        place = f", {name_place(one.page, one.line_start, one.line_end)}" if one.page else ""
        lines.append(f"  not marked: {one.id}{place}: {one.reason}")
    if len(report.unmarked) > _SHOWN:
        lines.append(f"  and {len(report.unmarked) - _SHOWN} more")
    return "\n".join(lines)


def _render_counts(counts: dict[str, int], failed_count: int) -> str:
    words = (
        f"{_count(counts['copies'], 'copy', 'copies')} of {_count(counts['documents'], 'document')}, "
        f"{_count(counts['notes'], 'note')}, {_count(counts['highlights'], 'highlight')}, "
        f"{_count(counts['unmarked'], 'place')} not marked"
    )
    return words + (f", {_count(failed_count, 'row')} failed" if failed_count else "")


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"
