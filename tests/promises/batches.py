"""What the promises of batches share: desks with many questions of many documents, killed, resumed and measured."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pipeline.audit.reading import read_ledger
from pipeline.audit.verify import verify_ledger
from tests.conftest import ROOT
from tests.e2e.asking import read_cases
from tests.e2e.commands import make_environment

COMMAND = [sys.executable, "-m", "pipeline", "batch", "questions.jsonl", "--docs", "docs"]
# clocks and the state of a batch; all other files are free of both
OWN_FILES = ("journal.jsonl", "ledger", "batch.lock", "rulebooks")
QUIET = ("--no-report", "--no-annotated")
# scans are left out: each question would read their pages again, and that is measured elsewhere
SCANS = "scan"


class Measure(NamedTuple):
    """Seconds of a batch, and the most kilobytes that its parent and that any of its processes took."""

    seconds: float
    parent_kilobytes: int
    child_kilobytes: int


def list_questions(count: int) -> list[str]:
    """Questions of the own cases, again with a number behind them where there are too few."""
    found = [
        case["question"] for path in sorted((ROOT / "fixtures" / "cases").glob("*.jsonl")) for case in read_cases(path)
    ]
    return [found[at % len(found)] + (f" ({at})" if at >= len(found) else "") for at in range(count)]


def list_documents(built: Path, count: int) -> list[Path]:
    """Built documents without scans, then those of the corpus, where it is present, by their size."""
    found = [path for path in sorted(built.glob("*.pdf")) if not path.name.startswith(SCANS)]
    corpus = os.environ.get("PDFDOCKET_CORPUS", "")
    real = sorted(Path(corpus).rglob("*.pdf"), key=lambda path: path.stat().st_size) if corpus else []
    # two places of twenty are for real ones
    kept = found[: count - min(2, len(real))]
    return [*kept, *real[: count - len(kept)]]


def fill_desk(folder: Path, documents: Sequence[Path], questions: Sequence[str]) -> Path:
    """A folder with documents and a file of questions, each for all documents."""
    (folder / "docs").mkdir(parents=True)
    for path in documents:
        shutil.copy(path, folder / "docs")
    lines = [json.dumps({"id": f"q{number}", "question": text}) for number, text in enumerate(questions, 1)]
    (folder / "questions.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return folder


def run_batch_here(
    desk: Path, out: str, *flags: str, changes: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run a batch of a desk to its end."""
    command = [*COMMAND, "--out", out, *flags]
    environment = make_environment(desk, changes)
    return subprocess.run(
        command, cwd=desk, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=3600
    )


def kill_batch(desk: Path, out: str, seconds: float, *flags: str, is_whole_group: bool) -> bool:
    """Begin or go on with a batch, and kill it after some seconds; whether it was still at work."""
    command = [*COMMAND, "--out", out, "--resume", *flags]
    with subprocess.Popen(
        command, cwd=desk, env=make_environment(desk), stdout=-3, stderr=-3, start_new_session=True
    ) as running:
        try:
            running.wait(seconds)
        except subprocess.TimeoutExpired:
            # the power fails for all, a person or the system kills one
            (os.killpg if is_whole_group else os.kill)(running.pid, signal.SIGKILL)
            return True
    return False


def check_kills(desk: Path, count: int, seed: int, *flags: str) -> None:
    """Kill a batch at random moments all over its time, and hold what it ends with against one that ran through."""
    start = time.monotonic()
    whole = run_batch_here(desk, "whole", *flags)
    seconds = time.monotonic() - start
    assert whole.returncode in (0, 1), whole.stderr
    chance = random.Random(seed)
    killed_count = 0
    # a call that is killed gets through a part of the work that is left; together they cover all of it
    for number in range(count):
        moment = chance.uniform(0.05, 0.6 + 2 * seconds / count)
        killed_count += kill_batch(desk, "killed", moment, *flags, is_whole_group=number % 2 == 0)
    done = run_batch_here(desk, "killed", "--resume", "--json", *flags)
    assert done.returncode == whole.returncode, done.stderr
    print(f"\n{killed_count} of {count} calls were killed at work; one go took {seconds:.1f} s")
    assert killed_count > 0
    check_same_batch(desk, "whole", "killed")


def check_same_batch(desk: Path, one: str, other: str) -> None:
    """All files of results have the same bytes, each row stands once in an intact ledger, none is lost or doubled."""
    assert read_results(desk / other) == read_results(desk / one)
    rows = read_rows(desk / other)
    assert [row["number"] for row in rows] == sorted({row["number"] for row in rows})
    assert verify_ledger(desk / other / "ledger.jsonl").is_intact
    runs = sorted(line.record.run_id for line in read_ledger(desk / other / "ledger.jsonl") if line.record)
    assert runs == sorted(row["run_id"] for row in rows if row["run_id"])


def read_results(out: Path) -> dict[str, bytes]:
    """Every file that a batch leaves and that is free of clocks, by its name."""
    return {
        path.relative_to(out).as_posix(): path.read_bytes()
        for path in sorted(out.rglob("*"))
        if path.is_file() and not path.relative_to(out).as_posix().startswith(OWN_FILES)
    }


def read_rows(out: Path) -> list[dict[str, Any]]:
    """All rows of results."""
    return [json.loads(line) for line in (out / "results.jsonl").read_bytes().splitlines()]


def measure_batch(desk: Path, out: str, *flags: str) -> Measure:
    """Run a batch in a process of its own that tells what it took; a parse child counts as one of its processes."""
    command = [sys.executable, "-m", "tests.promises.measuring", *COMMAND[3:], "--out", out, *flags]
    done = subprocess.run(
        command, cwd=desk, env=make_environment(desk), stdin=subprocess.DEVNULL, capture_output=True, timeout=3600
    )
    assert done.returncode == 0, done.stderr
    code_, seconds, parent, child = json.loads(done.stderr.splitlines()[-1])
    assert code_ in (0, 1), done.stderr
    return Measure(seconds, parent, child)
