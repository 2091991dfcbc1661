"""The segments of a ledger: full ones are put aside under a number, and the chain goes on in a new file."""

from __future__ import annotations

import io
import os
import re
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from pipeline.audit.writing import sync_folder
from pipeline.errors import RecordError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_BLOCK = 1 << 16
_REMEDY = "make the folder writable, or give another place to --ledger"


class Place(NamedTuple):
    """Where a line stands: the file, and the line in it (1-based)."""

    path: Path
    line: int


class Tail(NamedTuple):
    """The end of a file: its last whole line (empty where there is none), and the size in bytes up to there."""

    line: bytes
    size: int
    torn: bytes


def name_segment(path: Path, number: int) -> Path:
    """The file of a full segment: `ledger.000001.jsonl` beside `ledger.jsonl`."""
    return path.with_name(f"{path.stem}.{number:06}{path.suffix}")


def list_full_segments(path: Path) -> tuple[Path, ...]:
    """The full segments of a ledger, oldest first."""
    pattern = re.compile(rf"{re.escape(path.stem)}\.([0-9]{{6,}}){re.escape(path.suffix)}")
    if not path.parent.is_dir():
        return ()
    found = [(int(match[1]), name) for name in os.listdir(path.parent) if (match := pattern.fullmatch(name))]
    return tuple(path.with_name(name) for _, name in sorted(found))


def rotate(path: Path) -> Path:
    """Put the file of a ledger aside as its next full segment; call under the lock.

    Raises:
        RecordError: it cannot be renamed; nothing is changed then.
    """
    full = list_full_segments(path)
    last = int(full[-1].name.removeprefix(f"{path.stem}.").removesuffix(path.suffix)) if full else 0
    target = name_segment(path, last + 1)
    try:
        os.rename(path, target)
        sync_folder(path.parent)
    except OSError as error:
        raise RecordError(
            f"{path}: the ledger cannot be rotated to {target.name}: {error.strerror}", _REMEDY
        ) from error
    return target


def read_tail(path: Path) -> Tail:
    """The last whole line of a file, and what stands after it, without reading what comes before.

    Raises:
        RecordError: the file cannot be read.
    """
    try:
        with path.open("rb") as file:
            size = at = file.seek(0, os.SEEK_END)
            tail = b""
            # the last whole line begins after the last but one line end
            while at and tail.count(b"\n") < 2:
                # in growing steps, so that a line of many blocks is not copied for each of them
                step = min(max(_BLOCK, len(tail)), at)
                at -= step
                file.seek(at)
                tail = file.read(step) + tail
    except FileNotFoundError:
        return Tail(b"", 0, b"")
    except OSError as error:
        raise _refuse(path, error) from error
    whole, _, torn = tail.rpartition(b"\n")
    if len(torn) == len(tail):
        return Tail(b"", 0, torn)
    return Tail(whole[whole.rfind(b"\n") + 1 :] + b"\n", size - len(torn), torn)


def walk_lines(path: Path) -> Iterator[tuple[Place, bytes]]:
    """Every line of every segment in order, as bytes with its line end.

    The files are looked up, and the size of the last one taken, by this call (make it under a lock) and not when the
    first line is asked for: lines that are appended meanwhile are left out.

    Raises:
        RecordError: there is no ledger, or it cannot be read.
    """
    full = list_full_segments(path)
    try:
        if path.exists():
            file = path.open("rb")
            return _walk_segments(path, full, file, os.fstat(file.fileno()).st_size)
    except OSError as error:
        raise _refuse(path, error) from error
    if not full:
        raise RecordError(f"{path}: no such ledger", "give the path of a ledger")
    return _walk_segments(path, full, io.BytesIO(), 0)


def _walk_segments(path: Path, full: tuple[Path, ...], last: BinaryIO, size: int) -> Iterator[tuple[Place, bytes]]:
    with last:
        try:
            for segment in full:
                with segment.open("rb") as file:
                    for count, line in enumerate(file, 1):
                        yield Place(segment, count), line
            count = 0
            # a line that is being appended right now ends beyond the size
            while size > 0 and (line := last.readline(size)):
                count += 1
                size -= len(line)
                yield Place(path, count), line
        except OSError as error:
            raise _refuse(path, error) from error


def _refuse(path: Path, error: OSError) -> RecordError:
    return RecordError(f"{path}: the ledger cannot be read: {error.strerror}", "give the file that ask appends to")
