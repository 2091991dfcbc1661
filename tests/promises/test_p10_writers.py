"""P10: concurrent writers. One chain, nothing lost, and no false alarm for whoever verifies meanwhile."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from pipeline.audit.reading import read_ledger
from pipeline.audit.verify import verify_ledger
from pipeline.models.ledger import Checkpoint
from tests.conftest import ROOT
from tests.promises.writers import PROCESSES


def _check_race(ledger, count, rounds):
    command = [sys.executable, "-m", "tests.promises.writers", "race", str(ledger), str(count), str(rounds)]
    heads = []
    printed, errors = ledger.with_name("printed.json"), ledger.with_name("errors.txt")
    with (
        printed.open("wb") as out,
        errors.open("wb") as err,
        subprocess.Popen(command, cwd=ROOT, stdout=out, stderr=err) as running,
    ):
        # the auditor looks while they write: never a fault, never fewer lines than before
        while running.poll() is None:
            if ledger.exists():
                report = verify_ledger(ledger, heads[-1] if heads else None)
                assert report.is_intact, report.fault
                heads.append(Checkpoint(count=report.count, chain_hash=report.chain_hash))
            try:
                # longer and longer, since the ledger is verified from its first line
                running.wait(timeout=0.05 + 0.001 * len(heads))
            except subprocess.TimeoutExpired:
                continue
    assert running.returncode == 0, errors.read_text()
    acknowledged = json.loads(printed.read_bytes())["acknowledged"]
    there = [f"{line.number} {line.chain_hash} {line.record.body.stop_detail}" for line in read_ledger(ledger)]
    assert sorted(acknowledged) == sorted(there)
    assert len(there) == PROCESSES * count * rounds
    report = verify_ledger(ledger)
    assert (report.is_intact, report.count) == (True, len(there))
    assert report.segment_count > 1
    assert heads


def test_one_chain_comes_out_when_eight_processes_append(tmp_path):
    _check_race(tmp_path / "ledger.jsonl", count=10, rounds=1)


@pytest.mark.soak
def test_one_chain_comes_out_when_eight_processes_append_two_thousand_runs_ten_times(tmp_path):
    _check_race(tmp_path / "ledger.jsonl", count=250, rounds=10)
