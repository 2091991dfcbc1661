"""One answer with everything that can be shown of it: its row, its record, and where its document is now."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.models.batch import ResultRow
    from pipeline.models.run import RunRecord


class Entry(NamedTuple):
    """A row of results. `record` is None for a row that failed, `document` where no file is known to be it.

    Where one of them should be there and is not, the note beside it says why, in words.
    """

    row: ResultRow
    record: RunRecord | None
    document: Path | None
    record_note: str = ""
    document_note: str = ""
