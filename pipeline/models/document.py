"""What parsing yields: lines, pages, sections, the profile and the parsed document."""

from bisect import bisect_left
from functools import cached_property
from typing import Literal

from pipeline.models.base import Box, Contract, Position

DocumentState = Literal["ok", "partial", "needs_password", "unreadable", "limit", "not_pdf"]
PageState = Literal["ok", "failed", "without_text", "garbled"]
OutlineSource = Literal["outline", "contents_links", "contents_text", "typography", "none"]
HiddenReason = Literal[
    "", "invisible", "same_colour", "transparent", "tiny", "covered", "off_page", "redacted", "superseded"
]  # fmt: skip
PageCheck = Literal[
    "no_text",
    "undefined_characters",
    "ocr_noise",
    "wrong_encoding",
    "text_under_image",
    "flattened_table",
    "mixed_columns",
    "figure_without_text",
    "letter_spaced",
]


class Line(Contract):
    """One baseline run per column or table cell; `text` is verbatim and never normalised.

    `size` is the font size in hundredths of a point; `bold_prefix` counts the leading characters set in bold (run-in
    heads); `raised` and `lowered` are [start, end) offsets of superscripts and subscripts in `text`; `block` groups the
    lines of one paragraph or cell on the page; `hidden` is "" for visible text, "superseded" for what another method
    (`method`) read better: such lines stay, and are never quoted.
    """

    page: int
    number: int
    text: str
    box: Box
    size: int
    bold: bool = False
    bold_prefix: int = 0
    italic: bool = False
    column: int = 0
    block: int = 0
    is_furniture: bool = False
    hidden: HiddenReason = ""
    method: str = "native"
    raised: tuple[tuple[int, int], ...] = ()
    lowered: tuple[tuple[int, int], ...] = ()

    @property
    def position(self) -> Position:
        """(page, number)."""
        return (self.page, self.number)

    @property
    def is_evidence(self) -> bool:
        """Whether the line may be retrieved and quoted: neither furniture nor hidden."""
        return not self.is_furniture and not self.hidden


class Page(Contract):
    """One physical page; width and height in hundredths of a point after rotation; `printed` is the number in print."""

    number: int
    width: int
    height: int
    rotation: int = 0
    label: str = ""
    printed: str = ""
    state: PageState = "ok"
    column_count: int = 1
    image_cover: int = 0
    failed_checks: tuple[PageCheck, ...] = ()
    text_hash: str = ""


class Section(Contract):
    """A section resolved to lines: it holds the lines from `start` up to, not including, `end`.

    `number` is as printed ("5.4", "Appendix A", "Item 7A", "" if none); `breadcrumb` are the titles of its ancestors.
    """

    index: int
    title: str
    number: str
    level: int
    breadcrumb: tuple[str, ...]
    start: Position
    end: Position
    source: OutlineSource
    parent: int | None = None


class Diagnostic(Contract):
    """Something the parser noticed: a stable code, a message for people, and the page where it has one."""

    code: str
    message: str
    page: int | None = None


class DocumentProfile(Contract):
    """Facts about a document that rules may read; page lists are physical and ascending."""

    sha256: str
    engine: str
    engine_flags: int
    parser_revision: int
    state: DocumentState
    page_count: int
    ok_page_count: int
    failed_pages: tuple[int, ...] = ()
    pages_without_text: tuple[int, ...] = ()
    garbled_pages: tuple[int, ...] = ()
    scanned_pages: tuple[int, ...] = ()
    table_pages: tuple[int, ...] = ()
    line_count: int = 0
    outline_entry_count: int = 0
    has_usable_outline: bool = False
    section_source: OutlineSource = "none"
    section_count: int = 0
    column_count: int = 1
    has_page_labels: bool = False
    printed_offset: int | None = None
    language: str = "en"
    hidden_line_count: int = 0
    is_encrypted: bool = False
    was_repaired: bool = False
    producer: str = ""
    title: str = ""
    author: str = ""
    creation_year: int | None = None
    kind: str = "unknown"
    diagnostics: tuple[Diagnostic, ...] = ()


class ParsedDocument(Contract):
    """Everything a run needs of a PDF. `lines` are ordered by (page, number); `folded` runs parallel to `lines`."""

    profile: DocumentProfile
    pages: tuple[Page, ...]
    lines: tuple[Line, ...]
    folded: tuple[str, ...]
    sections: tuple[Section, ...]
    diagnostics: tuple[Diagnostic, ...] = ()

    @cached_property
    def positions(self) -> list[Position]:
        """Positions of all lines, ascending; parallel to `lines`."""
        return [(line.page, line.number) for line in self.lines]

    def index_of(self, position: Position) -> int:
        """Index in `lines` of the first line at or after `position`."""
        return bisect_left(self.positions, position)

    def lines_between(self, start: Position, end: Position) -> tuple[Line, ...]:
        """Lines from `start` up to, not including, `end`, furniture and hidden lines too."""
        return self.lines[self.index_of(start) : self.index_of(end)]

    def lines_on(self, page: int) -> tuple[Line, ...]:
        """All lines of one physical page."""
        return self.lines_between((page, 0), (page + 1, 0))

    def line_at(self, page: int, number: int) -> Line | None:
        """The line at a position, or None."""
        index = self.index_of((page, number))
        return self.lines[index] if index < len(self.lines) and self.lines[index].position == (page, number) else None

    def section_at(self, position: Position) -> Section | None:
        """The deepest section that holds `position`, or None."""
        best: Section | None = None
        for section in self.sections:
            if section.start <= position < section.end and (best is None or section.level >= best.level):
                best = section
        return best
