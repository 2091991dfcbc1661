"""One line of the ledger, and the proof of it: a line is checked by building it again from its own parts.

A line is canonical JSON: chain hash, one entry for each declared field (commitment, salt, size), format, number,
previous chain hash, and the record itself with its fields in the same order. The commitment of a field is SHA-256 over
its salt and its bytes; the chain hash is SHA-256 over number, previous chain hash and all commitments. So a field can
lose its value and its salt, and the chain still holds. Salted commitments in a linked log: Haber and Stornetta, "How to
time-stamp a digital document" (1991), with the redaction of Haber et al., "Efficient signature schemes supporting
redaction" (2008).
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pipeline.models.ledger import FaultKind

FIRST_PREVIOUS = b"0" * 64
REDACTED = b"redacted"
LINE_START = b'{"chain_hash":"'
RECORD, REDACTION = b"record", b"redaction"

_SALT_BYTES = 16
_SALT_DIGITS = 2 * _SALT_BYTES
_RUN_ID_DIGITS = 16
_NAME = re.compile(rb"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)?")
_DIGITS = re.compile(rb"[0-9a-f]+")
_REDACTION_FIELDS = (b"at", b"fields", b"number", b"reason")
# a head split at its quotes: what stands before the first entry, in each entry, and after the last
_LEAD, _STRIDE, _TRAIL = 7, 12, 8

Entry = tuple[bytes, bytes, bytes, int]
"""Name, commitment, salt (or the word redacted) and size in bytes of one declared field."""


class LineFault(Exception):
    """A line that is not what its hashes say; internal, it becomes a LedgerFault that names the place."""

    def __init__(self, kind: FaultKind, detail: str) -> None:
        super().__init__(detail)
        self.kind: FaultKind = kind
        self.detail = detail


class Layout(NamedTuple):
    """The fixed bytes around the values of a record whose fields have these names."""

    literals: tuple[bytes, ...]
    closing: bytes
    body: tuple[int, int]
    body_hash: int
    run_id: int


class Line(NamedTuple):
    """A line that was checked; offsets count from its first byte, `spans` are those of the values."""

    number: int
    chain_hash: bytes
    previous_hash: bytes
    kind: bytes
    entries: tuple[Entry, ...]
    payload: bytes
    spans: tuple[tuple[int, int], ...]

    @property
    def redacted(self) -> tuple[str, ...]:
        """Names of the blinded fields."""
        return tuple(name.decode() for name, _, salt, _ in self.entries if salt == REDACTED)


def make_salt() -> bytes:
    """A fresh salt, in hexadecimal; without it a short value could be guessed from its commitment."""
    return os.urandom(_SALT_BYTES).hex().encode()


def commit(salt: bytes, value: bytes | memoryview) -> bytes:
    """The commitment to the bytes of a value."""
    digest = hashlib.sha256(salt)
    digest.update(value)
    return digest.hexdigest().encode()


@functools.lru_cache(maxsize=64)
def lay_out(kind: bytes, names: tuple[bytes, ...]) -> Layout:
    """The layout of a record; names are `field` or `group.field`, in the order of canonical JSON.

    Raises:
        LineFault: the names are not those of such a record.
    """
    if list(names) != sorted(set(names)) or not all(_NAME.fullmatch(name) for name in names):
        raise LineFault("form", "the names of the fields are no sorted list of names")
    body = [index for index, name in enumerate(names) if name.startswith(b"body.")]
    if kind == REDACTION and names != _REDACTION_FIELDS:
        raise LineFault("form", "a redaction has other fields")
    if kind == RECORD and not (body and b"body_hash" in names and b"run_id" in names):
        raise LineFault("form", "a record lacks its body, its body hash or its run id")
    literals: list[bytes] = []
    open_group = b""
    for index, name in enumerate(names):
        group, dot, field = name.rpartition(b".")
        lead = b"{" if index == 0 else b","
        if group != open_group:
            lead = (b"}" if open_group else b"") + lead + (b'"%b":{' % group if dot else b"")
        literals.append(lead + b'"%b":' % field)
        open_group = group
    closing = b"}}" if open_group else b"}"
    if kind == REDACTION:
        return Layout(tuple(literals), closing, (0, 0), 0, 0)
    ends = (body[0], body[-1])
    return Layout(tuple(literals), closing, ends, names.index(b"body_hash"), names.index(b"run_id"))


def build_head(kind: bytes, number: int, previous_hash: bytes, entries: Iterable[Entry]) -> tuple[bytes, bytes]:
    """The chain hash of a line, and the line up to its record."""
    entries = tuple(entries)
    chained = b",".join([b'"%b":"%b"' % entry[:2] for entry in entries])
    covered = b'{"commitments":{%b},"format":1,"kind":"%b","number":%d,"previous_hash":"%b"}'
    chain_hash = hashlib.sha256(covered % (chained, kind, number, previous_hash)).hexdigest().encode()
    shown = b",".join([b'"%b":{"commitment":"%b","salt":"%b","size":%d}' % entry for entry in entries])
    head = b'{"chain_hash":"%b","fields":{%b},"format":1,"number":%d,"previous_hash":"%b"'
    return chain_hash, head % (chain_hash, shown, number, previous_hash)


def build_line(kind: bytes, number: int, previous_hash: bytes, values: Mapping[bytes, bytes]) -> tuple[bytes, bytes]:
    """The chain hash of a new line, and the line; `values` are canonical JSON by name of the field."""
    names = tuple(sorted(values))
    entries = [(name, commit(salt := make_salt(), values[name]), salt, len(values[name])) for name in names]
    return join_line(kind, number, previous_hash, [(entry, values[entry[0]]) for entry in entries])


def join_line(
    kind: bytes, number: int, previous_hash: bytes, fields: Iterable[tuple[Entry, bytes]]
) -> tuple[bytes, bytes]:
    """The chain hash of a line and the line, from entries and values that are known."""
    fields = tuple(fields)
    layout = lay_out(kind, tuple(entry[0] for entry, _ in fields))
    chain_hash, head = build_head(kind, number, previous_hash, [entry for entry, _ in fields])
    parts = [head, b',"%b":' % kind]
    for literal, (_, value) in zip(layout.literals, fields, strict=True):
        parts += (literal, value)
    return chain_hash, b"".join([*parts, layout.closing, b"}\n"])


def split_head(line: bytes) -> tuple[bytes, bytes]:
    """The line up to its record, and the kind of it.

    Raises:
        LineFault: there is neither a record nor a redaction in it.
    """
    for kind in (RECORD, REDACTION):
        # the quote closes the previous hash, so nothing inside a value can look like this before the record does
        at = line.find(b'","%b":{' % kind)
        if at >= 0:
            return line[: at + 1], kind
    raise LineFault("form", "not a line of a ledger")


def read_entries(head: bytes) -> tuple[Entry, ...]:
    """The entries of a head as they are written; only building the head again shows whether they are true.

    Raises:
        LineFault: the head has another form.
    """
    parts = head.split(b'"')
    if (len(parts) - _LEAD - _TRAIL) % _STRIDE:
        raise LineFault("form", "the head of the line has another form")
    names, commitments, salts, sizes = (parts[_LEAD + at : -_TRAIL : _STRIDE] for at in (0, 4, 8, 11))
    try:
        counts = [int(size.strip(b":},")) for size in sizes]
    except ValueError as error:
        raise LineFault("form", "the size of a field is no number") from error
    return tuple(zip(names, commitments, salts, counts, strict=True))


def read_position(line: bytes) -> tuple[int, bytes]:
    """Number and previous chain hash as a line states them; `check_line` shows whether they are true.

    Raises:
        LineFault: the line has another form.
    """
    head, _ = split_head(line)
    read_entries(head)
    number, previous_hash = head.split(b'"')[-5], head.split(b'"')[-2]
    if not number.strip(b":,").isdigit():
        raise LineFault("form", "the number of the line is no number")
    return int(number.strip(b":,")), previous_hash


def check_line(line: bytes, number: int, previous_hash: bytes) -> Line:
    """Build a line again as the `number`th after `previous_hash`, from its salts and values, and compare every byte.

    Raises:
        LineFault: it differs.
    """
    head, kind = split_head(line)
    written = read_entries(head)
    layout = lay_out(kind, tuple(entry[0] for entry in written))
    at = len(head) + len(kind) + 4
    payload_at = at
    view = memoryview(line)
    entries: list[Entry] = []
    spans: list[tuple[int, int]] = []
    for literal, (name, commitment, salt, size) in zip(layout.literals, written, strict=True):
        at += len(literal)
        end = at + size
        if size < 1 or line[at - len(literal) : at] != literal:
            raise LineFault("form", f"{name.decode()}: the value is not where the sizes say")
        if salt == REDACTED:
            _check_blinded(name, commitment, line[at:end])
        elif len(salt) != _SALT_DIGITS or not _DIGITS.fullmatch(salt):
            raise LineFault("form", f"{name.decode()}: the salt is no salt")
        else:
            commitment = commit(salt, view[at:end])
        entries.append((name, commitment, salt, size))
        spans.append((at, end))
        at = end
    if line[at:] != layout.closing + b"}\n":
        raise LineFault("form", "the line goes on after its record")
    chain_hash, built = build_head(kind, number, previous_hash, entries)
    if built != head:
        raise _explain(head, number, previous_hash, written, entries)
    if kind == RECORD:
        _check_body_hash(line, layout, entries, spans)
    payload = line[payload_at : at + len(layout.closing)]
    return Line(number, chain_hash, previous_hash, kind, tuple(entries), payload, tuple(spans))


def _check_blinded(name: bytes, commitment: bytes, value: bytes) -> None:
    if value != b"null" or len(commitment) != len(FIRST_PREVIOUS) or not _DIGITS.fullmatch(commitment):
        raise LineFault("form", f"{name.decode()}: a blinded field keeps its commitment and nothing else")


def _check_body_hash(line: bytes, layout: Layout, entries: list[Entry], spans: list[tuple[int, int]]) -> None:
    # the hash of a body with a blinded field is blinded with it: it would let the field be guessed
    if any(salt == REDACTED and not name.startswith(b"volatile.") for name, _, salt, _ in entries):
        return
    first, last = layout.body
    body = memoryview(line)[spans[first][0] - len(layout.literals[first]) : spans[last][1]]
    # the literal before the first field opens the record as well: {"body":{"answer":
    opening = layout.literals[first].index(b"{", 1)
    digest = hashlib.sha256(body[opening:])
    digest.update(b"}")
    body_hash = digest.hexdigest().encode()
    stated, run_id = (line[slice(*spans[index])] for index in (layout.body_hash, layout.run_id))
    if stated != b'"%b"' % body_hash:
        raise LineFault("body_hash", "the body does not have the body hash")
    if run_id != b'"%b"' % body_hash[:_RUN_ID_DIGITS]:
        raise LineFault("body_hash", "the run id is not the beginning of the body hash")


def _explain(
    head: bytes, number: int, previous_hash: bytes, written: tuple[Entry, ...], entries: list[Entry]
) -> LineFault:
    """Which part of a head differs from the one that was built again."""
    for old, new in zip(written, entries, strict=True):
        if old != new:
            return LineFault("value", f"{new[0].decode()} does not have its commitment")
    if b'},"format":1,"number":%d,"previous_hash":"' % number not in head:
        return LineFault("number", f"number {number} was expected: a line was removed, inserted or moved")
    if not head.endswith(b'"previous_hash":"%b"' % previous_hash):
        return LineFault("previous", "the line does not follow the line before it")
    return LineFault("chain", "the chain hash is not that of the line")
