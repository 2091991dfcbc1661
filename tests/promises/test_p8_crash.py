"""P8: crash-safe. Whatever is killed, in whichever byte: what was acknowledged is there, and the next one goes on."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from fixtures.rawpdf import lease_pdf
from pipeline.audit.ledger import append_record
from pipeline.audit.reading import read_ledger
from pipeline.audit.verify import verify_ledger
from pipeline.cli.group import run_command
from tests.conftest import ROOT
from tests.promises.harness import fail_at
from tests.unit.audit.ledgers import make_record


def _call_writers(mode: str, ledger: Path, count: int, rounds: int) -> dict[str, list[str]]:
    command = [sys.executable, "-m", "tests.promises.writers", mode, str(ledger), str(count), str(rounds)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def _check_kills(ledger: Path, count: int) -> int:
    """Kill writers; give the number of torn lines that the others met."""
    result = _call_writers("kill", ledger, count, rounds=3)
    appended = append_record(make_record("last"), ledger)
    report = verify_ledger(ledger)
    assert report.is_intact, report.fault
    assert report.count == appended.number
    there = {f"{line.number} {line.chain_hash} {line.record.body.stop_detail}" for line in read_ledger(ledger)}
    lost = [line for line in result["acknowledged"] if line not in there]
    assert lost == []
    assert len(result["acknowledged"]) >= count
    return len(list(ledger.parent.glob("*.torn-*")))


def test_no_acknowledged_record_is_lost_when_ten_writers_are_killed(tmp_path):
    assert _check_kills(tmp_path / "ledger.jsonl", 10) >= 0


@pytest.mark.soak
def test_no_acknowledged_record_is_lost_when_two_hundred_writers_are_killed(tmp_path):
    assert _check_kills(tmp_path / "ledger.jsonl", 200) > 0


def _check_torn(tmp_path, cuts):
    ledger = tmp_path / "ledger.jsonl"
    for at in range(2):
        append_record(make_record(str(at)), ledger)
    content = ledger.read_bytes()
    first = content[: content.index(b"\n") + 1]
    for cut in cuts(len(first) + 1, len(content)):
        ledger.write_bytes(content[:cut])
        fault = verify_ledger(ledger).fault
        assert (fault.kind, fault.number) == ("torn", 2)
        appended = append_record(make_record("after"), ledger)
        assert appended.torn.read_bytes() == content[len(first) : cut]
        appended.torn.unlink()
        assert ledger.read_bytes().startswith(first)
        assert (verify_ledger(ledger).is_intact, appended.number) == (True, 2)


def test_the_torn_line_is_set_aside_when_the_crash_came_at_a_sampled_byte(tmp_path):
    _check_torn(
        tmp_path, lambda first, last: sorted({first, last - 1, *random.Random(8).sample(range(first, last), 80)})
    )


@pytest.mark.soak
def test_the_torn_line_is_set_aside_when_the_crash_came_at_any_byte(tmp_path, monkeypatch):
    # nothing crashes here, so nothing has to reach the disk
    monkeypatch.setattr(os, "fsync", lambda _: None)
    _check_torn(tmp_path, lambda first, last: range(first, last))


# ---------------------------------------------------------------- the whole program


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "lease.pdf").write_bytes(lease_pdf())
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _read_run_ids():
    path = Path(".pdfdocket/ledger.jsonl")
    return [line.record.run_id for line in read_ledger(path)] if path.exists() else []


def _is_called_by_audit(frame):
    """Whether records and ledger are at work, and not the parse cache or a child."""
    while frame is not None:
        if frame.f_globals.get("__name__", "").startswith("pipeline.audit."):
            return True
        frame = frame.f_back
    return False


def test_no_answer_is_printed_without_its_record_when_any_call_fails(folder, monkeypatch, capfd):
    arguments = ["ask", "lease.pdf", "What is the deposit?", "--json"]
    for failing in range(100):
        with monkeypatch.context() as patch:
            left = fail_at(failing, _is_called_by_audit, patch)
            code = run_command(arguments)
        printed = json.loads(capfd.readouterr().out)
        if "error" in printed:
            assert (code, printed["error"]["state"]) == (2, "record")
        else:
            assert code == 0
            assert _read_run_ids().count(printed["run_id"]) == printed["ledger_line"]["number"]
        path = Path(".pdfdocket/ledger.jsonl")
        assert not path.exists() or verify_ledger(path).is_intact
        if left[0] >= 0:
            break
    assert failing > 3
    assert "error" not in printed


def _check_killed_questions(count, seed):
    """Programs killed at random moments: whoever got to print an answer has left its record."""
    chance = random.Random(seed)
    command = [sys.executable, "-m", "pipeline", "ask", "lease.pdf", "What is the deposit?", "--json"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    answered = 0
    for _ in range(count):
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment) as running:
            try:
                out, _ = running.communicate(timeout=chance.uniform(0.1, 1.2))
            except subprocess.TimeoutExpired:
                running.kill()
                out, _ = running.communicate()
        answered += bool(out)
        # a last append sets aside what was torn
        assert run_command(["ask", "lease.pdf", "What is the deposit?"]) == 0
        assert verify_ledger(Path(".pdfdocket/ledger.jsonl")).is_intact
        assert len(_read_run_ids()) >= answered


def test_the_record_is_there_when_a_program_was_killed_after_its_answer(folder):
    _check_killed_questions(3, seed=3)


@pytest.mark.soak
def test_the_record_is_there_when_many_programs_were_killed(folder):
    _check_killed_questions(100, seed=100)
