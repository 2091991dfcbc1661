"""One line of the ledger, and the proof of it: a line is checked by building it again from its own parts.

A line is canonical JSON: chain hash, one entry for each declared field (commitment, salt, size), format, number,
previous chain hash, and the record itself with its fields in the same order. The commitment of a field is SHA-256 over
its salt and its bytes; the chain hash is SHA-256 over number, previous chain hash and all commitments. So a field can
lose its value and its salt, and the chain still holds. Salted commitments in a linked log: Haber and Stornetta, "How to
time-stamp a digital document" (1991), with the redaction of Haber et al., "Efficient signature schemes supporting
redaction" (2008).
"""

from __future__ import annotations

import os
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from pipeline.audit.layout import RECORD, REDACTION, Layout, LineFault, lay_out

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

FIRST_PREVIOUS = b"0" * 64
REDACTED = b"redacted"
LINE_START = b'{"chain_hash":"'

_SALT_BYTES = 16
_SALT_DIGITS = 2 * _SALT_BYTES
_RUN_ID_DIGITS = 16
_DIGITS = b"0123456789abcdef"
# a head split at its quotes: what stands before the first entry, in each entry, and after the last
_LEAD, _STRIDE, _TRAIL = 7, 12, 8

Entry = tuple[bytes, bytes, bytes, int]
"""Name, commitment, salt (or the word redacted) and size in bytes of one declared field."""


class Columns(NamedTuple):
    """The entries of a line, column by column, since a verifier reads them a hundred thousand times."""

    names: tuple[bytes, ...]
    commitments: Sequence[bytes]
    salts: Sequence[bytes]
    sizes: Sequence[int]


class Line(NamedTuple):
    """A line that was checked."""

    number: int
    chain_hash: bytes
    previous_hash: bytes
    kind: bytes
    columns: Columns
    content: bytes
    payload_at: int

    @property
    def redacted(self) -> tuple[str, ...]:
        """Names of the blinded fields."""
        if REDACTED not in self.columns.salts:
            return ()
        return tuple(name.decode() for name, _, salt, _ in self.entries if salt == REDACTED)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The entries, field by field."""
        return tuple(zip(*self.columns, strict=True))

    @property
    def payload(self) -> bytes:
        """The canonical JSON of the record or redaction."""
        return self.content[self.payload_at : -2]

    def read_value(self, index: int) -> bytes:
        """The canonical JSON of one field."""
        sizes = self.columns.sizes
        start = self.payload_at + lay_out(self.kind, self.columns.names).leads[index] + sum(sizes[:index])
        return self.content[start : start + sizes[index]]


def make_salt() -> bytes:
    """A fresh salt, in hexadecimal; without it a short value could be guessed from its commitment."""
    return os.urandom(_SALT_BYTES).hex().encode()


def commit(salt: bytes, value: bytes) -> bytes:
    """The commitment to the bytes of a value."""
    return sha256(salt + value).hexdigest().encode()


def build_head(layout: Layout, number: int, previous_hash: bytes, columns: Columns) -> tuple[bytes, bytes]:
    """The chain hash of a line, and the line up to its record."""
    _, commitments, salts, sizes = columns
    chain_hash = sha256(layout.covered % (*commitments, number, previous_hash)).hexdigest().encode()
    shown = [part for entry in zip(commitments, salts, sizes, strict=True) for part in entry]
    return chain_hash, layout.head % (chain_hash, *shown, number, previous_hash)


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
    names, commitments, salts, sizes = zip(*(entry for entry, _ in fields), strict=True)
    layout = lay_out(kind, names)
    chain_hash, head = build_head(layout, number, previous_hash, Columns(names, commitments, salts, sizes))
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


def read_columns(head: bytes) -> Columns:
    """The entries of a head as they are written; only building the head again shows whether they are true.

    Raises:
        LineFault: the head has another form.
    """
    parts = head.split(b'"')
    count, rest = divmod(len(parts) - _LEAD - _TRAIL, _STRIDE)
    if count < 1 or rest:
        raise LineFault("form", "the head of the line has another form")
    names, commitments, salts, sizes = (parts[_LEAD + at : -_TRAIL : _STRIDE] for at in (0, 4, 8, 11))
    try:
        # `:7431},` in each entry, one more brace after the last; what else stands there shows when the head is built
        counts = [int(size[1:-2]) for size in (*sizes[:-1], sizes[-1][:-1])]
    except ValueError as error:
        raise LineFault("form", "the size of a field is no number") from error
    plain = [salt for salt in salts if salt != REDACTED]
    if {*map(len, plain)} - {_SALT_DIGITS} or b"".join(plain).translate(None, _DIGITS):
        raise LineFault("form", "a salt is no salt")
    return Columns(tuple(names), commitments, salts, counts)


def read_position(line: bytes) -> tuple[int, bytes]:
    """Number and previous chain hash as a line states them; `check_line` shows whether they are true.

    Raises:
        LineFault: the line has another form.
    """
    head, _ = split_head(line)
    read_columns(head)
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
    columns = read_columns(head)
    names, written, salts, sizes = columns
    layout = lay_out(kind, names)
    payload_at = at = len(head) + len(kind) + 4
    commitments: list[bytes] = []
    for literal, commitment, salt, size in zip(layout.literals, written, salts, sizes, strict=True):
        start = at + len(literal)
        if size < 1 or not line.startswith(literal, at):
            raise LineFault("form", f"{names[len(commitments)].decode()}: the value is not where the sizes say")
        at = start + size
        if salt == REDACTED:
            _check_blinded(commitment, line[start:at])
            commitments.append(commitment)
        else:
            # written out, since a call for each field would cost as much as the hash
            commitments.append(sha256(salt + line[start:at]).hexdigest().encode())
    if line[at:] != layout.closing + b"}\n":
        raise LineFault("form", "the line goes on after its record")
    built = Columns(names, commitments, salts, sizes)
    chain_hash, built_head = build_head(layout, number, previous_hash, built)
    if built_head != head:
        raise _explain(head, number, previous_hash, (columns, built))
    checked = Line(number, chain_hash, previous_hash, kind, built, line, payload_at)
    if kind == RECORD:
        _check_body_hash(checked, layout)
    return checked


def _check_blinded(commitment: bytes, value: bytes) -> None:
    if value != b"null" or len(commitment) != len(FIRST_PREVIOUS) or commitment.translate(None, _DIGITS):
        raise LineFault("form", "a blinded field keeps its commitment and nothing else")


def _check_body_hash(line: Line, layout: Layout) -> None:
    # the hash of a body with a blinded field is blinded with it: it would let the field be guessed
    if any(not name.startswith("volatile.") for name in line.redacted):
        return
    sizes, (first, last) = line.columns.sizes, layout.body
    start = line.payload_at + layout.body_lead + sum(sizes[:first])
    end = line.payload_at + layout.leads[last] + sum(sizes[: last + 1])
    digest = sha256(memoryview(line.content)[start:end])
    digest.update(b"}")
    body_hash = digest.hexdigest().encode()
    if line.read_value(layout.body_hash) != b'"%b"' % body_hash:
        raise LineFault("body_hash", "the body does not have the body hash")
    if line.read_value(layout.run_id) != b'"%b"' % body_hash[:_RUN_ID_DIGITS]:
        raise LineFault("body_hash", "the run id is not the beginning of the body hash")


def _explain(head: bytes, number: int, previous_hash: bytes, pair: tuple[Columns, Columns]) -> LineFault:
    """Which part of a head differs from the one that was built again."""
    written, built = pair
    for name, old, new in zip(written.names, written.commitments, built.commitments, strict=True):
        if old != new:
            return LineFault("value", f"{name.decode()} does not have its commitment")
    if b'},"format":1,"number":%d,"previous_hash":"' % number not in head:
        return LineFault("number", f"number {number} was expected: a line was removed, inserted or moved")
    if not head.endswith(b'"previous_hash":"%b"' % previous_hash):
        return LineFault("previous", "the line does not follow the line before it")
    return LineFault("chain", "the chain hash is not that of the line")
