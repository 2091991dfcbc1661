"""Records of every version load, verify and are replayed, or it is said by name why not, for ever.

If this fails, old records are broken: write a migration instead (pipeline/audit/migrations.py) and leave them alone.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pipeline.audit.archive import ARCHIVE_NAME, find_archived
from pipeline.audit.checkpoint import parse_head
from pipeline.audit.reading import read_ledger
from pipeline.audit.record import load_record
from pipeline.audit.verify import verify_ledger
from pipeline.models.settings import Settings
from pipeline.rerun.replay import ReplaySources, replay_ledger, replay_record
from pipeline.run.documents import DocumentFinder
from tests.conftest import ROOT

VERSIONS = sorted(path for path in (ROOT / "fixtures" / "records").iterdir() if path.is_dir())
# what may change between then and now; anything else would be a fault of this version
GOOD_REASONS = {"engine_changed", "parser_changed", "schema_changed", "redacted"}

each_version = pytest.mark.parametrize("folder", VERSIONS, ids=[path.name for path in VERSIONS])


@each_version
def test_its_record_loads_and_its_ledger_verifies_when_versions_have_come_and_gone(folder: Path):
    head = parse_head((folder / "ledger.head").read_text(encoding="utf-8").strip())
    report = verify_ledger(folder / "ledger.jsonl", head, reads_records=True)
    assert (report.is_intact, report.checkpoint) == (True, "holds")
    assert len(report.redacted) == 4
    lines = [line for line in read_ledger(folder / "ledger.jsonl") if line.redaction is None]
    assert [(line.unreadable, line.is_replayable) for line in lines] == [("", True)] * 3 + [("", False)]
    record = load_record(folder / "run.json")
    assert lines[0].record == record
    assert record.body.versions.pdfdocket == folder.name
    assert record.body.answer.found


@each_version
def test_its_rulebook_is_read_when_it_was_kept(folder: Path):
    revision = load_record(folder / "run.json").body.plan.rulebook_revision
    assert find_archived(folder / ARCHIVE_NAME, revision) is not None


@each_version
def test_its_runs_are_replayed_or_the_cause_is_named_when_asked(folder: Path, tmp_path: Path):
    shutil.copytree(folder, tmp_path / "kept")
    kept = tmp_path / "kept"
    sources = ReplaySources(Settings(), DocumentFinder(kept), kept / ARCHIVE_NAME)
    reports = [*replay_ledger(kept / "ledger.jsonl", sources).reports]
    reports.append(replay_record(load_record(kept / "run.json"), sources))
    print(f"\n{folder.name}: {', '.join(str(report.reason or report.state) for report in reports)}")
    assert len(reports) == 5
    for report in reports:
        assert report.reason is None or report.reason in GOOD_REASONS, report
        assert report.state != "differs" or report.difference is not None, report
    assert reports[3].reason == "redacted"
