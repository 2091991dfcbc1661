"""Lists and tables that answer a listing brief: by what introduces them, what they are titled and whose members they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pipeline.retrieval.candidates import CandidateMaker, Finding
from pipeline.retrieval.hits import Hits, collect_hits
from pipeline.retrieval.ranking import rank_windows, score_pages, select_windows
from pipeline.retrieval.sections import score_headings
from pipeline.text.anchors import occurs
from pipeline.text.matching import fold

if TYPE_CHECKING:
    from pipeline.models.document import Position
    from pipeline.models.evidence import Candidate
    from pipeline.models.plan import Limits
    from pipeline.models.question import RetrievalBrief
    from pipeline.models.structure import Enumeration, Table
    from pipeline.structure.view import DocumentView

MAX_REGIONS = 10
"""Places around which lists are looked for."""
LINES_AFTER = 60
"""A list may begin this far behind the words that announce it."""
LINES_BEFORE = 12
LEAD_WEIGHT = 1.0
HEADING_WEIGHT = 0.6
MEMBER_WEIGHT = 0.6
MIN_SHARE = 0.15
"""A list of which lead, title and members carry less of the anchors' weight answers something else."""


class _Region(NamedTuple):
    start: Position
    end: Position


def rank_listings(view: DocumentView, brief: RetrievalBrief, max_sections: int, limits: Limits) -> tuple[Candidate, ...]:
    """Enumerations and tables near the anchors, best first: lead sentence and heading weigh most, then the members."""
    hits = collect_hits(view, brief)
    if not hits.total:
        return ()
    maker = CandidateMaker(view, brief, hits)
    titles = score_headings(view, hits)
    found: dict[tuple[Position, Position], Finding] = {}
    for region in _find_regions(view, brief, hits, max_sections):
        for listing in view.enumerations_in(region.start, region.end):
            _add(found, _score_enumeration(maker, listing, titles))
        for page in range(region.start[0], region.end[0] + 1):
            for table in view.tables_on(page):
                _add(found, _score_table(maker, table, titles))
    return maker.make(found.values())[: limits.max_candidates]


def _add(found: dict[tuple[Position, Position], Finding], entry: tuple[Position, Position, Finding] | None) -> None:
    if entry is not None:
        found.setdefault((entry[0], entry[1]), entry[2])


def _find_regions(
    view: DocumentView, brief: RetrievalBrief, hits: Hits, max_sections: int
) -> tuple[_Region, ...]:
    """The best titled sections and the surroundings of the best windows, in the order of their scores."""
    document = view.document
    titles = score_headings(view, hits)
    ranked = sorted(titles, key=lambda index: (-titles[index], index))[:max_sections]
    by_index = {section.index: section for section in document.sections}
    regions = [_Region(by_index[index].start, by_index[index].end) for index in ranked]
    windows = select_windows(rank_windows(view, brief, hits, score_pages(hits)), MAX_REGIONS)
    for window in windows:
        first = max(0, hits.passages.units[window.start].first - LINES_BEFORE)
        last = min(len(document.lines) - 1, hits.passages.units[window.end - 1].last + LINES_AFTER)
        regions.append(_Region(document.lines[first].position, document.lines[last].position))
    return tuple(regions)


def _score_enumeration(
    maker: CandidateMaker, listing: Enumeration, titles: dict[int, float]
) -> tuple[Position, Position, Finding] | None:
    start = listing.start
    if listing.lead_extents:
        head = listing.lead_extents[0]
        start = min(start, (head.page, head.line_start))
    lines = maker.list_lines(start, listing.end)
    if not lines:
        return None
    members = " ".join(f"{item.marker} {item.head or item.text}" for item in listing.items)
    return _judge(maker, _Listing(start, listing.end, lines, listing.lead, members, len(listing.items)), titles)


def _score_table(
    maker: CandidateMaker, table: Table, titles: dict[int, float]
) -> tuple[Position, Position, Finding] | None:
    lines = maker.list_lines(table.start, table.end)
    if not lines:
        return None
    first_column = " ".join(cell.text for cell in table.cells if cell.column == 0)
    row_count = 1 + max((cell.row for cell in table.cells), default=0)
    lead = " ".join((table.label, table.title, *table.header))
    return _judge(maker, _Listing(table.start, table.end, lines, lead, first_column, row_count), titles)


class _Listing(NamedTuple):
    start: Position
    end: Position
    lines: tuple[int, ...]
    lead: str
    members: str
    count: int


def _judge(
    maker: CandidateMaker, listing: _Listing, titles: dict[int, float]
) -> tuple[Position, Position, Finding] | None:
    lead = _measure(maker.hits, fold(listing.lead))
    members = _measure(maker.hits, fold(listing.members))
    section = maker.hits.passages.units[maker.hits.passages.unit_of[listing.lines[0]]].section
    heading = titles.get(section, 0.0)
    share = LEAD_WEIGHT * lead + HEADING_WEIGHT * heading + MEMBER_WEIGHT * members
    if listing.count < 2 or share < MIN_SHARE:
        return None
    why = f"{listing.count} members; lead {round(1000 * lead)}, heading {round(1000 * heading)}, members {round(1000 * members)}"
    return listing.start, listing.end, Finding(listing.lines, "aggregation", share, f"{why} thousandths of the weight")


def _measure(hits: Hits, folded: str) -> float:
    return sum(term.weight for term in hits.terms if not term.is_expansion and occurs(term.anchor, folded)) / hits.total
