"""Notes by document, kept in a file: there may be more of them than memory should hold."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from pipeline.models.annotation import Unmarked
from pipeline.report.notes import Note, Quote, build_note

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pipeline.models.batch import ResultRow
    from pipeline.models.run import RunRecord


class Asked(NamedTuple):
    """A row of results, where its document is (or a note why that is not known), and how its record is had."""

    row: ResultRow
    document: Path | None
    document_note: str
    find_record: Callable[[], RunRecord | None]


class Group(NamedTuple):
    """The rows of one document: what they call it, where it is, and where in the file its notes are."""

    name: str
    sha256: str
    document: Path | None
    document_note: str
    notes: list[int]
    unmarked: list[int]


class Notebook:
    """Takes rows in any order and gives notes by document, documents in the order of their first rows."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._groups: dict[tuple[str, str], Group] = {}

    def add(self, asked: Asked) -> None:
        """Keep the note of an answer, or the reason why a row has none; a failed row belongs to no document."""
        row = asked.row
        if row.status == "failed":
            return
        key = (row.document, row.document_sha256)
        if key not in self._groups:
            self._groups[key] = Group(*key, asked.document, asked.document_note, [], [])
        if row.status == "answered":
            self._groups[key].notes.append(self._append(build_note(row, asked.find_record)))
        else:
            words = f"{row.status.replace('_', ' ')}: there is nothing to mark"
            self._groups[key].unmarked.append(self._append((row.id, row.question, row.run_id, words)))

    def walk_groups(self) -> Iterator[Group]:
        """The documents."""
        yield from self._groups.values()

    def read_notes(self, group: Group) -> tuple[Note, ...]:
        """The notes of a document, in the order of the rows."""
        return tuple(_revive_note(*self._read(place)) for place in group.notes)

    def read_unmarked(self, group: Group) -> tuple[Unmarked, ...]:
        """The rows of a document that have no note."""
        told = (self._read(place) for place in group.unmarked)
        return tuple(Unmarked(id=name, question=asked, run_id=run, reason=words) for name, asked, run, words in told)

    def _append(self, value: object) -> int:
        place = self._file.seek(0, os.SEEK_END)
        self._file.write(json.dumps(value).encode() + b"\n")
        return place

    def _read(self, place: int) -> list[Any]:
        self._file.seek(place)
        told: list[Any] = json.loads(self._file.readline())
        return told


def _revive_note(name: str, question: str, run_id: str, text: str, quotes: list[list[Any]]) -> Note:
    return Note(name, question, run_id, text, tuple(_revive_quote(*quote) for quote in quotes))


def _revive_quote(page: int, first: int, last: int, parts: list[str], boxes: list[list[int]], *rest: Any) -> Quote:
    return Quote(page, first, last, tuple(parts), tuple((b[0], b[1], b[2], b[3]) for b in boxes), *rest)
