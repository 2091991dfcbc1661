"""Entries of a contents page landed on their headings: by links, or by printed page numbers and their offset."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from pipeline.models.document import Diagnostic, Page
from pipeline.parsing.constants import MIN_LANDED_SHARE, MIN_OUTLINE_ENTRIES
from pipeline.parsing.contents import Contents, ContentsEntry
from pipeline.parsing.landing import HeadingFinder, Landing
from pipeline.parsing.numbering import parse_heading_number

NEIGHBOURS = (1, -1, 2, -2)
"""Pages tried around a destination, nearest first."""
_MIN_SHIFT_VOTES = 3


class Landed(NamedTuple):
    """An entry whose heading was found: where, its rank among the entries, its title as listed."""

    landing: Landing
    rank: int
    title: str


class Base(NamedTuple):
    """Entries that landed, in order; `breaks` are (first line, rank) of entries that end sections without being one."""

    landed: list[Landed]
    is_usable: bool
    diagnostics: list[Diagnostic]
    offset: int | None = None
    breaks: tuple[tuple[int, int], ...] = ()


def keep_order(landed: list[Landed]) -> list[Landed]:
    """The longest run of entries whose places never go back; of entries on one line the first stays."""
    previous: list[int] = [-1] * len(landed)
    tails: list[int] = []
    for index, entry in enumerate(landed):
        low, high = 0, len(tails)
        while low < high:
            middle = (low + high) // 2
            if landed[tails[middle]].landing.first < entry.landing.first:
                low = middle + 1
            else:
                high = middle
        previous[index] = tails[low - 1] if low else -1
        if low == len(tails):
            tails.append(index)
        elif landed[tails[low]].landing.first > entry.landing.first:
            tails[low] = index
    kept: list[Landed] = []
    at = tails[-1] if tails else -1
    while at >= 0:
        kept.append(landed[at])
        at = previous[at]
    return kept[::-1]


def land_contents(contents: Contents, finder: HeadingFinder, pages: tuple[Page, ...]) -> Base:
    """Headings that a contents page lists; not usable where too few stand where it says (a contents page may lie)."""
    entries = contents.entries
    # what is printed on the pages wins over where headings happen to stand: the contents page may lie
    printed = _map_printed(pages)
    offsets = [] if printed else _find_offsets(entries, finder)
    has_divisions = any(
        (n := parse_heading_number(e.title)) and n.kind in ("item", "chapter", "article") for e in entries
    )
    # an entry without page or link cannot speak for or against the contents page
    found: list[Landing | None] = []
    sought = 0
    for entry in entries:
        targets = [entry.target_page] if entry.target_page is not None else []
        if not targets and entry.printed in printed:
            targets = [printed[entry.printed]]
        elif not targets and entry.printed.isdigit():
            targets = [int(entry.printed) + offset for offset in offsets]
        sought += bool(targets or entry.printed)
        inside = [target for target in targets if 1 <= target <= len(pages)]
        tries = (finder.find_around(target, entry.title, entry.target_y, NEIGHBOURS[:2]) for target in inside)
        found.append(next((landing for landing in tries if landing is not None), None))
    landed = [
        Landed(landing, _rank_entry(entry, has_divisions), entry.title)
        for entry, landing in zip(entries, _place_divisions(entries, found, finder), strict=True)
        if landing is not None
    ]
    ordered = keep_order(landed)
    count = sum(1 for landing in found if landing is not None) - (len(landed) - len(ordered))
    is_usable = count >= MIN_OUTLINE_ENTRIES and 100 * count >= MIN_LANDED_SHARE * sought
    diagnostics = []
    if not is_usable:
        message = f"contents page not believed: {count} of {sought} headings stand where it says"
        diagnostics.append(Diagnostic(code="contents_rejected", message=message, page=entries[0].page))
    shift = _find_shift(pages) if printed else None
    return Base(ordered, is_usable, diagnostics, shift if shift is not None else next(iter(offsets), None))


def _place_divisions(
    entries: tuple[ContentsEntry, ...], found: list[Landing | None], finder: HeadingFinder
) -> list[Landing | None]:
    """Entries without a page ("PART II") stand where their heading is, between the entries around them."""
    placed = list(found)
    low = -1
    for index, entry in enumerate(entries):
        if (landing := found[index]) is not None:
            low = landing.first
        elif not entry.printed and entry.target_page is None:
            high = next((after.first for after in found[index + 1 :] if after is not None), 1 << 30)
            between = [h for h in finder.find_by_title(entry.title) if low < h.first < high]
            if between:
                placed[index] = Landing(between[-1].first, between[-1].last, between[-1].text, 4)
    return placed


def _map_printed(pages: tuple[Page, ...]) -> dict[str, int]:
    """Physical pages by the number in print, where most pages carry one."""
    found = {page.printed: page.number for page in reversed(pages) if page.printed}
    return found if 2 * len(found) >= len(pages) else {}


def _find_shift(pages: tuple[Page, ...]) -> int | None:
    votes = Counter(page.number - int(page.printed) for page in pages if page.printed.isdigit())
    return min(votes, key=lambda offset: (-votes[offset], abs(offset), offset)) if votes else None


def _find_offsets(entries: tuple[ContentsEntry, ...], finder: HeadingFinder) -> list[int]:
    """Physical minus printed page, commonest first: what headings or links agree on.

    Inserted pages shift the later ones, so there may be several; one that fewer than three entries speak for is no
    shift.
    """
    votes: Counter[int] = Counter()
    for entry in entries:
        if not entry.printed.isdigit():
            continue
        if entry.target_page is not None:
            votes[entry.target_page - int(entry.printed)] += 1
            continue
        places = finder.find_by_title(entry.title)
        if len(places) == 1:
            votes[finder.page_of(places[0].first) - int(entry.printed)] += 1
    ranked = sorted(votes, key=lambda offset: (-votes[offset], abs(offset), offset))
    return ranked[:1] + [offset for offset in ranked[1:4] if votes[offset] >= _MIN_SHIFT_VOTES]


def _rank_entry(entry: ContentsEntry, has_divisions: bool) -> int:
    number = parse_heading_number(entry.title)
    if number is None:
        return 10 + entry.indent // 600 if has_divisions else 1 + entry.indent // 600
    if number.kind == "part":
        return 0
    if number.kind in ("item", "chapter", "article"):
        return 1
    if number.kind == "note":
        return 5
    return 1 + number.depth if number.kind in ("decimal", "letter", "roman") else (1 if has_divisions else 2)
