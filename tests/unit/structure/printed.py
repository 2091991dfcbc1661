"""Lists printed on pages by hand: any mark, wrapped lines, nested items, columns and page breaks."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, field

from hypothesis import strategies as st

from pipeline.models.document import Line
from tests.unit.structure.pages import HEIGHT, PITCH, lay_table, make_line

LEAD = "The harbour office keeps the following books and shows them to whoever asks:"
AFTER = "What is not named above is kept by the harbour master, who answers for all of it."
BULLETS = ("•", "●", "▪", "–", "-", "*", "◦", "➢", "✓")
FRAMES = ("{}.", "{})", "({})")
NOUNS = "ships crews cargo berths quays cranes tugs pilots ropes lamps buoys tides wharves ferries anchors".split()
MORE = "that stay in the port for more than a week and pay their dues at the gate every month".split()
ENDS = ("", ".", ";")
CHARACTER = 480


@dataclass(frozen=True)
class Style:
    """How members are marked: `kind` bullet, number, letter, roman or code, and the frame of the mark."""

    kind: str
    frame: str

    def mark(self, ordinal: int) -> str:
        """The mark of the n-th member."""
        if self.kind == "bullet":
            return self.frame
        if self.kind == "code":
            return self.frame.format(f"{ordinal:02d}")
        label = {"number": str(ordinal), "letter": chr(96 + ordinal), "roman": ROMAN[ordinal - 1]}[self.kind]
        return self.frame.format(label)


ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv")


@dataclass
class Member:
    """A member with the members below it."""

    text: str
    below: list[str] = field(default_factory=list)


@dataclass
class Printed:
    """A list with its style, the style of what is nested, and its pages."""

    members: list[Member]
    style: Style
    nested: Style
    lines: list[Line]


def styles() -> st.SearchStrategy[Style]:
    """Every way to mark members."""
    bullets = st.sampled_from(BULLETS).map(lambda mark: Style("bullet", mark))
    framed = st.builds(Style, st.sampled_from(("number", "letter", "roman")), st.sampled_from(FRAMES))
    codes = st.sampled_from(("AB-{}:", "AB.CD-{}:", "REQ-{}")).map(lambda frame: Style("code", frame))
    return st.one_of(bullets, framed, codes)


@st.composite
def members(draw: st.DrawFn, can_nest: bool = True) -> list[Member]:
    """Members that differ in their first word; some wrap, some have members below them."""
    end = draw(st.sampled_from(ENDS))
    names = draw(st.permutations(NOUNS))[: draw(st.integers(2, len(NOUNS)))]
    found = []
    for name in names:
        tail = " ".join(MORE[: draw(st.sampled_from((0, 3, 9, 18)))])
        below = draw(st.lists(st.sampled_from(NOUNS), min_size=2, max_size=4, unique=True)) if can_nest else []
        is_nested = can_nest and draw(st.integers(0, 3)) == 0
        texts = [f"{word} of {name}{end}" for word in below] if is_nested else []
        found.append(Member(f"{name} {tail}".strip() + end, texts))
    return found


@st.composite
def printed_lists(draw: st.DrawFn, can_nest: bool = True) -> Printed:
    """A list on pages of one or two columns, cut wherever a column ends."""
    style = draw(styles())
    nested = draw(styles().filter(lambda other: (other.kind, other.frame) != (style.kind, style.frame)))
    listed = draw(members(can_nest))
    is_hanging = draw(st.booleans())
    columns, rows, used = draw(st.integers(1, 2)), draw(st.integers(8, 30)), draw(st.integers(1, 6))
    flow = Flow(columns, rows, used)
    if columns > 1:
        # running text shows how wide each column is
        flow.fill(rows - used + 2)
    flow.put(LEAD, 0)
    gap = draw(st.sampled_from((0, 0, PITCH // 2)))
    for ordinal, member in enumerate(listed, 1):
        flow.skip(gap)
        flow.put_marked(style.mark(ordinal), member.text, 0, is_hanging)
        for number, text in enumerate(member.below, 1):
            flow.put_marked(nested.mark(number), text, 1, is_hanging)
    if draw(st.booleans()):
        flow.skip(PITCH)
        flow.put(AFTER, 0)
    return Printed(listed, style, nested, flow.lines)


class Flow:
    """Sets text line by line, into the next column or page where one is full; every page has a header and a footer."""

    def __init__(self, columns: int, rows: int, used: int) -> None:
        """Begin on a page of which some rows are used by a paragraph before."""
        self.lines: list[Line] = []
        self._columns, self._rows = columns, rows
        self._width = 84 // columns
        self._page, self._column, self._number, self._block = 0, columns, 0, 0
        self._y = 0
        self.fill(min(used, rows - 2))

    def skip(self, height: int) -> None:
        """Leave room; what follows is a block of its own."""
        if height:
            self._y += height
            self._block += 1

    def fill(self, count: int) -> None:
        """Lines of running text as wide as the column."""
        for _ in range(count):
            self._set(MORE_LINE[: self._width], 0)
        self.skip(PITCH)

    def put(self, text: str, level: int) -> None:
        """A paragraph."""
        self._block += 1
        for piece in textwrap.wrap(text, self._width - 4 * level):
            self._set(piece, level * 4)

    @property
    def count(self) -> int:
        """How many lines are set."""
        return len(self.lines)

    def reserve(self, count: int) -> None:
        """Turn the page where it has no room for so many lines."""
        if self._y + count * PITCH > 12000 + self._rows * PITCH:
            self._turn()

    def put_row(self, cells: tuple[str, ...]) -> None:
        """A row of a table: its first cell set left, the others right."""
        for column, text in enumerate(cells):
            x = 7200 + column * 12000 - (CHARACTER * len(text) if column else 0)
            self._number += 1
            self.lines.append(make_line(text, self._page, self._number, (x, self._y), block=self._block))
        self._y += PITCH

    def put_note(self, text: str) -> None:
        """A footnote in small type at the foot of the page, which is full with it."""
        self._number += 1
        at = (7200, 72000)
        self.lines.append(make_line(text, self._page, self._number, at, size=700, block=999))
        self._y = 12000 + self._rows * PITCH

    def embolden(self, first: int, length: int) -> None:
        """Set the beginning of the first line of text from a place on in bold."""
        place = next(i for i in range(first, len(self.lines)) if not self.lines[i].is_furniture)
        self.lines[place] = self.lines[place].model_copy(update={"bold_prefix": length})

    def put_marked(self, mark: str, text: str, level: int, is_hanging: bool) -> None:
        """A member: its mark and text, wrapped under its text or under its mark."""
        self.put_at(mark, text, 4 * level, is_hanging)

    def put_at(self, mark: str, text: str, first: int, is_hanging: bool) -> None:
        """A member whose mark is set in by some characters."""
        indent = first + (len(mark) + 1 if is_hanging else 0)
        pieces = textwrap.wrap(f"{mark} {text}", self._width - indent)
        for number, piece in enumerate(pieces):
            self._set(piece, first if number == 0 else indent)

    def _set(self, text: str, indent: int) -> None:
        if self._column >= self._columns or self._y + PITCH > 12000 + self._rows * PITCH:
            self._turn()
        x = 7200 + self._column * (self._width + 6) * CHARACTER + indent * CHARACTER
        self._number += 1
        self.lines.append(
            make_line(
                text,
                self._page,
                self._number,
                (x, self._y),
                block=self._block,
                column=self._column,
                box=(x, self._y, x + CHARACTER * len(text), self._y + HEIGHT),
            )
        )
        self._y += PITCH

    def _turn(self) -> None:
        self._column += 1
        if self._column >= self._columns:
            if self._page:
                self._put_furniture(f"Page {self._page}", 75000)
            self._page, self._column, self._number = self._page + 1, 0, 0
            self._put_furniture("Rules of the harbour", 3000)
        self._y = 12000
        self._block += 1

    def _put_furniture(self, text: str, y: int) -> None:
        self._number += 1
        self.lines.append(make_line(text, self._page, self._number, (7200, y), is_furniture=True, block=0))


MORE_LINE = "The port lies on the river and is kept by the town, which pays for quays and lamps. "


@st.composite
def printed_series(draw: st.DrawFn) -> tuple[list[str], list[Line]]:
    """Members in a sentence with their number, and the wrapped lines of the paragraph."""
    names = draw(st.permutations(NOUNS))[: draw(st.integers(2, 8))]
    parts = [f"{name} {' '.join(MORE[: draw(st.sampled_from((0, 3)))])}".strip() for name in names]
    is_marked = draw(st.booleans())
    marks = [draw(st.sampled_from(FRAMES[1:]))] * len(parts) if is_marked else []
    kind = draw(st.sampled_from(("number", "letter", "roman")))
    shown = [f"{Style(kind, mark).mark(n)} {part}" for n, (mark, part) in enumerate(zip(marks, parts, strict=False), 1)]
    shown = shown or parts
    # only marked members are parted by semicolons as safely as by commas
    mark = draw(st.sampled_from((", ", "; "))) if is_marked else ", "
    joint = mark.rstrip() if len(shown) > 2 or mark == "; " else ""
    joined = mark.join(shown[:-1]) + f"{joint} and " + shown[-1]
    flow = Flow(draw(st.integers(1, 2)), 30, draw(st.integers(0, 20)))
    flow.put(f"The office keeps the following {COUNTS[len(parts)]} books: {joined}. {AFTER}", 0)
    return parts, flow.lines


COUNTS = ("", "one", "two", "three", "four", "five", "six", "seven", "eight")


@st.composite
def printed_heads(draw: st.DrawFn) -> tuple[list[str], list[Line]]:
    """Paragraphs with bold heads, and their lines."""
    names = draw(st.permutations(NOUNS))[: draw(st.integers(2, 8))]
    flow = Flow(draw(st.integers(1, 2)), draw(st.integers(10, 30)), draw(st.integers(0, 6)))
    for name in names:
        head = f"{name.capitalize()} at night."
        before = len(flow.lines)
        flow.skip(PITCH // 2)
        flow.put(f"{head} Nobody may touch them without the key. {AFTER}", 0)
        first = next(i for i in range(before, len(flow.lines)) if not flow.lines[i].is_furniture)
        flow.lines[first] = flow.lines[first].model_copy(update={"bold_prefix": len(head)})
    return [f"{name.capitalize()} at night" for name in names], flow.lines


REST_ROWS = 2
"""Rows that make a table known as one where it goes on."""


@st.composite
def printed_rows(draw: st.DrawFn) -> tuple[list[str], list[Line]]:
    """The names of the rows of a table with numbers, which may go on over a page with its header again."""
    names = [name.capitalize() for name in draw(st.permutations(NOUNS))[: draw(st.integers(3, 15))]]
    width = draw(st.integers(2, 4))
    header = ["Name", *[str(2020 + column) for column in range(1, width)]]
    rows = [[name, *[f"{draw(st.integers(0, 9999)):,}" for _ in header[1:]]] for name in names]
    cut = draw(st.integers(3, 12))
    cut = len(rows) if len(rows) - cut < REST_ROWS else cut
    xs = (7200, 30000, 40000, 50000)
    lines = [make_line("Table 1. Books of the harbour office", 1, 1, (7200, 4000))]
    lines += lay_table([header, *rows[:cut]], xs, 1, 7200, 2)
    if rows[cut:]:
        lines += lay_table([header, *rows[cut:]], xs, 2, 7200)
    return names, lines
