"""Heads kept elsewhere: written, signed, held against the ledger, and never replaced by one that forgets lines."""

from __future__ import annotations

import json

import pytest

from pipeline.audit.checkpoint import parse_head, print_head, read_checkpoint, write_checkpoint
from pipeline.audit.ledger import append_record
from pipeline.audit.signing import has_valid_signature, sign_checkpoint
from pipeline.audit.verify import verify_ledger
from pipeline.errors import RecordError, UsageError
from pipeline.models.ledger import Checkpoint
from tests.unit.audit.ledgers import make_record

KEY = b"a key that only the auditor has"


@pytest.fixture
def ledger(tmp_path):
    path = tmp_path / "ledger.jsonl"
    for at in range(3):
        append_record(make_record(str(at)), path)
    return path


@pytest.fixture
def file(tmp_path):
    return tmp_path / "head.json"


def test_the_head_is_that_of_the_last_line_when_written(ledger, file):
    written = write_checkpoint(ledger, file)
    assert (written.count, written.chain_hash) == (3, verify_ledger(ledger).chain_hash)
    assert read_checkpoint(file) == written
    assert written.signature == ""
    report = verify_ledger(ledger, written)
    assert (report.is_intact, report.checkpoint, report.is_signed) == (True, "holds", False)


def test_a_cut_end_is_missed_when_the_head_was_kept(ledger, file):
    written = write_checkpoint(ledger, file)
    lines = ledger.read_bytes().splitlines(keepends=True)
    ledger.write_bytes(b"".join(lines[:2]))
    assert verify_ledger(ledger).is_intact
    assert verify_ledger(ledger, written).fault.kind == "truncated"
    with pytest.raises(RecordError, match="no checkpoint is taken: the checkpoint has 3 lines"):
        write_checkpoint(ledger, file)
    assert read_checkpoint(file) == written


def test_a_head_is_replaced_when_the_ledger_has_grown(ledger, file):
    write_checkpoint(ledger, file, KEY)
    append_record(make_record("next"), ledger)
    assert write_checkpoint(ledger, file, KEY).count == 4
    assert verify_ledger(ledger, read_checkpoint(file), KEY).is_signed


def test_a_signed_head_stays_when_there_is_no_key(ledger, file):
    signed = write_checkpoint(ledger, file, KEY)
    append_record(make_record("next"), ledger)
    with pytest.raises(RecordError, match="the head there is signed"):
        write_checkpoint(ledger, file)
    assert read_checkpoint(file) == signed


def test_an_unsigned_head_is_signed_when_there_is_a_key_now(ledger, file):
    write_checkpoint(ledger, file)
    assert has_valid_signature(write_checkpoint(ledger, file, KEY), KEY)


@pytest.mark.parametrize("change", [{"count": 2}, {"chain_hash": "0" * 64}, {"signature": "0" * 64}, {"signature": ""}])
def test_a_signed_head_is_refused_when_it_was_changed(ledger, file, change):
    signed = write_checkpoint(ledger, file, KEY)
    forged = signed.model_copy(update=change)
    report = verify_ledger(ledger, forged, KEY)
    assert (report.fault.kind, report.is_signed, report.count) == ("signature", False, 0)
    assert verify_ledger(ledger, signed, b"another key").fault.kind == "signature"


def test_the_signature_is_left_alone_when_nobody_has_the_key(ledger, file):
    signed = write_checkpoint(ledger, file, KEY)
    report = verify_ledger(ledger, signed)
    assert (report.is_intact, report.is_signed) == (True, False)


def test_signatures_differ_when_anything_signed_does():
    heads = [Checkpoint(count=count, chain_hash=digit * 64) for count in (0, 1) for digit in "01"]
    signatures = {sign_checkpoint(head, key).signature for head in heads for key in (KEY, b"other")}
    assert len(signatures) == 8


def test_a_checkpoint_is_refused_when_its_file_holds_something_else(tmp_path, file):
    with pytest.raises(RecordError, match="cannot be read: No such file"):
        read_checkpoint(file)
    for content in ({"count": -1, "chain_hash": "0" * 64}, {"count": 1, "chain_hash": "x"}, {"count": "1"}, []):
        file.write_text(json.dumps(content))
        with pytest.raises(RecordError, match="not a checkpoint"):
            read_checkpoint(file)


def test_a_head_comes_back_when_printed_and_read():
    head = Checkpoint(count=12, chain_hash="ab" * 32)
    assert parse_head(print_head(head)) == head
    for text in ("", "12", "12:ab", f"x:{'ab' * 32}", f"12:{'AB' * 32}", f"-1:{'ab' * 32}"):
        with pytest.raises(UsageError, match="not a head"):
            parse_head(text)
