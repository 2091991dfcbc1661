"""The words of an answer with raised figures told apart: "n^2", "10^19", and no footnote mark inside a word.

Quotes stay as the text layer has them. What an answer says was put together from cited lines, so each cited line with
raised or lowered figures is looked for in it, the whole line first, and then each figure by what stands around it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from pipeline.structure.marks import Mark, find_note
from pipeline.text.late import compile_late
from pipeline.text.scripts import Edit, Script, apply_edits, list_edits

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pipeline.generation.extractive.reading import Reading
    from pipeline.models.answer import Citation, Item
    from pipeline.models.document import Line
    from pipeline.structure.view import DocumentView

_SIGN = compile_late(r"\d{1,2}|[A-Za-z]|[^\w\s()\[\],]{1,3}")
_REACHES = (24, 8)
"""Characters on each side by which the place of a figure is told from others, the longer first."""
_MIN_LONG = 12
_FIRST_MASK = 0x100000
"""Told pieces are masked with private characters of the last plane, so that nothing is told twice."""


class _Told(NamedTuple):
    """A cited line with what is told of it in place of what; `pieces` are the parts of it that are quoted."""

    line: Line
    edits: tuple[Edit, ...]
    pieces: tuple[tuple[int, int], ...]


def tell_raised(view: DocumentView, reading: Reading) -> Reading:
    """The reading with its words, and those of its items, told by what is raised and lowered on the cited lines."""
    found = [(item, _list_told(view, item.citations)) for item in reading.items]
    lines = {told.line.position: told for _, own in found for told in own}
    if not lines:
        return reading
    every = tuple(lines.values())
    conflict = reading.conflict
    if conflict is not None:
        values = tuple(_retell(value, every) for value in conflict.values)
        conflict = conflict.model_copy(update={"concept": _retell(conflict.concept, every), "values": values})
    return replace(
        reading,
        text=_retell(reading.text, every),
        items=tuple(_retell_item(item, own) for item, own in found),
        conflict=conflict,
        caveats=tuple(_retell(caveat, every) for caveat in reading.caveats),
    )


def _retell_item(item: Item, told: Sequence[_Told]) -> Item:
    if not told:
        return item
    changed = {name: _retell(text, told) for name in ("text", "label", "period") if (text := getattr(item, name))}
    return item.model_copy(update={**changed, "qualifiers": tuple(_retell(word, told) for word in item.qualifiers)})


def _list_told(view: DocumentView, citations: Iterable[Citation]) -> tuple[_Told, ...]:
    found: list[_Told] = []
    for citation in citations:
        for number in range(citation.line_start, citation.line_end + 1):
            line = view.document.line_at(citation.page, number)
            if line is None or not (line.raised or line.lowered):
                continue
            if edits := _list_edits(view, line):
                found.append(_Told(line, edits, _find_pieces(line.text, citation.quote)))
    return tuple(found)


def _list_edits(view: DocumentView, line: Line) -> tuple[Edit, ...]:
    def is_noted(script: Script) -> bool:
        return _has_note(view, line, script)

    return list_edits(line.text, line.raised, line.lowered, is_noted)


def _has_note(view: DocumentView, line: Line, script: Script) -> bool:
    """Whether the page has a note with the first sign of a mark."""
    sign = _SIGN.search(line.text, script.start, script.end)
    return sign is not None and find_note(view, Mark(sign.group(), line, script.start, script.end)) is not None


def _find_pieces(text: str, quote: str) -> tuple[tuple[int, int], ...]:
    """The line and the parts of it that a quote holds, as offsets, the longest first."""
    parts = {piece.strip().rstrip("-\u2010\u2011\u00ad") for piece in (text, *quote.split("\n"))}
    spans = {(at, at + len(part)) for part in parts if part and (at := text.find(part)) >= 0}
    return tuple(sorted(spans, key=lambda span: (span[0] - span[1], span)))


def _retell(text: str, lines: Sequence[_Told]) -> str:
    masked: list[str] = []
    for told in lines:
        source = told.line.text
        for start, end in told.pieces:
            inside = [edit for edit in told.edits if start <= edit.start and edit.end <= end]
            if inside:
                piece = _Piece(source, start, end, start, end)
                # an answer has one space where the page may have several
                text = _mask(text, piece, " ".join(apply_edits(source, tuple(inside), start, end).split()), masked)
        # from the last to the first, so that what stands before a figure is still as the line has it
        bounds = [edit.start for edit in told.edits[1:]] + [len(source)]
        for edit, bound in reversed(list(zip(told.edits, bounds, strict=True))):
            for piece in _list_places(source, edit, bound):
                text = _mask(text, piece, edit.told, masked)
    for index in range(len(masked) - 1, -1, -1):
        text = text.replace(chr(_FIRST_MASK + index), masked[index])
    return text


class _Piece(NamedTuple):
    """[start, end) of a line, looked for with what stands around it, [low, high)."""

    source: str
    start: int
    end: int
    low: int
    high: int


def _list_places(source: str, edit: Edit, bound: int) -> Iterable[_Piece]:
    """A figure with much and with little around it, and at last with nothing but the word that it stands behind."""
    for reach in _REACHES:
        low, high = max(0, edit.start - reach), min(edit.end + reach, bound)
        yield _Piece(source, edit.start, edit.end, low, high)
    words = source[: edit.start].split()
    # a word that the line has again without anything raised would be told wrongly
    if words and source.count(words[-1] + source[edit.start : edit.end]) == 1:
        yield _Piece(source, edit.start, edit.end, edit.start - len(words[-1]), edit.end)


def _mask(text: str, piece: _Piece, told: str, masked: list[str]) -> str:
    """The text with every place of a piece masked; whole words only where the piece is short."""
    source, start, end, low, high = piece
    before, flat, after = source[low:start], source[start:end], source[end:high]
    # most pieces stand nowhere in the text, and a plain test says so
    if flat.strip()[:1] not in text:
        return text
    # what is long is found in its place; at a line end it may be part of a word
    is_short = high - low < _MIN_LONG
    left = r"(?<!\w)" if is_short and source[low].isalnum() and not source[low - 1 : low].isalnum() else ""
    right = r"(?!\w)" if is_short and source[high - 1].isalnum() and not source[high : high + 1].isalnum() else ""
    pattern = f"{left}({_loosen(before)}){_loosen(flat)}(?={_loosen(after)}{right})"
    mask = chr(_FIRST_MASK + len(masked))
    changed = re.sub(pattern, lambda match: match.group(1) + mask, text)
    if changed != text:
        masked.append(told)
    return changed


def _loosen(text: str) -> str:
    """A pattern of a text in which any white space may stand for any other."""
    return r"\s+".join(map(re.escape, re.split(r"\s+", text)))
