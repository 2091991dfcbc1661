"""What a process is told that makes a copy, and what it tells."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.report.notes import Note


class CopyOrder(NamedTuple):
    """A document, the hash that it must have, and what is marked in it.

    The copy goes to `draft`; `existing` is where an earlier one may be, which is kept where writing it anew would
    give other bytes for the same marks.
    """

    path: Path
    sha256: str
    draft: Path
    existing: Path
    notes: tuple[Note, ...]
    password: str | None
    max_bytes: int


class CopyOutcome(NamedTuple):
    """What became of a copy: the counts, or the reason why there is none; `faults` are (note, quote, reason).

    `is_kept` says that an earlier copy is the same, `is_unwritable` that nothing can be written there at all.
    """

    reason: str = ""
    note_count: int = 0
    highlight_count: int = 0
    is_kept: bool = False
    is_unwritable: bool = False
    warnings: tuple[str, ...] = ()
    faults: tuple[tuple[int, int, str], ...] = ()
