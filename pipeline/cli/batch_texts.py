"""A batch in words: what it came to, or what it would do."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

from pipeline.batch.ceilings import describe_ceilings, describe_spending
from pipeline.batch.columns import find_reply_columns
from pipeline.batch.copies import FOLDER_NAME
from pipeline.batch.paging import REPORT_PAGE_NAME
from pipeline.models.batch import ResultRow
from pipeline.report.annotation import REPORT_NAME

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from pathlib import Path

    from pipeline.models.batch import BatchForecast, BatchSummary, NamedCount

_SHOWN_FAILURES = 20
_SHOWN_NAMES = 5
_FILES = ("results.jsonl", "results.csv", "results.xlsx", "ledger.jsonl")


def describe_summary(summary: BatchSummary, out: Path) -> dict[str, object]:
    """What `--json` prints: the counts, the files, and the rows that failed with their reasons."""
    failed = [
        {"row": row.number, "line": row.line, "id": row.id, "document": row.document, "reason": row.reason}
        for row in _walk_failed(out)
    ]
    files = [out / name for name in _FILES]
    copies = out / FOLDER_NAME / REPORT_NAME
    files += [copies] if copies.exists() else []
    files += [out / REPORT_PAGE_NAME] if summary.has_report else []
    files += [out / summary.filled_file] if summary.filled_file else []
    return {**summary.model_dump(mode="json"), "files": list(map(str, files)), "failed": failed}


def render_summary(summary: BatchSummary, out: Path) -> str:
    """The counts, why rows failed, and where the results are."""
    counted = (_count(summary.question_count, "question"), _count(summary.document_count, "document"))
    head = f"{_count(summary.row_count, 'row')} of {' and '.join(counted)}"
    kept = f", {summary.kept_count} of them kept from before" if summary.kept_count else ""
    counts = (
        f"answered {summary.answered_count}, not found {summary.not_found_count}, "
        f"asked back {summary.asked_back_count}, failed {summary.failed_count}"
    )
    lines = [head + kept, counts, *_render_left_out(summary)]
    lines.append(f"took {describe_spending(summary.spent, summary.worst_case)}")
    if told := describe_ceilings(summary.ceilings):
        lines.append(f"ceilings: {told}; rows that would have gone over: {summary.ceiling_count}")
    if summary.torn_bytes:
        lines.append(f"half a line of {summary.torn_bytes} bytes was cut off the journal; its row was asked again")
    if summary.failed_count:
        lines += _render_failures(_walk_failed(out), summary.failed_count)
    lines += [f"results: {out / _FILES[0]}, .csv, .xlsx", f"ledger:  {out / _FILES[-1]}"]
    if summary.has_report:
        lines.append(f"report:  {out / REPORT_PAGE_NAME}, {_count(summary.picture_count, 'page')} shown")
        lines += [f"  left out: {note}" for note in summary.report_notes[:_SHOWN_NAMES]]
    return "\n".join([*lines, *_render_sheet(summary, out), *_render_copies(summary, out)])


def _render_sheet(summary: BatchSummary, out: Path) -> list[str]:
    """What of a workbook was no question, and where the filled one is."""
    lines = []
    if summary.heading_lines:
        told = ", ".join(map(str, summary.heading_lines[:_SHOWN_FAILURES]))
        rest = ", ..." if len(summary.heading_lines) > _SHOWN_FAILURES else ""
        lines.append(f"headings between the questions, in rows {told}{rest}")
    if summary.unread_sheets:
        lines.append(f"other sheets have questions too, which were not asked: {', '.join(summary.unread_sheets)}")
    if summary.filled_file:
        lines.append(f"filled:  {out / summary.filled_file}, {_count(summary.filled_count, 'question')}")
    return lines


def _render_copies(summary: BatchSummary, out: Path) -> list[str]:
    if not (summary.copy_count or summary.copy_refused_count):
        return []
    told = f"copies:  {out / FOLDER_NAME}, {_count(summary.copy_count, 'document')}"
    refused = f", {summary.copy_refused_count} could not be annotated" if summary.copy_refused_count else ""
    unmarked = f", {summary.unmarked_count} places are not marked" if summary.unmarked_count else ""
    return [told + refused + unmarked + (f" ({REPORT_NAME} says why)" if refused or unmarked else "")]


def render_forecast(forecast: BatchForecast) -> str:
    """What would be done, by pattern, standby action and rule, and the worst that it can cost."""
    head = _count(forecast.row_count, "row")
    lines = [f"{head}, {forecast.planned_count} planned, {len(forecast.failed)} would fail"]
    for title, counts in (
        ("patterns", forecast.patterns),
        ("standby", forecast.actions),
        ("rules", forecast.rules),
    ):
        lines.append(f"{title + ':':10}{_join_counts(counts)}")
    lines.append(
        f"at worst: {forecast.max_iterations} iterations, {forecast.max_reparsed_pages} pages read again, "
        f"{forecast.max_model_calls} model calls, {forecast.max_model_tokens} tokens"
    )
    lines += _render_left_out(forecast)
    lines += _render_failures(iter(forecast.failed), len(forecast.failed))
    return "\n".join([*lines, "nothing was asked"])


def _render_left_out(told: BatchSummary | BatchForecast) -> list[str]:
    """What was left out, by filter, and what of the questions and of the table of metadata nobody needed."""
    lines = []
    if told.left_out:
        rows: Counter[str] = Counter()
        documents: Counter[str] = Counter()
        for each in told.left_out:
            rows[each.filter] += each.row_count
            documents[each.filter] += 1
        lines.append(f"left out by filters: {_count(told.left_out_count, 'row')}")
        lines += [f"  {name}: {_count(rows[name], 'row')} of {_count(documents[name], 'document')}" for name in rows]
    unknown = dict.fromkeys(f"{each.document} ({each.reason})" for each in told.left_out if each.is_unknown)
    if unknown:
        lines.append(f"  nothing to judge by: {_join_some(unknown)}")
    ignored = told.ignored_columns
    if getattr(told, "filled_file", ""):
        # those that replies go to were not without a meaning
        ignored = tuple(title for title in ignored if not find_reply_columns((title,)))
    if ignored:
        lines.append(f"columns that mean nothing here: {_join_some(ignored)}")
    if told.unmatched_names:
        lines.append(f"in the table of metadata, but not among the documents: {_join_some(told.unmatched_names)}")
    return lines


def _count(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def _join_some(names: Collection[str]) -> str:
    more = f" and {len(names) - _SHOWN_NAMES} more" if len(names) > _SHOWN_NAMES else ""
    return ", ".join(islice(names, _SHOWN_NAMES)) + more


def _join_counts(counts: Iterable[NamedCount]) -> str:
    return ", ".join(f"{found.name} {found.count}" for found in counts) or "none"


def _render_failures(rows: Iterator[ResultRow], count: int) -> list[str]:
    shown = []
    for row in islice(rows, _SHOWN_FAILURES):
        document = f" of {row.document}" if row.document else ""
        shown.append(f"  failed: {row.id}{document}: {row.reason}".replace("\n", " "))
    if count > _SHOWN_FAILURES:
        shown.append(f"  and {count - _SHOWN_FAILURES} more")
    return shown


def _walk_failed(out: Path) -> Iterator[ResultRow]:
    with (out / _FILES[0]).open("rb") as file:
        for line in file:
            # the status is looked for first, since most rows did not fail and need not be read
            if b'"status":"failed"' in line and (row := ResultRow.model_validate_json(line)).status == "failed":
                yield row
