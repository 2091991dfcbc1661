"""Lists and tables that answer a listing brief: by what introduces them, their titles and their members."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pipeline.retrieval.candidates import Finding
from pipeline.retrieval.reading import BriefReading, read_brief
from pipeline.retrieval.windows import select_windows
from pipeline.text.anchors import occurs
from pipeline.text.matching import fold

if TYPE_CHECKING:
    from pipeline.models.base import Position
    from pipeline.models.evidence import Candidate
    from pipeline.models.plan import Limits
    from pipeline.models.question import RetrievalBrief
    from pipeline.models.structure import Enumeration, Table
    from pipeline.structure.view import DocumentView

# places around which lists are looked for
MAX_REGIONS = 10
# a list may begin this far behind the words that announce it
LINES_AFTER = 60
LINES_BEFORE = 12
LEAD_WEIGHT = 1.0
TITLE_WEIGHT = 0.6
MEMBER_WEIGHT = 0.6


class _Listing(NamedTuple):
    """A list or table: where it is, its readable lines, what introduces it, its members' names and their number."""

    start: Position
    end: Position
    lines: tuple[int, ...]
    lead: str
    members: str
    member_count: int


def rank_listings(
    view: DocumentView, brief: RetrievalBrief, max_sections: int, limits: Limits
) -> tuple[Candidate, ...]:
    """Enumerations and tables near the anchors, best first: the lead weighs most, then the titles, then the members."""
    reading = read_brief(view, brief)
    if not reading.hits.total:
        return ()
    found: dict[tuple[Position, Position], Finding] = {}
    for start, end in _find_regions(reading, max_sections):
        listings = [_read_enumeration(reading, entry) for entry in view.enumerations_in(start, end)]
        for page in range(start[0], end[0] + 1):
            listings += [_read_table(reading, table) for table in view.tables_on(page)]
        for listing in listings:
            finding = _judge(reading, listing)
            if finding is not None:
                found.setdefault((listing.start, listing.end), finding)
    return reading.maker.make(found.values())[: limits.max_candidates]


def _find_regions(reading: BriefReading, max_sections: int) -> tuple[tuple[Position, Position], ...]:
    """The best titled sections and the surroundings of the best windows, best first, each place once."""
    lines, units = reading.document.lines, reading.hits.passages.units
    ranked = sorted(reading.titles, key=lambda index: (-reading.titles[index], index))[:max_sections]
    by_index = {section.index: section for section in reading.document.sections}
    regions = [(by_index[index].start, by_index[index].end) for index in ranked]
    max_overlap = reading.maker.view.lexicon.thresholds.window_overlap
    for window in select_windows(reading.windows, MAX_REGIONS, max_overlap):
        first = lines[max(0, units[window.start].first - LINES_BEFORE)].position
        last = lines[min(len(lines) - 1, units[window.end - 1].last + LINES_AFTER)].position
        # looking twice at the same lines finds the same lists
        if not any(start <= first and last <= end for start, end in regions):
            regions.append((first, last))
    return tuple(regions)


def _read_enumeration(reading: BriefReading, entry: Enumeration) -> _Listing:
    start = entry.start
    if entry.lead_extents:
        start = min(start, (entry.lead_extents[0].page, entry.lead_extents[0].line_start))
    members = " ".join(f"{item.marker} {item.head or item.text}" for item in entry.items)
    lines = reading.maker.list_lines(start, entry.end)
    return _Listing(start, entry.end, lines, entry.lead, members, len(entry.items))


def _read_table(reading: BriefReading, table: Table) -> _Listing:
    members = " ".join(cell.text for cell in table.cells if cell.column == 0)
    lead = " ".join((table.label, table.title, *table.header))
    lines = reading.maker.list_lines(table.start, table.end)
    row_count = 1 + max((cell.row for cell in table.cells), default=0)
    return _Listing(table.start, table.end, lines, lead, members, row_count)


def _judge(reading: BriefReading, listing: _Listing) -> Finding | None:
    if not listing.lines or listing.member_count < 2:
        return None
    passages = reading.hits.passages
    lead, members = _measure(reading, listing.lead), _measure(reading, listing.members)
    title = reading.titles.get(passages.units[passages.unit_of[listing.lines[0]]].section, 0.0)
    share = LEAD_WEIGHT * lead + TITLE_WEIGHT * title + MEMBER_WEIGHT * members
    if share < reading.maker.view.lexicon.thresholds.listing / 1000:
        return None
    shares = f"lead {round(1000 * lead)}, titles {round(1000 * title)}, members {round(1000 * members)}"
    why = f"{listing.member_count} members; {shares} thousandths of the anchors' weight"
    return Finding(listing.lines, "aggregation", share, why)


def _measure(reading: BriefReading, text: str) -> float:
    """The share of the weight of all anchors that a text carries."""
    folded = fold(text)
    terms = (term for term in reading.hits.terms if not term.is_expansion)
    return sum(term.weight for term in terms if occurs(term.anchor, folded)) / reading.hits.total
