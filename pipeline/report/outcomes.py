"""What a process is told that makes a copy, and what it tells."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.report.notes import Note


class CopyOrder(NamedTuple):
    """A document, the hash that it must have, what is marked in it, and where the copy goes."""

    path: Path
    sha256: str
    draft: Path
    notes: tuple[Note, ...]
    password: str | None
    max_bytes: int


class CopyOutcome(NamedTuple):
    """What became of a copy: the counts, or the reason why there is none; `faults` are (note, quote, reason).

    `is_unwritable` says that nothing can be written there at all.
    """

    reason: str = ""
    note_count: int = 0
    highlight_count: int = 0
    is_unwritable: bool = False
    warnings: tuple[str, ...] = ()
    faults: tuple[tuple[int, int, str], ...] = ()
