"""Documents of a folder: which there are, and which one a name means."""

from __future__ import annotations

import os

import pytest

from pipeline.batch.documents import SourceDocument, list_documents, match_documents
from pipeline.errors import UsageError


def test_every_pdf_is_listed_in_one_order_when_files_were_made_in_another(tmp_path):
    names = ["b.PDF", "a.pdf", "sub/c.pdf", "Z.pdf", "notes.txt", ".hidden.pdf", ".git/x.pdf", "out/results.pdf"]
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(name.encode())
    (tmp_path / os.fsdecode(b"odd \xff.pdf")).write_bytes(b"x")
    found = list_documents(tmp_path, tmp_path / "out")
    assert [document.name for document in found] == ["Z.pdf", "a.pdf", "b.PDF", "odd \\xff.pdf", "sub/c.pdf"]
    assert len({document.sha256 for document in found}) == 5


def test_annotated_copies_are_no_documents_when_results_lie_among_them(tmp_path):
    for name in ("a.pdf", "annotated/a.pdf", "june/annotated/sub/a.pdf", "june/b.pdf", "notes/annotated/c.pdf"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"x")
    # a crash may come before the list of the copies is written
    (tmp_path / "june" / "annotated" / "annotations.jsonl").touch()
    found = [document.name for document in list_documents(tmp_path, tmp_path)]
    assert found == ["a.pdf", "june/b.pdf", "notes/annotated/c.pdf"]


def test_a_folder_is_refused_when_it_is_not_there_or_holds_no_pdf(tmp_path):
    with pytest.raises(UsageError, match="no such folder"):
        list_documents(tmp_path / "none", tmp_path / "out")
    (tmp_path / "a.txt").touch()
    with pytest.raises(UsageError, match=r"called \.pdf"):
        list_documents(tmp_path, tmp_path / "out")


def test_a_folder_that_cannot_be_listed_is_named_when_documents_may_lie_in_it(tmp_path, monkeypatch):
    (tmp_path / "a.pdf").touch()
    (tmp_path / "locked").mkdir()
    listed = os.scandir

    def refuse(path):
        if str(path).endswith("locked"):
            raise PermissionError(13, "Permission denied", str(path))
        return listed(path)

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(UsageError, match="locked: the folder cannot be listed: Permission denied"):
        list_documents(tmp_path, tmp_path / "out")


def test_a_loop_of_links_is_left_alone_when_folders_are_walked(tmp_path):
    (tmp_path / "a.pdf").touch()
    (tmp_path / "up").symlink_to(tmp_path)
    (tmp_path / "self").symlink_to("self")
    assert [document.name for document in list_documents(tmp_path, tmp_path / "self")] == ["a.pdf"]


def test_the_hash_is_empty_when_a_file_is_none(tmp_path):
    (tmp_path / "gone.pdf").symlink_to(tmp_path / "nowhere")
    os.mkfifo(tmp_path / "pipe.pdf")
    assert [document.sha256 for document in list_documents(tmp_path, tmp_path / "out")] == ["", ""]


NAMES = ("a.pdf", "old/A.pdf", "old/b [1].pdf", "report 2023.pdf", "report 2024.pdf")


@pytest.mark.parametrize(
    ("wanted", "places"),
    [
        ((), (0, 1, 2, 3, 4)),
        (("a.pdf",), (0,)),
        (("./a.pdf",), (0,)),
        (("A.PDF",), (0, 1)),
        (("old/a",), (1,)),
        (("old\\A.pdf",), (1,)),
        (("b [1].pdf",), (2,)),
        (("report*",), (3, 4)),
        (("*2024*", "a.pdf"), (0, 4)),
        (("old/*",), (1, 2)),
        (("a.pdf, report*",), (0, 3, 4)),
    ],
)
def test_documents_are_found_when_named_as_people_name_files(tmp_path, wanted, places):
    documents = tuple(SourceDocument(name, tmp_path / name, "") for name in NAMES)
    assert match_documents(wanted, documents) == (places, "")


@pytest.mark.parametrize("wanted", ["c.pdf", "../a.pdf", "/etc/passwd", "a.pdf, c.pdf", "old"])
def test_the_name_is_given_back_when_no_document_has_it(tmp_path, wanted):
    documents = tuple(SourceDocument(name, tmp_path / name, "") for name in NAMES)
    assert match_documents(("a.pdf", wanted), documents) == ((), wanted)
