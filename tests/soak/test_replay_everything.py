"""P5 in full: every case there is, asked once and replayed, here and by every other Python that can be had."""

from __future__ import annotations

import glob
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.audit.archive import ARCHIVE_NAME, archive_rulebook
from pipeline.audit.ledger import append_record
from pipeline.models.replay import ReplayReport
from pipeline.models.settings import Settings
from pipeline.rerun.replay import ReplaySources, replay_ledger
from pipeline.run import ask
from pipeline.run.documents import DocumentFinder
from tests.e2e.asking import read_cases
from tests.e2e.commands import ROOT, make_environment

pytestmark = pytest.mark.soak

OWN = sorted((ROOT / "fixtures" / "cases").glob("*.jsonl"))
PLACES = ("/usr/bin", "/usr/local/bin", "/opt/python*/bin", os.path.expanduser("~/.pyenv/versions/*/bin"))
NEEDED = "import pydantic, pymupdf, click, numpy, rank_bm25, Stemmer"


def _ask_all(files: list[Path], documents: Path, ledger: Path) -> int:
    """Ask every case and append it; how many."""
    count = 0
    for path in files:
        for case in read_cases(path):
            record = ask(documents / case["document"], case["question"])
            archive_rulebook(None, ledger.parent / ARCHIVE_NAME, record.body.plan.rulebook_revision)
            append_record(record, ledger)
            count += 1
    return count


def _replay_all(ledger: Path, documents: Path) -> list[ReplayReport]:
    sources = ReplaySources(Settings(), DocumentFinder(documents), ledger.parent / ARCHIVE_NAME)
    return list(replay_ledger(ledger, sources).reports)


@pytest.fixture(scope="module")
def own_ledger(built_documents: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger of all own cases."""
    ledger = tmp_path_factory.mktemp("own") / "ledger.jsonl"
    assert _ask_all(OWN, built_documents, ledger) > 100
    return ledger


def test_every_own_case_is_identical_when_replayed(own_ledger: Path, built_documents: Path):
    reports = _replay_all(own_ledger, built_documents)
    print(f"\n{len(reports)} own cases replayed")
    assert [report for report in reports if report.state != "identical"] == []


def test_every_public_case_is_identical_when_replayed(cases: Path, corpus: Path, tmp_path: Path):
    ledger = tmp_path / "ledger.jsonl"
    count = _ask_all(sorted(cases.glob("*.jsonl")), corpus, ledger)
    reports = _replay_all(ledger, corpus)
    print(f"\n{len(reports)} public cases replayed")
    assert len(reports) == count > 0
    assert [report for report in reports if report.state != "identical"] == []


@pytest.mark.parametrize("seed", ["0", "1", "77", "4711", "99999"])
def test_every_own_case_is_identical_when_the_seed_differs(
    own_ledger: Path, built_documents: Path, tmp_path: Path, seed: str
):
    summary = _replay_elsewhere(sys.executable, own_ledger, built_documents, tmp_path, seed)
    assert (summary["differs"], summary["cannot_be_replayed"]) == (0, 0)
    assert summary["identical"] > 100


def _replay_elsewhere(python: str, ledger: Path, documents: Path, folder: Path, seed: str) -> dict[str, int]:
    command = [python, "-m", "pipeline", "replay", ledger, "--docs", documents, "--no-cache", "--json"]
    changes = {"PYTHONHASHSEED": seed, "LC_ALL": "C", "TZ": "Asia/Kolkata"}
    environment = make_environment(folder, changes)
    done = subprocess.run(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True)
    assert done.returncode in (0, 1, 2), done.stderr
    return json.loads(done.stdout)["summary"]


def _find_interpreters() -> list[str]:
    """Every other Python of 3.11 or later, one for each version."""
    given = os.environ.get("PDFDOCKET_PYTHONS", "").split(os.pathsep)
    found = [path for place in PLACES for path in sorted(glob.glob(f"{place}/python3.[0-9]*"))]
    # python3.10-gdb.py and python3.11-config lie beside them
    found = [path for path in found if re.fullmatch(r"python3\.\d+", os.path.basename(path))]
    versions: dict[str, str] = {}
    for path in (*given, *found):
        if not path or not shutil.which(path):
            continue
        ask_version = [path, "-c", "import sys; print(*sys.version_info[:2])"]
        told = subprocess.run(ask_version, capture_output=True, text=True).stdout.split()
        own = list(map(str, sys.version_info[:2]))
        if len(told) == 2 and told != own and (int(told[0]), int(told[1])) >= (3, 11):
            versions.setdefault(".".join(told), path)
    return [versions[version] for version in sorted(versions)]


def test_every_own_case_is_identical_when_another_python_replays_it(
    own_ledger: Path, built_documents: Path, tmp_path: Path
):
    """Interpreters that lack the packages are left out; PDFDOCKET_PYTHONS names those of virtual environments."""
    able = [
        python
        for python in _find_interpreters()
        if subprocess.run([python, "-c", NEEDED], capture_output=True).returncode == 0
    ]
    if not able:
        pytest.skip("no other Python of 3.11 or later has the packages; PDFDOCKET_PYTHONS names some")
    for python in able:
        summary = _replay_elsewhere(python, own_ledger, built_documents, tmp_path, "3")
        print(f"\n{python}: {summary}")
        assert (summary["differs"], summary["cannot_be_replayed"]) == (0, 0), python
        assert summary["identical"] > 100
