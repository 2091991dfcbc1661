"""Documents by URL: the same rows as those of a folder, a private copy while they are asked, and faults by name."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import openpyxl
import pytest

from pipeline.audit.archive import ARCHIVE_NAME
from pipeline.audit.reading import read_ledger
from pipeline.batch.documents import list_documents
from pipeline.batch.fetching import RemoteCopy
from pipeline.batch.remote import find_local_folder, link_url, list_remote_documents, read_blocks
from pipeline.batch.running import Options, run_batch
from pipeline.batch.worker import Desk
from pipeline.errors import DocumentError, UsageError
from pipeline.models.settings import ParseLimits, Settings
from pipeline.rerun.replay import ReplaySources, replay_ledger
from pipeline.run.documents import DocumentFinder
from pipeline.text.urls import is_url
from tests.unit.batch.folders import HereCrew, fill_folder, make_inputs, read_files, read_rows

pytest.importorskip("fsspec", reason="the extra `remote` is not installed")

from tests.unit.batch.stores import open_store


class DeskCrew(HereCrew):
    """Lanes of this process with whole desks, which also fetch."""

    def __init__(self, settings, count):
        super().__init__(settings, count, Desk.answer)
        self._shelves = [Desk() for _ in range(count)]

    def close(self):
        for desk in self._shelves:
            desk.close()


@pytest.fixture
def shop(tmp_path):
    """Four documents in a store, and the same ones in a folder."""
    folder = fill_folder(tmp_path)
    (folder / "docs" / ".hidden").mkdir()
    (folder / "docs" / ".hidden" / "secret.pdf").write_bytes(b"%PDF-")
    (folder / "docs" / "read me.txt").write_bytes(b"no PDF")
    (folder / "docs" / "50% off #1?.pdf").write_bytes((folder / "docs" / "note.pdf").read_bytes())
    return open_store(folder)


def _run(folder: Path, out: str, documents: Path | str, settings: Settings) -> None:
    inputs = make_inputs(folder, out)._replace(documents=documents, settings=settings)
    run_batch(inputs, Options(worker_count=2, make_crew=DeskCrew), lambda *_: None)


def test_names_and_hashes_are_those_of_the_folder_when_documents_are_listed_by_url(shop):
    listed = list_remote_documents("shop://docs/")
    here = list_documents(shop.root / "docs", shop.root / "out")
    assert [(each.name, each.sha256) for each in listed] == [(each.name, each.sha256) for each in here]
    assert listed[0].url == listed[0].place == "shop://docs/50% off #1?.pdf"


def test_rows_are_those_of_the_folder_but_for_links_when_documents_come_by_url(shop, tmp_path):
    settings = Settings(cache_folder=tmp_path / "cache")
    _run(shop.root, "here", shop.root / "docs", settings)
    _run(shop.root, "out", "shop://docs", settings)
    rows, others = read_rows(shop.root / "out"), read_rows(shop.root / "here")
    assert [row.model_copy(update={"link": ""}) for row in rows] == [
        row.model_copy(update={"link": ""}) for row in others
    ]
    links = {row.document: row.link for row in rows if row.pages}
    answers = sum(bool(row.pages) for row in rows)
    assert links["50% off #1?.pdf"] == "shop://docs/50%25%20off%20%231%3F.pdf#page=1"
    assert {row.state for row in rows if row.document == "broken.pdf"} == {"unreadable"}
    # nothing is left, and each was fetched once for its hash and once for its questions
    assert [path.name for path in (tmp_path / "cache" / "fetched").iterdir()] == [".lock"]
    assert sorted(shop.opened) == sorted([*_list_names(shop), *_list_names(shop)])
    paths = {line.record.volatile.document_path for line in read_ledger(shop.root / "out" / "ledger.jsonl")}
    assert "shop://docs/lease.pdf" in paths
    assert all(path.startswith("shop://docs/") for path in paths)
    # no program follows the links of a store
    assert _count_links(shop.root / "out") == 0
    assert _count_links(shop.root / "here") == answers


def _count_links(out: Path) -> int:
    sheet = openpyxl.load_workbook(out / "results.xlsx").active
    return sum(cell.hyperlink is not None for row in sheet.iter_rows() for cell in row)


def _list_names(shop) -> list[str]:
    return [f"docs/{each.name}" for each in list_documents(shop.root / "docs", shop.root / "out")]


def test_runs_replay_from_a_folder_and_say_what_is_missing_without_one_when_they_came_by_url(shop, tmp_path):
    settings = Settings(cache_folder=tmp_path / "cache")
    _run(shop.root, "out", "shop://docs", settings)
    ledger = shop.root / "out" / "ledger.jsonl"
    archive = shop.root / "out" / ARCHIVE_NAME
    sources = ReplaySources(settings, DocumentFinder(shop.root / "docs", ledger), archive)
    assert {report.state for report in replay_ledger(ledger, sources).reports} == {"identical"}
    sources = ReplaySources(settings, DocumentFinder(None, ledger), archive)
    missing = next(replay_ledger(ledger, sources).reports)
    assert missing.reason == "document_missing"
    assert "(shop://docs/" in missing.detail


def test_a_batch_by_url_goes_on_when_it_is_resumed(shop, tmp_path):
    settings = Settings(cache_folder=tmp_path / "cache")
    _run(shop.root, "out", "shop://docs", settings)
    before = read_files(shop.root / "out")
    journal = shop.root / "out" / "journal.jsonl"
    # as when it was killed between the ledger and the journal
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:-2]))
    inputs = make_inputs(shop.root)._replace(documents="shop://docs", settings=settings)
    summary = run_batch(inputs, Options(2, is_resumed=True, make_crew=DeskCrew), lambda *_: None)
    assert summary.asked_count <= 1
    assert read_files(shop.root / "out") == before
    with pytest.raises(UsageError, match="names of the documents"):
        run_batch(make_inputs(shop.root), Options(2, is_resumed=True, make_crew=DeskCrew), lambda *_: None)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("shop://none", "shop://none: cannot be listed: not found"),
        ("shop://locked", "shop://locked: cannot be listed: no access"),
        ("shop://odd", "shop://odd: cannot be listed: ValueError: an odd answer"),
        ("shop://docs/old/x", "cannot be listed: not found"),
        ("shop://questions.csv", "there is nothing"),
        ("nonsense://x", "nonsense://x: cannot be opened: ValueError: Protocol not known: nonsense"),
        ("shop://a::file://b", "one URL inside another"),
        ("shop://me:hunter2@docs", "shop://me:...@docs: a password in a URL would stand in the results"),
        ("oci://bucket/docs", "oci://bucket/docs: its driver is missing: "),
    ],
)
def test_the_fault_is_named_when_a_store_cannot_be_listed(shop, url, words):
    with pytest.raises(UsageError) as caught:
        list_remote_documents(url)
    assert words in str(caught.value)
    assert "hunter2" not in str(caught.value)


def test_the_package_to_install_is_named_when_a_driver_is_missing():
    with pytest.raises(UsageError, match=r"pip install ocifs"):
        list_remote_documents("oci://bucket/docs")


def test_one_row_fails_when_its_document_cannot_be_fetched(shop, tmp_path):
    (shop.root / "docs" / "locked.pdf").write_bytes(b"%PDF-")
    _run(shop.root, "out", "shop://docs", Settings(cache_folder=tmp_path / "cache"))
    failed = [row for row in read_rows(shop.root / "out") if row.document == "locked.pdf"]
    assert {(row.state, row.reason) for row in failed} == {("unreadable", "cannot be fetched: no access")}
    # not once more for each question: once for the hash, once for the questions
    assert shop.opened.count("docs/locked.pdf") == 2


def test_the_copy_is_private_and_goes_when_another_document_is_asked(shop, tmp_path):
    copy = RemoteCopy(Settings(cache_folder=tmp_path / "cache"))
    first = copy.find_path("shop://docs/lease.pdf")
    assert first == copy.find_path("shop://docs/lease.pdf")
    assert first.read_bytes() == (shop.root / "docs" / "lease.pdf").read_bytes()
    assert stat.S_IMODE(first.stat().st_mode) == 0o600
    assert stat.S_IMODE(first.parent.stat().st_mode) == 0o700
    second = copy.find_path("shop://docs/note.pdf")
    assert (first.exists(), second.exists()) == (False, True)
    copy.close()
    assert not second.exists()


def test_forgotten_copies_go_and_those_in_use_stay_when_something_is_fetched(shop, tmp_path):
    settings = Settings(cache_folder=tmp_path / "cache")
    used, killed = RemoteCopy(settings), RemoteCopy(settings)
    in_use, forgotten = used.find_path("shop://docs/lease.pdf"), killed.find_path("shop://docs/note.pdf")
    # the lock of a process ends with it, however it ends
    os.close(killed._handle)
    RemoteCopy(settings).find_path("shop://docs/note.pdf")
    assert (in_use.exists(), forgotten.exists()) == (True, False)
    used.close()


def test_a_document_is_refused_when_it_is_too_large_or_there_is_no_room(shop, tmp_path):
    small = Settings(cache_folder=tmp_path / "cache", parse=ParseLimits(max_memory_bytes=100))
    copy = RemoteCopy(small)
    for _ in range(2):
        with pytest.raises(DocumentError, match="more than 100 bytes") as caught:
            copy.find_path("shop://docs/lease.pdf")
        assert caught.value.state == "limit"
    (tmp_path / "file").touch()
    with pytest.raises(DocumentError, match="no room for a copy"):
        RemoteCopy(Settings(cache_folder=tmp_path / "file")).find_path("shop://docs/lease.pdf")
    assert list((tmp_path / "cache" / "fetched").glob("*.pdf")) == []


@pytest.mark.parametrize(
    ("given", "folder"),
    [
        ("file:///srv/my%20contracts", "/srv/my contracts"),
        ("FILE://localhost/srv", "/srv"),
        ("s3://bucket/x", ""),
    ],
)
def test_a_file_url_is_a_folder_when_it_is_of_this_machine(given, folder):
    assert is_url(given)
    assert find_local_folder(given) == folder


def test_a_file_url_is_refused_when_it_is_of_another_machine():
    with pytest.raises(UsageError, match="another machine"):
        find_local_folder("file://host/srv")
    assert not is_url("C:/contracts")


def test_links_stay_as_they_are_when_they_are_of_the_web():
    assert link_url("https://host/a%20b.pdf?v=1") == "https://host/a%20b.pdf?v=1"
    assert link_url("s3://bucket/a b.pdf") == "s3://bucket/a%20b.pdf"


def test_documents_in_memory_are_read_when_asked_by_url():
    import fsspec

    fsspec.filesystem("memory").pipe_file("/desk/a.pdf", b"%PDF-1.7")
    listed = list_remote_documents("memory://desk")
    assert json.dumps([each.name for each in listed]) == '["a.pdf"]'
    assert b"".join(read_blocks(listed[0].url)) == b"%PDF-1.7"
