"""The outline cascade: native outline, contents page by links, printed contents, headings by typography.

Whatever says where a section is, its heading text is looked for on the page and the line found is what counts.
"""

from __future__ import annotations

from typing import NamedTuple

from pipeline.models.document import Diagnostic, Line, OutlineSource, Page, Section
from pipeline.parsing.constants import MAX_DISORDER_SHARE, MIN_LANDED_SHARE, MIN_OUTLINE_ENTRIES
from pipeline.parsing.contents import RawLink, find_contents
from pipeline.parsing.headings import Heading, find_headings
from pipeline.parsing.landing import HeadingFinder, Landing, squeeze_title
from pipeline.parsing.listed import NEIGHBOURS, Base, Landed, keep_order, land_contents
from pipeline.parsing.nesting import Mark, drop_titles, nest_marks, rank_below_base, rank_headings
from pipeline.parsing.numbering import parse_heading_number

__all__ = ["OutlineResult", "RawEntry", "RawLink", "RawOutline", "build_sections"]
_MAX_NAMED = 20


class RawEntry(NamedTuple):
    """One bookmark as the file says it.

    `level` from 1, `page` physical and 1-based or None, `y` in hundredths of a point.
    """

    level: int
    title: str
    page: int | None
    y: int | None = None


class RawOutline(NamedTuple):
    """What the file itself says about its structure."""

    entries: tuple[RawEntry, ...] = ()
    links: tuple[RawLink, ...] = ()


class OutlineResult(NamedTuple):
    """Sections with their source.

    `printed_offset` is physical minus printed page number where the contents page told it.
    """

    sections: tuple[Section, ...]
    source: OutlineSource
    entry_count: int
    has_usable_outline: bool
    diagnostics: tuple[Diagnostic, ...] = ()
    printed_offset: int | None = None


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
    listed: Base | None = None
    if contents.entries:
        listed = land_contents(contents, finder, pages)
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


def _land_outline(entries: tuple[RawEntry, ...], finder: HeadingFinder, page_count: int) -> Base:
    landed: list[Landed] = []
    lost: list[Diagnostic] = []
    breaks: list[tuple[int, int]] = []
    for entry in entries:
        title = " ".join(entry.title.split())
        landing = _land_entry(entry._replace(title=title), finder, page_count) if title else None
        if landing is None:
            where = f"page {entry.page}" if entry.page else "no page"
            lost.append(
                Diagnostic(code="outline_entry_lost", message=f"{title[:80]!r} not found at {where}", page=entry.page)
            )
            if entry.page is not None and 1 <= entry.page <= page_count:
                breaks.append((finder.find_line_at(entry.page, entry.y), entry.level))
        else:
            landed.append(Landed(landing, entry.level, title))
    ordered = keep_order(landed)
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
    return Base(ordered, is_usable, diagnostics, None, tuple(breaks))


def _land_entry(entry: RawEntry, finder: HeadingFinder, page_count: int) -> Landing | None:
    target = entry.page if entry.page is not None and 1 <= entry.page <= page_count else None
    if target is not None:
        if (landing := finder.find_around(target, entry.title, entry.y, NEIGHBOURS)) is not None:
            return landing
        if (near := finder.find_near(target, entry.title, entry.y)) is not None:
            return near
    # a destination that is lost or wrong may still have one heading of its title somewhere
    found = finder.find_by_title(entry.title)
    if len(found) == 1:
        return Landing(found[0].first, found[0].last, found[0].text, 4)
    # a scanned page has no heading to be found: its top is the best place there is
    if target is not None and not finder.has_text(target):
        start = finder.span_of(target).start
        return Landing(start, start - 1, entry.title, 0)
    return None


def _mark_sections(base: Base, source: OutlineSource, headings: list[Heading], lines: tuple[Line, ...]) -> list[Mark]:
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
    # a number that the outline gives to another heading is that of a list item in bold
    numbers = {mark.number for mark in marks if mark.number}
    rest = [
        (heading, rank)
        for heading, rank in zip(headings, ranks, strict=True)
        if taken.isdisjoint(range(heading.first, heading.last + 1))
        and not (heading.number is not None and heading.number.printed in numbers)
    ]
    placed = rank_below_base([h for h, _ in rest], [r for _, r in rest], known)
    marks += [_mark_heading(heading, rank, lines) for (heading, _), rank in zip(rest, placed, strict=True)]
    return sorted(marks, key=lambda mark: (mark.start, bool(mark.title), mark.rank))


def _mark_heading(heading: Heading, rank: int, lines: tuple[Line, ...]) -> Mark:
    number = heading.number.printed if heading.number else ""
    return Mark(lines[heading.first].position, rank, heading.title, number, "typography")


def _name_section(landed: Landed, heading: Heading | None) -> tuple[str, str]:
    """Number and title: as the body prints them, unless the body has them torn apart ("PART II I", "Busines s")."""
    text = heading.text if heading else landed.landing.text
    printed, listed = parse_heading_number(text), parse_heading_number(landed.title)
    stripped = (landed.title[listed.length :].strip() or landed.title) if listed else landed.title
    is_torn = squeeze_title(text.casefold()) == squeeze_title(landed.title.casefold()) and len(landed.title) < len(
        " ".join(text.split())
    )
    if is_torn or heading is None:
        number = listed if is_torn and listed else printed or listed
        return number.printed if number else "", stripped
    number = printed or listed
    return number.printed if number else "", heading.title


def _place(index: int, lines: tuple[Line, ...]) -> tuple[int, int]:
    return lines[index].position if index < len(lines) else (lines[-1].page, lines[-1].number + 1) if lines else (1, 1)
