from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pipeline.models.evidence import Candidate, FoundBy, Span
from pipeline.retrieval.fusion import AGREEMENT_SHARE, fuse


def make(page, start, end, score, method="keyword", **fields):
    span = Span(page=page, line_start=start, line_end=end)
    values = {
        "ref": f"p{page}:l{start}-{end}",
        "sub_question": "q1",
        "spans": (span,),
        "score": score,
        "found_by": (FoundBy(method=method, rank=1, score=score, why=f"because of {method}"),),
        "matched": (f"{method}-{start}",),
    }
    return Candidate.model_validate({**values, **fields})


PLACES = st.tuples(st.integers(1, 3), st.integers(1, 6), st.integers(0, 4), st.integers(1, 50))
RANKINGS = st.tuples(*(st.lists(PLACES, max_size=8) for _ in range(3)))


def rank(drawn):
    methods = ("keyword", "toc", "aggregation")
    return tuple(
        tuple(make(page, start, start + extent, 1000 * score, method) for page, start, extent, score in places)
        for method, places in zip(methods, drawn, strict=True)
    )


@given(RANKINGS)
def test_order_is_total_and_nothing_is_lost_when_rankings_are_fused(drawn):
    rankings = rank(drawn)
    fused = fuse(rankings)
    keys = [(-c.score, c.spans[0].page, c.spans[0].line_start) for c in fused]
    assert keys == sorted(keys)
    assert len({c.ref for c in fused}) == len(fused)
    for candidate in (candidate for ranking in rankings for candidate in ranking):
        wanted = candidate.spans[0]
        holders = [
            c
            for c in fused
            if any(
                s.page == wanted.page and s.line_start <= wanted.line_start and wanted.line_end <= s.line_end
                for s in c.spans
            )
        ]
        assert any(found.method == candidate.found_by[0].method for holder in holders for found in holder.found_by)
        assert max(holder.score for holder in holders) >= candidate.score


def test_the_same_place_counts_more_when_two_methods_found_it():
    (fused,) = fuse(((make(1, 1, 5, 800),), (make(1, 1, 5, 500, "toc"),)))
    assert fused.score == 800 + 500 * AGREEMENT_SHARE // 1000
    assert [(found.method, found.why) for found in fused.found_by] == [
        ("keyword", "because of keyword"),
        ("toc", "because of toc"),
    ]
    assert fused.matched == ("keyword-1", "toc-1")


def test_a_passage_is_taken_in_when_a_section_around_it_scores_as_well():
    (fused,) = fuse(((make(2, 3, 5, 800),), (make(2, 1, 9, 900, "toc"),)))
    assert fused.ref == "p2:l1-9"


def test_a_passage_stays_when_the_section_around_it_scores_much_less():
    fused = fuse(((make(2, 3, 5, 800),), (make(2, 1, 9, 300, "toc"),)))
    assert [candidate.ref for candidate in fused] == ["p2:l3-5", "p2:l1-9"]


def test_parts_of_a_question_are_kept_apart_when_they_find_the_same_place():
    fused = fuse(((make(1, 1, 5, 800),), (make(1, 1, 5, 800, sub_question="q2"),)))
    assert [candidate.sub_question for candidate in fused] == ["q1", "q2"]


def test_nothing_comes_out_when_nothing_went_in():
    assert fuse(()) == ()
    assert fuse(((), ())) == ()
