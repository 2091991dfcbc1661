"""Questions from files of every kind: what is meant is found, and no row is dropped in silence."""

from __future__ import annotations

import contextlib
import datetime
import json
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.batch.questions import read_questions
from pipeline.errors import UsageError
from pipeline.models.batch import BatchLimits, QuestionList


def _read(folder: Path, name: str, content: bytes | str, limits: BatchLimits | None = None) -> QuestionList:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_questions(path, limits)


def _list(listed: QuestionList) -> list[tuple[int, str, str]]:
    return [(found.line, found.id, found.question) for found in listed.questions]


def test_columns_are_found_when_their_names_are_written_as_people_write_them(tmp_path):
    text = (
        " QUESTION ID ;The_Question;Question;Documents;Expected Answer;Rule-Set;Category;Owner\n"
        '7;x;"Who pays?\nAnd when?";a.pdf; 12 ;mine;"Money, law";Ann\n'
    )
    listed = _read(tmp_path, "q.csv", text)
    assert (listed.format, listed.delimiter, listed.encoding) == ("csv", ";", "utf-8")
    assert listed.ignored_columns == ("The_Question", "Owner")
    [found] = listed.questions
    assert (found.line, found.id, found.question) == (2, "7", "Who pays?\nAnd when?")
    assert (found.documents, found.expected, found.rulebook, found.tags) == (("a.pdf",), "12", "mine", ("Money", "law"))


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"])
def test_questions_are_the_same_when_encoding_and_delimiter_differ(tmp_path, delimiter, encoding):
    text = (
        delimiter.join(["id", "question"]) + "\r\n" + delimiter.join(["ü1", "Wie hoch ist die Prämie – und für wen?"])
    )
    listed = _read(tmp_path, "q.csv", text.encode(encoding))
    assert _list(listed) == [(2, "ü1", "Wie hoch ist die Prämie – und für wen?")]
    assert listed.delimiter == delimiter


def test_rows_that_cannot_be_asked_are_kept_with_a_reason_when_a_table_is_read(tmp_path):
    lines = [
        "id,question,expected",
        "a,Who pays?,",
        ",,5",
        "c,What is it, and why?,x",
        "",
        'd,"Who" pays?,',
        "a,Again?,",
        f"f,{'x' * 21_000},",
        'g,"never closed,',
        "h,Last?,",
    ]
    found = _read(tmp_path, "q.csv", "\n".join(lines)).questions
    assert [(row.line, bool(row.fault)) for row in found] == [
        (2, False), (3, True), (4, True), (6, True), (7, True), (8, True), (9, True), (10, False),
    ]  # fmt: skip
    words = [
        "no question",
        "4 cells where the header has 3",
        "cannot be read",
        "stands in line 2",
        "more than",
        "cannot",
    ]
    assert all(word in row.fault for word, row in zip(words, found[1:7], strict=True))
    assert len({row.id for row in found}) == len(found) - 1


def test_the_bad_line_alone_is_named_when_one_line_of_utf_8_is_not(tmp_path):
    content = "question\nWie groß ist es?\nÄlter als fünf?\n".encode() + b"caf\xe9?\n" + "Wofür?\n".encode()
    found = _read(tmp_path, "q.csv", content).questions
    assert [(row.line, bool(row.fault)) for row in found] == [(2, False), (3, False), (4, True), (5, False)]
    assert found[3].question == "Wofür?"


def test_objects_and_strings_are_questions_when_lines_are_json(tmp_path):
    lines = [
        {"id": 1, "Query": " Who pays? ", "docs": ["a.pdf", "b.pdf"], "tags": ["x", "y"], "more": {}},
        "Who else?",
        {"question": ["no"]},
        [1],
        {"question": None, "id": "n"},
        {"question": "\ud800?"},
    ]
    text = "\n".join([*map(json.dumps, lines), "{broken", "", '{"question":"Last?"}'])
    found = _read(tmp_path, "q.jsonl", text).questions
    assert [(row.line, row.id, bool(row.fault)) for row in found] == [
        (1, "1", False), (2, "q2", False), (3, "q3", True), (4, "q4", True), (5, "n", True), (6, "q6", True),
        (7, "q7", True), (9, "q8", False),
    ]  # fmt: skip
    assert (found[0].question, found[0].documents, found[0].tags) == ("Who pays?", ("a.pdf", "b.pdf"), ("x", "y"))


def test_each_line_is_a_question_when_the_file_is_plain_text(tmp_path):
    listed = _read(tmp_path, "q.txt", "\ufeffWho pays, and when?\r\n\r\n# Why?\n")
    assert _list(listed) == [(1, "q1", "Who pays, and when?"), (3, "q2", "# Why?")]
    assert listed.format == "text"


@pytest.mark.parametrize(
    ("content", "kind"), [("id,question\n1,Who?", "csv"), ('{"question":"Who?"}', "jsonl"), ("Who?", "text")]
)
def test_the_format_is_seen_when_the_name_does_not_say_it(tmp_path, content, kind):
    listed = _read(tmp_path, "questions", content)
    assert listed.format == kind
    assert listed.questions[0].question == "Who?"


def test_a_stray_control_character_makes_no_binary_when_the_rest_is_text(tmp_path):
    listed = _read(tmp_path, "q.txt", "What does the \x00 fee \x07 cover?\n" + "Who pays for the damage done?\n" * 3)
    assert len(listed.questions) == 4


def _write_workbook(path: Path, rows: list[list[object]], before: int = 0) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    book.active.title = "Cover"
    book.active.append(["about", "this"])
    sheet = book.create_sheet("Asked")
    for _ in range(before):
        sheet.append(["Vendor", None])
    for row in rows:
        sheet.append(row)
    book.save(path)


def test_the_sheet_with_questions_is_read_when_a_workbook_has_several(tmp_path):
    day = datetime.datetime.fromisoformat("2024-03-01")
    rows = [["No.", "Question", "Expected"], [1, "Who pays?", 12.0], [], [2.5, "When?", day]]
    _write_workbook(tmp_path / "q.xlsx", [*rows, [True, None, 0.5]], before=2)
    listed = read_questions(tmp_path / "q.xlsx")
    assert (listed.format, listed.sheet) == ("xlsx", "Asked")
    assert _list(listed) == [(4, "1", "Who pays?"), (6, "2.5", "When?"), (7, "yes", "")]
    assert [row.expected for row in listed.questions] == ["12", "2024-03-01", "0.5"]
    assert listed.questions[2].fault


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("q.csv", "", "no question"),
        ("q.csv", "id,question\n", "no question"),
        ("q.csv", "a,b\n1,2\n", "no column question"),
        ("q.xlsx", "question\nWho?", "not a workbook"),
        ("q.xlsx", b"PK\x03\x04 and no more", "cannot be read as a workbook"),
        ("q.xls", b"\xd0\xcf\x11\xe0 old", "old Office"),
        ("q.txt", " \n\n", "no question"),
        ("q.pdf", b"%PDF-1.7\nWho?\n", "a PDF, and no file of questions"),
        ("q.txt", b"\xef\xbb\xbf \n%PDF-1.7\nWho?\n", "a PDF, and no file of questions"),
        ("questions", b"{\\rtf1 Who?}", r"formats \(RTF\), and no file of questions"),
        ("q.md", "<!DOCTYPE html>\n<p>Who?</p>", "a page of the web, and no file of questions"),
        ("q.csv", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x14\nquestion\nWho?", "no text, and no file of questions"),
        ("q.txt", b"\x1f\x8b\x08\0\x1c\0\0\x03Who?", "no text, and no file of questions"),
    ],
)
def test_a_file_is_refused_with_a_remedy_when_nothing_in_it_can_be_asked(tmp_path, name, content, words):
    with pytest.raises(UsageError, match=words) as caught:
        _read(tmp_path, name, content)
    assert caught.value.remedy


def test_a_file_is_refused_when_it_is_missing_or_a_folder_or_larger_than_its_limits(tmp_path):
    with pytest.raises(UsageError, match="cannot be read"):
        read_questions(tmp_path / "none.csv")
    with pytest.raises(UsageError, match="not a regular file"):
        read_questions(tmp_path)
    with pytest.raises(UsageError, match="more than 3 bytes"):
        _read(tmp_path, "q.txt", "Who?", BatchLimits(max_file_bytes=3))
    with pytest.raises(UsageError, match="more than 1 questions"):
        _read(tmp_path, "q.txt", "Who?\nWhen?", BatchLimits(max_questions=1))
    with zipfile.ZipFile(tmp_path / "bomb.xlsx", "w", zipfile.ZIP_DEFLATED) as bomb:
        bomb.writestr("xl/workbook.xml", b"0" * 5000)
    with pytest.raises(UsageError, match="unpacked"):
        read_questions(tmp_path / "bomb.xlsx", BatchLimits(max_unpacked_bytes=4000))
    _write_workbook(tmp_path / "other.xlsx", [["a", "b"]])
    with pytest.raises(UsageError, match="no sheet"):
        read_questions(tmp_path / "other.xlsx")


@given(st.binary(max_size=200), st.sampled_from(["q.csv", "q.jsonl", "q.txt", "q.xlsx", "q", "q.json"]))
def test_any_bytes_give_questions_or_a_named_error_when_read(tmp_path_factory, content, name):
    folder = tmp_path_factory.getbasetemp()
    for head in (b"", b"question,id\n", b'{"question":"'):
        listed = None
        with contextlib.suppress(UsageError):
            listed = _read(folder, name, head + content)
        assert listed is None or (listed.questions and listed.model_dump_json())


@given(
    st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc", "Zs", "Cf"]), min_size=1), min_size=1, max_size=8)
)
def test_no_question_is_lost_or_changed_when_a_well_formed_table_is_read(tmp_path_factory, texts):
    import csv
    import io

    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow(["note", "question"])
    writer.writerows(["x", text] for text in texts)
    listed = _read(tmp_path_factory.getbasetemp(), "q.csv", stream.getvalue())
    assert [row.question for row in listed.questions] == [text.strip() for text in texts]
