"""The journal of a batch: every finished row is brought to the disk at once, so that nothing is asked twice.

Each line has the hash of what follows in it. Only the last one can be torn, and a torn one was never acknowledged.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
import sys
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from pipeline.audit.writing import sync_folder, write_all
from pipeline.canonical import encode_json, encode_model, hash_bytes
from pipeline.errors import RecordError
from pipeline.models.batch import ResultRow, Spending

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

_FORMAT = 1
_HASH_LENGTH = 16
_BLOCK = 1 << 14
_LEDGER_MARK, _ROW_MARK = b'{"ledger":', b',"row":'


class Entry(NamedTuple):
    """Where a row stands, how it ended, the bytes that it was asked of, and what it took and could have taken."""

    place: int
    status: str
    document_sha256: str
    state: str
    spent: Spending
    worst_case: Spending | None


class Journal:
    """Opens the journal at a path, new or old; half a line at its end is cut off.

    Raises:
        RecordError: it cannot be read or written, or a line of it was changed.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.header: dict[str, str] = {}
        self.entries: dict[int, Entry] = {}
        self.ledger_number = 0
        self.torn_bytes = 0
        self._spendings: dict[Spending, Spending] = {}
        try:
            self._handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise self._refuse(error) from error
        if not stat.S_ISREG(os.fstat(self._handle).st_mode):
            # a device has no end
            os.close(self._handle)
            raise RecordError(f"{path}: not a regular file", "give another folder to --out")
        # the other one reads, from a place of its own
        self._file: BinaryIO = path.open("rb")
        try:
            self._size = self._load()
        except OSError as error:
            self.close()
            raise self._refuse(error) from error
        except RecordError:
            self.close()
            raise

    def begin(self, header: Mapping[str, str], ledger_number: int) -> None:
        """Write the header of a new batch, with the number of the last line of the ledger before it."""
        self.header, self.ledger_number = dict(header), ledger_number
        self._append(encode_json({"format": _FORMAT, "header": self.header, "ledger": ledger_number}))
        try:
            sync_folder(self.path.parent)
        except OSError as error:
            raise self._refuse(error) from error

    def add(self, row: ResultRow, ledger_number: int | None) -> None:
        """Keep a row on the disk; a second one of the same number takes the place of the first."""
        told = (_LEDGER_MARK, encode_json(ledger_number), _ROW_MARK, encode_model(row), b"}")
        place = self._append(b"".join(told))
        self._note(row, place, ledger_number)

    def read(self, number: int) -> ResultRow:
        """A row by its number."""
        row, _ = _parse_row(self._read_line(self.entries[number].place))
        return row

    def read_line(self, number: int) -> bytes:
        """A row by its number, as canonical JSON."""
        return _split_row(self._read_line(self.entries[number].place))[0]

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()
        os.close(self._handle)

    def _note(self, row: ResultRow, place: int, ledger_number: int | None) -> None:
        # one string for all rows of a document, and few counts that differ
        told = row.worst_case and self._spendings.setdefault(row.worst_case, row.worst_case)
        spent = self._spendings.setdefault(row.spent, row.spent)
        sha256, state = sys.intern(row.document_sha256), sys.intern(row.state)
        self.entries[row.number] = Entry(place, row.status, sha256, state, spent, told)
        self.ledger_number = max(self.ledger_number, ledger_number or 0)

    def _append(self, content: bytes) -> int:
        """Append a line and bring it to the disk, whole or not at all; where it begins."""
        place = self._size
        line = b"%b %b\n" % (_hash(content), content)
        try:
            write_all(self._handle, line)
            os.fsync(self._handle)
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(self._handle, place)
            raise self._refuse(error) from error
        self._size += len(line)
        return place

    def _read_line(self, place: int) -> bytes:
        """A line that begins there; a fork that reads at the same time has the same file but no place in common."""
        line = bytearray()
        while not line.endswith(b"\n"):
            block = os.pread(self._file.fileno(), _BLOCK, place + len(line))
            if not block:
                break
            line += block[: block.find(b"\n") + 1] if b"\n" in block else block
        return bytes(line)

    def _load(self) -> int:
        """Read what is there; the size up to the last whole line."""
        size = 0
        for number, (place, line) in enumerate(self._walk(), 1):
            if not line.endswith(b"\n"):
                self.torn_bytes = len(line)
                os.ftruncate(self._handle, place)
                break
            try:
                if number == 1:
                    self.header, self.ledger_number = _parse_header(line)
                else:
                    row, ledger_number = _parse_row(line)
                    self._note(row, place, ledger_number)
            except ValueError as error:
                words = f"{self.path}, line {number}: the journal was changed: {error}"
                raise RecordError(words, "begin again in another folder") from error
            size = place + len(line)
        return size

    def _walk(self) -> Iterator[tuple[int, bytes]]:
        place = self._file.seek(0)
        while line := self._file.readline():
            yield place, line
            place += len(line)

    def _refuse(self, error: OSError) -> RecordError:
        words = f"{self.path}: the journal cannot be written: {error.strerror or error}"
        return RecordError(words, "free some space, then go on with --resume")


def _hash(content: bytes) -> bytes:
    return hash_bytes(content)[:_HASH_LENGTH].encode()


def _open_line(line: bytes) -> bytes:
    """What stands after the hash. Raises ValueError where it is not what the hash says."""
    told, _, content = line[:-1].partition(b" ")
    if told != _hash(content):
        raise ValueError("it does not have its hash")
    return content


def _parse_header(line: bytes) -> tuple[dict[str, str], int]:
    told = json.loads(_open_line(line))
    if told.get("format") != _FORMAT:
        raise ValueError(f"format {told.get('format')}, this version reads {_FORMAT}")
    return dict(told["header"]), int(told["ledger"])


def _parse_row(line: bytes) -> tuple[ResultRow, int | None]:
    content, ledger_number = _split_row(line)
    return ResultRow.model_validate_json(content), ledger_number


def _split_row(line: bytes) -> tuple[bytes, int | None]:
    """The canonical JSON of a row, just as it was written, and the number of its line in the ledger."""
    before, mark, after = _open_line(line).partition(_ROW_MARK)
    if not (mark and before.startswith(_LEDGER_MARK) and after.endswith(b"}")):
        raise ValueError("it is no row")
    # what was written stands between two marks, and nothing before the second one can hold it
    return after[:-1], json.loads(before.removeprefix(_LEDGER_MARK))
