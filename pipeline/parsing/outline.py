"""The outline cascade: native outline, contents page by links, printed contents, headings by typography.

Whatever says where a section is, its heading text is looked for on the page and the line found is what counts.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from pipeline.models.document import Diagnostic, Line, OutlineSource, Page, Section
from pipeline.parsing.constants import MAX_DISORDER_SHARE, MIN_LANDED_SHARE, MIN_OUTLINE_ENTRIES
from pipeline.parsing.contents import Contents, ContentsEntry, RawLink, find_contents
from pipeline.parsing.headings import Heading, find_headings
from pipeline.parsing.landing import HeadingFinder, Landing, squeeze_title
from pipeline.parsing.nesting import Mark, drop_titles, nest_marks, rank_below_base, rank_headings
from pipeline.parsing.numbering import parse_heading_number

__all__ = ["OutlineResult", "RawEntry", "RawLink", "RawOutline", "build_sections"]
_NEIGHBOURS = (0, 1, -1, 2, -2)
_MAX_NAMED = 20
_MIN_SHIFT_VOTES = 3


class RawEntry(NamedTuple):
    """One bookmark as the file says it: `level` from 1, `page` physical and 1-based or None, `y` in hundredths of a point."""

    level: int
    title: str
    page: int | None
    y: int | None = None


class RawOutline(NamedTuple):
    """What the file itself says about its structure."""

    entries: tuple[RawEntry, ...] = ()
    links: tuple[RawLink, ...] = ()


class OutlineResult(NamedTuple):
    """Sections with their source; `printed_offset` is physical minus printed page number where the contents page told it."""

    sections: tuple[Section, ...]
    source: OutlineSource
    entry_count: int
    has_usable_outline: bool
    diagnostics: tuple[Diagnostic, ...] = ()
    printed_offset: int | None = None


class _Landed(NamedTuple):
    landing: Landing
    rank: int
    title: str


class _Base(NamedTuple):
    """Entries that landed, in order; `breaks` are (first line, rank) of entries that end sections without being one."""

    landed: list[_Landed]
    is_usable: bool
    diagnostics: list[Diagnostic]
    offset: int | None = None
    breaks: tuple[tuple[int, int], ...] = ()


def build_sections(
    raw: RawOutline, pages: tuple[Page, ...], lines: tuple[Line, ...], folded: tuple[str, ...]
) -> OutlineResult:
    """Sections of a document by the first method of the cascade that holds, refined by headings that it lacks.

    `folded` runs parallel to `lines` (matching form of each). Never raises; what is not believed is a diagnostic.
    """
    contents = find_contents(pages, lines, raw.links)
    headings = drop_titles(find_headings(pages, lines, contents.line_indexes), lines)
    finder = HeadingFinder(pages, lines, folded, contents.line_indexes)
    finder.add_headings(headings)
    outline = _land_outline(raw.entries, finder, len(pages))
    base, diagnostics = outline, list(outline.diagnostics)
    source: OutlineSource = "outline"
    listed: _Base | None = None
    if contents.entries:
        listed = _land_contents(contents, finder, pages)
        diagnostics += listed.diagnostics
    if not outline.is_usable and listed is not None:
        has_links = 2 * sum(1 for entry in contents.entries if entry.target_page) >= len(contents.entries)
        base, source = listed, "contents_links" if has_links else "contents_text"
    if not base.is_usable:
        source = "typography"
    marks = _mark_sections(base, source, headings, lines)
    return OutlineResult(
        sections=nest_marks(marks, lines),
        source=source if marks else "none",
        entry_count=len(raw.entries),
        has_usable_outline=outline.is_usable,
        diagnostics=tuple(diagnostics),
        printed_offset=listed.offset if listed is not None and listed.is_usable else None,
    )


def _land_outline(entries: tuple[RawEntry, ...], finder: HeadingFinder, page_count: int) -> _Base:
    landed: list[_Landed] = []
    lost: list[Diagnostic] = []
    breaks: list[tuple[int, int]] = []
    for entry in entries:
        title = " ".join(entry.title.split())
        landing = _land_entry(entry._replace(title=title), finder, page_count) if title else None
        if landing is None:
            where = f"page {entry.page}" if entry.page else "no page"
            lost.append(Diagnostic(code="outline_entry_lost", message=f"{title[:80]!r} not found at {where}", page=entry.page))
            if entry.page is not None and 1 <= entry.page <= page_count:
                breaks.append((finder.find_line_at(entry.page, entry.y), entry.level))
        else:
            landed.append(_Landed(landing, entry.level, title))
    ordered = _keep_order(landed)
    diagnostics = lost[:_MAX_NAMED]
    if len(lost) > _MAX_NAMED:
        message = f"{len(lost) - _MAX_NAMED} more entries of the outline not found"
        diagnostics.append(Diagnostic(code="outline_entry_lost", message=message))
    disorder = len(landed) - len(ordered)
    if disorder:
        diagnostics.append(Diagnostic(code="outline_out_of_order", message=f"{disorder} entries point backwards"))
    is_usable = (
        len(ordered) >= MIN_OUTLINE_ENTRIES
        and 100 * len(landed) >= MIN_LANDED_SHARE * len(entries)
        and 100 * disorder <= MAX_DISORDER_SHARE * len(landed)
    )
    if entries and not is_usable:
        message = f"outline set aside: {len(ordered)} of {len(entries)} entries lead to their heading in order"
        diagnostics.append(Diagnostic(code="outline_unusable", message=message))
    return _Base(ordered, is_usable, diagnostics, None, tuple(breaks))


def _land_entry(entry: RawEntry, finder: HeadingFinder, page_count: int) -> Landing | None:
    target = entry.page if entry.page is not None and 1 <= entry.page <= page_count else None
    if target is not None:
        for step in _NEIGHBOURS:
            landing = finder.find_on(target + step, entry.title, entry.y if step == 0 else None)
            # a neighbour page must have a real heading; the page itself may have it in plain type
            if landing is not None and (step == 0 or landing.quality >= 4):
                return landing
        if (near := finder.find_near(target, entry.title, entry.y)) is not None:
            return near
    found = finder.find_by_title(entry.title)
    if len(found) == 1:
        return Landing(found[0].first, found[0].last, found[0].text, 4)
    if target is not None and not finder.has_text(target):
        start = finder.span_of(target).start
        return Landing(start, start - 1, entry.title, 0)
    return None


def _keep_order(landed: list[_Landed]) -> list[_Landed]:
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
    kept: list[_Landed] = []
    at = tails[-1] if tails else -1
    while at >= 0:
        kept.append(landed[at])
        at = previous[at]
    return kept[::-1]


def _land_contents(contents: Contents, finder: HeadingFinder, pages: tuple[Page, ...]) -> _Base:
    entries = contents.entries
    offsets = _find_offsets(entries, finder, pages)
    has_divisions = any((n := parse_heading_number(e.title)) and n.kind in ("item", "chapter", "article") for e in entries)
    found: list[Landing | None] = []
    sought = 0
    for entry in entries:
        targets = [entry.target_page] if entry.target_page is not None else []
        if not targets and entry.printed.isdigit():
            targets = [int(entry.printed) + offset for offset in offsets]
        sought += bool(targets or entry.printed)
        tries = (_land_listed(entry, target, finder) for target in targets if 1 <= target <= len(pages))
        found.append(next((landing for landing in tries if landing is not None), None))
    landed = [
        _Landed(landing, _rank_entry(entry, has_divisions), entry.title)
        for entry, landing in zip(entries, _place_divisions(entries, found, finder), strict=True)
        if landing is not None
    ]
    ordered = _keep_order(landed)
    count = sum(1 for landing in found if landing is not None) - (len(landed) - len(ordered))
    is_usable = count >= MIN_OUTLINE_ENTRIES and 100 * count >= MIN_LANDED_SHARE * sought
    diagnostics = []
    if not is_usable:
        message = f"contents page not believed: {count} of {sought} headings stand where it says"
        diagnostics.append(Diagnostic(code="contents_rejected", message=message, page=entries[0].page))
    return _Base(ordered, is_usable, diagnostics, offsets[0] if offsets else None)


def _land_listed(entry: ContentsEntry, target: int, finder: HeadingFinder) -> Landing | None:
    for step in _NEIGHBOURS[:3]:
        landing = finder.find_on(target + step, entry.title, entry.target_y if step == 0 else None)
        if landing is not None and (step == 0 or landing.quality >= 4):
            return landing
    return None


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


def _find_offsets(entries: tuple[ContentsEntry, ...], finder: HeadingFinder, pages: tuple[Page, ...]) -> list[int]:
    """Physical minus printed page, commonest first: what headings (or links, or numbers in print) agree on.

    Inserted pages shift the later ones, so there may be several; one that fewer than three entries speak for is no shift.
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
    if not votes:
        votes.update(page.number - int(page.printed) for page in pages if page.printed.isdigit())
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


def _mark_sections(base: _Base, source: OutlineSource, headings: list[Heading], lines: tuple[Line, ...]) -> list[Mark]:
    ranks = rank_headings(headings)
    marks: list[Mark] = []
    if not base.is_usable:
        return [_mark_heading(heading, rank, lines) for heading, rank in zip(headings, ranks, strict=True)]
    by_first = {heading.first: heading for heading in headings}
    taken: set[int] = set()
    known: list[tuple[Heading | None, int]] = []
    for landed in base.landed:
        landing = landed.landing
        heading = by_first.get(landing.first)
        taken.update(range(landing.first, landing.last + 1))
        known.append((heading, landed.rank))
        number, title = _name_section(landed, heading)
        marks.append(Mark(_place(landing.first, lines), landed.rank, title, number, source))
    marks += [Mark(_place(first, lines), rank, "", "", source) for first, rank in base.breaks]
    rest = [(h, r) for h, r in zip(headings, ranks, strict=True) if taken.isdisjoint(range(h.first, h.last + 1))]
    placed = rank_below_base([h for h, _ in rest], [r for _, r in rest], known)
    marks += [_mark_heading(heading, rank, lines) for (heading, _), rank in zip(rest, placed, strict=True)]
    return sorted(marks, key=lambda mark: (mark.start, bool(mark.title), mark.rank))


def _mark_heading(heading: Heading, rank: int, lines: tuple[Line, ...]) -> Mark:
    number = heading.number.printed if heading.number else ""
    return Mark(lines[heading.first].position, rank, heading.title, number, "typography")


def _name_section(landed: _Landed, heading: Heading | None) -> tuple[str, str]:
    """Number and title: as the body prints them, unless the body has them torn apart ("PART II I", "Busines s")."""
    text = heading.text if heading else landed.landing.text
    printed, listed = parse_heading_number(text), parse_heading_number(landed.title)
    stripped = (landed.title[listed.length :].strip() or landed.title) if listed else landed.title
    is_torn = squeeze_title(text.casefold()) == squeeze_title(landed.title.casefold()) and len(
        landed.title
    ) < len(" ".join(text.split()))
    if is_torn or heading is None:
        number = listed if is_torn and listed else printed or listed
        return number.printed if number else "", stripped
    number = printed or listed
    return number.printed if number else "", heading.title


def _place(index: int, lines: tuple[Line, ...]) -> tuple[int, int]:
    return lines[index].position if index < len(lines) else (lines[-1].page, lines[-1].number + 1) if lines else (1, 1)
