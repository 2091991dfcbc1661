"""From marks in reading order to nested sections with ends, numbers and breadcrumbs."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from pipeline.models.base import Position
from pipeline.models.document import Line, OutlineSource, Section
from pipeline.parsing.headings import Heading, Style
from pipeline.parsing.numbering import HeadingNumber

_DIVISION_RANKS = {"part": 0, "item": 10, "chapter": 10, "article": 10}
_NOTE_RANK = 40
_DECIMAL_RANK = 40
_STRONG_RANK = 20
_WEAK_RANK = 60
_BELOW_BASE = 1000


class Mark(NamedTuple):
    """A section start: where, how deep (`rank`: smaller is higher), what it is called and who says so.

    A mark without a title makes no section: it ends those above it, for an outline entry whose heading is not in
    the text.
    """

    start: Position
    rank: int
    title: str
    number: str
    source: OutlineSource


def nest_marks(marks: list[Mark], lines: tuple[Line, ...]) -> tuple[Section, ...]:
    """Sections from marks in document order: each ends where the next one of its rank or a higher one begins."""
    if not marks:
        return ()
    finish = (lines[-1].page, lines[-1].number + 1) if lines else (marks[-1].start[0], marks[-1].start[1] + 1)
    ends = [max(finish, marks[-1].start)] * len(marks)
    parents: list[int | None] = []
    open_marks: list[int] = []
    # a stack of open sections: whatever is of equal or lower rank ends here
    for index, mark in enumerate(marks):
        while open_marks and marks[open_marks[-1]].rank >= mark.rank:
            ends[open_marks.pop()] = mark.start
        parents.append(open_marks[-1] if open_marks else None)
        open_marks.append(index)
    numbers = _fill_numbers(marks, parents)
    sections: list[Section] = []
    places: list[int | None] = []
    for index, mark in enumerate(marks):
        above = parents[index]
        parent = places[above] if above is not None else None
        if not mark.title:
            places.append(parent)
            continue
        places.append(len(sections))
        trail = (*sections[parent].breadcrumb, sections[parent].title) if parent is not None else ()
        sections.append(
            Section.model_construct(
                index=len(sections),
                title=mark.title,
                number=numbers[index],
                level=len(trail) + 1,
                breadcrumb=trail,
                start=mark.start,
                end=ends[index],
                source=mark.source,
                parent=parent,
            )
        )
    return tuple(sections)


def _fill_numbers(marks: list[Mark], parents: list[int | None]) -> list[str]:
    """Give a section its number when its neighbours leave exactly one: 5.2, (none), 5.4."""
    numbers = [mark.number for mark in marks]
    by_parent: dict[int | None, list[int]] = {}
    for index, parent in enumerate(parents):
        by_parent.setdefault(parent, []).append(index)
    for siblings in by_parent.values():
        for before, between, after in zip(siblings, siblings[1:], siblings[2:], strict=False):
            low, high = numbers[before].rpartition("."), numbers[after].rpartition(".")
            is_gap = low[0] == high[0] and low[2].isdigit() and high[2].isdigit() and int(high[2]) - int(low[2]) == 2
            if is_gap and not numbers[between]:
                numbers[between] = f"{low[0]}{low[1]}{int(low[2]) + 1}"
    return numbers


def rank_headings(headings: list[Heading]) -> list[int]:
    """Ranks of typographic headings: divisions by their word, decimals by depth, the others by how they are set.

    Unnumbered headings set like a numbered level share its rank; weaker ones lie below all numbers, stronger ones
    above.
    """
    has_divisions = any(heading.number and heading.number.kind in _DIVISION_RANKS for heading in headings)
    numbered: dict[int, Counter[Style]] = {}
    for heading in headings:
        if heading.number is not None:
            rank = rank_number(heading.number, has_divisions)
            numbered.setdefault(rank, Counter())[heading.style] += 1
    usual = {rank: styles.most_common(1)[0][0] for rank, styles in sorted(numbered.items())}
    anchor = next((style for rank, style in usual.items() if rank > _DECIMAL_RANK), None)
    order = {style: place for place, style in enumerate(sorted({h.style for h in headings}, key=_order_style))}
    ranks: list[int] = []
    for heading in headings:
        if heading.number is not None:
            ranks.append(rank_number(heading.number, has_divisions))
            continue
        same = [rank for rank, style in usual.items() if style == heading.style and rank > _DECIMAL_RANK]
        place = min(order[heading.style], _STRONG_RANK - 1)
        is_strong = anchor is None or _order_style(heading.style) < _order_style(anchor)
        is_strong = is_strong and (
            anchor is None or heading.style.size * 100 > anchor.size * 106 or not heading.style.italic
        )
        if heading.is_plain:
            ranks.append(_WEAK_RANK + _STRONG_RANK + place)
        elif same and not has_divisions:
            ranks.append(same[-1])
        else:
            ranks.append((_STRONG_RANK if is_strong else _WEAK_RANK) + place)
    return ranks


def rank_number(number: HeadingNumber, has_divisions: bool) -> int:
    """The rank of a numbered heading. Under divisions (Part, Item) plain decimals number notes and their parts."""
    if number.kind in _DIVISION_RANKS:
        return _DIVISION_RANKS[number.kind]
    if number.kind == "note":
        return _NOTE_RANK + 1
    if number.kind in ("decimal", "letter", "roman"):
        return _DECIMAL_RANK + number.depth
    return 10 if has_divisions else _DECIMAL_RANK + 1


def _order_style(style: Style) -> tuple[int, int, int, int]:
    return (-style.size, -int(style.bold), -int(style.capitals), int(style.italic))


def drop_titles(headings: list[Heading], lines: tuple[Line, ...]) -> list[Heading]:
    """Leave out what is set larger on the first two pages than any heading after them: the title of the document."""
    # numbered headings are never the title, however large
    later = [heading.style.size for heading in headings if lines[heading.first].page > 2 or heading.number is not None]
    largest = max(later, default=0) or max((h.style.size for h in headings), default=0) - 1
    return [h for h in headings if lines[h.first].page > 2 or h.number is not None or h.style.size <= largest]


def rank_below_base(headings: list[Heading], ranks: list[int], base: list[tuple[Heading | None, int]]) -> list[int]:
    """Ranks of headings that the base (outline or contents page) lacks.

    A heading numbered as deep as base entries of one rank, or set exactly like them, is their peer; all others lie
    below.
    """
    depths: dict[tuple[str, int], Counter[int]] = {}
    styles: dict[Style, Counter[int]] = {}
    for heading, rank in base:
        if heading is None:
            continue
        if heading.number is not None:
            depths.setdefault((heading.number.kind, heading.number.depth), Counter())[rank] += 1
        # below a division ("Item 7.") lies everything that is only set like it
        if heading.number is None or heading.number.kind in ("decimal", "letter", "roman"):
            styles.setdefault(heading.style, Counter())[rank] += 1
    placed: list[int] = []
    for heading, rank in zip(headings, ranks, strict=True):
        peers: Counter[int] | None = None
        if heading.number is not None:
            peers = depths.get((heading.number.kind, heading.number.depth))
        elif not heading.is_plain and heading.style in styles and not heading.style.italic:
            peers = Counter({max(styles[heading.style]): 1})
        placed.append(max(peers, key=lambda value: (peers[value], value)) if peers else _BELOW_BASE + rank)
    return placed
