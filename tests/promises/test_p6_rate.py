"""How fast a ledger is verified, as a ratio to hashing the file: `make bench`."""

from __future__ import annotations

import hashlib
import time

import pytest

from pipeline.audit.layout import RECORD
from pipeline.audit.ledger import encode_fields
from pipeline.audit.lines import FIRST_PREVIOUS, build_line
from pipeline.audit.verify import verify_ledger
from pipeline.canonical import encode_json, hash_bytes
from tests.unit.audit.ledgers import make_record


def _make_values(body_bytes):
    """The fields of a run with an answer so long that the body has about this many bytes."""
    body = {name[5:]: value for name, value in encode_fields(make_record()).items() if name.startswith(b"body.")}
    length = sum(len(value) for value in body.values())
    if body_bytes < length:
        body = {name: b"1" for name in body}
        length = len(body)
    body[b"answer"] = encode_json("x" * (body_bytes - length))
    digest = hash_bytes(b"{" + b",".join(b'"%b":%b' % pair for pair in sorted(body.items())) + b"}").encode()
    values = {b"body." + name: value for name, value in body.items()}
    values |= {b"body_hash": b'"%b"' % digest, b"run_id": b'"%b"' % digest[:16]}
    return values | {b"volatile.host": b'"here"', b"volatile.duration_ms": b"7"}


def _measure_ratio(path, count, body_bytes):
    values, previous = _make_values(body_bytes), FIRST_PREVIOUS
    with path.open("wb") as file:
        for number in range(1, count + 1):
            previous, line = build_line(RECORD, number, previous, values)
            file.write(line)
    hashed = checked = 1e9
    for _ in range(3):
        start = time.perf_counter()
        with path.open("rb") as file:
            hashlib.file_digest(file, "sha256")
        middle = time.perf_counter()
        assert verify_ledger(path).count == count
        hashed, checked = min(hashed, middle - start), min(checked, time.perf_counter() - middle)
    size = path.stat().st_size // count
    print(f"\nverify {count} records of {size} bytes: {checked:.2f} s, {checked / hashed:.1f} times sha256 of the file")
    return checked / hashed


@pytest.mark.bench
def test_verifying_is_near_hashing_when_records_are_those_of_filings(tmp_path):
    assert _measure_ratio(tmp_path / "ledger.jsonl", count=4_000, body_bytes=50_000) < 6


@pytest.mark.bench
def test_a_hundred_thousand_records_are_verified_when_they_are_small(tmp_path):
    assert _measure_ratio(tmp_path / "ledger.jsonl", count=100_000, body_bytes=6_000) < 20
