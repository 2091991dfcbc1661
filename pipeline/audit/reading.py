"""Reads a ledger: every line is proved before it is given, so nobody works with a record that was changed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.audit.layout import RECORD, LineFault
from pipeline.audit.lines import FIRST_PREVIOUS, check_line
from pipeline.audit.rotation import walk_lines
from pipeline.audit.verify import read_record, read_redaction
from pipeline.audit.writing import hold_reading_lock
from pipeline.errors import RecordError, SchemaUnknown
from pipeline.models.ledger import LedgerLine

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.audit.lines import Line


def read_ledger(path: Path | str) -> Iterator[LedgerLine]:
    """Every line of a ledger in order, full segments first; lines that are appended meanwhile are left out.

    A line that verifies and is no record of this version is given too, and says so: it is not for that reason wrong.

    Raises:
        RecordError: there is no ledger, or the line that comes next does not verify.
    """
    path = Path(path)
    with hold_reading_lock(path):
        lines = walk_lines(path)
    number, chain_hash = 0, FIRST_PREVIOUS
    for place, content in lines:
        try:
            line = check_line(content, number + 1, chain_hash)
            yield _build(line)
        except LineFault as fault:
            words = f"{place.path}, line {place.line}: {fault.detail}"
            raise RecordError(words, "see pdfdocket verify") from fault
        number, chain_hash = line.number, line.chain_hash


def _build(line: Line) -> LedgerLine:
    is_run = line.kind == RECORD
    record, unreadable, is_schema_known = None, "", True
    try:
        record = read_record(line) if is_run else None
    except LineFault as fault:
        unreadable, is_schema_known = fault.detail, not isinstance(fault.__cause__, SchemaUnknown)
    return LedgerLine(
        number=line.number,
        chain_hash=line.chain_hash.decode(),
        previous_hash=line.previous_hash.decode(),
        redacted=line.redacted,
        record=record,
        redaction=None if is_run else read_redaction(line),
        unreadable=unreadable,
        is_schema_known=is_schema_known,
        text=line.payload.decode(),
    )
