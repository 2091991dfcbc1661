"""P8 and P9 for batches: killed anywhere, on a disk that fails or is full, the results are those of one go."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.audit.verify import verify_ledger
from pipeline.errors import RecordError, UsageError
from tests.e2e.commands import make_environment
from tests.promises.batches import (
    COMMAND,
    QUIET,
    check_kills,
    check_same_batch,
    fill_desk,
    list_documents,
    list_questions,
    run_batch_here,
)
from tests.promises.harness import fail_at
from tests.unit.batch.folders import fill_folder, make_inputs, read_files, run_here

SAMPLED = ("lists.pdf", "policy.pdf", "links.pdf")


def _fill_small(folder: Path, built: Path, question_count: int) -> Path:
    return fill_desk(folder / "desk", [built / name for name in SAMPLED], list_questions(question_count))


def test_results_are_those_of_one_go_when_a_small_batch_was_killed_five_times(tmp_path, built_documents):
    check_kills(_fill_small(tmp_path, built_documents, 12), 5, 8, *QUIET)


@pytest.mark.soak
def test_results_are_those_of_one_go_when_two_hundred_questions_were_killed_fifty_times(tmp_path, built_documents):
    documents = list_documents(built_documents, 20)
    assert len(documents) == 20
    desk = fill_desk(tmp_path / "desk", documents, list_questions(200))
    check_kills(desk, 50, 2026, *QUIET)


@pytest.mark.soak
def test_page_and_copies_are_those_of_one_go_when_a_batch_was_killed_while_it_wrote_them(tmp_path, built_documents):
    check_kills(_fill_small(tmp_path, built_documents, 20), 30, 77)


# ---------------------------------------------------------------- calls that fail


def _is_called_by_us(frame):
    """Whether records, ledger, journal or results are at work, and not what a process of the crew does."""
    names = []
    while frame is not None:
        names.append(frame.f_globals.get("__name__", ""))
        frame = frame.f_back
    # the crew is in this process here; what fails in its own fails a row, and is tried elsewhere
    is_of_crew = any(name.startswith(("pipeline.batch.worker", "pipeline.parsing.")) for name in names)
    return not is_of_crew and any(name.startswith(("pipeline.audit.", "pipeline.batch.")) for name in names)


def _run_and_listen(folder, out):
    """Run a batch that may end in an error that was meant; its words, or none."""
    try:
        run_here(make_inputs(folder, out), worker_count=1)
    except (RecordError, UsageError) as error:
        return str(error)
    return ""


def _check_failing_calls(folder, monkeypatch, step, first):
    """Run with every step-th call failing, resume, and compare with a batch where none failed."""
    run_here(make_inputs(folder, "whole"), worker_count=1)
    whole = read_files(folder / "whole")
    for failing in range(first, 1000, step):
        out = f"failed-{failing}"
        with monkeypatch.context() as patch:
            left = fail_at(failing, _is_called_by_us, patch)
            words = _run_and_listen(folder, out)
        # a call that nobody needs may fail; when none did, all were tried
        assert not words or "Input/output error" in words
        is_over = left[0] >= 0
        ledger = folder / out / "ledger.jsonl"
        assert not ledger.exists() or verify_ledger(ledger).is_intact
        run_here(make_inputs(folder, out), worker_count=1, is_resumed=True)
        assert read_files(folder / out) == whole, failing
        if is_over:
            return failing
    raise AssertionError("the batch makes more calls than were tried")


# a workbook that could not be finished has a file open until the process ends
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_results_are_those_of_one_go_when_one_call_in_seventeen_fails(tmp_path, monkeypatch):
    assert _check_failing_calls(fill_folder(tmp_path), monkeypatch, 17, 4) > 17


# a workbook that could not be finished has a file open until the process ends
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.soak
def test_results_are_those_of_one_go_when_any_call_fails(tmp_path, monkeypatch):
    assert _check_failing_calls(fill_folder(tmp_path), monkeypatch, 1, 0) > 30


# ---------------------------------------------------------------- P9


def _run_limited(desk, out, limit):
    """A batch that may write no file beyond a size; the parse cache is left out, which gives up by itself."""
    code = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))\n"
    code += "from pipeline.cli import main\nmain()"
    command = [sys.executable, "-c", code, *COMMAND[3:], "--out", out, "--no-cache", *QUIET]
    return subprocess.run(command, cwd=desk, env=make_environment(desk), capture_output=True, timeout=120)


def _assert_loud(done):
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.count(b"\n") == 1, done.stderr
    assert b"Traceback" not in done.stderr


def test_a_full_disk_is_named_and_nothing_is_lost_when_any_file_may_grow_no_more(tmp_path, built_documents):
    desk = _fill_small(tmp_path, built_documents, 3)
    whole = run_batch_here(desk, "whole", *QUIET)
    assert whole.returncode in (0, 1), whole.stderr
    sizes = {path.name: path.stat().st_size for path in (desk / "whole").iterdir() if path.is_file()}
    # in the header of the journal, in the workbook, in the last line of the ledger, whose length hangs on a clock
    for limit in (100, sizes["results.xlsx"] - 1, max(sizes.values()) - 500):
        done = _run_limited(desk, "full", limit)
        _assert_loud(done)
        assert b"File too large" in done.stderr
        ledger = desk / "full" / "ledger.jsonl"
        assert not ledger.exists() or verify_ledger(ledger).is_intact
        done = run_batch_here(desk, "full", "--resume", *QUIET)
        assert done.returncode == whole.returncode, done.stderr
        check_same_batch(desk, "whole", "full")
        subprocess.run(["rm", "-rf", str(desk / "full")], check=True)


@pytest.mark.parametrize("name", ["journal.jsonl", "ledger.jsonl"])
def test_a_device_that_is_full_is_named_when_it_stands_in_for_a_file(tmp_path, built_documents, name):
    desk = _fill_small(tmp_path, built_documents, 1)
    (desk / "out").mkdir()
    (desk / "out" / name).symlink_to("/dev/full")
    done = run_batch_here(desk, "out", *QUIET)
    _assert_loud(done)
    assert name.encode() in done.stderr


def test_the_summary_is_not_lost_in_silence_when_stdout_or_the_events_are_full(tmp_path, built_documents):
    desk = _fill_small(tmp_path, built_documents, 1)
    with open("/dev/full", "w") as full:
        command = [*COMMAND, "--out", "out", *QUIET]
        done = subprocess.run(command, cwd=desk, env=make_environment(desk), stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 2
    assert b"No space left" in done.stderr
    done = run_batch_here(desk, "events", "--events", "/dev/full", *QUIET)
    _assert_loud(done)
    assert b"/dev/full: the events cannot be written: No space left" in done.stderr
    assert run_batch_here(desk, "events", "--resume", *QUIET).returncode in (0, 1)
    check_same_batch(desk, "out", "events")
