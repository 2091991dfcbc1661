"""What stands above a series and belongs to it alone: its lead, and the lines between the list before it and that."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pipeline.structure.paragraphs import is_close
from pipeline.text.matching import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.models.document import Line
    from pipeline.models.lexicon import Lexicon
    from pipeline.models.structure import Enumeration
    from pipeline.structure.view import DocumentView

    Point = tuple[int, int, int]

LINES_BACK, POINTING_WORDS, LINE_END, MAX_TITLE_CHARACTERS = 8, 4, 1_000_000, 60
_LEADING_MARKS = (":", "\uff1a", "\u2014", "\u2013", "-")


class Scope(NamedTuple):
    """What introduces a series: its own lead, and the text and lines between the list before it and the lead.

    `pointed` is what the lead points back to ("These increases were partially offset by"): its paragraph up to it, else
    the sentence before it, or the lead of the series right before it; empty where the lead stands for itself.
    """

    lead: str
    text: str
    lines: tuple[Line, ...]
    pointed: str


def read_scope(view: DocumentView, own: Enumeration, others: Sequence[Enumeration]) -> Scope:
    """The scope of a series among the others near it; the members of another list are no part of it."""
    begins, first = _find_lead(own), _find_first(own)
    earlier = [each for each in others if _find_end(each) <= first and _find_first(each) < begins]
    earlier += [each for each in others if begins <= _find_first(each) and _find_end(each) <= first and each != own]
    previous = max(earlier, key=lambda each: (_find_end(each), _find_first(each)), default=None)
    ended = _find_end(previous) if previous is not None else (0, 0, 0)
    if previous is not None and ended > begins:
        # one sentence holds both: "was due to (1) ..., partially offset by (1) ..."
        lead = _join(view, _list_lines(view, own, ended, first), ended, first)
        return Scope(lead, "", (), previous.lead)
    lines = _list_lines(view, own, ended, begins)
    paragraph = _take_paragraph(lines)
    text = _join(view, _take_introducing(lines, len(lines) - len(paragraph)), ended, begins)
    before = _join(view, paragraph, ended, begins) or _join(view, lines, ended, begins)
    return Scope(own.lead, text, lines, _read_pointed(view, own, before, previous))


def _read_pointed(view: DocumentView, own: Enumeration, text: str, previous: Enumeration | None) -> str:
    if not _points_back(own.lead, view.lexicon):
        return ""
    if any(map(str.isalnum, text)):
        return text
    if previous is None:
        return ""
    above = _list_lines(view, previous, (0, 0, 0), _find_lead(previous))
    return f"{_join(view, above, (0, 0, 0), _find_lead(previous))} {previous.lead}"


def _take_paragraph(lines: Sequence[Line]) -> Sequence[Line]:
    """The last lines that follow closely on one another."""
    first = max(0, len(lines) - 1)
    while first > 0 and is_close(lines[first - 1], lines[first]):
        first -= 1
    return lines[first:]


def _take_introducing(lines: Sequence[Line], first: int) -> Sequence[Line]:
    """A last paragraph with the paragraphs before it that end with a mark that leads on, and with a title above it."""
    while first > 0:
        above = lines[first - 1].text.rstrip()
        leads_on = above.endswith(_LEADING_MARKS)
        is_title = len(above) <= MAX_TITLE_CHARACTERS and above[-1:].isalnum()
        if not leads_on and not is_title:
            break
        first -= len(_take_paragraph(lines[:first]))
    return lines[first:]


def _points_back(lead: str, lexicon: Lexicon) -> bool:
    words = [word.strip(".,:;()") for word in fold(lead).split()]
    return any(word in lexicon.anaphora for word in words[:POINTING_WORDS])


def _find_lead(own: Enumeration) -> Point:
    """Where the lead of a list begins; where the list does, if it has none."""
    if not own.lead_extents:
        return _find_first(own)
    extent = own.lead_extents[0]
    return extent.page, extent.line_start, extent.start_offset


def _find_first(own: Enumeration) -> Point:
    extent = own.items[0].extents[0]
    return extent.page, extent.line_start, extent.start_offset


def _find_end(own: Enumeration) -> Point:
    extent = own.items[-1].extents[-1]
    return extent.page, extent.line_end, LINE_END if extent.end_offset is None else extent.end_offset


def _list_lines(view: DocumentView, own: Enumeration, start: Point, end: Point) -> tuple[Line, ...]:
    """The last lines between two places, within the section of a list."""
    section = view.document.section_at(own.start)
    top = max((end[0] - 1, 1), start[:2])
    if section is not None and section.start < end[:2]:
        top = max(top, (section.start[0], section.start[1] + 1))
    return view.lines_in(top, (end[0], end[1] + 1))[-LINES_BACK:]


def _join(view: DocumentView, lines: Sequence[Line], start: Point, end: Point) -> str:
    """The text of lines between two places within the outer ones."""
    pieces = []
    for line in lines:
        low = start[2] if line.position == start[:2] else 0
        high = end[2] if line.position == end[:2] else len(line.text)
        pieces.append(line.text[low:high].strip())
    return " ".join(filter(None, pieces))
