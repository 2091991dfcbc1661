"""Entries of a record, a ledger, results, and what became of their documents."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from fixtures.rawpdf import lease_pdf
from pipeline.audit.ledger import append_record
from pipeline.audit.record import write_record
from pipeline.audit.redaction import redact_field
from pipeline.audit.rotation import rotate
from pipeline.errors import RecordError, UsageError
from pipeline.models.settings import Settings
from pipeline.report.sources import read_entries
from pipeline.run import Shelf, ask_shelved
from tests.unit.batch.folders import fill_folder, make_inputs, run_here

SETTINGS = Settings(is_cache_used=False)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A folder of documents and a batch over it."""
    folder = fill_folder(tmp_path_factory.mktemp("finished"))
    run_here(make_inputs(folder))
    return folder


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """A document and two runs of it."""
    folder = tmp_path_factory.mktemp("asked")
    path = folder / "lease.pdf"
    path.write_bytes(lease_pdf())
    shelf = Shelf()
    questions = ("What is the deposit?", "Who repairs the roof?")
    return path, [ask_shelved(shelf, path, question, SETTINGS) for question in questions]


def _make_ledger(asked, folder: Path) -> Path:
    path = folder / "ledger.jsonl"
    for record in asked[1]:
        append_record(record, path)
    return path


@pytest.mark.parametrize("name", ["", "results.jsonl"])
def test_rows_come_with_records_and_documents_when_results_are_read(finished, name):
    entries = list(read_entries(finished / "out" / name))
    rows = [json.loads(line) for line in (finished / "out" / "results.jsonl").read_bytes().splitlines()]
    assert [entry.row.model_dump(mode="json") for entry in entries] == rows
    for entry in entries:
        if entry.row.status == "failed":
            assert entry[1:] == (None, None, "", "")
            continue
        assert entry.record.run_id == entry.row.run_id
        assert entry.document.name == entry.row.document.rpartition("/")[2]
        assert (entry.record_note, entry.document_note) == ("", "")
    assert {entry.row.status for entry in entries} == {"failed", "answered", "not_found"}


def test_only_the_first_come_with_records_when_no_more_are_wanted(finished):
    entries = list(read_entries(finished / "out", record_count=3))
    assert [entry.record is not None for entry in entries] == [False, True, True, False, False, False]
    assert [entry.row.number for entry in entries] == [1, 2, 3, 4, 5, 6]


def test_rows_stand_alone_when_the_ledger_is_not_beside_them(finished, tmp_path):
    shutil.copy(finished / "out" / "results.jsonl", tmp_path / "mine.jsonl")
    entries = list(read_entries(tmp_path / "mine.jsonl", finished / "docs"))
    assert [entry.record for entry in entries] == [None] * 6
    assert entries[1].record_note == "ledger.jsonl does not lie beside the results"
    assert entries[1].document == finished / "docs" / "lease.pdf"


def test_one_entry_comes_when_a_record_is_read(asked, tmp_path):
    path, records = asked
    record = write_record(records[0], tmp_path / "run.json")
    (entry,) = read_entries(record)
    assert (entry.row.question, entry.row.document, entry.row.status) == (
        "What is the deposit?",
        "lease.pdf",
        "answered",
    )
    assert (entry.record, entry.document) == (records[0], path)
    assert entry.row.pages == (2,)


def test_runs_come_in_order_when_a_rotated_ledger_is_read(asked, tmp_path):
    ledger = _make_ledger(asked, tmp_path)
    full = rotate(ledger)
    append_record(asked[1][0], ledger)
    second = rotate(ledger)
    assert [entry.row.run_id for entry in read_entries(ledger)] == [asked[1][at].run_id for at in (0, 1, 0)]
    assert [entry.row.id for entry in read_entries(full)] == ["line 1", "line 2"]
    # a later segment is proved from what its first line says
    assert [(entry.row.id, entry.row.number) for entry in read_entries(second)] == [("line 3", 1)]
    assert len(list(read_entries(tmp_path))) == 3


def test_what_is_left_is_shown_when_a_run_was_redacted(asked, tmp_path):
    ledger = _make_ledger(asked, tmp_path)
    redact_field(ledger, 1, "body.question")
    redact_field(ledger, 2, "body.answer")
    redact_field(ledger, 2, "volatile.document_path")
    first, second = read_entries(ledger)
    assert (first.record, first.row.status, first.row.question) == (None, "answered", "")
    assert first.record_note == "it was redacted: body.question, body.question_sha256"
    assert first.row.items
    assert first.document == asked[0]
    assert (second.row.status, second.row.state) == ("failed", "record")
    assert "body.answer" in second.row.reason
    assert second.row.question == "Who repairs the roof?"


def test_a_document_is_found_by_its_hash_when_its_path_is_blinded_and_a_folder_is_given(asked, tmp_path):
    ledger = _make_ledger(asked, tmp_path)
    redact_field(ledger, 1, "volatile.document_path")
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "renamed.pdf").write_bytes(lease_pdf())
    assert next(read_entries(ledger)).document is None
    assert "--docs" in next(read_entries(ledger)).document_note
    entry = next(read_entries(ledger, docs))
    assert entry.document == docs / "renamed.pdf"
    assert entry.row.document.startswith("document ")


def test_a_document_is_none_when_the_file_of_that_name_has_other_bytes(asked, tmp_path):
    record = asked[1][0]
    moved = tmp_path / "lease.pdf"
    moved.write_bytes(lease_pdf() + b"\n% changed")
    changed = record.model_copy(update={"volatile": record.volatile.model_copy(update={"document_path": str(moved)})})
    (entry,) = read_entries(write_record(changed, tmp_path / "run.json"))
    assert entry.document is None
    assert "changed" in entry.document_note


def test_a_torn_last_line_is_a_failed_row_when_a_ledger_is_read(asked, tmp_path):
    ledger = _make_ledger(asked, tmp_path)
    ledger.write_bytes(ledger.read_bytes()[:-40])
    entries = list(read_entries(ledger))
    assert [entry.row.status for entry in entries] == ["answered", "failed"]
    assert "torn" in entries[1].row.reason


def test_a_changed_line_is_refused_when_a_ledger_is_read(asked, tmp_path):
    ledger = _make_ledger(asked, tmp_path)
    content = ledger.read_bytes()
    assert b"deposit?" in content
    ledger.write_bytes(content.replace(b"deposit?", b"deposit!", 1))
    with pytest.raises(RecordError, match="line 1"):
        list(read_entries(ledger))


@pytest.mark.parametrize("content", [b"", b"{}\n", b"[1,2", b"%PDF-1.7\n", b"question\nWhat?\n", b"\xff\xfe\x00"])
def test_a_file_that_is_no_source_is_refused_when_read(tmp_path, content):
    path = tmp_path / "some.jsonl"
    path.write_bytes(content)
    with pytest.raises(UsageError, match="not a run, a ledger or results"):
        read_entries(path)


def test_a_source_that_is_not_there_is_refused_when_read(tmp_path):
    for place, docs in ((tmp_path / "gone.json", None), (tmp_path, None), (tmp_path, tmp_path / "gone")):
        with pytest.raises(UsageError, match=r"no such|neither"):
            read_entries(place, docs)


def test_a_row_that_is_none_is_refused_when_results_are_read(finished, tmp_path):
    path = tmp_path / "results.jsonl"
    path.write_bytes((finished / "out" / "results.jsonl").read_bytes() + b"{}\n")
    with pytest.raises(UsageError, match="line 7: not a row of results"):
        list(read_entries(path))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("answer", "76 euros"), ("confidence", 1000), ("complete", False), ("pages", [7]), ("items", []),
        ("question", "Who else?"), ("document_sha256", "0" * 64), ("stop_reason", "budget_spent"),
        ("status", "not_found"), ("caveats", ["none"]), ("body_hash", "0" * 64),
    ],
)  # fmt: skip
def test_a_row_is_refused_when_it_says_what_its_run_did_not(finished, tmp_path, name, value):
    shutil.copytree(finished / "out", tmp_path / "out")
    results = tmp_path / "out" / "results.jsonl"
    lines = results.read_text().splitlines()
    at = next(at for at, line in enumerate(lines) if json.loads(line)["status"] == "answered")
    lines[at] = json.dumps(json.loads(lines[at]) | {name: value})
    results.write_text("\n".join(lines) + "\n")
    with pytest.raises(RecordError, match=rf"line {at + 1}: its {name.replace('_', ' ')} is not that of its run"):
        list(read_entries(tmp_path / "out"))


def test_a_changed_record_is_refused_when_read(asked, tmp_path):
    path = write_record(asked[1][0], tmp_path / "run.json")
    path.write_bytes(path.read_bytes().replace(b"deposit?", b"deposit!", 1))
    with pytest.raises(RecordError, match="hash"):
        read_entries(path)
