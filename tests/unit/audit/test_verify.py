"""Verifying: the first bad line is named, redactions are accounted for, and the head outside shows a cut end."""

from __future__ import annotations

import json
import random
import shutil

import pytest

from pipeline.audit.checkpoint import parse_head
from pipeline.audit.ledger import append_record, encode_fields
from pipeline.audit.lines import FIRST_PREVIOUS
from pipeline.audit.reading import read_ledger
from pipeline.audit.redaction import find_run_id, redact_field
from pipeline.audit.rotation import name_segment
from pipeline.audit.verify import verify_ledger, verify_lines
from pipeline.errors import RecordError, UsageError
from pipeline.models.ledger import Checkpoint
from pipeline.models.settings import LedgerLimits
from tests.conftest import ROOT
from tests.unit.audit import ledgers
from tests.unit.audit.ledgers import blind, link, make_record, make_redaction, make_values, place, relink

SIZE = len(link([encode_fields(make_record("1", "host 1"))])[0])


@pytest.fixture
def lines():
    chance = random.Random(4)
    return link(make_values(chance) for _ in range(5))


def _find(lines, checkpoint=None):
    fault = verify_lines(place(lines), checkpoint).fault
    return None if fault is None else (fault.kind, fault.line, fault.number)


def _take_head(lines):
    report = verify_lines(place(lines))
    return Checkpoint(count=report.count, chain_hash=report.chain_hash)


def test_the_line_is_named_when_lines_are_removed_doubled_or_moved(lines):
    assert _find(lines) is None
    assert _find(lines[1:]) == ("number", 1, 1)
    assert _find([*lines[:2], *lines[3:]]) == ("number", 3, 3)
    assert _find([*lines[:3], *lines[2:]]) == ("number", 4, 4)
    assert _find([lines[0], lines[2], lines[1], *lines[3:]]) == ("number", 2, 2)
    assert _find([*lines[:4], lines[4][:-1]]) == ("torn", 5, 5)
    assert _find([*lines[:2], b"\n", *lines[2:]]) == ("form", 3, 3)


def test_half_a_line_is_a_changed_one_when_others_follow_it(lines):
    """It cannot come from an interrupted append: the next append would have set it aside."""
    assert _find([*lines[:2], lines[2][:-9], *lines[3:]]) == ("form", 3, 3)
    assert _find([*lines[:4], lines[4][:-9]]) == ("torn", 5, 5)


def test_a_line_of_another_ledger_is_named_when_it_has_the_right_number(lines):
    other = link(make_values(random.Random(5)) for _ in range(5))
    assert _find([*lines[:2], other[2], *lines[3:]]) == ("previous", 3, 3)


def test_a_forger_who_links_anew_is_seen_when_the_head_is_kept_elsewhere(lines):
    head = _take_head(lines)
    forged = relink(lines)
    assert _find(forged) is None
    assert _find(forged, head) == ("checkpoint", 5, 5)
    assert _find(lines, head) is None
    assert _find(lines[:4], head) == ("truncated", 0, 5)
    assert _find([], head) == ("truncated", 0, 1)
    assert _find(lines, _take_head(lines[:3])) is None


def test_a_head_of_no_lines_holds_when_it_is_the_beginning_of_every_ledger(lines):
    assert _find(lines, Checkpoint(count=0, chain_hash=FIRST_PREVIOUS.decode())) is None
    assert _find(lines, Checkpoint(count=0, chain_hash="1" * 64)) == ("checkpoint", 0, 0)


def test_a_blinded_field_is_named_when_no_redaction_speaks_of_it(lines):
    blinded = [*lines[:1], blind(lines[1], "body.answer", "volatile.host"), *lines[2:]]
    assert _find(blinded) == ("redaction", 2, 2)
    kind, values = make_redaction(2, ["body.answer"])
    assert _find(_extend(blinded, kind, values)) == ("redaction", 2, 2)
    kind, values = make_redaction(2, ["body.answer", "volatile.host"])
    report = verify_lines(place(_extend(blinded, kind, values)))
    assert report.is_intact
    assert [field.name for field in report.redacted] == ["body.answer", "volatile.host"]
    assert (report.count, report.record_count) == (6, 5)
    kind, values = make_redaction(3, ["body.answer", "volatile.host"])
    assert _find(_extend(blinded, kind, values)) == ("redaction", 2, 2)


def _extend(lines, kind, values):
    return [*lines, ledgers.build_line(kind, len(lines) + 1, _take_last(lines), values)[1]]


def _take_last(lines):
    return json.loads(lines[-1])["chain_hash"].encode()


def test_the_field_is_listed_as_unfinished_when_its_redaction_came_to_nothing(lines):
    report = verify_lines(place(_extend(lines, *make_redaction(2, ["body.answer"]))))
    assert report.is_intact
    assert [(field.number, field.name) for field in report.unfinished] == [(2, "body.answer")]


@pytest.mark.parametrize(
    ("number", "fields", "reason"),
    [(6, ["x"], ""), (7, ["x"], ""), (0, ["x"], ""), (True, ["x"], ""), (1, "x", ""), (1, [1], ""), (1, ["x"], None)],
)
def test_a_redaction_is_a_fault_when_it_makes_no_sense(lines, number, fields, reason):
    assert _find(_extend(lines, *make_redaction(number, fields, reason))) == ("redaction", 6, 6)


def test_records_are_read_with_their_model_when_asked_for(lines):
    runs = ledgers.link_runs(random.Random(1), 2)
    assert verify_lines(place(runs), reads_records=True).is_intact
    fault = verify_lines(place(lines), reads_records=True).fault
    assert (fault.kind, fault.number) == ("record", 1)
    padded = {name: value.replace(b",", b", ", 1) for name, value in encode_fields(make_record()).items()}
    body = b",".join(b'"%b":%b' % (name[5:], padded[name]) for name in sorted(padded) if name.startswith(b"body."))
    digest = ledgers.hash_bytes(b"{" + body + b"}").encode()
    padded |= {b"body_hash": b'"%b"' % digest, b"run_id": b'"%b"' % digest[:16]}
    spaced = link([padded])
    assert verify_lines(place(spaced)).is_intact
    assert not verify_lines(place(spaced), reads_records=True).is_intact


def test_white_space_is_a_fault_when_only_the_volatile_part_has_it():
    values = encode_fields(make_record())
    spaced = link([{**values, b"volatile.host": b' "here"'}])
    fault = verify_lines(place(spaced), reads_records=True).fault
    assert (fault.kind, fault.detail) == ("record", "the record is not in its canonical form")


@pytest.mark.parametrize("value", [b"nonsense", b"1.5", b'{"a":1,'])
def test_what_is_no_json_is_a_fault_when_records_are_read(value):
    lines = link([{**encode_fields(make_record()), b"volatile.document_path": value}])
    assert verify_lines(place(lines)).is_intact
    assert verify_lines(place(lines), reads_records=True).fault.kind == "record"
    blinded = [blind(lines[0], "volatile.host")]
    assert verify_lines(place(blinded), reads_records=True).fault.kind == "record"


# ---------------------------------------------------------------- files


@pytest.fixture
def ledger(tmp_path):
    path = tmp_path / "ledger.jsonl"
    for at in range(4):
        append_record(make_record(str(at), host=f"host {at}"), path, LedgerLimits(max_bytes=2 * SIZE + 100))
    return path


def test_the_file_and_its_line_are_named_when_a_segment_was_changed(ledger):
    first = name_segment(ledger, 1)
    first.write_bytes(first.read_bytes().replace(b"host 1", b"host x"))
    fault = verify_ledger(ledger).fault
    assert (fault.kind, fault.file, fault.line, fault.number) == ("value", str(first), 2, 2)
    with pytest.raises(RecordError, match=r"000001\.jsonl, line 2: volatile\.host"):
        list(read_ledger(ledger))


def test_a_ledger_is_missed_when_there_is_none(tmp_path):
    for path in (tmp_path / "none.jsonl", tmp_path / "no folder" / "none.jsonl"):
        with pytest.raises(RecordError, match="no such ledger"):
            verify_ledger(path)
    (tmp_path / "empty.jsonl").touch()
    assert verify_ledger(tmp_path / "empty.jsonl").count == 0


def test_a_segment_is_named_when_it_cannot_be_read(ledger):
    first = name_segment(ledger, 1)
    first.unlink()
    first.mkdir()
    with pytest.raises(RecordError, match="cannot be read: Is a directory"):
        verify_ledger(ledger)


def test_the_run_cannot_be_replayed_when_its_body_is_redacted(ledger):
    before = verify_ledger(ledger)
    head = Checkpoint(count=before.count, chain_hash=before.chain_hash)
    redaction = redact_field(ledger, 1, "body.question", reason="asked for")
    assert redaction.fields == ("body.question", "body.question_sha256", "body_hash", "run_id")
    report = verify_ledger(ledger, head, reads_records=True)
    assert (report.is_intact, report.checkpoint, report.count) == (True, "holds", 5)
    lines = list(read_ledger(ledger))
    assert (lines[0].redacted, lines[0].is_replayable, lines[1].is_replayable) == (redaction.fields, False, True)
    assert (lines[4].redaction, lines[4].record) == (redaction, None)
    content = json.loads(lines[0].text)
    assert content["body"]["question"] is content["run_id"] is None
    assert make_record("0").body_hash.encode() not in name_segment(ledger, 1).read_bytes()


def test_the_run_can_be_replayed_when_only_a_volatile_field_is_redacted(ledger):
    assert redact_field(ledger, 4, "volatile.host", "volatile.duration_ms").fields == (
        "volatile.duration_ms",
        "volatile.host",
    )
    line = list(read_ledger(ledger))[3]
    assert (line.is_replayable, line.record.body, line.record.volatile.host) == (True, make_record("3").body, "")
    assert verify_ledger(ledger, reads_records=True).is_intact
    assert append_record(make_record(), ledger).number == 6


def test_more_can_be_redacted_when_something_is_already(ledger):
    redact_field(ledger, 2, "body.plan")
    assert redact_field(ledger, 2, "body.answer").fields == ("body.answer",)
    report = verify_ledger(ledger)
    assert (report.is_intact, report.count) == (True, 6)
    assert {field.name for field in report.redacted} == {"body.answer", "body.plan", "body_hash", "run_id"}


def test_a_redaction_is_finished_when_it_was_cut_short(ledger, monkeypatch):
    monkeypatch.setattr("pipeline.audit.redaction.replace_file", _interrupt)
    with pytest.raises(KeyboardInterrupt):
        redact_field(ledger, 2, "volatile.host")
    monkeypatch.undo()
    assert [field.name for field in verify_ledger(ledger).unfinished] == ["volatile.host"]
    redact_field(ledger, 2, "volatile.host")
    report = verify_ledger(ledger)
    assert (report.is_intact, report.unfinished, report.count) == (True, (), 5)
    redact_field(ledger, 2, "volatile.duration_ms")
    report = verify_ledger(ledger)
    assert (report.is_intact, report.unfinished, report.count) == (True, (), 6)
    assert len(report.redacted) == 2


def _interrupt(*_given):
    raise KeyboardInterrupt


def test_the_line_is_found_when_the_redaction_itself_fills_the_segment(tmp_path, monkeypatch):
    path = tmp_path / "ledger.jsonl"
    append_record(make_record(), path)
    monkeypatch.setattr("pipeline.audit.redaction.LedgerLimits", lambda: LedgerLimits(max_bytes=1))
    redact_field(path, 1, "volatile.host")
    assert name_segment(path, 1).exists()
    report = verify_ledger(path)
    assert (report.is_intact, report.segment_count, len(report.redacted)) == (True, 2, 1)


@pytest.mark.parametrize(
    ("number", "name", "words"),
    [
        (9, "body.plan", "no line 9"),
        (1, "body.nothing", "no field body.nothing"),
        (1, "run_id", "no field run_id"),
        (1, "volatile.host", "blinded already"),
        (5, "reason", "is a redaction"),
    ],
)
def test_a_redaction_is_refused_when_there_is_nothing_to_blind(ledger, number, name, words):
    redact_field(ledger, 1, "volatile.host")
    before = ledger.read_bytes()
    with pytest.raises(UsageError, match=words):
        redact_field(ledger, number, name)
    assert ledger.read_bytes() == before


def test_a_redaction_is_refused_when_the_ledger_does_not_verify(ledger):
    ledger.write_bytes(ledger.read_bytes()[:-1])
    with pytest.raises(RecordError, match="nothing is redacted: the line is torn"):
        redact_field(ledger, 1, "volatile.host")


def test_the_run_of_a_line_is_found_when_its_id_is_not_blinded(ledger):
    assert find_run_id(ledger, 1) == make_record("0").run_id
    redact_field(ledger, 1, "body.plan")
    assert find_run_id(ledger, 1) == ""
    assert find_run_id(ledger, 5) == ""
    with pytest.raises(UsageError, match="no line 6"):
        find_run_id(ledger, 6)
    name_segment(ledger, 1).write_bytes(name_segment(ledger, 1).read_bytes().replace(b"host 1", b"host x"))
    with pytest.raises(RecordError, match=r"line 2: volatile\.host"):
        find_run_id(ledger, 2)


def test_a_fault_is_looked_at_again_when_a_redaction_came_between(ledger, tmp_path, monkeypatch):
    """The reader has the old end of the ledger and a new older segment: a second look tells this from forgery."""
    from pipeline.audit import verify

    original = verify.walk_lines
    calls = []

    def walk_while_redacting(path):
        lines = original(path)
        calls.append(path)
        if len(calls) == 1:
            redact_field(path, 1, "volatile.host")
        return lines

    copy = tmp_path / "copy"
    copy.mkdir()
    for path in tmp_path.glob("*.jsonl"):
        shutil.copy(path, copy / path.name)
    monkeypatch.setattr(verify, "walk_lines", walk_while_redacting)
    monkeypatch.setattr(verify, "hold_reading_lock", ledgers.hold_nothing)
    report = verify_ledger(copy / "ledger.jsonl")
    assert (report.is_intact, len(calls), report.count) == (True, 2, 5)


def test_lines_of_another_schema_are_named_when_read(tmp_path):
    record = make_record()
    versions = record.body.versions.model_copy(update={"schema_version": 99})
    values = encode_fields(ledgers.build_record(record.body.model_copy(update={"versions": versions})))
    path = tmp_path / "ledger.jsonl"
    path.write_bytes(link([values])[0])
    assert verify_ledger(path).is_intact
    [line] = read_ledger(path)
    assert "schema version 99" in line.unreadable
    assert (line.is_schema_known, line.is_replayable) == (False, False)
    assert verify_ledger(path, reads_records=True).fault.kind == "record"


def test_a_ledger_of_the_first_format_verifies_when_versions_have_come_and_gone():
    """Written once; if this fails, old ledgers no longer verify: give the new form another number instead."""
    folder = ROOT / "fixtures" / "ledgers"
    head = parse_head((folder / "format-1.head").read_text(encoding="utf-8").strip())
    report = verify_ledger(folder / "format-1.jsonl", head)
    assert (report.is_intact, report.count, report.segment_count, len(report.redacted)) == (True, 5, 2, 4)
