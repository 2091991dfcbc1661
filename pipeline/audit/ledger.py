"""The ledger: every run appended to one chain of lines, and read back from it, each line proved before it is given."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pipeline.audit.layout import RECORD, LineFault
from pipeline.audit.lines import FIRST_PREVIOUS, LINE_START, Line, build_line, check_line, read_position
from pipeline.audit.rotation import Tail, list_full_segments, read_tail, rotate
from pipeline.audit.writing import append_bytes, hold_lock, replace_file
from pipeline.canonical import encode_json, hash_bytes
from pipeline.errors import RecordError
from pipeline.models.settings import LedgerLimits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.models.run import RunRecord


class Head(NamedTuple):
    """The last line of a ledger: its number (0 where there is none) and chain hash."""

    number: int
    chain_hash: bytes


class Appended(NamedTuple):
    """What an append did: the new line, and the files that were put aside for it, if any.

    `torn` holds half a line that an interrupted append had left at the end; `rotated` is the segment that was full.
    """

    number: int
    chain_hash: str
    torn: Path | None
    rotated: Path | None


def append_record(record: RunRecord, path: Path | str, limits: LedgerLimits | None = None) -> Appended:
    """Append a run to a ledger and bring it to the disk; on any failure the ledger is as it was before.

    One writer at a time: the others wait. Only the end of the file is read, however long the ledger is.

    Raises:
        RecordError: the record does not have its hash or is larger than the limit, the ledger ends in a line that does
            not verify, or it cannot be written, for instance because the disk is full.
    """
    return append_fields(encode_fields(record), Path(path), limits)


def append_fields(values: Mapping[bytes, bytes], path: Path, limits: LedgerLimits | None = None) -> Appended:
    """Append a run as `encode_fields` gave it, perhaps in another process; otherwise as `append_record`.

    Raises:
        RecordError: as for `append_record`.
    """
    body = b",".join([b'"%b":%b' % (name[5:], values[name]) for name in sorted(values) if name.startswith(b"body.")])
    if b'"%b"' % hash_bytes(b"{%b}" % body).encode() != values[b"body_hash"]:
        words = f"run {values[b'run_id'].decode()} does not have its body hash"
        raise RecordError(words, "append a record as it was built")
    with hold_lock(path):
        return append_values(path, RECORD, values, limits or LedgerLimits())


def encode_fields(record: RunRecord) -> dict[bytes, bytes]:
    """The declared fields of a record by name, as canonical JSON: body hash, run id, all of the body, all volatile."""
    fields = {b"body_hash": encode_json(record.body_hash), b"run_id": encode_json(record.run_id)}
    for group, content in (("body", record.body), ("volatile", record.volatile)):
        fields |= {f"{group}.{name}".encode(): encode_json(value) for name, value in content}
    return fields


def append_values(path: Path, kind: bytes, values: Mapping[bytes, bytes], limits: LedgerLimits) -> Appended:
    """Append a line of a kind with these values (canonical JSON by field); call under the lock.

    Raises:
        RecordError: as for `append_record`.
    """
    tail = read_tail(path)
    head = find_head(path, tail)
    chain_hash, line = build_line(kind, head.number + 1, head.chain_hash, values)
    if len(line) > limits.max_record_bytes:
        words = f"{path}: the line has {len(line)} bytes, more than the limit of {limits.max_record_bytes}"
        raise RecordError(words, "raise [ledger_limits] max_record_bytes; a record is never shortened")
    torn = _set_aside(path, tail, head.number + 1) if tail.torn else None
    is_full = tail.size > 0 and tail.size + len(line) > limits.max_bytes
    rotated = rotate(path) if is_full else None
    append_bytes(path, line)
    return Appended(head.number + 1, chain_hash.decode(), torn, rotated)


def find_head(path: Path, tail: Tail) -> Head:
    """The head of a ledger whose file ends in this tail; right after a rotation it is in the last full segment.

    Raises:
        RecordError: the last line does not verify.
    """
    place = path
    if not tail.line:
        full = list_full_segments(path)
        if not full:
            _refuse_foreign(path, tail.torn)
            return Head(0, FIRST_PREVIOUS)
        place = full[-1]
        tail = read_tail(place)
        if tail.torn:
            words = f"{place}: the ledger ends in a line that does not verify: half a line after a full segment"
            raise RecordError(words, "see pdfdocket verify; give another --ledger to go on")
    try:
        line = check_last_line(tail.line)
    except LineFault as fault:
        words = f"{place}: the ledger ends in a line that does not verify: {fault.detail}"
        raise RecordError(words, "see pdfdocket verify; give another --ledger to go on") from fault
    return Head(line.number, line.chain_hash)


def _refuse_foreign(path: Path, torn: bytes) -> None:
    """Half a first line begins as a ledger does; anything else is a file of somebody else and is left alone."""
    if torn[: len(LINE_START)] != LINE_START[: len(torn)]:
        raise RecordError(f"{path}: not a ledger", "give another file to --ledger")


def check_last_line(line: bytes) -> Line:
    """Check a line by what it says itself of its number and of the line before it.

    Raises:
        LineFault: it differs from what its hashes say.
    """
    return check_line(line, *read_position(line))


def _set_aside(path: Path, tail: Tail, number: int) -> Path:
    """Move half a line to a file of its own; whole lines before it are not touched."""
    target = path.with_name(f"{path.name}.torn-{number}")
    count = 1
    while target.exists() and target.read_bytes() != tail.torn:
        count += 1
        target = path.with_name(f"{path.name}.torn-{number}.{count}")
    replace_file(target, [tail.torn])
    try:
        # if this is cut short, the same bytes are set aside once more under the same name
        os.truncate(path, tail.size)
    except OSError as error:
        words = f"{path}: the torn last line cannot be set aside: {error.strerror}"
        raise RecordError(words, "make the file writable, or give another place to --ledger") from error
    return target
