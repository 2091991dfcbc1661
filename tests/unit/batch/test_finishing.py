"""Things written beside the tables at once: told in one order, counted as one by one, ended with the batch."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from pipeline.batch.finishing import write_outputs
from pipeline.errors import RecordError


def _make_write(folder: Path, name: str, *, is_late: bool = False):
    def write(observe):
        for step in range(3):
            observe(name, {"step": step})
            observe("tick", {})
        if is_late:
            signal.pause()
        (folder / name).write_text(str(os.getpid()))
        return {f"{name}_count": 3}

    return write


@pytest.mark.parametrize("worker_count", [1, 2, 8])
def test_counts_and_events_are_the_same_when_writers_run_at_once(tmp_path: Path, worker_count: int):
    told = []
    writes = [_make_write(tmp_path, name) for name in ("first", "second", "third")]
    counts = write_outputs(writes, worker_count, lambda event, fields: told.append((event, fields.get("step"))))
    assert counts == {"first_count": 3, "second_count": 3, "third_count": 3}
    expected = [(name, step) for name in ("first", "second", "third") for step in range(3)]
    assert [each for each in told if each[0] != "tick"] == expected
    writers = {(tmp_path / name).read_text() for name in ("first", "second", "third")}
    assert (str(os.getpid()) in writers) == (worker_count == 1)


def test_the_fault_is_raised_in_its_own_words_when_a_fork_cannot_write(tmp_path: Path):
    def fail(observe):
        raise RecordError("page.html: cannot be written", "free some space")

    with pytest.raises(RecordError, match=r"page\.html: cannot be written"):
        write_outputs([_make_write(tmp_path, "first"), fail], 2, lambda *_: None)
    assert (tmp_path / "first").exists()


def test_a_writer_is_called_here_when_its_fork_was_killed(tmp_path: Path):
    own = os.getpid()

    def write(observe):
        if os.getpid() != own:
            os.kill(os.getpid(), signal.SIGKILL)
        return {"second_count": 1}

    assert write_outputs([_make_write(tmp_path, "first"), write], 2, lambda *_: None)["second_count"] == 1


def test_forks_end_when_the_batch_is_interrupted(tmp_path: Path):
    def interrupt(event, fields):
        raise KeyboardInterrupt

    writes = [_make_write(tmp_path, name, is_late=True) for name in ("first", "second")]
    with pytest.raises(KeyboardInterrupt):
        write_outputs(writes, 2, interrupt)
    # both were waited for, so no child is left
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)
    assert not list(tmp_path.iterdir())
