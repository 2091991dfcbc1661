"""Lists in pieces: numberings that go on from earlier lists, and pieces that an announced number holds together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pipeline.structure.markers import name_ordinal, read_markers
from pipeline.text.late import compile_late

if TYPE_CHECKING:
    from pipeline.models.base import Position
    from pipeline.models.structure import Enumeration, EnumerationItem
    from pipeline.structure.marked import OpenList
    from pipeline.structure.view import DocumentView

_MAX_BACK_LINES = 4000
_MAX_PAGES_BETWEEN = 3
_MAX_NAMED = 20
_TOLERANCE = 450
_MARKED = frozenset({"bullet", "numbered", "lettered"})
_LABEL = compile_late(r"\d+|[A-Za-z]+")


def find_earlier(view: DocumentView, open_list: OpenList) -> int:
    """The page of the item whose number comes right before the first one of a list; 0 where none stands before it.

    It has the same kind of mark at the same place; an identifier is known by itself.
    """
    first = open_list.items[0]
    line = first.lines[0]
    wanted, own = first.marker.ordinal - 1, first.marker.text.strip()
    is_named = open_list.kind == "identifier"
    before = _lower(own, wanted) if is_named else name_ordinal(open_list.style, wanted)
    last = view.document.index_of(line.position)
    for index in range(last - 1, max(-1, last - _MAX_BACK_LINES - 1), -1):
        other = view.document.lines[index]
        text = other.text.lstrip(" \u200b•▪–-o◦") if is_named else other.text.lstrip()
        # a plain test of the first characters spares the regexes on nearly every line
        if not text.startswith((before, own)) or not other.is_evidence:
            continue
        if not is_named and (other.column == line.column and abs(other.box[0] - line.box[0]) > _TOLERANCE):
            continue
        found = [each for each in read_markers(other.text) if each.style.endswith(open_list.style.lstrip("•▪–-o◦"))]
        if any(each.ordinal == wanted for each in found):
            return other.page
        if any(each.ordinal == first.marker.ordinal for each in found):
            # the same number again: what stands before that belongs to another list
            return 0
    return 0


def _lower(identifier: str, ordinal: int) -> str:
    """An identifier with another number, as wide as its own: "AB-005" and 4 give "AB-004"."""
    return re.sub(r"\d+(?!.*\d)", lambda match: str(ordinal).zfill(len(match.group())), identifier)


def list_before(open_list: OpenList, earlier: int) -> tuple[str, ...]:
    """The identifiers before the first one where none of them stands in the document.

    A plain number may have begun anywhere, but an identifier is a name, and its family begins with the first one.
    """
    first = open_list.items[0].marker.ordinal
    if open_list.kind != "identifier" or earlier:
        return ()
    return tuple(name_ordinal(open_list.style, ordinal) for ordinal in range(1, first))[:_MAX_NAMED]


def join_pieces(found: Sequence[Enumeration], breaks: frozenset[Position]) -> list[Enumeration]:
    """The lists, each with the later pieces that its announced number asks for; the pieces stay lists of their own.

    "the following six": three bullets, a paragraph, and three more are six; four and four are not.
    """
    joined = list(found)
    for place, own in enumerate(found):
        pieces = _collect(own, found[place + 1 :], breaks)
        if len(pieces) > 1:
            joined[place] = _join(pieces)
    return joined


def _collect(own: Enumeration, later: Sequence[Enumeration], breaks: frozenset[Position]) -> list[Enumeration]:
    pieces, count = [own], len(_members(own))
    if own.cue is None or count >= own.cue:
        return pieces
    for other in later:
        last = pieces[-1]
        if other.start < last.end:
            continue
        if not _goes_on(last, other, breaks) or other.start[0] - last.end[0] > _MAX_PAGES_BETWEEN:
            break
        pieces.append(other)
        count += len(_members(other))
        if count == own.cue:
            return pieces
        if count > own.cue:
            break
    return [own]


def join_under_headings(found: Sequence[Enumeration]) -> list[Enumeration]:
    """The lists, with those under the subheadings of a section for the subheadings where an announced number says so.

    "seven duties", then "By day" with four of them and "By night" with three: the duties are seven, not two.
    """
    marked = [own for own in found if own.kind in _MARKED and own.cue is None]
    return [_gather(own, marked) if own.kind == "headings" else own for own in found]


def _gather(headings: Enumeration, marked: Sequence[Enumeration]) -> Enumeration:
    if headings.cue is None or headings.cue == len(headings.items):
        return headings
    pieces: list[Enumeration] = []
    for own in marked:
        is_nested = bool(pieces) and own.start < pieces[-1].end
        if headings.start <= own.start < headings.end and not is_nested:
            pieces.append(own)
    if len(pieces) < 2 or sum(len(_members(piece)) for piece in pieces) != headings.cue:
        return headings
    told = {"lead": headings.lead, "lead_extents": headings.lead_extents, "cue": headings.cue}
    return _join(pieces).model_copy(update=told)


def _members(own: Enumeration) -> list[EnumerationItem]:
    return [item for item in own.items if item.level == 0]


def _goes_on(last: Enumeration, other: Enumeration, breaks: frozenset[Position]) -> bool:
    """Whether a list is the next piece of another: its next number, or the same bullet under the same heading."""
    one, two = _members(last), _members(other)
    if other.kind != last.kind or other.cue is not None or _frame(one[-1].marker) != _frame(two[0].marker):
        return False
    if last.kind == "bullet":
        return one[0].marker == two[0].marker and not any(last.end <= position < other.start for position in breaks)
    before = {marker.ordinal for marker in read_markers(f"{one[-1].marker} x")}
    return other.begins_at - 1 in before


def _frame(marker: str) -> str:
    return _LABEL.sub("#", marker.strip())


def _join(pieces: Sequence[Enumeration]) -> Enumeration:
    first, last = pieces[0], pieces[-1]
    return first.model_copy(
        update={
            "items": tuple(item for piece in pieces for item in piece.items),
            "end": last.end,
            "is_closed": last.is_closed,
            "gaps": tuple(gap for piece in pieces for gap in piece.gaps),
        }
    )
