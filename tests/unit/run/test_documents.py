"""Documents are found by what is in them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fixtures.rawpdf import lease_pdf
from pipeline.canonical import hash_bytes
from pipeline.run import documents
from pipeline.run.documents import DocumentFinder

SHA256 = hash_bytes(lease_pdf())


@pytest.mark.parametrize("name", ["lease.pdf", "LEASE.PDF", "deep/er/renamed", "it's a lease.bin"])
def test_a_document_is_found_when_it_has_another_name_and_place(tmp_path: Path, name: str):
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(lease_pdf())
    assert DocumentFinder(tmp_path).find(SHA256, "gone/lease.pdf") == path
    assert DocumentFinder(tmp_path).find(SHA256, "") == path


def test_the_recorded_path_is_taken_when_the_document_is_there(tmp_path: Path):
    (tmp_path / "a").mkdir()
    for path in (tmp_path / "lease.pdf", tmp_path / "a" / "lease.pdf"):
        path.write_bytes(lease_pdf())
    assert DocumentFinder(tmp_path / "a").find(SHA256, str(tmp_path / "lease.pdf")) == tmp_path / "lease.pdf"
    assert DocumentFinder(None).find(SHA256, str(tmp_path / "lease.pdf")) == tmp_path / "lease.pdf"


def test_a_relative_path_is_followed_from_above_the_record_when_the_working_directory_is_another(tmp_path: Path):
    (tmp_path / "docs").mkdir()
    path = tmp_path / "docs" / "lease.pdf"
    path.write_bytes(lease_pdf())
    finder = DocumentFinder(None, tmp_path / ".pdfdocket" / "runs" / "1.json")
    assert finder.find(SHA256, "docs/lease.pdf") == path
    assert DocumentFinder(None).find(SHA256, "docs/lease.pdf") is None
    path.write_bytes(b"another")
    changed = DocumentFinder(None, tmp_path / "ledger.jsonl")
    assert changed.find(SHA256, "docs/lease.pdf") is None
    assert changed.is_changed(SHA256, "docs/lease.pdf")


def test_another_document_is_never_taken_when_only_the_name_fits(tmp_path: Path):
    (tmp_path / "lease.pdf").write_bytes(lease_pdf() + b"\n")
    finder = DocumentFinder(tmp_path)
    assert finder.find(SHA256, "lease.pdf") is None
    assert finder.is_changed(SHA256, "lease.pdf")
    assert not finder.is_changed(SHA256, "other.pdf")
    assert not finder.is_changed(SHA256, "")


def test_what_cannot_be_read_is_passed_over_when_looking(tmp_path: Path):
    os.mkfifo(tmp_path / "a.pdf")
    (tmp_path / "b.pdf").symlink_to(tmp_path / "nowhere")
    (tmp_path / "c.pdf").mkdir()
    (tmp_path / "d.pdf").write_bytes(lease_pdf())
    assert DocumentFinder(tmp_path).find(SHA256, str(tmp_path / "a.pdf")) == tmp_path / "d.pdf"
    assert DocumentFinder(None).find(SHA256, "\0.pdf") is None


def test_a_file_is_hashed_once_when_many_documents_are_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for name in ("one.pdf", "two.pdf", "notes.txt"):
        (tmp_path / name).write_bytes(b"plain" if name == "notes.txt" else lease_pdf() + name.encode())
    hashed: list[str] = []
    read = documents._hash_file
    monkeypatch.setattr(documents, "_hash_file", lambda path: hashed.append(path.name) or read(path))
    finder = DocumentFinder(tmp_path)
    for sha256 in ("0" * 64, "1" * 64, hash_bytes(lease_pdf() + b"two.pdf")):
        finder.find(sha256, "")
    assert sorted(hashed) == ["one.pdf", "two.pdf"]
