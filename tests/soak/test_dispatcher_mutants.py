"""P24: a small change of what chooses turns the suite red; at least nine of ten, in fact nearly all of them."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.soak.dispatcher_mutants import ROOT, SUITES, list_changes

SAMPLE_COUNT = 3


def _judge(module: str, *indexes: int) -> dict[str, bool]:
    command = [sys.executable, "-m", "tests.soak.dispatcher_mutants", module, *(str(index) for index in indexes)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=3600)
    assert done.returncode == 0, done.stderr
    fates: dict[str, bool] = json.loads(done.stdout)
    return fates


def test_mutants_of_the_decision_are_noticed_when_a_sample_is_made():
    count = len(list_changes("pipeline.decide"))
    assert count > 50
    fates = _judge("pipeline.decide", *range(0, count, count // SAMPLE_COUNT + 1))
    assert [name for name, is_noticed in fates.items() if not is_noticed] == []


@pytest.mark.soak
@pytest.mark.parametrize("module", SUITES)
def test_nine_of_ten_mutants_are_noticed_when_all_are_made(module: str):
    fates = _judge(module)
    survivors = [name for name, is_noticed in fates.items() if not is_noticed]
    print(f"{module}: {len(fates) - len(survivors)} of {len(fates)} mutants noticed", *survivors, sep="\n  ")
    assert 10 * len(survivors) <= len(fates), survivors
