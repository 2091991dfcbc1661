"""Tables read from the boxes of lines: rows and columns from positions, ruling lines not needed."""

from __future__ import annotations

from pipeline.models.document import ParsedDocument
from pipeline.models.structure import Caption, Table


def find_tables(document: ParsedDocument, page: int, captions: tuple[Caption, ...] = ()) -> tuple[Table, ...]:
    """Tables that begin on a physical page, top to bottom."""
    return ()
