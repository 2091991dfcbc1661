"""Runs of a ledger, looked up by their ids and read one by one: nothing but their places is held."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pipeline.audit.layout import RECORD, LineFault
from pipeline.audit.lines import FIRST_PREVIOUS, Line, check_line, read_position
from pipeline.audit.rotation import walk_lines
from pipeline.audit.writing import hold_reading_lock
from pipeline.errors import RecordError

if TYPE_CHECKING:
    from collections.abc import Iterator

_SEGMENT = re.compile(r".+\.([0-9]{6,})\.[^.]+")


class LinePlace(NamedTuple):
    """Where a line stands, in bytes, and what it follows, which is all that is needed to prove it again."""

    path: Path
    offset: int
    size: int
    number: int
    previous_hash: bytes


def walk_places(path: Path) -> Iterator[tuple[LinePlace, Line | None]]:
    """Every line of a ledger, proved, with its place; half a line at the end comes without a line.

    A full segment that is given by itself is taken for a ledger that begins where its first line says.

    Raises:
        RecordError: there is no ledger, or the line that comes next does not verify.
    """
    with hold_reading_lock(path):
        lines = walk_lines(path)
    number, chain_hash, offset = 0, FIRST_PREVIOUS, 0
    current: Path | None = None
    for place, content in lines:
        # offsets count within a file
        if place.path != current:
            current, offset = place.path, 0
        try:
            # a segment by itself: what came before it is taken on trust, and only that
            if number == 0 and _SEGMENT.fullmatch(path.name):
                first, chain_hash = read_position(content)
                number = first - 1
            here = LinePlace(place.path, offset, len(content), number + 1, chain_hash)
            # half a line may be the end of an append that goes on right now
            if not content.endswith(b"\n"):
                yield here, None
                return
            line = check_line(content, number + 1, chain_hash)
        except LineFault as fault:
            words = f"{place.path}, line {place.line}: {fault.detail}"
            raise RecordError(words, "see pdfdocket verify") from fault
        yield here, line
        number, chain_hash = line.number, line.chain_hash
        offset += len(content)


def read_line(place: LinePlace) -> Line:
    """A line at its place, proved once more.

    Raises:
        RecordError: it is not what it was.
    """
    try:
        with place.path.open("rb") as file:
            file.seek(place.offset)
            return check_line(file.read(place.size), place.number, place.previous_hash)
    except OSError as error:
        raise RecordError(f"{place.path}: the ledger cannot be read: {error.strerror}") from error
    except LineFault as fault:
        words = f"{place.path}, line {place.number}: it was changed meanwhile: {fault.detail}"
        raise RecordError(words, "call it again") from fault


def index_runs(path: Path) -> dict[bytes, LinePlace]:
    """The place of every run by its id; of several runs with the same id, whose bodies are the same, the first.

    Raises:
        RecordError: as `walk_places`.
    """
    places: dict[bytes, LinePlace] = {}
    for place, line in walk_places(path):
        if line is not None and line.kind == RECORD and "run_id" not in line.redacted:
            places.setdefault(read_run_id(line), place)
    return places


def read_run_id(line: Line) -> bytes:
    """The id of a run that has one."""
    return line.read_value(line.columns.names.index(b"run_id")).strip(b'"')
