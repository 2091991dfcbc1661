"""Where the anchors of a brief stand: lines, units and pages, looked up once a brief."""

from __future__ import annotations

from bisect import bisect_left
from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

from pipeline.retrieval.lexical import compute_idf
from pipeline.retrieval.passages import Passages, build_passages

if TYPE_CHECKING:
    from pipeline.models.question import Anchor, RetrievalBrief
    from pipeline.structure.view import DocumentView

# an expansion adds to an anchor, it never outweighs one
EXPANSION_SHARE = 0.5


# the company of a filing or the plan of a handbook: asked for in every question, and no place is more about it
SUBJECT_SHARE = 0.25
LONG_PAGES = 20
# the first page of a long document is its cover; a shorter one has only its title there
TITLE_LINES = 15


class Term(NamedTuple):
    """An anchor or expansion: its lines (ascending indices), units and weight in this document."""

    anchor: Anchor
    is_expansion: bool
    lines: tuple[int, ...]
    units: dict[int, int]
    weight: float


class Hits(NamedTuple):
    """All terms of a brief that occur, in the order of the brief; `total` is the weight of the anchors among them."""

    passages: Passages
    terms: tuple[Term, ...]
    total: float


def collect_hits(view: DocumentView, brief: RetrievalBrief) -> Hits:
    """Look up every anchor and expansion; lines that are furniture, hidden or unreadable do not count."""
    passages = build_passages(view)
    terms: list[Term] = []
    seen: set[str] = set()
    count = len(passages.units)
    for position, anchor in enumerate((*brief.anchors, *brief.expansions)):
        if anchor.key in seen:
            continue
        seen.add(anchor.key)
        lines = _find_lines(view, anchor, passages)
        if not lines:
            continue
        units: dict[int, int] = {}
        for line in lines:
            unit = passages.unit_of[line]
            units[unit] = units.get(unit, 0) + 1
        is_expansion = position >= len(brief.anchors)
        # rare in language and rare here: either alone is fooled by a name that stands on every page
        weight = compute_idf(count, len(units)) * _weigh_anchor(anchor) * (EXPANSION_SHARE if is_expansion else 1)
        if _is_subject(view, anchor, lines[0]):
            weight *= SUBJECT_SHARE
        terms.append(Term(anchor, is_expansion, lines, units, weight))
    return Hits(passages, tuple(terms), sum(term.weight for term in terms if not term.is_expansion))


def _weigh_anchor(anchor: Anchor) -> float:
    return sqrt(max(anchor.weight, 1) / 1000)


def _is_subject(view: DocumentView, anchor: Anchor, first: int) -> bool:
    """Whether an anchor names what the whole document is about: a name on its cover or in its title."""
    is_name = anchor.source in ("word", "compound") and any(char.isupper() for char in anchor.text)
    document = view.document
    if not is_name or document.lines[first].page != document.lines[0].page:
        return False
    return len(document.pages) >= LONG_PAGES or document.lines[first].number <= TITLE_LINES


def _find_lines(view: DocumentView, anchor: Anchor, passages: Passages) -> tuple[int, ...]:
    index_of, unit_of = view.document.index_of, passages.unit_of
    found = (index_of(position) for position in view.positions_of(anchor))
    return tuple(index for index in found if unit_of[index] >= 0)


def find_between(lines: tuple[int, ...], first: int, last: int) -> tuple[int, ...]:
    """The members of ascending `lines` from `first` up to, not including, `last`."""
    return lines[bisect_left(lines, first) : bisect_left(lines, last)]
