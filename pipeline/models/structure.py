"""What structure/ recognises on the lines of a document: lists, captions, tables, targets and mentions."""

from typing import Literal

from pipeline.models.base import Contract, Position

EnumerationKind = Literal["bullet", "numbered", "lettered", "identifier", "table_rows", "run_in", "inline", "headings"]
TargetKind = Literal[
    "section", "clause", "article", "appendix", "annex", "schedule", "table", "figure", "equation", "note", "footnote",
    "page", "chapter", "part", "item", "exhibit", "row", "column", "standard", "definition", "list_item", "identifier",
    "paragraph", "attachment",
]  # fmt: skip


class Extent(Contract):
    """A run of consecutive lines on one page: `line_start` to `line_end`, both included; offsets cut the outer lines.

    `start_offset` cuts the first line; `end_offset` cuts the last (None: to its end).
    """

    page: int
    line_start: int
    line_end: int
    start_offset: int = 0
    end_offset: int | None = None


class EnumerationItem(Contract):
    """A member of a list: `marker` as printed ("(a)", "GV.SC-01"), `head` its short name, `text` its whole text."""

    marker: str
    head: str
    text: str
    level: int
    extents: tuple[Extent, ...]


class Enumeration(Contract):
    """A list as printed. `lead` is the sentence that introduces it; `cue` the number of members that it announces.

    `is_closed` says whether the end of the list was seen: something that is neither furniture nor a float follows, or
    the document ends. `gaps` are numbers left out of the numbering; `has_announced_gaps` when the document says that it
    leaves numbers out on purpose, so that nothing is lost. A numbering that `begins_at` a higher number goes on from a
    list on page `continued_from`; that is 0 where none was found before it.
    """

    kind: EnumerationKind
    items: tuple[EnumerationItem, ...]
    start: Position
    end: Position
    lead: str = ""
    lead_extents: tuple[Extent, ...] = ()
    cue: int | None = None
    is_closed: bool = True
    gaps: tuple[str, ...] = ()
    has_announced_gaps: bool = False
    begins_at: int = 1
    continued_from: int = 0


class Caption(Contract):
    """A caption of a table, figure or equation: `label` without the kind ("2", "A.1"); `extent` covers its lines."""

    kind: TargetKind
    label: str
    title: str
    extent: Extent


class TableCell(Contract):
    """One cell: its text, place in the grid (0-based) and lines."""

    row: int
    column: int
    text: str
    extents: tuple[Extent, ...]


class Table(Contract):
    """Lines recognised as a table. `header` are column headers, `units` what caption or header says ("in millions")."""

    label: str
    title: str
    start: Position
    end: Position
    header: tuple[str, ...]
    cells: tuple[TableCell, ...]
    units: str = ""
    is_continued: bool = False


class Target(Contract):
    """Something that can be pointed at: `key` is its normal form ("section:5.4"), `end` the first line after it."""

    kind: TargetKind
    key: str
    label: str
    title: str
    start: Position
    end: Position


class MentionAt(Contract):
    """A place in the text that points at something: `key` as in `Target`, `extent` where it stands."""

    kind: TargetKind
    key: str
    text: str
    extent: Extent
    is_external: bool = False


class Registry(Contract):
    """All targets of a document by start; `closed_kinds` are numbered without gaps from their first member on."""

    targets: tuple[Target, ...]
    closed_kinds: tuple[TargetKind, ...] = ()

    def find(self, key: str) -> tuple[Target, ...]:
        """Targets with this key, in document order; more than one means ambiguous."""
        return tuple(target for target in self.targets if target.key == key)
