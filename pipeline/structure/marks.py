"""Footnote marks on words and values, and the notes that they lead to on the same page."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pipeline.models.structure import Extent, MentionAt, Target
from pipeline.text.late import compile_late

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pipeline.models.document import Line
    from pipeline.structure.view import DocumentView

_SIGNS = "*∗†‡§"
_PRINTED = compile_late(rf"(?<=[\w%)])\s?(\((?:\d{{1,2}}|[a-z])\)|[{_SIGNS}]{{1,3}})\s*$")
_RAISED = compile_late(rf"\(?(\d{{1,2}}|[a-z]|[{_SIGNS}]{{1,3}})\)?(?:,\s*(?:\d{{1,2}}|[a-z]))*")
_MARKS = ("mark", "mark or power", "mark or plain")
_NOTE = compile_late(rf"\s*(?:\(?(\d{{1,2}}|[a-z])[).]?|([{_SIGNS}]{{1,3}}))\s*(?=[^\W\d_]|[“\"(])")
_MAX_NOTE_LINES = 6
_RAISED_NOTE = compile_late(r"\s*\(?(\d{1,2}|[a-z])\)?\s*\S")


class Mark(NamedTuple):
    """A footnote mark: its sign without parentheses and where it stands."""

    sign: str
    line: Line
    start: int
    end: int

    @property
    def mention(self) -> MentionAt:
        """The mark as a reference to a footnote."""
        extent = Extent(
            page=self.line.page, line_start=self.line.number, line_end=self.line.number,
            start_offset=self.start, end_offset=self.end,
        )  # fmt: skip
        return MentionAt(
            kind="footnote", key=f"footnote:{self.sign}", text=self.line.text[self.start : self.end], extent=extent
        )


def find_marks(lines: Sequence[Line]) -> tuple[Mark, ...]:
    """Marks raised behind a word or number, and marks in print at the end of a cell; exponents are none."""
    return tuple(mark for line in lines for mark in _find_on(line))


def _find_on(line: Line) -> Iterator[Mark]:
    if line.raised:
        yield from _find_raised(line)
    # in running text a sign or "(a)" at the end of a line is a list or a label; in a cell it is a mark
    if line.raised or len(line.text) > 60:
        return
    printed = _PRINTED.search(line.text)
    if printed is not None and printed.start():
        yield Mark(printed.group(1).strip("()"), line, printed.start(1), printed.end(1))


def _find_raised(line: Line) -> Iterator[Mark]:
    from pipeline.text.scripts import find_scripts

    for kind, start, end in find_scripts(line.text, line.raised, line.lowered):
        match = _RAISED.fullmatch(line.text[start:end])
        # a mark that begins the line is the note itself
        if match is not None and kind in _MARKS:
            yield Mark(match.group(1), line, start, end)


def find_note(view: DocumentView, mark: Mark) -> Target | None:
    """The note of a mark: the one note with its sign below it on the page; None where there is none or several."""
    lines = [line for line in view.document.lines_on(mark.line.page) if line.is_evidence]
    starts = [line for line in lines if line.box[1] > mark.line.box[1] and opens_note(line, mark.sign)]
    # a list "(1) ... (2) ..." in running text looks the same; a note is smaller, has a raised sign, or is below a table
    small = [line for line in starts if _has_raised_head(line) or line.size * 100 <= mark.line.size * 97]
    chosen = small or [line for line in starts if _is_below_cells(lines, line)]
    # two notes of one sign on a page: nothing says which is meant
    if len(chosen) != 1:
        return None
    first = chosen[0]
    last = find_note_end(lines, first)
    return Target(
        kind="footnote",
        key=f"footnote:{mark.sign}",
        label=mark.sign,
        title=first.text.strip()[:80],
        start=first.position,
        end=(last.page, last.number + 1),
    )


def _has_raised_head(line: Line) -> bool:
    return bool(line.raised) and not line.text[: line.raised[0][0]].strip()


def opens_note(line: Line, sign: str) -> bool:
    """Whether a line begins with a sign, raised or in print, and goes on with words."""
    text = line.text
    if _has_raised_head(line):
        match = _RAISED_NOTE.match(text)
        return match is not None and match.group(1) == sign and len(text) > 12
    match = _NOTE.match(text)
    return match is not None and sign in (match.group(1), match.group(2)) and len(text) > 12


def _is_below_cells(lines: Sequence[Line], line: Line) -> bool:
    """Whether the row above a line, or above its block of notes, has two and more cells: a table ends there."""
    above = [other for other in lines if other.box[1] < line.box[1] - 100 and not _NOTE.match(other.text)]
    if not above:
        return False
    nearest = max(above, key=lambda other: (other.box[1], other.box[0]))
    return sum(1 for other in above if abs(other.box[1] - nearest.box[1]) < 300) > 1


def find_note_end(lines: Sequence[Line], first: Line) -> Line:
    """The last line of the note that begins at `first`: close below it, in its type, and no note of its own."""
    last = first
    for line in lines[lines.index(first) + 1 :][: _MAX_NOTE_LINES - 1]:
        gap = line.box[1] - last.box[3]
        is_next = -200 <= gap < (first.box[3] - first.box[1]) * 7 // 10 and abs(line.size - first.size) < 60
        if (
            not is_next
            or _NOTE.match(line.text)
            or (line.raised and line.raised[0][0] == 0)
            or line.column != first.column
        ):
            break
        last = line
    return last
