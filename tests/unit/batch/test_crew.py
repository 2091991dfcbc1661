"""The pool of processes: whatever dies is replaced, and only its own row fails."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.conftest import ROOT


def _play(scene, folder):
    command = [sys.executable, "-m", "tests.unit.batch.crews", scene, str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


@pytest.mark.parametrize(("scene", "method"), [("plain", "fork"), ("threaded", "spawn")])
def test_all_orders_are_answered_when_processes_are_forked_or_spawned(tmp_path, scene, method):
    played = _play(scene, tmp_path)
    assert played["method"] == method
    assert sorted(played["rows"]) == ["1", "2", "3", "4", "5"]
    assert set(played["rows"].values()) == {"answered "}


def test_only_the_rows_that_kill_their_process_fail_when_processes_die(tmp_path):
    rows = _play("dying", tmp_path)
    assert sorted(rows) == [str(number) for number in range(1, 10)]
    assert rows.pop("3") == "failed the process that asked it was ended by signal 9"
    assert rows.pop("4") == "failed the process that asked it ended with code 7"
    assert set(rows.values()) == {"nothing"}


def test_a_large_order_waits_until_its_lane_is_idle_when_given(tmp_path):
    rows = _play("large", tmp_path)
    assert len(rows) == 3
    assert all("4000" in row for row in rows.values())


def test_no_process_is_left_when_a_crew_is_closed_at_work(tmp_path):
    assert _play("closed", tmp_path) == [False, False]
