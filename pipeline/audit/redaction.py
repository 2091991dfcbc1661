"""Redaction: a field of an old record loses its value and its salt, a new line says so, and the chain holds."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.audit.layout import RECORD, REDACTION, LineFault
from pipeline.audit.ledger import append_values
from pipeline.audit.lines import REDACTED, check_line, join_line, read_position
from pipeline.audit.rotation import walk_lines
from pipeline.audit.verify import verify_lines
from pipeline.audit.writing import hold_lock, hold_reading_lock, replace_file
from pipeline.canonical import encode_json
from pipeline.errors import RecordError, UsageError
from pipeline.models.ledger import RedactedField, Redaction
from pipeline.models.settings import LedgerLimits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.audit.lines import Line
    from pipeline.audit.rotation import Place

# hashes without a salt, by which what they cover could be guessed again, go with the field
_GIVEN_AWAY_BY = {"body.question": ("body.question_sha256",)}
_HASHES_OF_A_BODY = ("body_hash", "run_id")


def redact_field(path: Path | str, number: int, *names: str, reason: str = "") -> Redaction:
    """Blind fields of a line for good: a line that says so is appended first, then the values and salts are removed.

    A field of the body takes the body hash and the run id with it, since they would let its value be guessed. The
    record can't be replayed any more. Cut short, the same call finishes it.

    Args:
        path: the file of the ledger that is appended to.
        number: the line, counted over all segments.
        names: declared fields, such as `body.question` or `volatile.document_path`.
        reason: stands in the ledger.

    Raises:
        RecordError: the ledger does not verify, or cannot be written.
        UsageError: there is no such line or field, or it is blinded already.
    """
    path = Path(path)
    with hold_lock(path):
        report = verify_lines(walk_lines(path))
        if report.fault is not None:
            raise RecordError(f"{path}: nothing is redacted: {report.fault.detail}", "see pdfdocket verify")
        place, line = _find_line(path, number)
        fields = _close(line, names)
        redaction = Redaction(
            at=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), fields=fields, number=number, reason=reason
        )
        missing = [name for name in fields if RedactedField(number=number, name=name) not in report.unfinished]
        if missing:
            content = redaction.model_dump(mode="json") | {"fields": missing}
            values = {name.encode(): encode_json(value) for name, value in content.items()}
            appended = append_values(path, REDACTION, values, LedgerLimits())
            # the line that is to be blinded may have been in the segment that was full
            if appended.rotated is not None and place.path == path:
                place = place._replace(path=appended.rotated)
        replace_file(place.path, _blind(place, line, fields))
    return redaction


def find_run_id(path: Path, number: int) -> str:
    """The run of a line; empty for a redaction and for a run whose id is blinded.

    Raises:
        RecordError: there is no ledger, or the line does not verify.
        UsageError: there is no such line.
    """
    with hold_reading_lock(path):
        place, content = _find_line(path, number)
    try:
        line = check_line(content, *read_position(content))
    except LineFault as fault:
        raise RecordError(f"{place.path}, line {place.line}: {fault.detail}", "see pdfdocket verify") from fault
    if line.kind != RECORD or "run_id" in line.redacted:
        return ""
    return line.read_value(line.columns.names.index(b"run_id")).decode().strip('"')


def _find_line(path: Path, number: int) -> tuple[Place, bytes]:
    for count, (place, line) in enumerate(walk_lines(path), 1):
        if count == number:
            return place, line
    raise UsageError(f"{path}: no line {number}", "give the number of a line of this ledger")


def _close(content: bytes, names: tuple[str, ...]) -> tuple[str, ...]:
    """The fields that have to be blinded together, in the order of the record.

    Raises:
        UsageError: the line is no record, or has no such field with a value.
    """
    line = check_line(content, *read_position(content))
    if line.kind != RECORD:
        raise UsageError(f"line {line.number} is a redaction, and stays", "give the line of a run")
    declared = tuple(name.decode() for name in line.columns.names)
    for name in names:
        if not name.startswith(("body.", "volatile.")) or name not in declared:
            choice = ", ".join(field for field in declared if "." in field)
            raise UsageError(f"line {line.number} has no field {name}", f"the fields are {choice}")
        if name in line.redacted:
            raise UsageError(f"{name} of line {line.number} is blinded already", "nothing is left to redact")
    wanted = {*names, *(other for name in names for other in _GIVEN_AWAY_BY.get(name, ()))}
    if any(name.startswith("body.") for name in names):
        wanted.update(_HASHES_OF_A_BODY)
    return tuple(name for name in declared if name in wanted and name not in line.redacted)


def _blind(place: Place, content: bytes, fields: tuple[str, ...]) -> Iterator[bytes]:
    """The lines of a segment, one of them blinded."""
    line = check_line(content, *read_position(content))
    blinded = _blind_line(line, frozenset(name.encode() for name in fields))
    with place.path.open("rb") as file:
        for count, other in enumerate(file, 1):
            yield blinded if count == place.line else other


def _blind_line(line: Line, fields: frozenset[bytes]) -> bytes:
    kept = [
        ((name, commitment, REDACTED, 4), b"null")
        if name in fields
        else ((name, commitment, salt, size), line.read_value(index))
        for index, (name, commitment, salt, size) in enumerate(line.entries)
    ]
    return join_line(RECORD, line.number, line.previous_hash, kept)[1]
