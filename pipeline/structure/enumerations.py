"""Lists as printed: bullets, numbers, letters, identifiers, run-in heads, inline lists, headings and table rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pipeline.models.base import Position
from pipeline.models.document import Line, Page, Section
from pipeline.models.structure import Enumeration, EnumerationItem, EnumerationKind, Extent, Table
from pipeline.structure.cues import find_cue, read_lead
from pipeline.structure.heads import RunIn, find_run_in, list_children
from pipeline.structure.inline import InlineList, find_inline
from pipeline.structure.item_names import read_codes, read_head
from pipeline.structure.marked import MarkedReader, OpenItem, OpenList, find_gaps
from pipeline.structure.paragraphs import make_extents, make_line_extents, read_stream, split_paragraphs
from pipeline.structure.pieces import find_earlier, join_pieces, join_under_headings, list_before
from pipeline.structure.table_lists import list_rows
from pipeline.text.late import compile_late
from pipeline.text.matching import join_lines

if TYPE_CHECKING:
    from pipeline.structure.view import DocumentView

_OVERRUN_LINES = 80
_MAX_OVERRUN_LINES = 80 * 80
_BACK_LINES = 80
_MAX_TABLE_PAGES = 8
_MAX_HEAD, _MIN_CLAUSE_WORDS = 80, 4
_CLAUSE_END = compile_late(r"[,;:]\s")


def find_enumerations(view: DocumentView, start: Position, end: Position) -> tuple[Enumeration, ...]:
    """Lists that begin from `start` up to `end`, in document order; each nested list follows as a list of its own too.

    One that begins before `start` and goes on past it is whole among them: half of it would be another list. A list is
    read to its end even where that lies beyond `end`. In `items`, nested items stand after their parent with a higher
    `level`; the items of the list itself have level 0.
    """
    document = view.document
    stream, breaks = _read_around(view, start, end, _OVERRUN_LINES)
    # lists are read past `end`: a list cut by its caller would look short
    reader = MarkedReader(stream, breaks, lambda: view.margin_shift)
    overrun, left = _OVERRUN_LINES, len(document.lines) - document.index_of(end)
    while overrun < min(left, _MAX_OVERRUN_LINES) and _is_cut(reader, stream, end):
        overrun *= _OVERRUN_LINES
        stream, breaks = _read_around(view, start, end, overrun)
        reader = MarkedReader(stream, breaks, lambda: view.margin_shift)
    builder = _Builder(view, stream, breaks, overrun >= left)
    found: list[Enumeration] = []
    for open_list in reader.lists:
        found.extend(builder.build_marked(open_list, None))
    found = join_pieces(found, breaks)
    marked = frozenset(line.position for each in reader.lists if len(each.items) > 1 for line in _list_lines(each))
    inside = [line for line in stream if start <= line.position < end]
    for run in find_run_in([line for line in stream if start <= line.position], breaks | marked):
        found.append(builder.build_run_in(run))
    for parent, children in list_children(document.sections, start, end):
        found.append(builder.build_headings(parent, children))
    found = join_under_headings(found)
    firsts = frozenset(item.lines[0].position for each in reader.lists for item in _list_items(each))
    for inline in find_inline(split_paragraphs(inside, breaks, firsts), view.lexicon):
        found.append(builder.build_inline(inline))
    # tables cost milliseconds a page, too much for a sweep over a whole document
    if end[0] - start[0] <= _MAX_TABLE_PAGES:
        for page in range(start[0], end[0] + 1):
            for table in view.tables_on(page):
                found.extend(list_rows(table, view.lexicon, builder.read_table_lead(table)))
    kept = [each for each in found if start <= each.start < end or (each.start < start < each.end <= end)]
    return tuple(sorted(kept, key=lambda each: (each.start, -each.end[0], -each.end[1], each.kind)))


def _read_around(
    view: DocumentView, start: Position, end: Position, overrun: int
) -> tuple[list[Line], frozenset[Position]]:
    """The lines from a lead before `start` to some lines past `end`, and the headings among them."""
    document = view.document
    first = max(0, document.index_of(start) - _BACK_LINES)
    last = min(len(document.lines), document.index_of(end) + overrun)
    if first >= last:
        return [], frozenset()
    low = document.lines[first].position
    high = (document.lines[last - 1].page, document.lines[last - 1].number + 1)
    breaks = frozenset(section.start for section in document.sections if low <= section.start < high)
    return read_stream(view, low, high), breaks


def _is_cut(reader: MarkedReader, stream: Sequence[Line], end: Position) -> bool:
    """Whether a list that begins before `end` still runs in the last line that was read."""
    last = stream[-1].position if stream else end
    return any(
        each.items[0].lines[0].position < end and any(line.position == last for line in _list_lines(each))
        for each in reader.lists[-2:]
    )


def _list_items(open_list: OpenList) -> Iterator[OpenItem]:
    for item in open_list.items:
        yield item
        for child in item.children:
            yield from _list_items(child)


def _list_lines(open_list: OpenList) -> Iterator[Line]:
    for item in _list_items(open_list):
        yield from item.lines


class _Builder:
    def __init__(
        self, view: DocumentView, stream: Sequence[Line], breaks: frozenset[Position], reaches_end: bool
    ) -> None:
        self._view = view
        self._reaches_end = reaches_end
        self._stream = stream
        self._places = {line.position: index for index, line in enumerate(stream)}
        self._breaks = breaks

    def build_marked(self, open_list: OpenList, parent: EnumerationItem | None) -> list[Enumeration]:
        """The list and, after it, the lists nested in its items; a lone item makes no list, but may hold one."""
        built: list[Enumeration] = []
        nested: list[Enumeration] = []
        items: list[EnumerationItem] = []
        for item in open_list.items:
            own = _make_item(item, 0)
            items.append(own)
            for child in item.children:
                lists = self.build_marked(child, own)
                nested.extend(lists)
                deeper = next((each for each in lists if each.start == child.items[0].lines[0].position), None)
                if deeper is not None:
                    items += [sub.model_copy(update={"level": sub.level + 1}) for sub in deeper.items]
        if len(open_list.items) > 1:
            built.append(self._finish_marked(open_list, items, parent))
        return built + nested

    def _finish_marked(
        self, open_list: OpenList, items: list[EnumerationItem], parent: EnumerationItem | None
    ) -> Enumeration:
        lines = list(_list_lines(open_list))
        first, last = lines[0], max(lines, key=lambda line: line.position)
        place = self._places.get(first.position, 0)
        # a nested list is introduced by the item that holds it
        if parent is not None:
            lead, extents = parent.text, parent.extents
        else:
            lead, extents = read_lead(self._stream[:place], self._breaks)
        own = [item for item in items if item.level == 0]
        kind: EnumerationKind = open_list.kind  # type: ignore[assignment]
        begins_at = max(1, open_list.items[0].marker.ordinal) if kind != "bullet" else 1
        earlier = find_earlier(self._view, open_list) if begins_at > 1 and parent is None else 0
        gaps = (*list_before(open_list, earlier), *find_gaps(open_list))
        if kind == "bullet" and (coded := read_codes(items)) is not None:
            kind, items = "identifier", coded
        return Enumeration(
            kind=kind,
            items=tuple(items),
            start=first.position,
            end=(last.page, last.number + 1),
            lead=lead,
            lead_extents=extents,
            cue=find_cue(lead, len(own), self._view.lexicon),
            is_closed=self._is_closed(last),
            gaps=gaps,
            has_announced_gaps=bool(gaps) and self._view.announces_gaps,
            begins_at=begins_at,
            continued_from=earlier,
        )

    def _is_closed(self, last: Line) -> bool:
        """Whether something follows the list that is neither furniture nor a float, or the document ends there.

        The list may go on where the lines that were read end before the document does, and on a page without text.
        """
        document = self._view.document
        place = self._places.get(last.position)
        follower = self._stream[place + 1] if place is not None and place + 1 < len(self._stream) else None
        until = follower.page if follower is not None else len(document.pages) + 1
        if any(_is_unread(page) for page in document.pages[last.page : until - 1]):
            return False
        return follower is not None or self._reaches_end

    def read_table_lead(self, table: Table) -> tuple[str, tuple[Extent, ...]]:
        """The sentence right above a table without a caption; what stands above a captioned one says nothing of it."""
        if table.label or table.title:
            return "", ()
        return read_lead([line for line in self._stream if line.position < table.start], self._breaks)

    def build_run_in(self, run: Sequence[RunIn]) -> Enumeration:
        """A list of paragraphs with run-in heads."""
        items = tuple(
            EnumerationItem(
                marker="",
                head=item.head,
                text=join_lines([line.text for line in item.lines]).display.strip(),
                level=0,
                extents=make_line_extents(item.lines),
            )
            for item in run
        )
        first, last = run[0].lines[0], run[-1].lines[-1]
        lead, extents = read_lead(self._stream[: self._places.get(first.position, 0)], self._breaks)
        return Enumeration(
            kind="run_in",
            items=items,
            start=first.position,
            end=(last.page, last.number + 1),
            lead=lead,
            lead_extents=extents,
            cue=find_cue(lead, len(items), self._view.lexicon),
            is_closed=self._is_closed(last),
        )

    def build_headings(self, parent: Section, children: Sequence[Section]) -> Enumeration:
        """The direct subsections of a section as a list; its lead is the last sentence before the first of them."""
        items: list[EnumerationItem] = []
        for child in children:
            lines = self._view.lines_in(child.start, child.end)[:1]
            title = f"{child.number} {child.title}".strip()
            items.append(
                EnumerationItem(
                    marker=child.number, head=child.title, text=title, level=0, extents=make_line_extents(lines)
                )
            )
        before = [
            line for line in read_stream(self._view, parent.start, children[0].start) if line.position != parent.start
        ]
        lead, extents = read_lead(before, self._breaks)
        return Enumeration(
            kind="headings",
            items=tuple(items),
            start=children[0].start,
            end=children[-1].end,
            lead=lead,
            lead_extents=extents,
            cue=find_cue(lead, len(items), self._view.lexicon),
            is_closed=True,
        )

    def build_inline(self, inline: InlineList) -> Enumeration:
        """A list inside a paragraph."""
        joined = inline.paragraph
        items = tuple(
            EnumerationItem(
                marker=marker,
                head=read_head(joined.read_display(start, end)) or _cut_clause(joined.read_display(start, end)),
                text=joined.read_display(start, end),
                level=0,
                extents=joined.make_extents(start, end),
            )
            for marker, start, end in inline.items
            if end > start
        )
        first, _ = joined.locate(inline.items[0][1])
        last, _ = joined.locate(inline.items[-1][2] - 1)
        lead = joined.read_display(*inline.lead) if inline.lead[1] > inline.lead[0] else ""
        return Enumeration(
            kind="inline",
            items=items,
            start=joined.lines[first].position,
            end=(joined.lines[last].page, joined.lines[last].number + 1),
            lead=lead,
            lead_extents=joined.make_extents(*inline.lead) if lead else (),
            cue=find_cue(lead, len(items), self._view.lexicon),
            is_closed=True,
        )


def _cut_clause(text: str) -> str:
    """The first clause of a long member, or its first words: a name that breaks off inside a word says nothing."""
    if len(text) <= _MAX_HEAD:
        return text
    clause = _CLAUSE_END.split(text, maxsplit=1)[0]
    if len(clause.split()) >= _MIN_CLAUSE_WORDS and len(clause) <= 2 * _MAX_HEAD:
        return clause
    return text if len(text) <= 2 * _MAX_HEAD else text[: 2 * _MAX_HEAD].rsplit(" ", 1)[0]


def _is_unread(page: Page) -> bool:
    """Whether nothing can be said about what stands on a page; a blank page is read."""
    return page.state == "failed" or (page.state != "ok" and bool(page.failed_checks))


def _make_item(item: OpenItem, level: int) -> EnumerationItem:
    first = item.lines[0]
    pieces = [(line, item.marker.length if line is first else 0, len(line.text)) for line in item.lines]
    whole = [(line, 0, len(line.text)) for line in item.lines]
    text = join_lines([line.text[low:high] for line, low, high in pieces]).display.strip()
    bold = first.text[item.marker.length : first.bold_prefix].strip() if first.bold_prefix > item.marker.length else ""
    head = bold.rstrip(":.—–- ") if len(bold) > 2 else read_head(text)
    return EnumerationItem(marker=item.marker.text, head=head, text=text, level=level, extents=make_extents(whole))
