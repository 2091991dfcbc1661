"""`ask` keeps a ledger; `verify`, `checkpoint` and `redact` say what they found, did or could not do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fixtures.rawpdf import lease_pdf
from pipeline.audit.reading import read_ledger
from pipeline.cli.group import run_command

LEDGER = Path(".pdfdocket/ledger.jsonl")
QUESTION = ["lease.pdf", "What is the deposit?"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    (tmp_path / "lease.pdf").write_bytes(lease_pdf())
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PDFDOCKET_LEDGER_KEY", raising=False)
    return tmp_path


@pytest.fixture
def call(capfd):
    """Run one command line; its exit code, stdout and stderr."""

    def run(*arguments):
        code = run_command(list(arguments))
        out, err = capfd.readouterr()
        return code, out, err

    return run


@pytest.fixture
def asked(call):
    for _ in range(2):
        assert call("ask", *QUESTION)[0] == 0


def test_the_run_stands_in_the_ledger_when_asked(call):
    code, out, _ = call("ask", *QUESTION, "--json")
    printed = json.loads(out)
    line = list(read_ledger(LEDGER))[-1]
    assert (code, line.record.run_id) == (0, printed["run_id"])
    assert printed["ledger_line"] == {"path": str(LEDGER), "number": 1, "chain_hash": line.chain_hash}
    assert f"ledger: {LEDGER}, line 2" in call("ask", *QUESTION)[1]


def test_no_ledger_is_kept_when_that_was_said(call):
    code, out, _ = call("ask", *QUESTION, "--json", "--no-ledger")
    assert (code, json.loads(out)["ledger_line"], LEDGER.exists()) == (0, None, False)
    assert "ledger:" not in call("ask", *QUESTION, "--no-ledger")[1]
    Path("pdfdocket.toml").write_text("keep_ledger = false\n")
    assert (call("ask", *QUESTION)[0], LEDGER.exists()) == (0, False)


def test_the_ledger_is_elsewhere_when_a_flag_the_file_or_the_environment_says_so(call, monkeypatch):
    Path("pdfdocket.toml").write_text('ledger = "file.jsonl"\n[ledger_limits]\nmax_bytes = 1\n')
    assert call("ask", *QUESTION)[0] == call("ask", *QUESTION)[0] == 0
    assert Path("file.000001.jsonl").exists()
    assert json.loads(call("verify", "--json")[1])["segment_count"] == 2
    monkeypatch.setenv("PDFDOCKET_LEDGER", "variable.jsonl")
    assert call("ask", *QUESTION)[0] == call("ask", *QUESTION, "--ledger", "flag.jsonl")[0] == 0
    assert [Path(name).exists() for name in ("variable.jsonl", "flag.jsonl", str(LEDGER))] == [True, True, False]


def test_no_answer_is_printed_when_the_record_is_oversized(call):
    Path("pdfdocket.toml").write_text("[ledger_limits]\nmax_record_bytes = 1000\n")
    code, out, err = call("ask", *QUESTION)
    assert (code, out, "never shortened" in err, LEDGER.exists()) == (2, "", True, False)


def test_a_torn_line_is_reported_when_the_next_run_sets_it_aside(call, asked):
    with LEDGER.open("ab") as file:
        file.write(b'{"chain_hash":"12')
    assert "[torn, number 3]" in call("verify")[1]
    code, out, err = call("ask", *QUESTION)
    assert (code, "line 3" in out) == (0, True)
    assert "was torn by an interrupted run" in err
    assert "ledger.jsonl.torn-3" in err
    assert call("verify")[0] == 0


def test_the_head_is_printed_and_checked_when_verified(call, asked):
    code, out, _ = call("verify", str(LEDGER))
    assert (code, "2 lines, 2 runs: nothing was changed" in out) == (0, True)
    head = out.split("head: ")[1].strip()
    assert call("ask", *QUESTION)[0] == 0
    assert "checkpoint: holds" in call("verify", "--head", head)[1]
    LEDGER.write_bytes(LEDGER.read_bytes().splitlines(keepends=True)[0])
    code, out, _ = call("verify", "--head", head)
    assert (code, "its end was cut off" in out) == (1, True)
    assert call("verify", "--head", "nonsense")[0] == 2


@pytest.mark.parametrize("path", [".", "..", "/", ""])
def test_a_folder_is_refused_in_one_line_when_named_as_ledger(call, path):
    for arguments in (["verify", path], ["checkpoint", path, "head.json"], ["redact", path, "1", "body.question"]):
        code, out, err = call(*arguments)
        assert (code, out, err.count("\n")) == (2, "", 1), arguments
    code, out, err = call("ask", *QUESTION, "--ledger", path)
    assert (code, out, "not a regular file" in err, Path("rulebooks").exists()) == (2, "", True, False)


def test_the_document_is_found_when_its_path_was_relative_and_the_folder_is_another(call, asked, tmp_path, monkeypatch):
    run = next(Path(".pdfdocket/runs").glob("*.json")).absolute()
    ledger = LEDGER.absolute()
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert call("replay", str(ledger))[0] == call("replay", str(run))[0] == 0
    assert call("why-not", str(run), "--budget", "1")[0] == 0


def test_the_reason_is_named_when_a_ledger_may_not_be_read(call, asked, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    code, out, err = call("replay", str(LEDGER))
    assert (code, out, "the ledger cannot be read: Permission denied" in err) == (2, "", True)


def test_kept_rules_are_found_when_the_working_directory_is_another(call, tmp_path, monkeypatch):
    Path("own").mkdir()
    Path("own/rulebook.toml").write_text('name = "own"\nextends = "default"\n[limits]\nmax_iterations = 2\n')
    assert call("ask", *QUESTION, "--rules", "own")[0] == 0
    run = next(Path(".pdfdocket/runs").glob("*.json")).absolute()
    (tmp_path / "elsewhere" / ".pdfdocket" / "rulebooks").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert call("replay", str(run))[0] == 0
    assert call("why-not", str(run), "KEY01", "--budget", "1")[0] == 0


def test_the_first_bad_line_is_named_when_one_was_changed(call, asked):
    LEDGER.write_bytes(LEDGER.read_bytes().replace(b'"satisfied"', b'"satisfiee"'))
    code, out, _ = call("verify")
    assert code == 1
    assert out.startswith(f"{LEDGER}, line 1: body.stop_reason does not have its commitment [value, number 1]")
    printed = json.loads(call("verify", "--json")[1])
    assert (printed["is_intact"], printed["count"], printed["fault"]["line"]) == (False, 0, 1)


def test_a_checkpoint_is_written_and_then_checked_when_named(call, asked, monkeypatch):
    monkeypatch.setenv("PDFDOCKET_LEDGER_KEY", "secret")
    assert "checkpoint: written" in call("verify", "--checkpoint", "head.json")[1]
    assert "checkpoint: holds, signature checked" in call("verify", "--checkpoint", "head.json")[1]
    assert "secret" not in Path("head.json").read_text()
    assert call("ask", *QUESTION)[0] == 0
    assert "head 3:" in call("checkpoint", str(LEDGER), "head.json")[1]
    assert json.loads(call("checkpoint", str(LEDGER), "head.json", "--json")[1])["count"] == 3
    monkeypatch.setenv("PDFDOCKET_LEDGER_KEY", "other")
    code, out, _ = call("verify", "--checkpoint", "head.json")
    assert (code, "[signature" in out) == (1, True)
    assert call("checkpoint", str(LEDGER), "head.json")[0] == 2
    monkeypatch.delenv("PDFDOCKET_LEDGER_KEY")
    assert "holds, but its signature was not checked" in call("verify", "--checkpoint", "head.json")[1]
    assert call("verify", "--checkpoint", "head.json", "--head", "x")[0] == 2


def test_no_checkpoint_is_written_when_the_ledger_does_not_verify(call, asked):
    LEDGER.write_bytes(LEDGER.read_bytes()[:-1])
    assert call("verify", "--checkpoint", "head.json")[0] == 1
    assert not Path("head.json").exists()
    assert call("checkpoint", str(LEDGER), "head.json")[0] == 2


def test_fields_are_blinded_and_said_so_when_redacted(call, asked):
    code, out, err = call("redact", str(LEDGER), "1", "body.question", "volatile.host", "--reason", "asked for")
    assert (code, "blinded body.question, body.question_sha256, body_hash, run_id, volatile.host" in out) == (0, True)
    assert "still holds what was blinded" in err
    code, out, _ = call("verify", "--records")
    assert code == 0
    assert "redacted: line 1: body.question, " in out
    assert "cannot be replayed" in out
    printed = json.loads(call("redact", str(LEDGER), "2", "volatile.host", "--json")[1])
    assert (printed["fields"], printed["number"]) == (["volatile.host"], 2)
    assert "redacted: line 2: volatile.host\n" in call("verify")[1]
    assert call("redact", str(LEDGER), "9", "body.plan")[0] == 2
    assert call("redact", str(LEDGER), "3", "reason")[0] == 2


def test_an_unfinished_redaction_is_listed_when_verified(call, asked, monkeypatch):
    from pipeline.errors import RecordError

    def fail(*_):
        raise RecordError("no room")

    monkeypatch.setattr("pipeline.audit.redaction.replace_file", fail)
    assert call("redact", str(LEDGER), "1", "volatile.host")[0] == 2
    code, out, _ = call("verify")
    assert (code, "redaction not finished: volatile.host of line 1" in out) == (0, True)


def test_the_ledger_is_missed_when_there_is_none(call):
    code, out, err = call("verify")
    assert (code, out) == (2, "")
    assert "no such ledger" in err
    Path("pdfdocket.toml").write_text('ledger_key = "x"\n')
    assert "does not belong in a file" in call("verify")[2]
