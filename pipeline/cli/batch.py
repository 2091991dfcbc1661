"""`pdfdocket batch QUESTIONS --docs DIR --out DIR`."""

from __future__ import annotations

import os
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipeline.cli.options import Function, document_options, json_option, read_settings, rule_options
from pipeline.errors import BatchInterrupted, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pipeline.batch.crew import Crew
    from pipeline.batch.matrix import Inputs
    from pipeline.batch.running import Observer, Options, Output
    from pipeline.models.batch import Ceilings

_CEILINGS = {
    "iterations": "iterations",
    "reparsed-pages": "pages read again",
    "model-calls": "model calls",
    "model-tokens": "tokens",
}
_OWN = (
    "dry_run", "resume", "retry_failed", "fail_fast", "workers", "events", "only", "where", "metadata", "save_forecast",
    "scheduler", "ceilings", "no_annotated", "no_report", "fill",
    *(f"max_total_{name.replace('-', '_')}" for name in _CEILINGS),
)  # fmt: skip

_MAX_WORKERS = 256

EPILOG = """\b
Examples:
  pdfdocket batch questions.csv --docs contracts/ --out results/
  pdfdocket batch questions.xlsx --docs contracts/ --out results/ --dry-run
  pdfdocket batch questionnaire.xlsx --docs contracts/ --out results/ --fill
  pdfdocket batch questions.csv --docs contracts/ --out results/ --resume
  pdfdocket batch questions.jsonl --docs contracts/ --out results/ --only privacy --workers 8
  pdfdocket batch questions.csv --docs contracts/ --out results/ --where 'kind is contract' --where 'vendor is Acme'
  pdfdocket batch questions.csv --docs s3://bucket/contracts --out results/
  pdfdocket batch questions.csv --docs /shared/contracts --out results/ --scheduler tcp://host:8786
  pdfdocket batch questions.csv --docs contracts/ --out results/ --dry-run --save-forecast forecast.json
  pdfdocket batch questions.csv --docs contracts/ --out results/ --ceilings forecast.json
\b
QUESTIONS is CSV, XLSX, JSONL or a question a line. Columns: question, and if you like id, document (a name or glob,
empty for all), where (filters), expected, rulebook, tags. Results are results.jsonl, results.csv and results.xlsx in
the order of the input, and the ledger of all runs. See docs/batch.md.
\b
Exit codes: 0 no row failed, 1 some did (the results say why), 2 bad input or usage, 3 rules invalid, 130 Ctrl-C.
"""


def _ceiling_options(function: Function) -> Function:
    """--max-total-iterations and its like."""
    for name, words in reversed(_CEILINGS.items()):
        told = f"Ceiling of all rows together: {words} at worst."
        function = click.option(f"--max-total-{name}", type=click.IntRange(0), metavar="N", help=told)(function)
    return function


@click.command(epilog=EPILOG)
@click.argument("questions", type=click.Path(path_type=Path))
@click.option("--docs", required=True, metavar="PATH|URL", help="Folder with the PDFs, searched below too.")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder for the results and the ledger.")
@click.option("--only", metavar="TAG", multiple=True, help="Ask only questions with this tag (or one of several).")
@click.option("--where", metavar="'KEY OP VALUE'", multiple=True, help="Only documents that fit; all filters must.")
@click.option("--metadata", type=click.Path(path_type=Path), help="Table of yours with more to filter by (CSV, JSONL).")
@click.option("--dry-run", is_flag=True, help="Plan every row and say what the worst would be; asks nothing.")
@click.option(
    "--save-forecast", type=click.Path(path_type=Path), help="With --dry-run: write what it says here, as JSON."
)
@click.option(
    "--ceilings", type=click.Path(path_type=Path), help="A forecast: what all rows together may take at worst."
)
@_ceiling_options
@click.option("--resume", is_flag=True, help="Go on with the batch in --out; what was asked is not asked again.")
@click.option("--retry-failed", is_flag=True, help="The same, and ask the rows that failed once more.")
@click.option("--fail-fast", is_flag=True, help="Stop at the first row that fails.")
@click.option("--workers", type=click.IntRange(1, _MAX_WORKERS), help="Processes; by default one for each core.")
@click.option("--scheduler", metavar="ADDRESS", help="Ask on the workers of this Dask scheduler, tcp:// or tls://.")
@click.option("--fill", is_flag=True, help="Also write a copy of the workbook QUESTIONS with the answers filled in.")
@click.option("--no-annotated", is_flag=True, help="Write no annotated copies of the documents.")
@click.option("--no-report", is_flag=True, help="Write no report page.")
@click.option("--events", type=click.Path(path_type=Path), help="Write progress and summary here, one object a line.")
@json_option
@rule_options
@document_options
def command(questions: Path, docs: str, out: Path, as_json: bool, **flags: object) -> int:
    """Ask all QUESTIONS of all documents in a folder; killed and resumed, it ends with the same bytes."""
    from pipeline.batch.matrix import Inputs
    from pipeline.batch.running import Options
    from pipeline.cli.batch_progress import watch_batch

    own = {name: flags.pop(name) for name in _OWN}
    only, where = (tuple(map(str, value)) for value in (own["only"], own["where"]) if isinstance(value, tuple))
    metadata, saved = (path if isinstance(path, Path) else None for path in (own["metadata"], own["save_forecast"]))
    ceilings = _read_ceilings(own)
    inputs = Inputs(questions, _find_documents(docs), out, read_settings(flags), only, where, metadata)
    workers, scheduler = own["workers"], own["scheduler"]
    options = Options(
        worker_count=workers if isinstance(workers, int) else _MAX_WORKERS if scheduler is not None else _count_cores(),
        is_resumed=bool(own["resume"]),
        is_failed_retried=bool(own["retry_failed"]),
        is_failing_fast=bool(own["fail_fast"]),
        ceilings=ceilings,
        outputs=_choose_outputs(own, inputs),
    )
    events = own["events"]
    path = events if isinstance(events, Path) else None
    for written in (path, saved):
        _protect_inputs(inputs, written)
    if saved is not None and not own["dry_run"]:
        raise UsageError("--save-forecast goes with --dry-run", "give both, or neither")
    try:
        with watch_batch(path) as observe, _gather_crew(scheduler) as make_crew:
            options = options._replace(make_crew=make_crew)
            if own["dry_run"]:
                return _forecast(inputs, options, observe, as_json=as_json, saved=saved)
            return _run(inputs, options, observe, as_json=as_json)
    except KeyboardInterrupt as error:
        words = "interrupted; every row that was finished is kept"
        raise BatchInterrupted(words, "go on with --resume") from error


def _find_documents(given: str) -> Path | str:
    """A folder, also by a file URL; any other URL stays one."""
    from pipeline.text.urls import is_url

    if not is_url(given):
        return Path(given)
    from pipeline.batch.remote import find_local_folder

    folder = find_local_folder(given)
    return Path(folder) if folder else given


@contextmanager
def _gather_crew(scheduler: object) -> Iterator[Callable[..., Crew]]:
    """What gives the processes: those of this machine, or of a scheduler while this lasts."""
    if not isinstance(scheduler, str):
        from pipeline.batch.crew import LocalCrew

        yield LocalCrew
        return
    from pipeline.batch.cluster import ClusterCrew
    from pipeline.batch.scheduler import DaskStaff

    with closing(DaskStaff(scheduler)) as staff:
        yield partial(ClusterCrew, staff)


def _choose_outputs(flags: dict[str, object], inputs: Inputs) -> tuple[Output, ...]:
    """What is written beside the tables; a questionnaire that cannot be filled is refused before anything is asked."""
    outputs: list[Output] = []
    if flags["fill"]:
        from pipeline.batch.filling import prepare_fill

        outputs.append(prepare_fill(inputs))
    if not flags["no_annotated"]:
        from pipeline.batch.copies import annotate_results

        outputs.append(annotate_results)
    if not flags["no_report"]:
        from pipeline.batch.paging import write_page

        outputs.append(write_page)
    return tuple(outputs)


def _read_ceilings(flags: dict[str, object]) -> Ceilings:
    """Ceilings of a file, and over them those of single flags."""
    from pipeline.batch.ceilings import read_ceilings
    from pipeline.models.batch import Ceilings

    given = {f"max_{name}": flags[f"max_total_{name}"] for name in (each.replace("-", "_") for each in _CEILINGS)}
    single = {name: most for name, most in given.items() if isinstance(most, int)}
    path = flags["ceilings"]
    return read_ceilings(path, single) if isinstance(path, Path) else Ceilings(**single)


def _count_cores() -> int:
    """The cores that this process may use; not every system tells them apart from all there are."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _run(inputs: Inputs, options: Options, observe: Observer, *, as_json: bool) -> int:
    from pipeline.batch.running import run_batch
    from pipeline.cli.batch_texts import describe_summary, render_summary
    from pipeline.cli.output import print_json, print_text

    summary = run_batch(inputs, options, observe)
    if as_json:
        print_json(describe_summary(summary, inputs.out))
    else:
        print_text(render_summary(summary, inputs.out))
    return 1 if summary.failed_count else 0


def _forecast(inputs: Inputs, options: Options, observe: Observer, *, as_json: bool, saved: Path | None) -> int:
    from pipeline.audit.writing import replace_file
    from pipeline.batch.forecasting import forecast_batch
    from pipeline.canonical import encode_model
    from pipeline.cli.batch_texts import render_forecast
    from pipeline.cli.output import print_json, print_text

    forecast = forecast_batch(inputs, options, observe)
    if saved is not None:
        replace_file(saved, (encode_model(forecast) + b"\n",), "forecast")
    if as_json:
        print_json(forecast.model_dump(mode="json"))
    else:
        print_text(render_forecast(forecast))
    return 1 if forecast.failed else 0


def _protect_inputs(inputs: Inputs, events: Path | None) -> None:
    """Events must not be written over what is read, nor over results."""
    if events is None:
        return
    is_input = events.exists() and inputs.questions.exists() and events.samefile(inputs.questions)
    if is_input or events.suffix.casefold() == ".pdf":
        raise UsageError(f"{events}: the events would overwrite an input", "give another file to --events")
    if events.absolute().parent == inputs.out.absolute() and not events.name.startswith("events"):
        raise UsageError(f"{events}: that name may be one of a result", "call it events.jsonl, or put it elsewhere")
