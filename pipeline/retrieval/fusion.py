"""Fusion of rankings: one total order in which every candidate still says who found it and why."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pipeline.models.evidence import Candidate, FoundBy, Span

# thousandths of the score of a further method that found the same place, added to the best
AGREEMENT_SHARE = 200
# a larger candidate takes a smaller one in when its score is at least so many thousandths of the smaller one's
COVER_SHARE = 900


def fuse(rankings: tuple[tuple[Candidate, ...], ...]) -> tuple[Candidate, ...]:
    """Merge rankings whose scores share one scale (1,000,000: every anchor once on a few lines).

    Candidates over the same lines become one: its score is the best of them plus a share of each further method's.
    A candidate inside another one of the same sub-question is taken in where the larger one scores nearly as well.
    Order: (-score, page, line, extent, ref); nothing else, so that the same rankings always fuse to the same tuple.
    """
    merged: dict[tuple[str, tuple[Span, ...]], Candidate] = {}
    for candidate in (candidate for ranking in rankings for candidate in ranking):
        key = (candidate.sub_question, candidate.spans)
        merged[key] = _merge(merged[key], candidate) if key in merged else candidate
    kept: list[_Kept] = []
    places: dict[tuple[str, int], list[int]] = {}
    for candidate in sorted(merged.values(), key=_order):
        _take(kept, places, candidate)
    return tuple(sorted((entry.candidate for entry in kept), key=_order))


class _Kept(NamedTuple):
    candidate: Candidate
    lines: dict[int, list[tuple[int, int]]]


def _take(kept: list[_Kept], places: dict[tuple[str, int], list[int]], candidate: Candidate) -> None:
    """Add a candidate, or let it and the kept ones that overlap it become one; better ones come first.

    `places` says for each part of the question and each page where in `kept` it occurs.
    """
    lines = _group_lines(candidate.spans)
    part = candidate.sub_question
    for at in sorted({at for page in lines for at in places.get((part, page), ())}):
        entry = kept[at]
        if _contains(entry.lines, lines):
            kept[at] = entry._replace(candidate=_merge(entry.candidate, candidate))
            return
        if _contains(lines, entry.lines) and candidate.score * 1000 >= COVER_SHARE * entry.candidate.score:
            kept[at] = _Kept(_merge(candidate, entry.candidate), lines)
            for page in lines.keys() - entry.lines.keys():
                places.setdefault((part, page), []).append(at)
            return
    kept.append(_Kept(candidate, lines))
    for page in lines:
        places.setdefault((part, page), []).append(len(kept) - 1)


def _merge(base: Candidate, other: Candidate) -> Candidate:
    """One candidate with the spans of `base`: everything known of both, the better score, a share for agreement."""
    best, least = max(base.score, other.score), min(base.score, other.score)
    known = {found.method for found in base.found_by}
    is_agreement = any(found.method not in known for found in other.found_by)
    return base.model_copy(
        update={
            "found_by": _order_methods((*base.found_by, *other.found_by)),
            "score": best + (least * AGREEMENT_SHARE // 1000 if is_agreement else 0),
            "matched": _unite(base.matched, other.matched),
            "matched_expansions": _unite(base.matched_expansions, other.matched_expansions),
            "section": base.section if base.section is not None else other.section,
        }
    )


def _order_methods(found_by: Iterable[FoundBy]) -> tuple[FoundBy, ...]:
    """Every method once with its best finding, best score first."""
    best: dict[str, FoundBy] = {}
    for found in found_by:
        known = best.get(found.method)
        if known is None or (-found.score, found.rank, found.why) < (-known.score, known.rank, known.why):
            best[found.method] = found
    return tuple(sorted(best.values(), key=lambda found: (-found.score, found.method)))


def _unite(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    return (*first, *(key for key in second if key not in first))


def _order(candidate: Candidate) -> tuple[int, int, int, int, str]:
    first = candidate.spans[0]
    extent = sum(span.line_end - span.line_start + 1 for span in candidate.spans)
    return (-candidate.score, first.page, first.line_start, extent, candidate.ref)


def _group_lines(spans: tuple[Span, ...]) -> dict[int, list[tuple[int, int]]]:
    grouped: dict[int, list[tuple[int, int]]] = {}
    for span in spans:
        grouped.setdefault(span.page, []).append((span.line_start, span.line_end))
    return grouped


def _contains(outer: dict[int, list[tuple[int, int]]], inner: dict[int, list[tuple[int, int]]]) -> bool:
    return all(
        any(start <= first and last <= end for start, end in outer.get(page, ()))
        for page, ranges in inner.items()
        for first, last in ranges
    )
