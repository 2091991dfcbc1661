"""Lists whose items carry markers, read line by line with a stack of open lists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pipeline.models.base import Position
from pipeline.models.document import Line
from pipeline.structure.markers import Marker, name_ordinal, read_markers
from pipeline.structure.paragraphs import is_close

_TOLERANCE = 450
_INDENT = 250
_MAX_SUSPENDED_LINES = 40
_MAX_GAPS = 20
_NARROW = 60


@dataclass(slots=True)
class OpenItem:
    """An item while it is read: its marker, lines and the lists nested in it.

    `is_cell` when other text stands to the left of its marker: it is the cell of a table.
    """

    marker: Marker
    lines: list[Line]
    children: list[OpenList] = field(default_factory=list)
    is_cell: bool = False


@dataclass(slots=True)
class OpenList:
    """A list while it is read; `first` is the place of its first line in the stream.

    `x` the left edge of its markers.
    """

    style: str
    kind: str
    x: int
    first: int
    items: list[OpenItem] = field(default_factory=list)
    is_hanging: bool = False
    last_seen: int = 0

    @property
    def last(self) -> OpenItem:
        """The item that is being read."""
        return self.items[-1]


class MarkedReader:
    """Reads marked lists from a stream of lines; `lists` holds the top-level ones in order of their first lines."""

    def __init__(
        self, stream: Sequence[Line], breaks: frozenset[Position], shift: Callable[[], int] = lambda: 0
    ) -> None:
        """Read the whole stream; lines in `breaks` (headings) end every list.

        `shift` tells how much further right even pages are printed than odd ones; it is asked when a list turns a page.
        """
        self.lists: list[OpenList] = []
        self._stream, self._breaks = stream, breaks
        self._open: list[OpenList] = []
        self._suspended: list[OpenList] = []
        self._right: dict[tuple[int, int], int] = {}
        self._far_right: dict[int, int] = {}
        self._left: dict[int, int] = {}
        self._shift = shift
        self._read(breaks)
        self.lists = [each for each in self.lists if not self._is_within(each)]

    def _is_within(self, open_list: OpenList) -> bool:
        """Whether a list is only lines of a sentence that begin with a number: "1) ships, 2) crews, / 3) cargo"."""
        if open_list.kind in ("bullet", "identifier"):
            return False
        first = open_list.items[0]
        if f" {name_ordinal(open_list.style, first.marker.ordinal + 1)} " in f"{first.lines[0].text} ":
            return True
        if first.marker.ordinal <= 1 or not open_list.first:
            return False
        before, line = self._stream[open_list.first - 1], open_list.items[0].lines[0]
        if before.position in self._breaks:
            return False
        return is_close(before, line) and before.text.rstrip()[-1:] not in ".:;!?"

    def _read(self, breaks: frozenset[Position]) -> None:
        stream = self._stream
        for line in stream:
            key = (line.page, line.column)
            self._right[key] = max(self._right.get(key, 0), line.box[2])
            self._far_right[line.column] = max(self._far_right.get(line.column, 0), line.box[2])
            self._left[line.column] = min(self._left.get(line.column, line.box[0]), line.box[0])
        skip = -1
        for index, line in enumerate(stream):
            if index == skip:
                continue
            # nothing goes on over a heading
            if line.position in breaks:
                self._open.clear()
                self._suspended.clear()
                continue
            beside = self._find_beside(index, line)
            markers = read_markers(line.text)
            if markers and not (beside is None and markers[0].length >= len(line.text.rstrip())):
                self._take_marker(index, line, markers)
                if beside is not None and self._open:
                    self._open[-1].last.lines.append(beside)
                    skip = index + 1
            elif self._open:
                self._take_line(index, line)

    def _find_beside(self, index: int, line: Line) -> Line | None:
        """The text of an item whose marker is a line of its own."""
        after = self._stream[index + 1] if index + 1 < len(self._stream) else None
        if after is None or after.page != line.page or len(line.text.strip()) > 12:
            return None
        is_row = abs(after.box[3] - line.box[3]) < 400 and 0 <= after.box[0] - line.box[2] < 6000
        return after if is_row and len(line.text.strip()) < 8 else None

    def _take_marker(self, index: int, line: Line, markers: tuple[Marker, ...]) -> None:
        chosen = self._choose_list(self._open, line, markers)
        if chosen is not None:
            depth, marker = chosen
            del self._open[depth + 1 :]
            self._append(self._open[depth], marker, line, index)
            return
        near = [each for each in self._suspended if index - each.last_seen <= _MAX_SUSPENDED_LINES]
        later = tuple(marker for marker in markers if marker.ordinal > 1)
        if (chosen := self._choose_list(near, line, later)) is not None:
            suspended = near[chosen[0]]
            suspended.last.lines.extend(self._stream[suspended.last_seen + 1 : index])
            self._open = [suspended]
            self._append(suspended, chosen[1], line, index)
            return
        self._begin(index, line, markers)

    def _choose_list(
        self, lists: Sequence[OpenList], line: Line, markers: tuple[Marker, ...]
    ) -> tuple[int, Marker] | None:
        """The list that a marker goes on with: the deepest one whose markers stand where it does.

        Levels may have the same mark, so the place decides; over the end of a page or column, where it may have moved,
        the nearest one does.
        """
        fitting = [
            (depth, marker)
            for depth in range(len(lists) - 1, -1, -1)
            for marker in markers
            if _goes_on(lists[depth], marker)
        ]
        for depth, marker in fitting:
            if self._stands_at(lists[depth], line, marker):
                return depth, marker
        crossing = [
            (self._measure_place(lists[depth], line), -depth, marker)
            for depth, marker in fitting
            if (line.page, line.column) != (lists[depth].last.lines[0].page, lists[depth].last.lines[0].column)
        ]
        if not crossing:
            return None
        _, depth, marker = min(crossing, key=lambda each: each[:2])
        # what is set further in than everything before begins a list below it
        is_deeper = line.box[0] > self._place(lists[-1], line) + _INDENT
        return None if is_deeper and any(each.ordinal <= 1 for each in markers) else (-depth, marker)

    def _stands_at(self, open_list: OpenList, line: Line, marker: Marker) -> bool:
        """Whether a marker begins where those of a list do, or ends there: "10." set flush right begins before "9."."""
        if self._measure_place(open_list, line) <= _TOLERANCE:
            return True
        longer = len(marker.text) - len(open_list.last.marker.text)
        width = (line.box[2] - line.box[0]) // max(1, len(line.text))
        is_wider = longer > 0 and marker.kind == "numbered"
        return is_wider and abs(line.box[0] + longer * width - self._place(open_list, line)) <= _TOLERANCE

    def _measure_place(self, open_list: OpenList, line: Line) -> int:
        return abs(line.box[0] - self._place(open_list, line))

    def _begin(self, index: int, line: Line, markers: tuple[Marker, ...]) -> None:
        # "(i)" as a first item is roman one; "C. Smith" or "7." alone begins no list of letters or numbers
        marker = next((each for each in markers if each.ordinal <= 1), markers[0])
        while self._open and line.box[0] < self._place(self._open[-1], line) - _INDENT:
            self._suspend(self._open.pop())
        new = OpenList(marker.style, marker.kind, line.box[0], index)
        if self._open:
            self._open[-1].last.children.append(new)
        else:
            self.lists.append(new)
        self._open.append(new)
        self._append(new, marker, line, index)

    def _append(self, into: OpenList, marker: Marker, line: Line, index: int) -> None:
        before = self._stream[index - 1] if index else line
        is_beside = before.page == line.page and before.box[2] <= line.box[0] and before.box[3] > line.box[1] + _INDENT
        into.items.append(OpenItem(marker, [line], is_cell=is_beside))
        into.x = line.box[0]
        for each in self._open:
            each.last_seen = index

    def _take_line(self, index: int, line: Line) -> None:
        """A line without a marker: it goes on with the deepest item that it can belong to, or ends the lists."""
        while self._open:
            top = self._open[-1]
            before = self._stream[index - 1]
            # the cell to the left goes on; it is no part of the item
            if top.last.is_cell and line.page == top.last.lines[0].page and line.box[2] <= self._place(top, line):
                return
            if self._continues(top, before, line):
                if line.box[0] > self._place(top, line) + _INDENT and line.page == top.last.lines[0].page:
                    top.is_hanging = True
                top.last.lines.append(line)
                for each in self._open:
                    each.last_seen = index
                return
            self._suspend(self._open.pop())

    def _continues(self, top: OpenList, before: Line, line: Line) -> bool:
        ended = before.text.rstrip()[-1:] in ".:;!?"
        if (before.page, before.column) != (line.page, line.column):
            return self._continues_across(top, before, line)
        height = before.box[3] - before.box[1]
        gap = line.box[1] - before.box[3]
        if line.bold and not before.bold:
            return False
        x = self._place(top, line)
        if line.box[0] > x + _INDENT:
            return gap < height * 2
        if line.box[0] < x - _INDENT or not is_close(before, line):
            # wrapped lines of an item may be set further left than its marker, at the margin, after a full line
            is_wrapped = (
                line.text.strip()[:1].islower() or before.box[2] * 100 > self._right[line.page, line.column] * 80
            )
            return is_close(before, line) and not ended and not top.is_hanging and is_wrapped
        if top.is_hanging:
            return False
        is_full = before.box[2] * 100 > self._right[line.page, line.column] * 80
        return is_full or not ended

    def _continues_across(self, top: OpenList, before: Line, line: Line) -> bool:
        """Whether an item goes on in the next column or page: a sentence does, and what is set further in."""
        if line.bold and not before.bold:
            return False
        x = self._place(top, line)
        if before.text.rstrip()[-1:] not in ".:;!?":
            # behind members of an inner list no line goes on with the outer item
            is_own = top.last.lines[-1] is before
            is_full = before.box[2] * 100 > self._far_right[before.column] * 95 and not self._is_narrow(before)
            # where lines are set further in than their marker, one at the marker is something else
            is_at_text = line.box[0] >= (x + _INDENT if top.is_hanging else x - _INDENT)
            return (is_own and is_full and is_at_text) or line.text.strip()[:1].islower()
        # the second sentence of an item stands under the first one, not under its marker
        return line.page - before.page <= 1 and line.box[0] > x + _INDENT

    def _is_narrow(self, line: Line) -> bool:
        """Whether the text of a column of a page is much narrower than beside it: then no line of it is a full one."""
        widths = {
            column: right - self._left[column] for (page, column), right in self._right.items() if page == line.page
        }
        return widths[line.column] * 100 < max(widths.values()) * _NARROW

    def _place(self, open_list: OpenList, line: Line) -> int:
        """Where the markers of a list stand in the column and on the page of a line: columns begin at other edges."""
        first = open_list.last.lines[0]
        place = open_list.x + self._left[line.column] - self._left[first.column]
        if (line.page - first.page) % 2:
            place += self._shift() if line.page % 2 == 0 else -self._shift()
        return place

    def _suspend(self, closed: OpenList) -> None:
        if closed.kind in ("numbered", "lettered", "identifier") and closed not in self._suspended:
            self._suspended.append(closed)


def _goes_on(open_list: OpenList, marker: Marker) -> bool:
    """Whether a marker is the next one of a list by its style and number."""
    if marker.style != open_list.style:
        return False
    if marker.kind == "bullet":
        return True
    step = marker.ordinal - open_list.last.marker.ordinal
    return step == 1 or (0 < step <= 5 and marker.kind == "identifier") or (step == 2 and marker.kind == "numbered")


def find_gaps(open_list: OpenList) -> tuple[str, ...]:
    """The numbers that a list leaves out after its first one, as they would be printed; none for bullets."""
    if open_list.kind == "bullet":
        return ()
    missing: list[str] = []
    expected = open_list.items[0].marker.ordinal
    for item in open_list.items:
        missing += [name_ordinal(open_list.style, number) for number in range(expected, item.marker.ordinal)]
        expected = item.marker.ordinal + 1
    return tuple(missing[:_MAX_GAPS])
