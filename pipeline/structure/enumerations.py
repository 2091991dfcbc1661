"""Lists as printed: bullets, numbers, letters, identifiers, run-in heads, inline lists, headings and table rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.models.base import Position
from pipeline.models.structure import Enumeration

if TYPE_CHECKING:
    from pipeline.structure.view import DocumentView


def find_enumerations(view: DocumentView, start: Position, end: Position) -> tuple[Enumeration, ...]:
    """Lists that begin between two positions, in document order."""
    return ()
