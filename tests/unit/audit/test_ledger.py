"""Appending: one chain over all runs, torn ends set aside, segments, and nothing half done when something fails."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import signal
import stat

import pytest

from pipeline.audit.ledger import append_record
from pipeline.audit.lines import FIRST_PREVIOUS
from pipeline.audit.reading import read_ledger
from pipeline.audit.rotation import list_full_segments, name_segment, read_tail
from pipeline.audit.verify import verify_ledger
from pipeline.audit.writing import hold_lock, hold_reading_lock, replace_file, write_all
from pipeline.errors import RecordError
from pipeline.models.settings import LedgerLimits
from tests.unit.audit.ledgers import make_record


@pytest.fixture
def ledger(tmp_path):
    return tmp_path / "deep" / "ledger.jsonl"


def _append(path, count, **limits):
    return [append_record(make_record(str(at)), path, LedgerLimits(**limits)) for at in range(count)]


def test_lines_are_linked_when_runs_are_appended(ledger):
    appended = _append(ledger, 3)
    assert [line.number for line in appended] == [1, 2, 3]
    lines = list(read_ledger(ledger))
    assert [line.chain_hash for line in lines] == [line.chain_hash for line in appended]
    assert [line.previous_hash for line in lines] == [FIRST_PREVIOUS.decode(), *(a.chain_hash for a in appended[:2])]
    assert [line.record for line in lines] == [make_record(str(at)) for at in range(3)]
    report = verify_ledger(ledger)
    assert (report.is_intact, report.count, report.record_count, report.segment_count) == (True, 3, 3, 1)
    assert report.chain_hash == appended[-1].chain_hash


def test_only_the_end_is_read_when_the_file_is_long(tmp_path):
    path = tmp_path / "lines"
    with path.open("wb") as file:
        # sparse: no disk holds it, and nobody reads it in the time of a test
        file.truncate(1 << 40)
        file.seek(0, os.SEEK_END)
        file.write(b"\nlast\n")
    assert read_tail(path) == (b"last\n", (1 << 40) + 6, b"")


@pytest.mark.parametrize("size", [1, 65_535, 65_536, 65_537, 200_000])
def test_the_last_line_is_found_when_it_spans_blocks(tmp_path, size):
    path = tmp_path / "lines"
    last = b"y" * size + b"\n"
    path.write_bytes(b"x" * size + b"\n" + last + b"torn")
    assert read_tail(path) == (last, 2 * size + 2, b"torn")
    path.write_bytes(last)
    assert read_tail(path) == (last, size + 1, b"")
    path.write_bytes(last[:-1])
    assert read_tail(path) == (b"", 0, last[:-1])


def test_a_torn_line_is_set_aside_and_earlier_lines_stay_when_the_next_is_appended(ledger):
    _append(ledger, 2)
    whole = ledger.read_bytes()
    first = whole.splitlines(keepends=True)[0]
    for cut in (1, 20, 500, len(whole) - len(first) - 1):
        ledger.write_bytes(whole[: len(first) + cut])
        appended = append_record(make_record("next"), ledger)
        assert (appended.number, appended.torn.read_bytes()) == (2, whole[len(first) : len(first) + cut])
        assert ledger.read_bytes().startswith(first)
        assert verify_ledger(ledger).count == 2
    names = sorted(entry.name for entry in ledger.parent.iterdir() if "torn" in entry.name)
    assert names == ["ledger.jsonl.torn-2", *(f"ledger.jsonl.torn-2.{count}" for count in (2, 3, 4))]


def test_the_same_bytes_are_set_aside_once_when_a_crash_came_between(ledger):
    _append(ledger, 1)
    with ledger.open("ab") as file:
        file.write(b"{half")
    ledger.with_name("ledger.jsonl.torn-2").write_bytes(b"{half")
    assert append_record(make_record("next"), ledger).torn.name == "ledger.jsonl.torn-2"


def test_the_first_line_may_be_torn_when_it_began_as_a_ledger_does(ledger):
    ledger.parent.mkdir()
    ledger.write_bytes(b'{"chain_hash":"12')
    appended = append_record(make_record(), ledger)
    assert (appended.number, appended.torn.read_bytes()) == (1, b'{"chain_hash":"12')
    assert verify_ledger(ledger).is_intact


@pytest.mark.parametrize("content", [b"my notes", b"line\nline", b"line\n", b"{}\n", b"\n", b"%PDF-1.7\n%%EOF"])
def test_a_foreign_file_is_left_alone_when_given_as_ledger(ledger, content):
    ledger.parent.mkdir()
    ledger.write_bytes(content)
    with pytest.raises(RecordError, match=r"not a ledger|does not verify"):
        append_record(make_record(), ledger)
    assert ledger.read_bytes() == content


def test_nothing_is_appended_when_the_last_line_was_changed(ledger):
    _append(ledger, 2)
    changed = ledger.read_bytes().replace(b'"here"', b'"hera"')
    ledger.write_bytes(changed)
    with pytest.raises(RecordError, match=r"does not verify: volatile\.host"):
        append_record(make_record(), ledger)
    assert ledger.read_bytes() == changed


def test_a_record_is_refused_when_its_body_was_changed(ledger):
    record = make_record()
    forged = record.model_copy(update={"body": record.body.model_copy(update={"stop_detail": "forged"})})
    with pytest.raises(RecordError, match="does not have its body hash"):
        append_record(forged, ledger)
    assert not ledger.exists()


def test_an_oversized_record_is_refused_whole_when_beyond_the_limit(ledger):
    _append(ledger, 1)
    before = ledger.read_bytes()
    with pytest.raises(RecordError, match="never shortened"):
        append_record(make_record(), ledger, LedgerLimits(max_record_bytes=1000))
    assert ledger.read_bytes() == before
    append_record(make_record("0"), ledger, LedgerLimits(max_record_bytes=len(before)))


def test_the_chain_goes_on_when_segments_are_full(ledger):
    appended = _append(ledger, 7, max_bytes=25_000)
    full = list_full_segments(ledger)
    assert len(full) >= 3
    assert [line.rotated for line in appended if line.rotated] == list(full)
    assert full[0] == name_segment(ledger, 1)
    report = verify_ledger(ledger)
    assert (report.is_intact, report.count, report.segment_count) == (True, 7, len(full) + 1)
    assert [line.number for line in read_ledger(ledger)] == list(range(1, 8))
    assert all(path.stat().st_size <= 25_000 for path in full)


def test_a_segment_holds_one_line_when_each_is_larger_than_the_limit(ledger):
    _append(ledger, 3, max_bytes=1)
    assert [path.name for path in list_full_segments(ledger)] == ["ledger.000001.jsonl", "ledger.000002.jsonl"]
    assert verify_ledger(ledger).count == 3


def test_the_chain_goes_on_when_a_crash_came_right_after_a_rotation(ledger):
    _append(ledger, 2)
    ledger.rename(name_segment(ledger, 1))
    assert verify_ledger(ledger).count == 2
    assert append_record(make_record(), ledger).number == 3
    assert verify_ledger(ledger).count == 3


def test_nothing_is_appended_when_a_full_segment_ends_in_half_a_line(ledger):
    append_record(make_record("one"), ledger)
    segment = ledger.with_name("ledger.000001.jsonl")
    ledger.rename(segment)
    segment.write_bytes(segment.read_bytes() + b'{"chain_hash":"12')
    with pytest.raises(RecordError, match=r"ledger\.000001\.jsonl: the ledger ends in .* half a line"):
        append_record(make_record("two"), ledger)
    assert not ledger.exists()


def test_the_torn_first_line_of_a_segment_is_set_aside_when_the_next_is_appended(ledger):
    _append(ledger, 2)
    ledger.rename(name_segment(ledger, 1))
    ledger.write_bytes(b'{"chain')
    appended = append_record(make_record(), ledger)
    assert (appended.number, appended.torn.name) == (3, "ledger.jsonl.torn-3")
    assert verify_ledger(ledger).count == 3


def test_the_lost_segment_is_missed_when_one_was_removed(ledger):
    _append(ledger, 4, max_bytes=1)
    name_segment(ledger, 2).unlink()
    fault = verify_ledger(ledger).fault
    assert (fault.kind, fault.file, fault.line, fault.number) == ("number", str(name_segment(ledger, 3)), 1, 2)


def test_a_damaged_full_segment_stops_the_append_when_it_is_the_end(ledger):
    _append(ledger, 1)
    name_segment(ledger, 1).write_bytes(ledger.read_bytes()[:-1])
    ledger.unlink()
    with pytest.raises(RecordError, match=r"000001\.jsonl: the ledger ends in a line that does not verify"):
        append_record(make_record(), ledger)


def _fail(number, words):
    def fail(*_given, **_named):
        raise OSError(number, words)

    return fail


@pytest.mark.parametrize("broken", ["write", "fsync"])
def test_the_ledger_is_as_before_when_the_disk_fails(ledger, monkeypatch, broken):
    _append(ledger, 2)
    before = ledger.read_bytes()
    monkeypatch.setattr(os, broken, _fail(errno.ENOSPC, "No space left on device"))
    with pytest.raises(RecordError, match="cannot be written: No space left"):
        append_record(make_record(), ledger)
    monkeypatch.undo()
    assert ledger.read_bytes() == before
    assert append_record(make_record(), ledger).number == 3


def test_what_was_written_is_taken_back_when_the_disk_fills_in_the_middle(ledger, monkeypatch):
    _append(ledger, 1)
    before = ledger.read_bytes()
    original = os.write
    for whole_writes in range(4):
        room = [whole_writes]

        def write(handle, content, room=room):
            if room[0] == 0:
                raise OSError(errno.EFBIG, "File too large")
            room[0] -= 1
            return original(handle, content[:700])

        monkeypatch.setattr(os, "write", write)
        with pytest.raises(RecordError, match="File too large"):
            append_record(make_record(), ledger)
        monkeypatch.undo()
        assert ledger.read_bytes() == before


def test_the_torn_rest_is_set_aside_later_when_it_cannot_even_be_taken_back(ledger, monkeypatch):
    _append(ledger, 1)
    monkeypatch.setattr(os, "fsync", _fail(errno.EIO, "Input/output error"))
    monkeypatch.setattr(os, "ftruncate", _fail(errno.EIO, "Input/output error"))
    with pytest.raises(RecordError, match="Input/output error"):
        append_record(make_record(), ledger)
    monkeypatch.undo()
    assert verify_ledger(ledger).is_intact


def test_half_a_line_is_taken_back_when_a_signal_interrupts_the_write(ledger, monkeypatch):
    _append(ledger, 1)
    before = ledger.read_bytes()
    original = os.write

    def write(handle, content):
        original(handle, content[:100])
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(os, "write", write)
    # a shell starts what runs in the background with this signal ignored
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            append_record(make_record(), ledger)
    finally:
        signal.signal(signal.SIGINT, handler)
    monkeypatch.undo()
    assert ledger.read_bytes() == before
    assert append_record(make_record(), ledger).number == 2


def test_nothing_is_lost_when_a_segment_cannot_be_renamed(ledger, monkeypatch):
    _append(ledger, 2)
    before = ledger.read_bytes()
    monkeypatch.setattr(os, "rename", _fail(errno.EACCES, "Permission denied"))
    with pytest.raises(RecordError, match=r"cannot be rotated to ledger\.000001\.jsonl: Permission denied"):
        append_record(make_record(), ledger, LedgerLimits(max_bytes=1))
    assert ledger.read_bytes() == before


def test_the_message_says_so_when_half_a_line_cannot_be_set_aside(ledger, monkeypatch):
    _append(ledger, 1)
    with ledger.open("ab") as file:
        file.write(b"{half")
    monkeypatch.setattr(os, "truncate", _fail(errno.EPERM, "Operation not permitted"))
    with pytest.raises(RecordError, match="torn last line cannot be set aside"):
        append_record(make_record(), ledger)


@pytest.mark.parametrize("device", ["/dev/full", "/dev/null"])
def test_a_device_is_refused_when_given_as_ledger(ledger, device):
    ledger.parent.mkdir()
    ledger.symlink_to(device)
    with pytest.raises(RecordError, match="not a regular file"):
        append_record(make_record(), ledger)


def test_the_folder_is_named_when_no_lock_can_be_made(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(RecordError, match="cannot be locked"):
        append_record(make_record(), tmp_path / "file" / "ledger.jsonl")


def test_the_ledger_is_named_when_it_cannot_be_opened(ledger, monkeypatch):
    _append(ledger, 1)
    monkeypatch.setattr("pipeline.audit.writing.os.open", _open_unless(ledger, os.open))
    with pytest.raises(RecordError, match="cannot be written: Permission denied"):
        append_record(make_record(), ledger)


def _open_unless(path, original):
    def open_other(name, *given, **named):
        if name == path:
            raise OSError(errno.EACCES, "Permission denied")
        return original(name, *given, **named)

    return open_other


def test_the_ledger_is_named_when_it_is_a_folder(ledger):
    (ledger / "inner").mkdir(parents=True)
    with pytest.raises(RecordError, match="not a regular file"):
        append_record(make_record(), ledger)
    with pytest.raises(RecordError, match="cannot be read: Is a directory"):
        read_tail(ledger)
    with pytest.raises(RecordError, match="cannot be read: Is a directory"):
        verify_ledger(ledger)


def test_the_reader_waits_for_the_writer_when_both_want_the_lock(ledger):
    _append(ledger, 1)
    with hold_reading_lock(ledger), ledger.with_name("ledger.jsonl.lock").open() as other:
        with pytest.raises(BlockingIOError):
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
        fcntl.flock(other, fcntl.LOCK_SH | fcntl.LOCK_NB)
    with hold_lock(ledger), ledger.with_name("ledger.jsonl.lock").open() as other, pytest.raises(BlockingIOError):
        fcntl.flock(other, fcntl.LOCK_SH | fcntl.LOCK_NB)


def test_a_ledger_is_read_without_a_lock_when_there_is_none(ledger):
    _append(ledger, 2)
    ledger.with_name("ledger.jsonl.lock").unlink()
    assert verify_ledger(ledger).count == 2
    assert not ledger.with_name("ledger.jsonl.lock").exists()


def test_a_replaced_file_keeps_its_mode_and_the_old_one_stays_when_the_disk_fails(tmp_path, monkeypatch):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    path.chmod(0o640)
    replace_file(path, [b"new", b"er"])
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"newer", 0o640)
    monkeypatch.setattr(os, "fsync", _fail(errno.ENOSPC, "No space left on device"))
    with pytest.raises(RecordError, match="No space left"):
        replace_file(path, [b"third"])
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]
    assert path.read_bytes() == b"newer"


def test_all_bytes_are_written_when_a_write_takes_only_some(monkeypatch):
    taken = []

    def write(_handle, content):
        taken.append(bytes(content[:3]))
        return len(taken[-1])

    monkeypatch.setattr(os, "write", write)
    write_all(0, b"0123456789")
    assert b"".join(taken) == b"0123456789"


def test_every_failing_call_leaves_an_intact_ledger_when_tried_one_by_one(ledger, monkeypatch):
    """The k-th write, fsync, rename or truncate fails, for every k; a record is there when it was acknowledged."""
    calls = ("write", "fsync", "rename", "replace", "truncate")
    originals = {name: getattr(os, name) for name in calls}
    acknowledged = 0
    for failing in range(200):
        left = [failing]

        def count(name, left=left):
            def call(*given, **named):
                left[0] -= 1
                if left[0] == -1:
                    raise OSError(errno.EIO, "Input/output error")
                return originals[name](*given, **named)

            return call

        for name in calls:
            monkeypatch.setattr(os, name, count(name))
        with contextlib.suppress(RecordError):
            for _ in range(3):
                append_record(make_record(), ledger, LedgerLimits(max_bytes=30_000))
                acknowledged += 1
        monkeypatch.undo()
        report = verify_ledger(ledger)
        assert (report.is_intact, report.count) == (True, acknowledged)
        if left[0] >= 0:
            break
    assert failing > 5
