"""Whole outcomes of known questions: what changes here changes for users, and is read before it is committed."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "fixtures" / "golden"
GOLDENS = tomllib.loads((FOLDER / "questions.toml").read_text(encoding="utf-8"))["golden"]
# what a reader decides by; the full record has a hash of its own and its own tests
KEPT = ("answer", "plan", "stop_reason")


def _ask_question(document: Path, question: str, folder: Path) -> str:
    command = [sys.executable, "-m", "pipeline", "ask", str(document), question, "--json", "--out", "run.json"]
    environment = {"PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(folder / "cache"), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode in (0, 1), done.stderr
    printed = json.loads(done.stdout)
    return json.dumps({key: printed[key] for key in KEPT}, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


@pytest.mark.parametrize("golden", GOLDENS, ids=[golden["name"] for golden in GOLDENS])
def test_outcome_is_as_approved_when_asked_again(
    golden: dict[str, str], built_documents: Path, are_goldens_written: bool, tmp_path: Path
):
    outcome = _ask_question(built_documents / golden["document"], golden["question"], tmp_path)
    approved = FOLDER / f"{golden['name']}.json"
    if are_goldens_written:
        approved.write_text(outcome, encoding="utf-8")
    assert approved.is_file(), "run make goldens, read what it wrote, commit it"
    assert json.loads(outcome) == json.loads(approved.read_text(encoding="utf-8"))


def test_every_golden_file_belongs_to_a_question_when_the_folder_is_listed():
    assert {path.stem for path in FOLDER.glob("*.json")} <= {golden["name"] for golden in GOLDENS}
