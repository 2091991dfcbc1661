"""Rows of an index of attachments: the lines that begin with a number, leftmost and never falling."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from pipeline.text.late import compile_late

if TYPE_CHECKING:
    from pipeline.models.base import Position
    from pipeline.models.document import Line, ParsedDocument

_MARKS = "*\u2020\u2021+#^\u00a7"
_CODE = compile_late(
    rf"[{_MARKS}\s\u200e]*(?P<label>\(?\d{{1,3}}\)?(?:\s?\.\s?\d{{1,3}}(?:\([ivx]+\))?)*(?:\s?\.\s?[A-Z]{{3}})?"
    rf"(?:[a-z]|[A-Z](?=[\s{_MARKS}]|$))?(?:\([a-z0-9]{{1,6}}\))*(?:\.\d{{1,2}})?\)?)"
    rf"[{_MARKS}]*(?:\s*\(\d\))?\.?(?=\s|$|[A-Z])"
)
_UNSEEN = " \t\n\u00a0\u200b\u200e\u200f\ufeff"
_SAME_PERCENT = 45
"""Share of the height of a line within which two stand on one baseline."""
INDENT = 300
"""Hundredths of a point that a description stands further right than its number."""


class Row(NamedTuple):
    """A number of an index: its label without marks, its line, the lines beside it and how many lines stood before.

    `is_plain`: a whole number, which anything may be.
    """

    label: str
    line: Line
    beside: tuple[Line, ...]
    offset: int
    at: int

    @property
    def is_plain(self) -> bool:
        """Whether the label is a whole number."""
        return self.label.isdigit()

    @property
    def head(self) -> int:
        """The number that the label begins with."""
        digits = ""
        for char in self.label:
            if not char.isdigit():
                break
            digits += char
        return int(digits)

    @property
    def column(self) -> int:
        """Where the description begins, in hundredths of a point; 0 where only its first line says so."""
        return self.beside[0].box[0] if self.beside and not self.line.text[self.offset :].strip() else 0


def measure_middle(line: Line) -> int:
    """Twice the middle of a line from the top of its page, in hundredths of a point."""
    return line.box[1] + line.box[3]


def is_level(line: Line, other: Line) -> bool:
    """Whether two lines stand on one baseline, as far as that can be told of cells of two sizes."""
    height = other.box[3] - other.box[1]
    return abs(measure_middle(line) - measure_middle(other)) * 100 < height * 2 * _SAME_PERCENT


class PageLines:
    """The evidence lines of pages from top to bottom and from left to right, each page sorted once."""

    def __init__(self, document: ParsedDocument, contents: frozenset[int]) -> None:
        """Keep the document; `contents` are lines of contents pages, which are left out."""
        self._document = document
        self._contents = contents
        self._pages: dict[int, list[Line]] = {}

    def list_lines(self, page: int) -> list[Line]:
        """The lines of a page."""
        if page not in self._pages:
            document = self._document
            span = range(document.index_of((page, 0)), document.index_of((page + 1, 0)))
            lines = [document.lines[index] for index in span if index not in self._contents]
            # a mark of the direction of writing alone in a cell is nothing that stands left of a number
            kept = [line for line in lines if line.is_evidence and line.text.strip(_UNSEEN)]
            self._pages[page] = sorted(kept, key=lambda line: (measure_middle(line), line.box[0]))
        return self._pages[page]


def find_code_rows(lines: Sequence[Line], before: Row | None, heads: Sequence[Position]) -> list[Row]:
    """The rows of a page that begin with a number, from the first one on while the numbers do not fall.

    Where one of `heads` stands before a number that falls, or only whole numbers stood before it, an index begins.
    """
    found = [row for at in range(len(lines)) if (row := _read_row(lines, at)) is not None]
    if not found:
        return []
    left = min(row.line.box[0] for row in found)
    column = find_column(lines, {id(row.line) for row in found}, left)
    rows: list[Row] = []
    for row in found:
        is_bare = not row.line.text[row.offset :].strip()
        # a description may wrap before a number ("filed as Exhibit" / "10.2 to the report")
        if column and row.line.box[0] > column - INDENT and not (is_bare and row.beside):
            continue
        last = rows[-1] if rows else before
        if last is not None and row.head < last.head:
            is_headed = any(last.line.position <= place <= row.line.position for place in heads)
            if before is not None or not (is_headed or all(row.is_plain for row in rows)):
                break
            rows = []
        rows.append(row)
    return rows


def _read_row(lines: Sequence[Line], at: int) -> Row | None:
    line = lines[at]
    match = _CODE.match(line.text)
    if match is None:
        return None
    level = [other for other in lines[max(0, at - 8) : at + 9] if other is not line and is_level(other, line)]
    rest = line.text[match.end() :].strip()
    if any(other.box[0] < line.box[0] for other in level) or (rest and not _begins_entry(rest)):
        return None
    beside = tuple(sorted((other for other in level if other.box[0] > line.box[0]), key=lambda other: other.box[0]))
    return Row(_spell_label(match["label"]), line, beside, match.end(), at)


def _begins_entry(rest: str) -> bool:
    """Whether words behind a number may be a description: they do not go on with a sentence."""
    first = rest.lstrip("\u201c\"'(\u2014\u2013-:. ")
    return bool(first) and (not first[0].islower() or len(rest.split()) < 2)


def _spell_label(label: str) -> str:
    """A number as it is pointed at: "(10)(a)" and "(3.1)" without the first parentheses, "31 .1" without white."""
    plain = "".join(label.split())
    if plain.startswith("("):
        head, _, rest = plain[1:].partition(")")
        plain = head + rest
    return plain if plain.count("(") == plain.count(")") else plain.rstrip(")")


def find_column(lines: Sequence[Line], codes: set[int], left: int) -> int:
    """Where most lines begin that are no number: the left edge of the descriptions."""
    counts = Counter(line.box[0] // 100 for line in lines if id(line) not in codes and line.box[0] > left + INDENT)
    most = max(sorted(counts), key=lambda edge: counts[edge], default=0)
    return most * 100 if counts and counts[most] > 1 else 0
