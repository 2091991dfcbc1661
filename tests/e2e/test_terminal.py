"""The command line among terminals, pipes, signals, encodings and names that nobody would choose."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from fixtures.awkward import make_awkward
from fixtures.rawpdf import lease_pages, lease_pdf, page_objects, raw_pdf, show_lines
from tests.e2e.commands import list_files, make_environment, run_pdfdocket

DEPOSIT = "What is the deposit?"
COMMAND = [sys.executable, "-m", "pipeline"]


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A working directory with a sound lease."""
    (tmp_path / "lease.pdf").write_bytes(lease_pdf())
    return tmp_path


# a name may hold any byte but the slash and zero
NAMES = (
    "two words.pdf",
    'it\'s "quoted".pdf',
    "line\nend.pdf",
    "Überprüfung 文书.pdf",
    b"bytes \xff\xfe.pdf",
    "--json.pdf",
)


@pytest.mark.parametrize("name", NAMES, ids=repr)
def test_document_is_read_whatever_its_name_is_when_asked(desk: Path, name: str | bytes):
    path = os.fsdecode(name)
    (desk / path).write_bytes(lease_pdf())
    done = run_pdfdocket(["ask", "--json", "--", name, DEPOSIT], desk)
    assert done.returncode == 0, done.stderr
    printed = json.loads(done.stdout)
    assert "1,200" in printed["answer"]["text"]
    assert Path(desk / printed["record"]).is_file()
    shown = run_pdfdocket(["show", printed["run_id"]], desk)
    assert shown.returncode == 0, shown.stderr


@pytest.mark.parametrize("name", NAMES, ids=repr)
def test_error_is_one_line_whatever_the_name_is_when_the_file_is_missing(desk: Path, name: str | bytes):
    done = run_pdfdocket(["profile", "--json", "--", name], desk)
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1
    assert b"Traceback" not in done.stderr
    assert json.loads(done.stdout)["error"]["state"] == "unreadable"


ASCII = {"PYTHONIOENCODING": "ascii", "LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
LATIN = {"PYTHONIOENCODING": "latin-1", "LANG": "C"}


@pytest.mark.parametrize("changes", [ASCII, LATIN], ids=["ascii", "latin-1"])
def test_text_is_printed_with_escapes_when_the_terminal_cannot_show_it(desk: Path, changes: dict[str, str]):
    (desk / "€.pdf").write_bytes(raw_pdf(page_objects([show_lines(["The deposit is “1,200 €”."]), *lease_pages()[2:]])))
    for verb in (
        ["plan", "€.pdf", "What is the deposit – “in euros”?"],
        ["ask", "€.pdf", DEPOSIT],
        ["profile", "no€.pdf"],
    ):
        done = run_pdfdocket(verb, desk, changes)
        assert b"Traceback" not in done.stderr, verb
        assert done.returncode == (2 if verb[0] == "profile" else 0), done.stderr
        for stream in (done.stdout, done.stderr):
            stream.decode(changes["PYTHONIOENCODING"])
    asked = run_pdfdocket(["ask", "€.pdf", DEPOSIT, "--json"], desk, changes)
    assert "€" in json.loads(asked.stdout.decode("utf-8"))["answer"]["text"]


def test_question_is_declined_when_its_bytes_are_no_text(desk: Path):
    done = run_pdfdocket(["ask", "lease.pdf", b"What is the \xff deposit?"], desk)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.count(b"\n") == 1
    assert list_files(desk) == ["lease.pdf"]


def test_escape_sequences_of_a_document_never_reach_the_terminal_when_quoted(desk: Path):
    sequence = b"The deposit is 1,200 euros.\\033]0;owned\\007\\033[2J"
    content = lease_pages()[1].replace(b"The deposit is 1,200 euros.", sequence)
    (desk / "lease.pdf").write_bytes(raw_pdf(page_objects([lease_pages()[0], content, *lease_pages()[2:]])))
    done = run_pdfdocket(["ask", "lease.pdf", DEPOSIT], desk)
    assert b"1,200" in done.stdout
    assert b"\x1b" not in done.stdout
    assert b"\x07" not in done.stdout


# ---------------------------------------------------------------- pipes and streams


@pytest.mark.parametrize("verb", [["rules", "list", "--json"], ["ask", "lease.pdf", DEPOSIT], ["--help"]], ids=str)
def test_no_traceback_when_the_reader_of_the_pipe_is_gone(desk: Path, verb: list[str]):
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [*COMMAND, *verb],
            cwd=desk,
            env=make_environment(desk),
            stdin=subprocess.DEVNULL,
            stdout=writer,
            stderr=subprocess.PIPE,
            timeout=60,
        )
    finally:
        os.close(writer)
    assert done.stderr == b""
    assert done.returncode == (1 if verb == ["--help"] else 0)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_full_device_is_reported_when_printing(desk: Path):
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*COMMAND, "rules", "list", "--json"],
            cwd=desk,
            env=make_environment(desk),
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=60,
        )
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1
    assert b"No space left" in done.stderr


def test_answer_is_recorded_when_stdout_is_closed(desk: Path):
    command = " ".join(["exec", *COMMAND, "ask", "lease.pdf", "'What is the deposit?'", ">&-"])
    done = subprocess.run(
        ["sh", "-c", command], cwd=desk, env=make_environment(desk), stderr=subprocess.PIPE, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert any(name.startswith(".pdfdocket/runs/") for name in list_files(desk))


def test_logs_are_json_lines_on_stderr_without_document_text_when_asked_for(desk: Path):
    done = run_pdfdocket(["ask", "lease.pdf", DEPOSIT, "--json", "--log-level", "info"], desk)
    assert done.returncode == 0
    assert json.loads(done.stdout)["answer"]["found"]
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    assert [line["event"] for line in lines] == ["decided", "iteration", "stopped"]
    assert all(line["level"] == "info" for line in lines)
    for private in (b"deposit", b"1,200", b"lease.pdf"):
        assert private not in done.stderr
    assert run_pdfdocket(["ask", "lease.pdf", DEPOSIT], desk).stderr == b""


# ---------------------------------------------------------------- a person at the terminal


def _start_on_terminal(desk: Path, verb: list[str]) -> tuple[subprocess.Popen[bytes], int]:
    """A process whose stderr is a terminal; gives it and the terminal's other end."""
    ours, theirs = pty.openpty()
    started = subprocess.Popen(
        [*COMMAND, *verb],
        cwd=desk,
        env=make_environment(desk, {"TERM": "xterm", "COLUMNS": "80"}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=theirs,
    )
    os.close(theirs)
    return started, ours


def _read_terminal(ours: int, until: bytes = b"") -> bytes:
    """What the terminal shows, up to some bytes or the end."""
    shown = b""
    while not until or until not in shown:
        try:
            piece = os.read(ours, 4096)
        except OSError:
            # the other end is closed
            break
        if not piece:
            break
        shown += piece
    return shown


def _list_children_of(process_id: int) -> list[int]:
    found = Path(f"/proc/{process_id}/task/{process_id}/children")
    return [int(child) for child in found.read_text(encoding="ascii").split()] if found.exists() else []


def test_sign_of_life_is_shown_and_interruption_leaves_nothing_when_parsing_takes_long(desk: Path):
    (desk / "slow.pdf").write_bytes(make_awkward("bomb_forms_exponential"))
    started, ours = _start_on_terminal(desk, ["ask", "slow.pdf", DEPOSIT])
    shown = _read_terminal(ours, until=b"reading slow.pdf")
    children = _list_children_of(started.pid)
    started.send_signal(signal.SIGINT)
    printed, _ = started.communicate(timeout=20)
    shown += _read_terminal(ours)
    os.close(ours)
    assert b"reading slow.pdf" in shown
    assert b"interrupted" in shown
    assert b"Traceback" not in shown
    assert (started.returncode, printed) == (130, b"")
    assert children
    assert not [child for child in children if Path(f"/proc/{child}").exists()]
    assert list_files(desk) == ["lease.pdf", "slow.pdf"]


def test_terminal_stays_clean_when_the_document_is_read_at_once(desk: Path):
    started, ours = _start_on_terminal(desk, ["ask", "lease.pdf", DEPOSIT])
    shown = _read_terminal(ours)
    printed, _ = started.communicate(timeout=60)
    os.close(ours)
    assert (started.returncode, shown) == (0, b"")
    assert b"1,200" in printed
