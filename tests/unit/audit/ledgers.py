"""Ledgers in memory: real runs and small made-up ones, honest ones and those of a forger who knows how chains work."""

from __future__ import annotations

import contextlib
import functools
import io
import json
import random
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from pipeline.audit.layout import RECORD, REDACTION
from pipeline.audit.ledger import encode_fields
from pipeline.audit.lines import (
    FIRST_PREVIOUS,
    REDACTED,
    build_line,
    check_line,
    commit,
    join_line,
    read_position,
)
from pipeline.audit.record import build_record
from pipeline.audit.rotation import Place
from pipeline.canonical import encode_json, hash_bytes
from pipeline.models.run import RunRecord, Volatile
from tests.unit.audit.test_record import _make_body

LEDGER = Path("ledger.jsonl")
Values = Mapping[bytes, bytes]


@functools.cache
def _make_base() -> RunRecord:
    return build_record(_make_body())


def make_record(detail: str = "", host: str = "here", duration_ms: int = 7) -> RunRecord:
    """A real record whose body differs with the detail."""
    body = _make_base().body.model_copy(update={"stop_detail": detail})
    return build_record(body, Volatile(host=host, duration_ms=duration_ms))


def make_text(chance: random.Random) -> str:
    """Short text with what JSON has to escape, and what it has not."""
    alphabet = 'aäß€𝄞\u2028"\\/\n\t\x00\x7f{}[]:,'
    return "".join(chance.choice(alphabet) for _ in range(chance.randrange(12)))


def make_values(chance: random.Random) -> dict[bytes, bytes]:
    """A small made-up record: the same fields as a real one where the chain looks, few others."""
    body = {"answer": make_text(chance), "question": make_text(chance), "facts": [chance.randrange(9), {"b": None}]}
    if chance.randrange(2):
        body["zone"] = {"text": make_text(chance), "is_set": True}
    body_hash = hash_bytes(encode_json(body))
    values = {f"body.{name}": value for name, value in body.items()}
    values |= {"body_hash": body_hash, "run_id": body_hash[:16]}
    values |= {"volatile.host": make_text(chance), "volatile.duration_ms": chance.randrange(10_000)}
    return {name.encode(): encode_json(value) for name, value in values.items()}


def link(records: Iterable[Values | tuple[bytes, Values]]) -> list[bytes]:
    """The lines of a ledger that holds these records (or pairs of kind and values)."""
    lines, previous = [], FIRST_PREVIOUS
    for number, record in enumerate(records, 1):
        kind, values = record if isinstance(record, tuple) else (RECORD, record)
        previous, line = build_line(kind, number, previous, values)
        lines.append(line)
    return lines


def link_runs(chance: random.Random, count: int) -> list[bytes]:
    """A ledger of real records."""
    records = (make_record(make_text(chance), make_text(chance), chance.randrange(10_000)) for _ in range(count))
    return link(encode_fields(record) for record in records)


def make_redaction(number: object, fields: object, reason: object = "asked for") -> tuple[bytes, Values]:
    """The redaction of a line, also a senseless one."""
    content = {"at": "2026-01-01T00:00:00Z", "fields": fields, "number": number, "reason": reason}
    return REDACTION, {name.encode(): encode_json(value) for name, value in content.items()}


def blind(content: bytes, *names: str) -> bytes:
    """A line with fields blinded, whether or not anybody asked for it."""
    line = check_line(content, *read_position(content))
    fields = [
        ((name, commitment, REDACTED, 4), b"null")
        if name.decode() in names
        else ((name, commitment, salt, size), value)
        for (name, commitment, salt, size), value in zip(line.entries, walk_values(content), strict=True)
    ]
    return join_line(line.kind, line.number, line.previous_hash, fields)[1]


def walk_values(content: bytes) -> Iterator[bytes]:
    """The values of a line in their order."""
    line = check_line(content, *read_position(content))
    return (line.read_value(index) for index in range(len(line.columns.names)))


def forge(
    kind: bytes, fields: Iterable[tuple[bytes, bytes]], commitments: Mapping[bytes, bytes] | None = None
) -> bytes:
    """A first line of a forger who keeps to no layout: any fields in any order, blinded where a commitment is given."""
    entries, payload, group = [], b"", b""
    for name, value in fields:
        salt = REDACTED if commitments and name in commitments else b"5a" * 16
        entries.append((name, commitments[name] if salt == REDACTED else commit(salt, value), salt, len(value)))
        own, _, field = name.rpartition(b".")
        comma = b"," if payload else b""
        if own != group:
            comma = (b"}" if group else b"") + comma + (b'"%b":{' % own if own else b"")
        payload += comma + b'"%b":%b' % (field, value)
        group = own
    chained = b",".join(b'"%b":"%b"' % entry[:2] for entry in entries)
    shown = b",".join(b'"%b":{"commitment":"%b","salt":"%b","size":%d}' % entry for entry in entries)
    covered = b'{"commitments":{%b},"format":1,"kind":"%b","number":1,"previous_hash":"%b"}'
    chain_hash = hash_bytes(covered % (chained, kind, FIRST_PREVIOUS)).encode()
    head = b'{"chain_hash":"%b","fields":{%b},"format":1,"number":1,"previous_hash":"%b"'
    return head % (chain_hash, shown, FIRST_PREVIOUS) + b',"%b":{%b}}\n' % (kind, payload + (b"}" if group else b""))


def read_values(content: bytes) -> tuple[bytes, dict[bytes, bytes]]:
    """Kind and values of a line, from which a forger would build another."""
    line = check_line(content, *read_position(content))
    return line.kind, dict(zip(line.columns.names, walk_values(content), strict=True))


def relink(lines: Iterable[bytes]) -> list[bytes]:
    """The lines of a forger who computes every chain hash again."""
    return link(read_values(line) for line in lines)


def place(lines: Iterable[bytes]) -> Iterator[tuple[Place, bytes]]:
    """Lines as the verifier gets them."""
    return ((Place(LEDGER, count), line) for count, line in enumerate(lines, 1))


def split(content: bytes) -> list[bytes]:
    """The lines of a file, as a file object gives them."""
    return list(io.BytesIO(content))


def rewrite(content: bytes, change: dict[str, object]) -> bytes:
    """A line whose JSON says something else at the top, written canonically."""
    return encode_json({**json.loads(content), **change}) + b"\n"


@contextlib.contextmanager
def hold_nothing(_path: Path) -> Iterator[None]:
    """A lock that keeps nobody out."""
    yield
