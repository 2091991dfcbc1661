"""P9: a full disk is loud. A non-zero exit, a message, no answer, and the ledger still verifies."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from fixtures.rawpdf import lease_pdf
from pipeline.audit.verify import verify_ledger
from pipeline.cli.group import run_command
from tests.conftest import ROOT

QUESTION = ["lease.pdf", "What is the deposit?"]
LEDGER = Path(".pdfdocket/ledger.jsonl")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "lease.pdf").write_bytes(lease_pdf())
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _call(*arguments, limit=None):
    """Run the program, with a ceiling on the size of any file it writes."""
    code = "import sys\nfrom pipeline.cli import main\nmain()"
    if limit is not None:
        code = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))\n{code}"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)


def _ask():
    """In this process, where nothing has to fail."""
    assert run_command(["ask", *QUESTION]) == 0


def _assert_loud(done, words):
    assert done.returncode == 2
    assert done.stdout == ""
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr


def test_the_ledger_is_as_before_when_the_file_may_not_grow(folder):
    for _ in range(3):
        _ask()
    before = LEDGER.read_bytes()
    # inside the next line, at its very beginning, and one byte before its end
    size = len(before)
    line = len(before.splitlines(keepends=True)[-1])
    for limit in (size, size + 1, size + line // 2):
        _assert_loud(_call("ask", *QUESTION, limit=limit), "the ledger cannot be written: File too large")
        assert LEDGER.read_bytes() == before
    assert verify_ledger(LEDGER).is_intact
    _ask()
    assert verify_ledger(LEDGER).count == 4


def test_no_answer_comes_out_when_the_record_itself_does_not_fit(folder):
    done = _call("ask", *QUESTION, "--no-cache", limit=1000)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "File too large" in done.stderr or "limit" in done.stderr
    assert not LEDGER.exists() or verify_ledger(LEDGER).count == 0


def test_the_device_is_named_when_the_ledger_is_to_be_a_full_one(folder):
    _assert_loud(_call("ask", *QUESTION, "--ledger", "/dev/full"), "/dev/full: not a regular file")
    LEDGER.parent.mkdir(exist_ok=True)
    LEDGER.symlink_to("/dev/full")
    _assert_loud(_call("ask", *QUESTION), "not a regular file")


def test_the_failure_is_said_when_stdout_is_full(folder):
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "pipeline", "verify", str(LEDGER), "--json"]
        _ask()
        done = subprocess.run(command, env=environment, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert "No space left" in done.stderr


def test_redactions_and_checkpoints_leave_what_was_there_when_nothing_fits(folder):
    _ask()
    assert run_command(["checkpoint", str(LEDGER), "head.json"]) == 0
    before, head = LEDGER.read_bytes(), Path("head.json").read_bytes()
    _assert_loud(_call("redact", str(LEDGER), "1", "volatile.host", limit=len(before)), "File too large")
    assert LEDGER.read_bytes() == before
    _assert_loud(_call("checkpoint", str(LEDGER), "head.json", limit=10), "File too large")
    assert Path("head.json").read_bytes() == head
    assert run_command(["verify", str(LEDGER), "--checkpoint", "head.json"]) == 0
