"""Sections of a document of which pages were read again: headings of recognised lines, beside those known before.

A scan has no outline and no bold type; what tells a heading there is its height and its number. Whatever the file
itself said of its sections stays as it is: recognised headings are only added.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.parsing.constants import MAX_RECOGNISED_SHARE
from pipeline.parsing.headings import Heading, find_headings
from pipeline.parsing.nesting import Mark, nest_marks, rank_below_base, rank_headings
from pipeline.parsing.outline import RawOutline, build_sections

if TYPE_CHECKING:
    from pipeline.models.document import Line, Page, ParsedDocument, Section


def find_sections_again(
    document: ParsedDocument, pages: tuple[Page, ...], lines: tuple[Line, ...], fresh: frozenset[int]
) -> tuple[Section, ...]:
    """Sections after the pages in `fresh` were read for the first time; `pages` and `lines` are those of now."""
    # where only type told headings, the new ones count in the same sequence
    if not document.profile.section_count or document.profile.section_source == "typography":
        return build_sections(RawOutline(), pages, lines, document.folded).sections
    return _add_headings(document, pages, lines, fresh)


def _add_headings(
    document: ParsedDocument, pages: tuple[Page, ...], lines: tuple[Line, ...], fresh: frozenset[int]
) -> tuple[Section, ...]:
    """The sections known before and, between them, those whose headings stand on pages that were read again."""
    known = document.sections
    headings = find_headings(pages, lines, frozenset())
    by_place = {lines[heading.first].position: heading for heading in headings}
    numbers = {section.number for section in known if section.number}
    places = {section.start for section in known}
    found = [
        heading
        for heading in headings
        if lines[heading.first].page in fresh
        and lines[heading.first].position not in places
        and not (heading.number is not None and heading.number.printed in numbers)
    ]
    found = _drop_doubtful(found, lines, fresh)
    if not found:
        return known
    base = [(by_place.get(section.start), section.level) for section in known]
    ranks = rank_below_base(found, rank_headings(found), base)
    marks = [Mark(s.start, s.level, s.title, s.number, s.source) for s in known]
    marks += [
        Mark(lines[h.first].position, rank, h.title, h.number.printed if h.number else "", "typography")
        for h, rank in zip(found, ranks, strict=True)
    ]
    ends = {section.start: section.end for section in known}
    made = nest_marks(sorted(marks, key=lambda mark: (mark.start, mark.rank)), lines)
    # a section ends where it ended, or earlier where a new one of its rank begins
    return tuple(
        section.model_copy(update={"end": min(section.end, ends.get(section.start, section.end))}) for section in made
    )


def _drop_doubtful(found: list[Heading], lines: tuple[Line, ...], fresh: frozenset[int]) -> list[Heading]:
    """Only numbered headings where recognised heights vary so much that every other line looks like a heading."""
    readable = sum(line.page in fresh and line.is_evidence for line in lines)
    if len(found) * 1000 <= MAX_RECOGNISED_SHARE * readable:
        return found
    return [heading for heading in found if heading.number is not None]
