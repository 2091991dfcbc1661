"""docs/ledger.md says what a line is: every field that is declared stands there, and its program runs."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pipeline
from fixtures.rawpdf import lease_pdf
from pipeline.models.ledger import Redaction
from pipeline.models.run import RunBody, Volatile
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "ledger.md").read_text(encoding="utf-8")
NAMED = set(re.findall(r"^\| `([a-z_.*0-9]+)` \|", PAGE, re.MULTILINE))


def test_every_field_of_a_line_is_explained_when_the_page_is_read():
    fields = {f"body.{name}" for name in RunBody.model_fields} | {f"volatile.{name}" for name in Volatile.model_fields}
    assert fields <= NAMED
    assert {f"redaction.{name}" for name in Redaction.model_fields} <= NAMED


def test_the_program_of_the_page_runs_when_copied(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("contract.pdf").write_bytes(lease_pdf())
    code = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)[1]
    exec(compile(code, "ledger.md", "exec"), {})
    first = capsys.readouterr().out.splitlines()[0]
    line = json.loads(Path(".pdfdocket/ledger.jsonl").read_bytes().splitlines()[0])
    assert first == f"1 {line['record']['run_id']}"
    assert set(line) <= NAMED
    assert pipeline.verify_ledger(Path(".pdfdocket/ledger.jsonl")).is_intact
