"""`pdfdocket replay` as a user starts it: other seeds, places and locales, no network, other rules, signals."""

from __future__ import annotations

import json
import os
import pty
import select
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fixtures.awkward import make_awkward
from fixtures.faults.broken import USER_PASSWORD
from fixtures.rawpdf import lease_pdf
from pipeline.audit.archive import ARCHIVE_NAME, archive_rulebook
from pipeline.audit.ledger import append_record
from pipeline.models.settings import Settings
from pipeline.policy.rulebook import find_default_folder
from pipeline.rerun.replay import ReplaySources, replay_ledger
from pipeline.run import ask
from pipeline.run.documents import DocumentFinder
from tests.e2e.asking import read_cases
from tests.e2e.commands import ROOT, make_environment, run_pdfdocket

CASES = ROOT / "fixtures" / "cases"
# a few of them; the soak asks them all
SAMPLE = ("contract", "lists", "zh")
LEDGER = ".pdfdocket/ledger.jsonl"
DEPOSIT = "What is the deposit?"

needs_tesseract = pytest.mark.skipif(shutil.which("tesseract") is None, reason="Tesseract (tesseract-ocr) is missing")


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which three questions were asked."""
    folder = tmp_path_factory.mktemp("desk")
    (folder / "lease.pdf").write_bytes(lease_pdf())
    for question in (DEPOSIT, "Who repairs the roof, and how long is the term?", "Is there a dragon?"):
        assert run_pdfdocket(["ask", "lease.pdf", question], folder).returncode in (0, 1)
    return folder


@pytest.fixture
def own_desk(desk: Path, tmp_path: Path) -> Path:
    """A copy of the desk that a test may spoil."""
    shutil.copytree(desk, tmp_path / "desk")
    return tmp_path / "desk"


def _replay(folder: Path, *flags: str | Path, changes: dict[str, str] | None = None) -> tuple[int, dict]:
    done = run_pdfdocket(["replay", *(flags or (LEDGER,)), "--json"], folder, changes)
    assert b"Traceback" not in done.stderr, done.stderr
    return done.returncode, json.loads(done.stdout)


@pytest.mark.parametrize("name", SAMPLE)
def test_every_case_is_identical_when_it_is_replayed(name: str, built_documents: Path, tmp_path: Path):
    ledger = tmp_path / "ledger.jsonl"
    cases = read_cases(CASES / f"{name}.jsonl")
    for case in cases:
        record = ask(built_documents / case["document"], case["question"])
        archive_rulebook(None, tmp_path / ARCHIVE_NAME, record.body.plan.rulebook_revision)
        append_record(record, ledger)
    sources = ReplaySources(Settings(), DocumentFinder(built_documents), tmp_path / ARCHIVE_NAME)
    reports = list(replay_ledger(ledger, sources).reports)
    assert len(reports) == len(cases)
    assert [report for report in reports if report.state != "identical"] == []


PLACES = (
    {"PYTHONHASHSEED": "0", "LC_ALL": "C", "TZ": "UTC"},
    {"PYTHONHASHSEED": "1", "LANG": "de_DE.UTF-8", "TZ": "Asia/Kolkata"},
    {"PYTHONHASHSEED": "77", "LC_ALL": "C.UTF-8", "TZ": "America/St_Johns"},
    {"PYTHONHASHSEED": "4711", "LANG": "tr_TR.UTF-8"},
    {"PYTHONHASHSEED": "99999", "LC_ALL": "POSIX", "TZ": "Pacific/Chatham"},
)


@pytest.mark.parametrize("changes", PLACES, ids=lambda changes: changes["PYTHONHASHSEED"])
def test_runs_are_identical_when_seed_folder_locale_and_time_zone_differ(desk: Path, tmp_path: Path, changes: dict):
    code, printed = _replay(tmp_path, desk / LEDGER, "--docs", desk, "--no-cache", changes=changes)
    assert (code, printed["summary"]["identical"], printed["torn"]) == (0, 3, "")


def test_one_run_is_replayed_when_its_id_or_file_is_given(desk: Path):
    path = next((desk / ".pdfdocket" / "runs").glob("*.json"))
    for source in (path.name[:6], path):
        code, printed = _replay(desk, source)
        assert (code, printed["summary"]["identical"]) == (0, 1)


def test_words_and_codes_say_how_it_went_when_printed(own_desk: Path):
    done = run_pdfdocket(["replay", LEDGER], own_desk)
    assert done.returncode == 0
    assert done.stdout.decode().splitlines()[-1] == "3 identical, 0 differs, 0 cannot be replayed"
    (own_desk / "lease.pdf").unlink()
    done = run_pdfdocket(["replay", LEDGER], own_desk)
    assert done.returncode == 2
    assert done.stdout.count(b"cannot be replayed: document missing: ") == 3


def test_the_input_changed_when_one_byte_of_the_document_did(own_desk: Path):
    content = (own_desk / "lease.pdf").read_bytes()
    (own_desk / "lease.pdf").write_bytes(content.replace(b"%PDF-1.", b"%PDF-2.", 1))
    code, printed = _replay(own_desk)
    assert code == 2
    assert {report["reason"] for report in printed["reports"]} == {"input_changed"}


def test_a_record_file_is_refused_when_it_was_edited(own_desk: Path):
    path = next((own_desk / ".pdfdocket" / "runs").glob("*.json"))
    path.write_bytes(path.read_bytes().replace(b'"confidence":', b'"confidence":1', 1))
    code, printed = _replay(own_desk, path)
    assert (code, printed["error"]["state"]) == (2, "record")
    assert "does not have the hash" in printed["error"]["message"]


def test_nothing_is_replayed_when_a_line_of_the_ledger_was_changed(own_desk: Path):
    path = own_desk / LEDGER
    path.write_bytes(path.read_bytes().replace(b"dragon", b"wyvern"))
    done = run_pdfdocket(["replay", LEDGER], own_desk)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"line 3: body." in done.stderr


def test_half_a_line_is_reported_and_not_fatal_when_an_append_was_cut_short(own_desk: Path):
    with (own_desk / LEDGER).open("ab") as file:
        file.write(b'{"chain_hash":"12')
    done = run_pdfdocket(["replay", LEDGER], own_desk)
    assert done.returncode == 0
    assert b"line 4: the line is torn" in done.stderr
    assert b"3 identical" in done.stdout


def test_a_full_segment_is_replayed_when_the_ledger_was_just_rotated(own_desk: Path):
    (own_desk / LEDGER).rename(own_desk / ".pdfdocket" / "ledger.000001.jsonl")
    assert _replay(own_desk)[1]["summary"]["identical"] == 3


def test_what_is_no_ledger_and_no_record_is_refused_when_given(own_desk: Path):
    for source in ("lease.pdf", "nowhere.jsonl", "."):
        code, printed = _replay(own_desk, source)
        assert code == 2
        assert printed["error"]["state"] in ("record", "usage")
    assert _replay(own_desk, LEDGER, "--docs", "nowhere")[1]["error"]["state"] == "usage"


@needs_tesseract
def test_a_page_read_by_ocr_is_identical_when_no_engine_can_be_found(built_documents: Path, tmp_path: Path):
    shutil.copy(built_documents / "scan_mixed.pdf", tmp_path)
    run_pdfdocket(["ask", "scan_mixed.pdf", "When is the next meeting?"], tmp_path)
    changes = {"PATH": str(tmp_path / "nothing"), "XDG_CACHE_HOME": str(tmp_path / ".cache" / "fresh")}
    code, printed = _replay(tmp_path, changes=changes)
    assert (code, printed["summary"]["identical"]) == (0, 1)
    [record] = [json.loads(path.read_bytes()) for path in (tmp_path / ".pdfdocket" / "runs").glob("*.json")]
    assert [effect["kind"] for effect in record["body"]["effects"]] == ["ocr"]


@needs_tesseract
def test_the_missing_effect_is_named_when_the_record_does_not_hold_it(built_documents: Path, tmp_path: Path):
    from pipeline.audit.record import build_record

    record = ask(built_documents / "scan_mixed.pdf", "When is the next meeting?")
    ledger = tmp_path / "ledger.jsonl"
    fewer = record.body.model_copy(update={"effects": record.body.effects[1:]})
    append_record(build_record(fewer, record.volatile), ledger)
    code, printed = _replay(tmp_path, ledger)
    assert (code, printed["reports"][0]["reason"]) == (2, "effect_missing")
    assert record.body.effects[0].key in printed["reports"][0]["detail"]


def test_a_locked_document_needs_its_password_when_replayed(tmp_path: Path):
    (tmp_path / "sealed.pdf").write_bytes(make_awkward("encrypted_user_password"))
    password = {"PDFDOCKET_PASSWORD": USER_PASSWORD}
    asked = run_pdfdocket(["ask", "sealed.pdf", DEPOSIT], tmp_path, password)
    assert asked.returncode in (0, 1), asked.stderr
    assert _replay(tmp_path, changes=password)[0] == 0
    code, printed = _replay(tmp_path)
    assert (code, printed["reports"][0]["reason"]) == (2, "password_needed")
    assert "PDFDOCKET_PASSWORD" in printed["reports"][0]["detail"]
    assert USER_PASSWORD.encode() not in (tmp_path / LEDGER).read_bytes()


# ---- other rules


@pytest.fixture
def rules(own_desk: Path) -> Path:
    shutil.copytree(find_default_folder(), own_desk / "rules")
    return own_desk / "rules"


def test_only_what_changes_is_run_again_when_other_rules_are_given(own_desk: Path, rules: Path):
    assert _replay(own_desk, LEDGER, "--rules", rules)[1]["summary"]["unchanged"] == 3
    path = rules / "lexicons" / "en.toml"
    path.write_text(path.read_text(encoding="utf-8").replace("how long", "how lengthy"), encoding="utf-8")
    code, printed = _replay(own_desk, LEDGER, "--rules", rules)
    assert (code, [report["state"] for report in printed["reports"]]) == (1, ["identical", "differs", "identical"])
    assert printed["reports"][1]["difference"]["step"] == "question"
    (rules / "rulebook.toml").write_text("name = 3", encoding="utf-8")
    code, printed = _replay(own_desk, LEDGER, "--rules", rules)
    assert (code, printed["error"]["state"]) == (3, "rules")


def test_the_rules_of_the_day_decide_when_the_rulebook_was_changed_since(own_desk: Path, rules: Path):
    book = rules / "rulebook.toml"
    book.write_text(book.read_text(encoding="utf-8").replace('"default"', '"own"', 1), encoding="utf-8")
    asked = run_pdfdocket(["ask", "lease.pdf", DEPOSIT, "--rules", "rules", "--ledger", "own/ledger.jsonl"], own_desk)
    assert asked.returncode == 0, asked.stderr
    shutil.rmtree(rules)
    assert _replay(own_desk, "own/ledger.jsonl")[0] == 0
    shutil.rmtree(own_desk / "own" / ARCHIVE_NAME)
    code, printed = _replay(own_desk, "own/ledger.jsonl")
    assert (code, printed["reports"][0]["reason"]) == (2, "rulebook_unknown")


# ---- network, terminals, signals

NETWORK = """
import os, socket
from pipeline.cli.replay import forbid_network
forbid_network()
def count_open_doors():
    doors = (
        lambda: socket.create_connection(("127.0.0.1", 9)),
        lambda: socket.getaddrinfo("localhost", 80),
        lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
        lambda: socket.socket(socket.AF_UNIX).connect("/nowhere"),
        lambda: socket.gethostbyname("localhost"),
    )
    count = 0
    for door in doors:
        try:
            door()
            count += 1
        except PermissionError as error:
            assert "reaches no network" in str(error)
    return count
child = os.fork()
if child == 0:
    os._exit(count_open_doors())
raise SystemExit(count_open_doors() or os.waitpid(child, 0)[1])
"""


def test_no_connection_is_made_when_a_replay_or_its_parse_child_tries(tmp_path: Path):
    command = [sys.executable, "-W", "ignore", "-c", NETWORK]
    done = subprocess.run(command, env=make_environment(tmp_path), capture_output=True, timeout=60)
    assert done.returncode == 0, done.stderr


SLOW = "from pipeline.cli import main, progress; progress.SHOWN_AFTER_MS = -1; main()"


def test_a_sign_of_life_is_drawn_when_stderr_is_a_terminal_and_it_takes_long(desk: Path):
    ours, theirs = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-c", SLOW, "replay", LEDGER],
        cwd=desk,
        env=make_environment(desk),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=theirs,
        timeout=60,
    )
    os.close(theirs)
    drawn = b""
    while select.select([ours], [], [], 0.2)[0]:
        try:
            drawn += os.read(ours, 4096)
        except OSError:
            break
    os.close(ours)
    assert done.returncode == 0
    assert b"replaying 2 of 3, " in drawn
    # the line is taken away before anything is printed
    assert drawn.endswith(b"\r\x1b[K")
    assert b"replaying" not in done.stdout


INTERRUPTED = """
import os, signal
from pipeline.cli import main
from pipeline.rerun import replay
real = replay.replay_record
def replay_or_stop(record, sources, number, observe):
    if number == 2:
        os.kill(os.getpid(), signal.SIGINT)
    return real(record, sources, number, observe)
replay.replay_record = replay_or_stop
main()
"""


def test_what_was_found_stands_there_when_a_replay_is_interrupted(desk: Path):
    command = [sys.executable, "-c", INTERRUPTED, "replay", LEDGER]
    done = subprocess.run(command, cwd=desk, env=make_environment(desk), capture_output=True, timeout=60)
    assert done.returncode == 130, done.stderr
    assert done.stdout.startswith(b"line 1, run ")
    assert done.stdout.count(b"\n") == 1
    assert done.stderr.strip().count(b"\n") == 0
    assert b"interrupted" in done.stderr
