"""Walks a ledger from its first line and names the first one that is not what the chain says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from pipeline.audit.layout import RECORD, LineFault
from pipeline.audit.lines import FIRST_PREVIOUS, Line, check_line
from pipeline.audit.record import decode_record
from pipeline.audit.rotation import walk_lines
from pipeline.audit.signing import has_valid_signature
from pipeline.audit.writing import hold_reading_lock
from pipeline.canonical import encode_json
from pipeline.errors import RecordError
from pipeline.models.ledger import Checkpoint, LedgerFault, LedgerReport, RedactedField, Redaction

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pipeline.audit.rotation import Place
    from pipeline.models.run import RunRecord


def verify_ledger(
    path: Path | str, checkpoint: Checkpoint | None = None, key: bytes | None = None, *, reads_records: bool = False
) -> LedgerReport:
    """Find any line that was changed, removed, inserted or moved; writers go on meanwhile.

    Args:
        path: the file that is appended to; full segments beside it are walked first.
        checkpoint: a head that must be found in the ledger; without it nobody can tell whether the end was cut off.
        key: the key of the checkpoint's signature; without it the signature is not looked at.
        reads_records: also read every whole record with its model, which takes many times longer.

    Raises:
        RecordError: there is no ledger, or it cannot be read.
    """
    path = Path(path)
    if checkpoint is not None and key is not None and not has_valid_signature(checkpoint, key):
        words = "the checkpoint is signed with another key or was changed" if checkpoint.signature else "no signature"
        fault = LedgerFault(kind="signature", file="", line=0, number=checkpoint.count, detail=words)
        return LedgerReport(count=0, record_count=0, segment_count=0, chain_hash=FIRST_PREVIOUS.decode(), fault=fault)
    with hold_reading_lock(path):
        lines = walk_lines(path)
    report = verify_lines(lines, checkpoint, reads_records=reads_records)
    if not report.is_intact:
        # a redaction in an older segment, finished between two reads, looks like a fault; so look again, alone
        with hold_reading_lock(path):
            report = verify_lines(walk_lines(path), checkpoint, reads_records=reads_records)
    return report.model_copy(update={"is_signed": checkpoint is not None and key is not None})


def verify_lines(
    lines: Iterable[tuple[Place, bytes]], checkpoint: Checkpoint | None = None, *, reads_records: bool = False
) -> LedgerReport:
    """Check the lines of a ledger in their order, up to the first fault."""
    proof = _Proof(checkpoint, reads_records=reads_records)
    fault = proof.check_start()
    lines = iter(lines)
    for place, line in lines:
        if fault is not None:
            break
        number = proof.count + 1
        try:
            proof.take(place, line)
        except LineFault as found:
            fault = _locate(_weigh_torn(found, lines), place, number)
    return proof.report(fault or proof.check_end())


def _weigh_torn(fault: LineFault, rest: Iterator[tuple[Place, bytes]]) -> LineFault:
    """Only the end of a ledger can be torn by an interrupted append; before other lines somebody cut a line."""
    if fault.kind != "torn" or next(rest, None) is None:
        return fault
    return LineFault("form", "half a line without a line end, and other lines after it")


def _locate(fault: LineFault, place: Place, number: int) -> LedgerFault:
    return LedgerFault(kind=fault.kind, file=str(place.path), line=place.line, number=number, detail=fault.detail)


class _Proof:
    """What is known after the lines so far."""

    def __init__(self, checkpoint: Checkpoint | None, *, reads_records: bool) -> None:
        self.count = 0
        self._chain_hash = FIRST_PREVIOUS
        self._checkpoint = checkpoint
        self._reads_records = reads_records
        self._record_count = 0
        self._segment_count = 0
        self._blinded: dict[tuple[int, str], Place] = {}
        self._redacted: list[RedactedField] = []
        self._unfinished: list[RedactedField] = []

    def check_start(self) -> LedgerFault | None:
        """A checkpoint of no lines at all has the chain hash that comes before the first line."""
        try:
            self._check_checkpoint()
        except LineFault as fault:
            return LedgerFault(kind=fault.kind, file="", line=0, number=0, detail=fault.detail)
        return None

    def take(self, place: Place, line: bytes) -> None:
        """Check the next line.

        Raises:
            LineFault: it is not the next line of this ledger.
        """
        if not line.endswith(b"\n"):
            words = f"the line is torn: {len(line)} bytes without a line end; the next append sets them aside"
            raise LineFault("torn", words)
        checked = check_line(line, self.count + 1, self._chain_hash)
        if checked.kind == RECORD:
            self._record_count += 1
            if self._reads_records:
                _read_canonical(checked)
        else:
            self._settle(checked)
        self._blinded.update({(checked.number, name): place for name in checked.redacted})
        self._segment_count += place.line == 1
        self.count, self._chain_hash = checked.number, checked.chain_hash
        self._check_checkpoint()

    def _check_checkpoint(self) -> None:
        expected = self._checkpoint
        if expected is None or expected.count != self.count:
            return
        if expected.chain_hash.encode() != self._chain_hash:
            words = (
                f"the checkpoint of {self.count} lines has another chain hash: this line or one before it was changed"
            )
            raise LineFault("checkpoint", words)

    def _settle(self, line: Line) -> None:
        """Take the fields that a redaction names off the list of those that are blinded without one."""
        redaction = read_redaction(line)
        for name in redaction.fields:
            field = RedactedField(number=redaction.number, name=name)
            is_blinded = self._blinded.pop((redaction.number, name), None) is not None
            (self._redacted if is_blinded else self._unfinished).append(field)

    def check_end(self) -> LedgerFault | None:
        """What only shows once all lines are there: lines cut off at the end, fields blinded without a redaction."""
        expected = self._checkpoint
        if expected is not None and expected.count > self.count:
            words = f"the checkpoint has {expected.count} lines, the ledger only {self.count}: its end was cut off"
            return LedgerFault(kind="truncated", file="", line=0, number=self.count + 1, detail=words)
        for (number, name), place in sorted(self._blinded.items()):
            fault = LineFault("redaction", f"{name} was blinded, but no redaction of it stands in the ledger")
            return _locate(fault, place, number)
        return None

    def report(self, fault: LedgerFault | None) -> LedgerReport:
        """All of it."""
        return LedgerReport(
            count=self.count,
            record_count=self._record_count,
            segment_count=self._segment_count,
            chain_hash=self._chain_hash.decode(),
            fault=fault,
            redacted=tuple(self._redacted),
            unfinished=tuple(self._unfinished),
            checkpoint="holds" if self._checkpoint is not None and fault is None else "",
        )


def read_redaction(line: Line) -> Redaction:
    """What a redaction says.

    Raises:
        LineFault: it is none, or it does not speak of an earlier line.
    """
    try:
        redaction = Redaction.model_validate_json(line.payload)
    except ValidationError as error:
        raise LineFault("redaction", "the redaction cannot be read") from error
    if not 0 < redaction.number < line.number:
        raise LineFault("redaction", f"line {redaction.number} is not before its redaction")
    return redaction


def read_record(line: Line) -> RunRecord | None:
    """The run of a line; None when a field of its body is blinded, defaults for blinded volatile fields.

    Raises:
        LineFault: it is no record of this version.
    """
    names = line.redacted
    if any(not name.startswith("volatile.") for name in names):
        return None
    content = line.payload
    try:
        if names:
            fields = json.loads(content)
            for name in names:
                del fields["volatile"][name.removeprefix("volatile.")]
            content = encode_json(fields)
        return decode_record(content, f"line {line.number}")
    except RecordError as error:
        raise LineFault("record", error.message) from error
    except (ValueError, TypeError) as error:
        # whoever links a line himself can put into it what is no JSON, or none of ours
        raise LineFault("record", "the record is no canonical JSON") from error


def _read_canonical(line: Line) -> None:
    """Read the record whole, as a reader of the ledger does; its JSON must be the canonical one."""
    is_whole = read_record(line) is not None
    # not the model's own JSON: a record of before a field was added lacks that field, and is canonical all the same
    if is_whole and encode_json(json.loads(line.payload)) != line.payload:
        raise LineFault("record", "the record is not in its canonical form")
