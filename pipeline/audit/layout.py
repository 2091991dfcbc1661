"""The fixed bytes of a line: all but hashes, salts, sizes and values, worked out once for each set of fields."""

from __future__ import annotations

import functools
import itertools
import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pipeline.models.ledger import FaultKind

RECORD, REDACTION = b"record", b"redaction"

_NAME = re.compile(rb"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)?")
_REDACTION_FIELDS = (b"at", b"fields", b"number", b"reason")


class LineFault(Exception):
    """A line that is not what its hashes say; internal, it becomes a LedgerFault that names the place."""

    def __init__(self, kind: FaultKind, detail: str) -> None:
        super().__init__(detail)
        self.kind: FaultKind = kind
        self.detail = detail


class Layout(NamedTuple):
    """What surrounds the values of a record whose fields have these names.

    `literals` stand before the values, `closing` after the last. `covered` and `head` are templates: what the chain
    hash covers, and the line up to its record. `leads` are the bytes of all literals up to each value. For a record,
    `body` are the first and last field of its body, and `body_lead` the bytes of literals before the body begins.
    """

    literals: tuple[bytes, ...]
    leads: tuple[int, ...]
    closing: bytes
    covered: bytes
    head: bytes
    body: tuple[int, int] = (0, 0)
    body_lead: int = 0
    body_hash: int = 0
    run_id: int = 0


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
    leads = tuple(itertools.accumulate(len(literal) for literal in literals))
    closing = b"}}" if open_group else b"}"
    templates = (_join_covered(kind, names), _join_head(names))
    if kind == REDACTION:
        return Layout(tuple(literals), leads, closing, *templates)
    opening = literals[body[0]]
    return Layout(
        tuple(literals),
        leads,
        closing,
        *templates,
        body=(body[0], body[-1]),
        # the literal before the first field opens the body as well: {"body":{"answer":
        body_lead=leads[body[0]] - len(opening) + opening.index(b"{", 1),
        body_hash=names.index(b"body_hash"),
        run_id=names.index(b"run_id"),
    )


def _join_covered(kind: bytes, names: tuple[bytes, ...]) -> bytes:
    commitments = b",".join([b'"%b":"%%b"' % name for name in names])
    return b'{"commitments":{%b},"format":1,"kind":"%b","number":%%d,"previous_hash":"%%b"}' % (commitments, kind)


def _join_head(names: tuple[bytes, ...]) -> bytes:
    entries = b",".join([b'"%b":{"commitment":"%%b","salt":"%%b","size":%%d}' % name for name in names])
    return b'{"chain_hash":"%%b","fields":{%b},"format":1,"number":%%d,"previous_hash":"%%b"' % entries
