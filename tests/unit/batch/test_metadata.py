"""Tables of the user's own beside the documents: every row has its document, and none contradicts another."""

from __future__ import annotations

import pytest

from pipeline.batch.documents import SourceDocument
from pipeline.batch.metadata import describe_path, find_table, read_table
from pipeline.errors import UsageError

DOCUMENTS = tuple(SourceDocument(name, None, "") for name in ("a.pdf", "old/b.pdf", "old/c.pdf"))


def _read(tmp_path, content, name="metadata.csv"):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_table(path, DOCUMENTS)


def test_values_belong_to_documents_when_a_table_names_them(tmp_path):
    table = _read(tmp_path, "\ufeffDept;File;In force\nHR;A;2020\nLegal;old/*;\n;c.pdf;2021\n;missing.pdf;1\n")
    assert table.titles == {"dept": "Dept", "inforce": "In force"}
    assert table.values == {
        0: {"dept": "HR", "inforce": "2020"},
        1: {"dept": "Legal"},
        2: {"dept": "Legal", "inforce": "2021"},
    }
    assert table.unmatched == ("missing.pdf",)


def test_values_are_text_when_a_table_is_made_of_objects(tmp_path):
    lines = '{"document": ["a.pdf", "b"], "year": 2020, "signed": true, "by": ["X", "Y"], "note": null}\n\n'
    table = _read(tmp_path, lines, "metadata.jsonl")
    assert table.values == {place: {"year": "2020", "signed": "yes", "by": "X; Y"} for place in (0, 1)}
    assert "note" in table.titles


@pytest.mark.parametrize(
    ("content", "name", "words"),
    [
        ("dept,year\nHR,1\n", "m.csv", "names no column document"),
        ("document,dept\na.pdf,HR\nA.pdf,Legal\n", "m.csv", r"m\.csv:3: a\.pdf has another dept in an earlier row: HR"),
        ('document,dept\n"a.pdf,HR\n', "m.csv", "cannot be read as a record"),
        ("document,dept\n,HR\n", "m.csv", "the row names no document"),
        ("", "m.csv", "names no column document"),
        ("[1]\n", "m.jsonl", "no object with a document"),
        ('{"dept": "HR"}\n', "m.jsonl", "no object with a document"),
        ("{\n", "m.jsonl", "m.jsonl:1: not JSON"),
    ],
)
def test_a_table_is_refused_when_a_row_says_nothing_or_two_things(tmp_path, content, name, words):
    with pytest.raises(UsageError, match=words):
        _read(tmp_path, content, name)


def test_the_table_beside_the_documents_is_found_when_none_is_given(tmp_path):
    assert find_table(None, tmp_path) is None
    (tmp_path / "metadata.jsonl").touch()
    assert find_table(None, tmp_path) == tmp_path / "metadata.jsonl"
    assert find_table(tmp_path / "x.csv", tmp_path) == tmp_path / "x.csv"
    (tmp_path / "metadata.csv").touch()
    with pytest.raises(UsageError, match="both"):
        find_table(None, tmp_path)
    with pytest.raises(UsageError, match="cannot be read"):
        read_table(tmp_path / "none.csv", DOCUMENTS)


def test_name_and_folder_are_told_when_a_document_is_only_listed():
    assert describe_path(DOCUMENTS[1]) == {"name": "b.pdf", "folder": "old", "document": "old/b.pdf"}
    assert describe_path(DOCUMENTS[0])["folder"] == "."
