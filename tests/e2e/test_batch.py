"""Batches as a user runs them: killed and resumed, on one process or two, with broken files and hostile tables."""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from fixtures.faults.broken import encrypt
from fixtures.rawpdf import lease_pages, lease_pdf, page_objects, raw_pdf, show_lines
from pipeline.audit.reading import read_ledger
from pipeline.audit.verify import verify_ledger
from tests.e2e.commands import make_environment, run_pdfdocket
from tests.promises.harness import run_lines

COMMAND = [sys.executable, "-m", "pipeline"]
FILES = ("results.jsonl", "results.csv", "results.xlsx", "report.html")
QUESTIONS = ["What is the deposit?", "Who repairs the roof?", "What is the zebra quota?", "Which law governs it?"]
PASSWORD = "sesame"


def _make_documents() -> dict[str, bytes]:
    sealed = encrypt(PASSWORD)
    key = raw_pdf(page_objects([show_lines(["1 Keys", "The deposit is 75 euros for each key."])]))
    return {
        "lease.pdf": lease_pdf(),
        "short.pdf": raw_pdf(page_objects(lease_pages()[:3])),
        "old/key.pdf": key,
        "sealed.pdf": sealed,
        "broken.pdf": lease_pdf()[:300],
        "=1+1.pdf": b"<html>no pdf",
    }


def _fill(folder: Path, order: Sequence[str] | None = None) -> Path:
    documents = _make_documents()
    for name in order or list(documents):
        path = folder / "docs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(documents[name])
    with (folder / "questions.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter=";")
        writer.writerow(["Id", "Question", "Document", "Tags"])
        writer.writerows([f"q{n}", text, "", "all"] for n, text in enumerate(QUESTIONS, 1))
        writer.writerow(["+cmd", "=1+1, who pays?", "lease.pdf", "@x"])
        writer.writerow(["", "", "lease.pdf", ""])
    return folder


def _list_arguments(out: str, *flags: str) -> list[str]:
    return ["batch", "questions.csv", "--docs", "docs", "--out", out, *flags]


def _run(folder: Path, out: str, *flags: str, changes: Mapping[str, str] | None = None):
    environment = {"PDFDOCKET_PASSWORD": PASSWORD, **(changes or {})}
    return run_pdfdocket(_list_arguments(out, *flags), folder, environment)


def _read_files(out: Path) -> dict[str, bytes]:
    copies = [path for path in (out / "annotated").rglob("*") if path.is_file()]
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in (*(out / name for name in FILES), *copies)}


def _read_rows(out: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (out / "results.jsonl").read_bytes().splitlines()]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Documents and questions, and in `whole` what one uninterrupted run makes of them."""
    folder = _fill(tmp_path_factory.mktemp("desk"))
    done = _run(folder, "whole", "--workers", "2", "--events", "events.jsonl", "--json")
    assert (done.returncode, done.stderr) == (1, b""), done.stderr
    (folder / "summary.json").write_bytes(done.stdout)
    return folder


def test_every_row_says_what_became_of_it_when_a_broken_file_is_among_good_ones(desk):
    rows = _read_rows(desk / "whole")
    assert len(rows) == 4 * 6 + 2
    assert [row["number"] for row in rows] == list(range(1, len(rows) + 1))
    states = {(row["document"], row["state"]) for row in rows if row["status"] == "failed"}
    assert states == {("=1+1.pdf", "not_pdf"), ("broken.pdf", "unreadable"), ("lease.pdf", "input")}
    assert [row["document"] for row in rows[:6]] == [
        "=1+1.pdf", "broken.pdf", "lease.pdf", "old/key.pdf", "sealed.pdf", "short.pdf",
    ]  # fmt: skip
    deposits = [row for row in rows if row["id"] == "q1" and row["status"] == "answered"]
    assert {"lease.pdf", "sealed.pdf", "old/key.pdf"} <= {row["document"] for row in deposits}
    for row in deposits:
        assert row["items"][0]["citations"][0]["page"] == row["pages"][0]
        assert row["link"].endswith(f"{row['document']}#page={row['pages'][0]}")
    assert all(row["reason"] for row in rows if row["status"] == "failed")
    assert rows[-1]["reason"].startswith("questions.csv:7: ")


def test_counts_events_and_ledger_agree_when_a_batch_is_over(desk):
    rows = _read_rows(desk / "whole")
    printed = json.loads((desk / "summary.json").read_bytes())
    counts = {status: sum(row["status"] == status for row in rows) for status in ("answered", "not_found", "failed")}
    assert {status: printed[f"{status}_count"] for status in counts} == counts
    assert len(printed["failed"]) == counts["failed"]
    events = [json.loads(line) for line in (desk / "events.jsonl").read_text(encoding="ascii").splitlines()]
    names = [event["event"] for event in events]
    # one row has no question and is none of those that were asked
    assert names[: len(rows)] == ["started", *["row"] * (len(rows) - 1)]
    # four documents could be read
    assert [name for name in names[len(rows) :] if name.startswith("annotat")] == ["annotating", *["annotated"] * 4]
    assert names[-1] == "finished"
    assert printed["copy_count"] == sum(bool(event.get("file")) for event in events) == 4
    assert printed["unmarked_count"] == printed["copy_refused_count"] == 0
    assert events[-1]["failed_count"] == counts["failed"]
    assert verify_ledger(desk / "whole" / "ledger.jsonl").is_intact
    runs = sorted(line.record.run_id for line in read_ledger(desk / "whole" / "ledger.jsonl"))
    assert runs == sorted(row["run_id"] for row in rows if row["run_id"])


def test_no_cell_is_a_formula_when_names_and_questions_look_like_some(desk):
    import openpyxl

    text = (desk / "whole" / "results.csv").read_bytes().decode("utf-8-sig")
    cells = [cell for row in csv.reader(io.StringIO(text, newline="")) for cell in row]
    assert "'=1+1.pdf" in cells
    assert "'=1+1, who pays?" in cells
    assert [cell for cell in cells if cell.startswith(("=", "+", "@", "-", "\t", "\r"))] == []
    sheet = openpyxl.load_workbook(desk / "whole" / "results.xlsx").active
    assert {cell.data_type for row in sheet.iter_rows() for cell in row} <= {"s", "n"}


def test_results_are_the_same_bytes_when_processes_seeds_and_the_order_of_files_differ(desk, tmp_path):
    names = list(_make_documents())
    for number, (workers, seed) in enumerate([("1", "0"), ("2", "4711")]):
        random.Random(number).shuffle(names)
        folder = _fill(tmp_path / str(number), names)
        changes = {"PYTHONHASHSEED": seed, "TZ": "Asia/Kolkata", "LC_ALL": "C"}
        done = _run(folder, "out", "--workers", workers, *(["--no-cache"] if number else []), changes=changes)
        assert done.returncode == 1, done.stderr
        assert _read_files(folder / "out") == _read_files(desk / "whole")


def _kill_in(desk: Path, out: str, seconds: float, number: int = signal.SIGKILL) -> None:
    """Begin or go on with a batch, and kill it after a while; what it had started goes with it."""
    environment = make_environment(desk, {"PDFDOCKET_PASSWORD": PASSWORD})
    command = [*COMMAND, *_list_arguments(out, "--workers", "2", "--resume")]
    with subprocess.Popen(command, cwd=desk, env=environment, stdout=-3, stderr=-3, start_new_session=True) as running:
        try:
            running.wait(seconds)
        except subprocess.TimeoutExpired:
            # the parent alone: its workers have to notice
            os.kill(running.pid, number)


def _check_killed(desk: Path, out: str, moments: Sequence[float]) -> None:
    for seconds in moments:
        _kill_in(desk, out, seconds)
    done = _run(desk, out, "--resume", "--json")
    assert done.returncode == 1, done.stderr
    assert _read_files(desk / out) == _read_files(desk / "whole")
    assert verify_ledger(desk / out / "ledger.jsonl").is_intact
    runs = sorted(line.record.run_id for line in read_ledger(desk / out / "ledger.jsonl"))
    assert runs == sorted(str(row["run_id"]) for row in _read_rows(desk / out) if row["run_id"])
    shutil.rmtree(desk / out)


def test_results_are_those_of_one_go_when_a_batch_was_killed_and_resumed(desk):
    chance = random.Random(7)
    _check_killed(desk, "killed", [chance.uniform(0.3, 1.1) for _ in range(4)])


@pytest.mark.soak
def test_results_are_those_of_one_go_when_killed_at_fifty_moments(desk):
    chance = random.Random(50)
    for number in range(25):
        _check_killed(desk, f"killed-{number}", [chance.uniform(0.2, 1.6) for _ in range(2)])


def test_a_batch_says_how_to_go_on_when_it_is_interrupted(desk):
    environment = make_environment(desk, {"PDFDOCKET_PASSWORD": PASSWORD})
    command = [*COMMAND, *_list_arguments("ctrl", "--workers", "1", "--events", "ctrl.jsonl")]
    with subprocess.Popen(
        command, cwd=desk, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    ) as running:
        _wait_for_row(desk / "ctrl.jsonl", running)
        # as a terminal does: everybody in the group
        os.killpg(running.pid, signal.SIGINT)
        out, err = running.communicate(timeout=30)
    assert (running.returncode, out) == (130, b"")
    assert err.count(b"\n") == 1
    assert b"--resume" in err
    assert _run(desk, "ctrl", "--resume").returncode == 1
    assert _read_files(desk / "ctrl") == _read_files(desk / "whole")


def _wait_for_row(events: Path, running: subprocess.Popen[bytes]) -> None:
    while running.poll() is None:
        if events.exists() and b'"row"' in events.read_bytes():
            return
        try:
            running.wait(0.01)
        except subprocess.TimeoutExpired:
            continue
    pytest.fail("the batch was over before it could be interrupted")


def test_the_disk_is_named_and_nothing_is_lost_when_it_is_full(desk):
    code = "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))"
    code += "; from pipeline.cli import main; main()"
    environment = make_environment(desk, {"PDFDOCKET_PASSWORD": PASSWORD})
    command = [sys.executable, "-c", code, *_list_arguments("full", "--no-cache")]
    done = subprocess.run(command, cwd=desk, env=environment, capture_output=True, timeout=60)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"File too large" in done.stderr
    assert done.stderr.count(b"\n") == 1
    assert verify_ledger(desk / "full" / "ledger.jsonl").is_intact
    assert _run(desk, "full", "--resume").returncode == 1
    assert _read_files(desk / "full") == _read_files(desk / "whole")


def test_writes_stay_inside_and_nothing_connects_when_a_batch_runs(desk, tmp_path):
    folder = _fill(tmp_path / "desk")
    arguments = [*_list_arguments("out", "--json", "--workers", "2"), "--password", PASSWORD]
    watched = run_lines([arguments, [*arguments, "--resume"]], folder, is_watched=True)
    assert [ending.code for ending in watched.endings] == [1, 1], watched.endings
    assert _read_files(folder / "out") == _read_files(desk / "whole")
    inside = (str(folder / "out"), "out", str(folder / ".cache"), os.devnull)
    outside = [
        event
        for event in watched.events
        if not event[0].startswith("os.fork") and not any(place.startswith(inside) for place in event[1:2])
    ]
    assert outside == []
    assert not any(event[0].startswith("socket") for event in watched.events)
    # the password is in no file
    kept = [path for path in tmp_path.rglob("*") if path.is_file() and PASSWORD.encode() in path.read_bytes()]
    assert kept == []


def test_nothing_is_asked_or_written_when_a_batch_is_only_planned(desk):
    before = sorted(path.name for path in desk.iterdir())
    done = _run(desk, "dry", "--dry-run")
    assert done.returncode == 1, done.stderr
    text = done.stdout.decode()
    assert text.startswith("26 rows, 17 planned, 9 would fail\npatterns: keyword 17")
    assert "at worst: 68 iterations" in text
    assert "nothing was asked" in text
    assert sorted(path.name for path in desk.iterdir()) == before
    as_object = json.loads(_run(desk, "dry", "--dry-run", "--only", "@X", "--json").stdout)
    assert (as_object["row_count"], as_object["rules"][0]["count"]) == (1, 1)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["batch", "none.csv", "--docs", "docs", "--out", "x"], b"none.csv: cannot be read"),
        (["batch", "questions.csv", "--docs", "none", "--out", "x"], b"no such folder"),
        (["batch", "questions.csv", "--docs", "docs", "--out", "questions.csv"], b"cannot be written to"),
        (_list_arguments("whole"), b"go on with --resume"),
        (_list_arguments("x", "--events", "questions.csv"), b"would overwrite an input"),
        (_list_arguments("x", "--events", "docs/lease.pdf"), b"would overwrite an input"),
        (_list_arguments("x", "--events", "x/results.csv"), b"may be one of a result"),
        (_list_arguments("x", "--events", "none/e.jsonl"), b"cannot be written"),
        (_list_arguments("x", "--fail-fast"), b"questions.csv:7: there is no question in the row"),
    ],
    ids=lambda value: " ".join(value[-2:]) if isinstance(value, list) else None,
)
def test_one_line_says_what_is_wrong_when_a_batch_cannot_begin(desk, arguments, words):
    done = run_pdfdocket(arguments, desk)
    assert done.returncode == 2
    assert words in done.stderr
    assert done.stderr.count(b"\n") == 1
    shutil.rmtree(desk / "x", ignore_errors=True)


def test_a_bar_counts_the_rows_when_stderr_is_a_terminal(desk):
    reader, writer = pty.openpty()
    environment = make_environment(desk, {"PDFDOCKET_PASSWORD": PASSWORD, "TERM": "xterm", "COLUMNS": "120"})
    command = [*COMMAND, *_list_arguments("bar")]
    with subprocess.Popen(command, cwd=desk, env=environment, stdout=subprocess.PIPE, stderr=writer) as running:
        os.close(writer)
        shown = b""
        while True:
            try:
                block = os.read(reader, 65536)
            except OSError:
                break
            shown += block
            if not block:
                break
        out, _ = running.communicate(timeout=60)
    os.close(reader)
    assert running.returncode == 1
    assert b"26/26" in shown
    assert b"answered" in shown
    assert b"/s" in shown
    assert out.startswith(b"26 rows of 6 questions and 6 documents\n")
