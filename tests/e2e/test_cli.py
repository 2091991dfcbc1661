"""The command line as a user meets it: exit codes, one line with a remedy, JSON, and nothing left behind."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from fixtures.awkward import make_awkward
from fixtures.faults.broken import USER_PASSWORD
from fixtures.rawpdf import lease_pdf
from pipeline.cli.group import VERBS, run_command
from tests.e2e.commands import list_files, run_pdfdocket

DEPOSIT = "What is the deposit?"
ABSENT = "What does it say about quantum-safe cryptography?"
needs_a_user_without_rights = pytest.mark.skipif(os.geteuid() == 0, reason="root may read and write everything")


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with a sound lease, sealed ones and broken ones; the environment names no settings."""
    for name in ("PDFDOCKET_CACHE", "PDFDOCKET_RULES", "PDFDOCKET_RECORDS", "PDFDOCKET_LOG", "PDFDOCKET_PASSWORD"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / ".cache"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lease.pdf").write_bytes(lease_pdf())
    return tmp_path


@pytest.fixture
def call(desk: Path, capfd: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Run a command line in this process; gives exit code, stdout and stderr."""

    def run(*arguments: str) -> tuple[int, str, str]:
        code = run_command(list(arguments))
        captured = capfd.readouterr()
        return code, captured.out, captured.err

    return run


def _assert_one_line(err: str, *words: str) -> None:
    assert err.startswith("pdfdocket: ")
    assert err.count("\n") == 1
    assert err.endswith(")\n"), "no remedy"
    assert all(word in err for word in words), err


# ---------------------------------------------------------------- answers


def test_exit_code_is_0_with_citation_and_record_when_answered(call, desk: Path):
    code, out, err = call("ask", "lease.pdf", DEPOSIT)
    assert (code, err) == (0, "")
    assert "1,200 euros" in out
    assert "page 2, line" in out
    assert "iteration 1" in out
    assert "stopped: " in out
    [record] = (desk / ".pdfdocket" / "runs").glob("*.json")
    assert record.name in out


def test_exit_code_is_1_with_the_kind_of_absence_when_nothing_is_there(call):
    code, out, err = call("ask", "lease.pdf", ABSENT)
    assert (code, err) == (1, "")
    assert "Not found" in out
    assert "[no_match]" in out


def test_exit_code_is_1_when_the_question_is_unclear(call):
    code, out, _ = call("ask", "lease.pdf", "What is it?", "--json")
    assert code == 1
    assert json.loads(out)["answer"]["clarification"]


def test_one_object_with_all_promised_fields_is_printed_when_json_is_asked_for(call):
    code, out, err = call("ask", "lease.pdf", DEPOSIT, "--json")
    printed = json.loads(out)
    assert (code, err) == (0, "")
    answer = printed["answer"]
    assert answer["found"] is True
    assert isinstance(answer["complete"], bool)
    assert "1,200" in answer["text"]
    assert isinstance(answer["confidence"], int)
    assert 0 < answer["confidence"] <= 1000
    assert {answer[key] for key in ("absence", "conflict", "clarification")} == {None}
    [item] = answer["items"]
    assert item["picked"] is False
    [citation] = item["citations"]
    assert citation["page"] == 2
    assert citation["line_start"] <= 2 <= citation["line_end"]
    assert "The deposit is 1,200 euros." in citation["quote"].split("\n")
    assert citation["ref"].startswith(f"{printed['document']['sha256'][:12]}:p2:l")
    assert [step["pattern"] for step in printed["plan"]["steps"]]
    assert printed["iterations"][0]["number"] == 1
    assert printed["stop_reason"] == "satisfied"
    assert Path(printed["record"]).is_file()


def test_absence_is_named_in_json_when_nothing_is_there(call):
    code, out, _ = call("ask", "lease.pdf", ABSENT, "--json")
    answer = json.loads(out)["answer"]
    assert code == 1
    assert (answer["found"], answer["absence"], answer["items"]) == (False, "no_match", [])


def test_record_goes_where_out_says_when_given(call, desk: Path):
    code, _, _ = call("ask", "lease.pdf", DEPOSIT, "--out", "deep/er/run.json")
    assert code == 0
    files = list_files(desk)
    assert "deep/er/run.json" in files
    assert not [name for name in files if name.startswith(".pdfdocket/runs/")]


def test_document_is_kept_when_out_names_it(call, desk: Path):
    before = (desk / "lease.pdf").read_bytes()
    code, _, err = call("ask", "lease.pdf", DEPOSIT, "--out", "./lease.pdf")
    assert code == 2
    _assert_one_line(err, "overwrite")
    assert (desk / "lease.pdf").read_bytes() == before


def test_run_is_shown_when_named_by_path_or_by_the_beginning_of_its_id(call, desk: Path):
    call("ask", "lease.pdf", DEPOSIT)
    [record] = (desk / ".pdfdocket" / "runs").glob("*.json")
    texts = []
    for name in (record.stem, record.stem[:5], str(record)):
        code, out, err = call("show", name)
        assert (code, err) == (0, "")
        texts.append(out)
    assert texts[0] == texts[1] == texts[2].replace(str(record), f".pdfdocket/runs/{record.name}")
    assert "1,200 euros" in texts[0]
    code, out, _ = call("show", record.stem[:5], "--json")
    assert json.loads(out)["run_id"] == record.stem


@pytest.mark.parametrize("name", ["", "*", "zz", "../lease", "lease.pdf"])
def test_show_says_so_when_there_is_no_such_run(call, name: str):
    call("ask", "lease.pdf", DEPOSIT)
    code, out, err = call("show", name)
    assert (code, out) == (2, "")
    _assert_one_line(err)


@pytest.mark.parametrize("verb", ["show", "replay", "why"])
def test_missing_file_is_named_when_a_path_is_given(call, verb: str):
    code, out, err = call(verb, "gone.jsonl")
    assert (code, out) == (2, "")
    assert "gone.jsonl: no such file" in err


def test_changed_record_is_refused_when_shown(call, desk: Path):
    call("ask", "lease.pdf", DEPOSIT, "--out", "run.json")
    text = (desk / "run.json").read_text(encoding="utf-8")
    (desk / "run.json").write_text(text.replace("1,200", "1,300"), encoding="utf-8")
    code, out, err = call("show", "run.json")
    assert (code, out) == (2, "")
    _assert_one_line(err, "run.json", "changed")


def test_nothing_is_run_and_nothing_written_when_only_the_plan_is_asked_for(call, desk: Path):
    code, out, err = call("plan", "lease.pdf", DEPOSIT)
    assert (code, err) == (0, "")
    assert all(words in out for words in ("Plan by rulebook", "keyword", "rules that did not fire", "limits"))
    assert list_files(desk) == ["lease.pdf"]
    code, out, _ = call("plan", "lease.pdf", DEPOSIT, "--json")
    assert {"plan", "question", "facts", "profile"} <= set(json.loads(out))


def test_profile_says_what_the_document_is_when_asked(call):
    code, out, _ = call("profile", "lease.pdf")
    assert code == 0
    assert "6 (6 ok)" in out
    code, out, _ = call("profile", "lease.pdf", "--json")
    assert json.loads(out)["page_count"] == 6


def test_rules_are_listed_and_shown_when_asked(call):
    code, out, _ = call("rules", "list")
    assert code == 0
    assert "TOC01" in out
    code, out, _ = call("rules", "show", "toc01")
    assert code == 0
    assert "because" in out
    code, out, err = call("rules", "show", "XYZ99")
    assert (code, out) == (2, "")
    _assert_one_line(err, "XYZ99")


# ---------------------------------------------------------------- bad input

BAD_FILES = {
    "missing.pdf": (None, "unreadable"),
    "empty.pdf": (b"", "not_pdf"),
    "page.html": (b"<html><body>%P D F</body></html>", "not_pdf"),
    "header.pdf": (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "unreadable"),
    "cut.pdf": ("truncated_10", "unreadable"),
    "pageless.pdf": ("zero_pages", "unreadable"),
    "sealed.pdf": ("encrypted_user_password", "needs_password"),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_one_line_with_a_remedy_and_exit_code_2_when_the_file_is_bad(call, desk: Path, name: str):
    content, state = BAD_FILES[name]
    if content is not None:
        (desk / name).write_bytes(make_awkward(content) if isinstance(content, str) else content)
    before = list_files(desk)
    code, out, err = call("ask", name, DEPOSIT)
    assert (code, out) == (2, "")
    _assert_one_line(err, name)
    code, out, err = call("ask", name, DEPOSIT, "--json")
    assert code == 2
    _assert_one_line(err, name)
    error = json.loads(out)["error"]
    assert error["state"] == state
    assert error["message"] in err
    assert error["remedy"] in err
    assert list_files(desk) == before


def test_directory_is_refused_when_given_as_document(call, desk: Path):
    (desk / "folder.pdf").mkdir()
    code, out, err = call("ask", "folder.pdf", DEPOSIT)
    assert (code, out) == (2, "")
    _assert_one_line(err, "folder.pdf", "directory")


def test_pipe_without_a_writer_is_refused_when_given_as_document(desk: Path):
    os.mkfifo(desk / "pipe.pdf")
    done = run_pdfdocket(["profile", "pipe.pdf"], desk, timeout=20)
    assert done.returncode == 2
    _assert_one_line(done.stderr.decode(), "pipe.pdf")


@needs_a_user_without_rights
def test_file_is_refused_when_it_may_not_be_read(call, desk: Path):
    (desk / "lease.pdf").chmod(0)
    code, out, err = call("ask", "lease.pdf", DEPOSIT)
    assert (code, out) == (2, "")
    _assert_one_line(err, "lease.pdf", "ermission")


def test_sealed_file_is_read_when_the_password_is_right(call, desk: Path, monkeypatch: pytest.MonkeyPatch):
    (desk / "sealed.pdf").write_bytes(make_awkward("encrypted_user_password"))
    code, out, err = call("ask", "sealed.pdf", DEPOSIT, "--password", "not this")
    assert (code, out) == (2, "")
    _assert_one_line(err, "password")
    assert "not this" not in err
    code, out, _ = call("ask", "sealed.pdf", DEPOSIT, "--password", USER_PASSWORD)
    assert code == 0
    monkeypatch.setenv("PDFDOCKET_PASSWORD", USER_PASSWORD)
    code, out, _ = call("ask", "sealed.pdf", DEPOSIT)
    assert code == 0
    assert "1,200" in out


def test_file_with_an_empty_password_is_read_when_none_is_given(call, desk: Path):
    (desk / "open.pdf").write_bytes(make_awkward("encrypted_empty_password"))
    code, out, _ = call("ask", "open.pdf", DEPOSIT)
    assert code == 0
    assert "1,200" in out


BAD_QUESTIONS = {"empty": "", "blank": "  \t ", "marks only": "?!", "too long": "deposit " * 700, "no text": "a\udcff?"}


@pytest.mark.parametrize("kind", BAD_QUESTIONS)
def test_one_line_and_exit_code_2_when_the_question_is_none(call, desk: Path, kind: str):
    code, out, err = call("ask", "lease.pdf", BAD_QUESTIONS[kind])
    assert (code, out) == (2, "")
    _assert_one_line(err, "question")
    assert len(err) < 300
    assert list_files(desk) == ["lease.pdf"]


BAD_LINES = (
    ("ask",),
    ("ask", "lease.pdf"),
    ("ask", "lease.pdf", DEPOSIT, "--jsn"),
    ("ask", "lease.pdf", DEPOSIT, "more"),
    ("ask", "lease.pdf", DEPOSIT, "--max-iterations", "5"),
    ("ask", "lease.pdf", DEPOSIT, "--max-iterations", "four"),
    ("ask", "lease.pdf", DEPOSIT, "--log-level", "loud"),
    ("ask", "lease.pdf", DEPOSIT, "--out"),
    ("answer", "lease.pdf", DEPOSIT),
    ("--version", "--nope"),
    ("rules", "show"),
)


@pytest.mark.parametrize("line", BAD_LINES, ids=lambda line: " ".join(line)[:40])
def test_one_line_names_the_help_when_the_command_line_is_wrong(call, desk: Path, line: tuple[str, ...]):
    code, out, err = call(*line)
    if "--version" in line:
        assert code in (0, 2)
        return
    assert (code, out) == (2, "")
    _assert_one_line(err, "--help")
    assert list_files(desk) == ["lease.pdf"]


def test_help_is_printed_with_exit_code_2_when_no_verb_is_given(call):
    code, out, err = call()
    assert (code, out) == (2, "")
    assert "Usage: pdfdocket" in err


def test_exit_code_is_3_when_the_rules_are_invalid(call, desk: Path):
    folder = desk / "rules"
    folder.mkdir()
    for number, book in enumerate((None, "not toml =", 'name = "own"\nrevision = 1\n')):
        if book is not None:
            (folder / "rulebook.toml").write_text(book, encoding="utf-8")
        code, out, err = call("ask", "lease.pdf", DEPOSIT, "--rules", "rules")
        assert (code, out) == (3, ""), number
        _assert_one_line(err, "rules")
    code, _, err = call("rules", "list", "--rules", "nowhere")
    assert code == 3
    _assert_one_line(err, "nowhere")
    assert list_files(desk) == ["lease.pdf", "rules/rulebook.toml"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("colour = 1", "colour"),
        ("records = ", "TOML"),
        ("\xff", "TOML"),
        ("records = 5", "records"),
        ('cache = "yes"', "cache"),
        ("max_iterations = 9", "max_iterations"),
        ('password = "secret"', "PDFDOCKET_PASSWORD"),
        ("[parse]\nmax_seconds = 0", "parse.max_seconds"),
        ("[parse]\nmax_hours = 1", "parse.max_hours"),
        ('log_level = "loud"', "log_level"),
    ],
)
def test_one_line_names_file_and_key_when_the_settings_are_wrong(call, desk: Path, text: str, words: str):
    (desk / "pdfdocket.toml").write_bytes(text.encode("latin-1"))
    code, out, err = call("ask", "lease.pdf", DEPOSIT)
    assert (code, out) == (2, "")
    _assert_one_line(err, "pdfdocket.toml", words)
    assert "secret" not in err


def test_nothing_is_printed_or_left_when_the_record_cannot_be_written(call, desk: Path):
    (desk / "blocked").write_text("a file where a folder should be", encoding="utf-8")
    for out_path in ("blocked/run.json", "/dev/null/run.json", str(desk)):
        code, out, err = call("ask", "lease.pdf", DEPOSIT, "--out", out_path)
        assert (code, out) == (2, ""), out_path
        _assert_one_line(err, "record")
    assert [name for name in list_files(desk) if "rulebooks" not in name] == ["blocked", "lease.pdf"]


@needs_a_user_without_rights
def test_nothing_is_left_when_the_record_folder_is_read_only(call, desk: Path):
    (desk / "kept").mkdir()
    (desk / "kept").chmod(stat.S_IRUSR | stat.S_IXUSR)
    code, out, err = call("ask", "lease.pdf", DEPOSIT, "--out", "kept/run.json")
    assert (code, out) == (2, "")
    _assert_one_line(err, "record")


def test_answer_is_the_same_and_no_cache_appears_when_the_cache_is_off(call, desk: Path):
    code, with_cache, _ = call("ask", "lease.pdf", DEPOSIT)
    assert code == 0
    for path in sorted((desk / ".cache").rglob("*"), reverse=True):
        path.unlink() if path.is_file() else path.rmdir()
    code, without, _ = call("ask", "lease.pdf", DEPOSIT, "--no-cache")
    assert code == 0
    assert without.partition("  record: ")[0] == with_cache.partition("  record: ")[0]
    assert not [path for path in (desk / ".cache").rglob("*") if path.is_file()]


# ---------------------------------------------------------------- help


@pytest.mark.parametrize("verb", [(), *((name,) for name in VERBS), ("rules", "list"), ("rules", "show")])
def test_help_has_examples_when_asked_for(call, verb: tuple[str, ...]):
    for flag in ("--help", "-h"):
        code, out, err = call(*verb, flag)
        assert (code, err) == (0, "")
        assert "Usage: pdfdocket" in out
        assert "Examples:" in out
        assert f"pdfdocket {' '.join(verb)}" in out.partition("Examples:")[2]


def test_version_is_printed_when_asked_for(call):
    assert call("--version")[:2] == (0, "pdfdocket, version 0.1.0\n")
