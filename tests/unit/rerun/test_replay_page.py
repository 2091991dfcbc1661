"""docs/replay.md: every reason is explained, the program of the page runs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

from fixtures.rawpdf import lease_pdf
from pipeline.audit.ledger import append_record
from pipeline.models.replay import CannotReason, ReplayState
from pipeline.run import ask
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "replay.md").read_text(encoding="utf-8")


def test_every_state_and_reason_is_explained_when_the_page_is_read():
    for words in (*get_args(ReplayState), *get_args(CannotReason)):
        pattern = r"\*" + words.replace("_", r"\s") + r"\*"
        assert re.search(pattern, PAGE), words


def test_the_program_of_the_page_runs_when_copied(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("contracts").mkdir()
    Path("contracts/lease.pdf").write_bytes(lease_pdf())
    append_record(ask(Path("contracts/lease.pdf"), "What is the deposit?"), Path(".pdfdocket/ledger.jsonl"))
    code = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)[1]
    exec(compile(code, "replay.md", "exec"), {})
    assert capsys.readouterr().out.splitlines() == ["1 identical "]
