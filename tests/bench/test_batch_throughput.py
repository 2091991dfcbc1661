"""How much quicker a batch is on two processes than on one, several documents, everything included."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.promises.batches import QUIET, fill_desk, list_documents, list_questions, measure_batch

pytestmark = pytest.mark.bench

REPEATS = 2
TARGET = 1.7


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="there is one core")
def test_two_processes_are_nearly_twice_as_quick_as_one_when_many_documents_are_asked(
    tmp_path: Path, built_documents: Path
):
    desk = fill_desk(tmp_path / "desk", list_documents(built_documents, 20), list_questions(100))
    seconds: dict[str, list[float]] = {"1": [], "2": []}
    for number in range(REPEATS):
        for workers, found in seconds.items():
            # cold: each batch parses its documents itself
            cold = (*QUIET, "--no-cache") if number == 0 else QUIET
            found.append(measure_batch(desk, f"out-{workers}-{number}", "--workers", workers, *cold).seconds)
    ratio = min(seconds["1"]) / min(seconds["2"])
    rows = 100 * 20
    least = f"one process {min(seconds['1']):.1f} s, two {min(seconds['2']):.1f} s"
    print(f"\n{rows} rows: {least}: {ratio:.2f} times as quick")
    print(f"  all: {seconds}; target {TARGET}: {'met' if ratio >= TARGET else 'missed'}")
    assert ratio >= TARGET
