"""The journal: what was acknowledged is there, half a line is cut off, a changed one is refused."""

from __future__ import annotations

import errno
import os

import pytest

from pipeline.batch.journal import Journal
from pipeline.errors import RecordError
from pipeline.models.batch import BatchQuestion, ResultRow
from pipeline.report.rows import Frame, describe_failure

HEADER = {"questions": "1", "rules": "2"}


def _make_row(number: int, reason: str = "why") -> ResultRow:
    asked = BatchQuestion(line=number, id=f"q{number}", question="Who?")
    return describe_failure(Frame(number, asked, "a.pdf", "00", "a.pdf"), "fault", reason)


def _fill(path, count=3):
    journal = Journal(path)
    journal.begin(HEADER, 4)
    for number in range(1, count + 1):
        journal.add(_make_row(number), number + 4 if number % 2 else None)
    journal.close()
    return path.read_bytes()


def test_rows_are_there_when_the_journal_is_opened_again(tmp_path):
    _fill(tmp_path / "j")
    journal = Journal(tmp_path / "j")
    assert (journal.header, sorted(journal.entries), journal.ledger_number) == (HEADER, [1, 2, 3], 7)
    assert journal.read(2) == _make_row(2)
    journal.add(_make_row(2, "later"), None)
    assert journal.read(2).reason == "later"
    journal.close()
    again = Journal(tmp_path / "j")
    assert (again.read(2).reason, again.torn_bytes) == ("later", 0)
    again.close()


def test_only_the_last_row_is_lost_when_the_crash_came_at_any_byte_of_it(tmp_path):
    content = _fill(tmp_path / "j")
    lines = content.splitlines(keepends=True)
    start = len(content) - len(lines[-1])
    for cut in sorted({*range(start, len(content), 29), start + 1, len(content) - 1}):
        (tmp_path / "j").write_bytes(content[:cut])
        journal = Journal(tmp_path / "j")
        assert (sorted(journal.entries), journal.torn_bytes) == ([1, 2], cut - start)
        journal.add(_make_row(3), 7)
        journal.close()
        assert (tmp_path / "j").read_bytes() == content


def test_the_batch_begins_anew_when_not_even_the_header_was_whole(tmp_path):
    content = _fill(tmp_path / "j", 0)
    (tmp_path / "j").write_bytes(content[:-1])
    journal = Journal(tmp_path / "j")
    assert (journal.header, journal.entries) == ({}, {})
    journal.close()


@pytest.mark.parametrize("line", [0, 1, 2])
def test_a_line_is_refused_when_it_was_changed(tmp_path, line):
    lines = _fill(tmp_path / "j").splitlines(keepends=True)
    lines[line] = lines[line].replace(b'"', b"'", 1)
    (tmp_path / "j").write_bytes(b"".join(lines))
    with pytest.raises(RecordError, match=f"line {line + 1}: the journal was changed"):
        Journal(tmp_path / "j")


def test_nothing_is_half_written_when_the_disk_is_full(tmp_path, monkeypatch):
    content = _fill(tmp_path / "j")
    journal = Journal(tmp_path / "j")

    def fail(_handle):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fail)
        with pytest.raises(RecordError, match="No space left"):
            journal.add(_make_row(4), None)
    assert (tmp_path / "j").read_bytes() == content
    journal.add(_make_row(4), None)
    journal.close()
    with pytest.raises(RecordError, match="cannot be written"):
        Journal(tmp_path)
