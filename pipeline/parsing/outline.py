"""The outline cascade: native outline, contents page by links, printed contents, headings by typography."""

from __future__ import annotations

from typing import NamedTuple

from pipeline.models.base import Box
from pipeline.models.document import Diagnostic, Line, OutlineSource, Page, Section


class RawEntry(NamedTuple):
    """One bookmark as the file says it: `level` from 1, `page` physical and 1-based or None, `y` in hundredths of a point."""

    level: int
    title: str
    page: int | None
    y: int | None = None


class RawLink(NamedTuple):
    """One internal link: the page and box it is drawn on (hundredths, top-down), and where it leads, if it resolves."""

    page: int
    box: Box
    target_page: int | None
    target_y: int | None = None


class RawOutline(NamedTuple):
    """What the file itself says about its structure."""

    entries: tuple[RawEntry, ...] = ()
    links: tuple[RawLink, ...] = ()


class OutlineResult(NamedTuple):
    """Sections with their source; `printed_offset` is physical minus printed page number where the contents page told it."""

    sections: tuple[Section, ...]
    source: OutlineSource
    entry_count: int
    has_usable_outline: bool
    diagnostics: tuple[Diagnostic, ...] = ()
    printed_offset: int | None = None


def build_sections(
    raw: RawOutline, pages: tuple[Page, ...], lines: tuple[Line, ...], folded: tuple[str, ...]
) -> OutlineResult:
    """Sections of a document by the first method of the cascade that holds.

    `folded` runs parallel to `lines` (matching form of each). Never raises for any input.
    """
    return OutlineResult((), "none", len(raw.entries), False)
