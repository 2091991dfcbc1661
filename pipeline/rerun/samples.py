"""Samples: facts of real questions, computed for a folder of questions or read from records, to hold rules against."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pydantic import ValidationError

from pipeline.audit.reading import read_ledger
from pipeline.audit.record import load_record
from pipeline.errors import DocumentError, QuestionError, RecordError, UsageError
from pipeline.models.facts import Facts
from pipeline.models.settings import Settings
from pipeline.run import plan

if TYPE_CHECKING:
    from pipeline.models.plan import FactReading
    from pipeline.models.rule_reports import SampleSource
    from pipeline.models.run import RunRecord


class Sample(NamedTuple):
    """Facts with where they come from: `name` is a case id or a run id, `question` its text."""

    source: SampleSource
    name: str
    question: str
    facts: Facts


class Samples(NamedTuple):
    """Samples in order, and what could not be used, with the reason."""

    samples: tuple[Sample, ...]
    left_out: tuple[str, ...]


class RunsRead(NamedTuple):
    """Records in order, and what could not be used, with the reason."""

    records: tuple[RunRecord, ...]
    left_out: tuple[str, ...]


class _Asked(NamedTuple):
    """One question of a file: an id, the name of a document, the question."""

    name: str
    document: str
    question: str


def read_runs(path: Path) -> RunsRead:
    """The records of a ledger, of a folder of records, or a single record.

    Raises:
        UsageError: there is nothing at the path.
        RecordError: a line of the ledger does not verify, or the only record cannot be read.
    """
    if path.is_dir():
        return _read_folder(path)
    if not path.is_file():
        raise UsageError(f"{path}: no ledger and no folder of records", "give a ledger, or a folder with records")
    # a ledger is JSON lines; one record is a file of its own
    if path.suffix == ".json":
        return RunsRead((load_record(path),), ())
    records: list[RunRecord] = []
    left_out: list[str] = []
    for line in read_ledger(path):
        if line.record is not None:
            records.append(line.record)
        # the line that says a redaction was made is no run, so nothing is missing there
        elif line.redaction is None:
            left_out.append(line.unreadable or f"line {line.number}: redacted")
    return RunsRead(tuple(records), tuple(left_out))


def _read_folder(folder: Path) -> RunsRead:
    records: list[RunRecord] = []
    left_out: list[str] = []
    # by name, which is the id: the order of a listing is the business of the file system
    for path in sorted(folder.glob("*.json")):
        try:
            records.append(load_record(path))
        except RecordError as error:
            left_out.append(str(error))
    return RunsRead(tuple(records), tuple(left_out))


def build_facts(readings: tuple[FactReading, ...]) -> Facts:
    """Facts as a record keeps them.

    Raises:
        RecordError: the record has other facts than this version reads.
    """
    try:
        return Facts.model_validate({reading.name: reading.value for reading in readings})
    except ValidationError as error:
        places = [".".join(str(part) for part in fault["loc"]) for fault in error.errors(include_url=False)]
        words = f"the record has other facts than this version: {', '.join(places)}"
        raise RecordError(words, "run the question again with this version") from error


def sample_runs(path: Path) -> Samples:
    """Samples of every record at a path; see `read_runs`."""
    found = read_runs(path)
    samples: list[Sample] = []
    left_out = list(found.left_out)
    for record in found.records:
        try:
            facts = build_facts(record.body.facts)
        except RecordError as error:
            left_out.append(f"run {record.run_id}: {error}")
        else:
            samples.append(Sample("run", record.run_id, record.body.question.text, facts))
    return Samples(tuple(samples), tuple(left_out))


def sample_questions(questions: Path, documents: Path, settings: Settings | None = None) -> Samples:
    """Profile every document that a file (or folder) of questions names and compute the facts of each question.

    `questions` are JSON lines with `document` and `question`, as for regression suites; nothing is asked.

    Raises:
        UsageError: there is no such file or folder, or a line that is no question.
    """
    samples: list[Sample] = []
    left_out: list[str] = []
    for asked in _read_questions(questions):
        try:
            preview = plan(documents / asked.document, asked.question, settings)
        except (DocumentError, QuestionError) as error:
            left_out.append(f"{asked.name}: {error}")
        else:
            samples.append(Sample("question", asked.name, asked.question, build_facts(preview.facts)))
    return Samples(tuple(samples), tuple(left_out))


def _read_questions(path: Path) -> Iterator[_Asked]:
    files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    if not files or not all(file.is_file() for file in files):
        raise UsageError(f"{path}: no questions", "give a .jsonl file, or a folder of them")
    for file in files:
        for number, line in enumerate(file.read_bytes().decode("utf-8", "replace").splitlines(), 1):
            if line.strip():
                yield _read_question(line, f"{file.name}:{number}")


def _read_question(line: str, where: str) -> _Asked:
    try:
        raw = json.loads(line)
    except ValueError as error:
        raise UsageError(f"{where}: not JSON: {error}", "one object a line") from error
    if not isinstance(raw, dict) or not all(isinstance(raw.get(key), str) for key in ("document", "question")):
        raise UsageError(f"{where}: no document and question", 'a line is {"document": ..., "question": ...}')
    # expectations and reasons of a case are for suites; here only what is asked counts
    return _Asked(str(raw.get("id", where)), raw["document"], raw["question"])
