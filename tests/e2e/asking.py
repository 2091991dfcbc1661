"""Cases asked through the library: one document parsed once, every question of it answered, faults in words."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from fixtures.expectations import Case, find_case_faults
from pipeline.cli.objects import describe_run
from pipeline.models.run import RunRecord
from pipeline.run import ask


class Outcome(NamedTuple):
    """One case, the run it led to, and what is wrong with the answer (nothing when it passes)."""

    case: Mapping[str, Any]
    record: RunRecord
    faults: list[str]


def read_cases(path: Path) -> list[Case]:
    """The cases of one file, in order."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def ask_cases(cases: Iterable[Case], folder: Path) -> list[Outcome]:
    """Ask every case of its document in a folder."""
    outcomes = []
    for case in cases:
        record = ask(folder / case["document"], case["question"])
        described: Any = describe_run(record, "")
        # as a reader of `--json` meets it: lists, not tuples
        printed = json.loads(json.dumps(described["answer"]))
        outcomes.append(Outcome(case, record, find_case_faults(case, printed)))
    return outcomes


def describe_faults(outcomes: Iterable[Outcome]) -> str:
    """Every failing case with its question and faults, for a person."""
    lines = []
    for outcome in outcomes:
        if outcome.faults:
            lines.append(f"{outcome.case['id']}: {outcome.case['question']}")
            lines += [f"    {fault}" for fault in outcome.faults]
    return "\n".join(lines)
