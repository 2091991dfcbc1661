"""The one object that later rooms read a document through.

Lines, structure and places, each computed when first asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property, partial
from typing import TYPE_CHECKING

from pipeline.models.base import Position
from pipeline.models.document import Line, ParsedDocument
from pipeline.models.evidence import EvidenceLine, Span
from pipeline.models.lexicon import Lexicon
from pipeline.models.question import Anchor
from pipeline.models.structure import Caption, Enumeration, MentionAt, Registry, Table

if TYPE_CHECKING:
    from pipeline.structure.attachments import AttachmentList
    from pipeline.structure.table_pages import GridReader
    from pipeline.text.anchors import FoldedLines

_HASH_LENGTH = 12
_MAX_TABLE_PAGES = 12
_MAX_MARGIN_PAGES = 40
_MIN_MARGIN_PAGES = 3
_MAX_NAMED_PAGES = 4


class DocumentView:
    """A parsed document with everything that structure/ recognises on it.

    Nothing is computed before it is asked for.
    """

    def __init__(self, document: ParsedDocument, lexicon: Lexicon) -> None:
        """Keep the document and the lexicon of its language."""
        self.document = document
        self.lexicon = lexicon
        self._tables: dict[int, tuple[Table, ...]] = {}
        self._enumerations: dict[tuple[Position, Position], tuple[Enumeration, ...]] = {}
        self._mentions: dict[tuple[Position, Position], tuple[MentionAt, ...]] = {}
        self._positions: dict[str, tuple[Position, ...]] = {}
        self._page_counts: dict[str, int] = {}
        self._own_names: dict[str, bool] = {}

    @cached_property
    def contents_lines(self) -> frozenset[int]:
        """Indexes (in `document.lines`) of lines of contents pages and lists of figures or tables."""
        from pipeline.parsing.contents import find_contents

        return find_contents(self.document.pages, self.document.lines).line_indexes

    @cached_property
    def evidence_indexes(self) -> tuple[int, ...]:
        """Indexes (in `document.lines`) of the evidence lines: neither furniture nor hidden."""
        return tuple(index for index, line in enumerate(self.document.lines) if line.is_evidence)

    @cached_property
    def folded_lines(self) -> FoldedLines:
        """The folded evidence lines made ready for finding anchors.

        Hidden lines and furniture are out: no phrase begins on visible text and ends in them, or is cut by them.
        """
        from pipeline.text.anchors import FoldedLines

        folded = self.document.folded
        return FoldedLines([folded[index] for index in self.evidence_indexes])

    @cached_property
    def captions(self) -> tuple[Caption, ...]:
        """Captions of tables, figures and equations, in document order."""
        from pipeline.structure.captions import find_captions

        return find_captions(self.document, self.contents_lines)

    @cached_property
    def registry(self) -> Registry:
        """Everything in the document that can be pointed at."""
        from pipeline.structure.registry import build_registry

        return build_registry(self.document, self.captions, self.contents_lines)

    @cached_property
    def attachments(self) -> tuple[AttachmentList, ...]:
        """Lists of attachments (an exhibit index), the longest first; read only where something asks for one."""
        from pipeline.structure.attachments import find_attachments

        return find_attachments(self.document, self.contents_lines)

    @cached_property
    def announces_gaps(self) -> bool:
        """Whether the document says that its numbering has gaps on purpose."""
        folded = self.document.folded
        for index, text in enumerate(folded):
            # plain tests first: most documents never speak of gaps or sequence
            if "gap" in text or "sequential" in text or "consecutive" in text:
                around = " ".join(folded[max(0, index - 1) : index + 2])
                is_said = re.search(r"\bnot (?:\w+ )?(?:sequen|consecu)ti", around)
                if is_said or ("gap" in around and "number" in around):
                    return True
        return False

    @cached_property
    def margin_shift(self) -> int:
        """How much further right even pages are printed than odd ones, in hundredths of a point; 0 where they are not.

        Bound documents mirror their margins.
        """
        lefts: tuple[list[int], list[int]] = ([], [])
        for page in range(1, min(len(self.document.pages), _MAX_MARGIN_PAGES) + 1):
            edges = [line.box[0] for line in self.document.lines_on(page)]
            if edges:
                lefts[page % 2].append(min(edges))
        if min(len(found) for found in lefts) < _MIN_MARGIN_PAGES:
            return 0
        even, odd = (sorted(found)[len(found) // 2] for found in lefts)
        return even - odd

    @cached_property
    def _grids(self) -> GridReader:
        """The reader of the grids of pages; it reads each page once."""
        from pipeline.structure.table_pages import GridReader

        return GridReader(self.document, self.captions, self.contents_lines)

    def mentions_in(self, start: Position, end: Position) -> tuple[MentionAt, ...]:
        """References in the evidence lines from `start` up to, not including, `end`."""
        from pipeline.structure.mentions import find_mentions_between

        key = (start, end)
        if key not in self._mentions:
            self._mentions[key] = find_mentions_between(self.document, start, end)
        return self._mentions[key]

    def tables_on(self, page: int) -> tuple[Table, ...]:
        """Tables that begin on a physical page, top to bottom."""
        from pipeline.structure.tables import find_tables

        if page not in self._tables:
            self._tables[page] = find_tables(self._grids, page)
        return self._tables[page]

    def tables_touching(self, page: int) -> tuple[Table, ...]:
        """Tables that have lines on a physical page: one that runs on from an earlier page first, then its own."""
        for before in range(page - 1, max(0, page - _MAX_TABLE_PAGES), -1):
            tables = self.tables_on(before)
            if tables and tables[-1].end > (page, 0):
                return (tables[-1], *self.tables_on(page))
            if tables:
                break
        return self.tables_on(page)

    def enumerations_in(self, start: Position, end: Position) -> tuple[Enumeration, ...]:
        """Lists that begin from `start` up to, not including, `end`, in document order, nested ones too."""
        from pipeline.structure.enumerations import find_enumerations

        key = (start, end)
        if key not in self._enumerations:
            self._enumerations[key] = find_enumerations(self, start, end)
        return self._enumerations[key]

    def positions_of(self, anchor: Anchor) -> tuple[Position, ...]:
        """Every evidence line that carries the anchor; a form that breaks over two lines counts for the first."""
        key = _name_anchor(anchor)
        if key not in self._positions:
            lines, indexes = self.document.lines, self.evidence_indexes
            self._positions[key] = tuple(lines[indexes[hit]].position for hit in self.folded_lines.find(anchor))
        return self._positions[key]

    def count_pages(self, anchor: Anchor) -> int:
        """On how many pages the anchor stands."""
        key = _name_anchor(anchor)
        if key not in self._page_counts:
            self._page_counts[key] = len({page for page, _ in self.positions_of(anchor)})
        return self._page_counts[key]

    def names_document(self, anchor: Anchor) -> bool:
        """Whether an identifier is that of the document itself: on its first page by itself, or on its margins.

        Where a document says its own number only there, it does not lack it.
        """
        if anchor.source != "identifier" or ":" in anchor.key:
            return False
        key = _name_anchor(anchor)
        if key not in self._own_names:
            self._own_names[key] = any(map(partial(_carries_name, anchor), self.document.lines_on(1)))
            for page in range(2, min(len(self.document.pages), _MAX_NAMED_PAGES) + 1):
                margins = (line for line in self.document.lines_on(page) if not line.is_evidence and not line.hidden)
                self._own_names[key] |= any(map(partial(_carries_name, anchor), margins))
        return self._own_names[key]

    def lines_in(self, start: Position, end: Position) -> tuple[Line, ...]:
        """Evidence lines (neither furniture nor hidden) from `start` up to, not including, `end`."""
        return tuple(line for line in self.document.lines_between(start, end) if line.is_evidence)

    def evidence_lines(self, span: Span) -> tuple[EvidenceLine, ...]:
        """The evidence lines of a span, verbatim."""
        lines = self.lines_in((span.page, span.line_start), (span.page, span.line_end + 1))
        return tuple(EvidenceLine(page=line.page, number=line.number, text=line.text, box=line.box) for line in lines)

    def reference(self, spans: Iterable[Span]) -> str:
        """The reference of a candidate: `<12 of sha256>:p7:l48-58@native.3`, several spans joined by ","."""
        # line numbers depend on method and revision, so the reference carries both
        profile = self.document.profile
        places = (f"p{s.page}:l{s.line_start}-{s.line_end}@{s.method}.{profile.parser_revision}" for s in spans)
        return f"{profile.sha256[:_HASH_LENGTH]}:" + ",".join(places)

    def text_between(self, start: Position, end: Position) -> str:
        """The readable text from `start` up to, not including, `end`: furniture out, lines of a block joined."""
        from pipeline.text.matching import join_lines

        blocks: list[list[str]] = []
        previous: tuple[int, int] | None = None
        for line in self.lines_in(start, end):
            if previous != (line.page, line.block):
                blocks.append([])
                previous = (line.page, line.block)
            blocks[-1].append(line.text)
        return "\n".join(join_lines(block).display.strip() for block in blocks)


def _carries_name(anchor: Anchor, line: Line) -> bool:
    """Whether most of a line is an identifier."""
    from pipeline.text.anchors import find_anchor

    return any((end - start) * 2 >= len(line.text.strip()) for start, end in find_anchor(anchor, line.text))


def _name_anchor(anchor: Anchor) -> str:
    # two anchors may share a key and differ in forms (an expansion carries synonyms)
    return "\0".join((anchor.key, *anchor.forms))
