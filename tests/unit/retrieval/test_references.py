"""Following references: derived candidates, bounds, circles, and a row of the ledger for each."""

from __future__ import annotations

from pipeline.models.evidence import Candidate, Evidence, FoundBy, Span
from pipeline.retrieval.references import follow_references
from pipeline.structure.pointers import parse_pointer
from tests.unit.structure.pages import make_line, make_section, make_view

TEXTS = ("The fee follows from section 2.", "It is two euros, see section 1.", "Nothing is said of section 9.")


def _make_rules():
    """Three sections on three pages; 1 and 2 point at each other, 3 at nothing."""
    lines, sections = [], []
    for page, text in enumerate(TEXTS, 1):
        lines += [make_line(f"{page} Rule", page, 1, bold=True), make_line(text, page, 2, (7200, 9000))]
        sections.append(make_section(page - 1, "Rule", (page, 1), (page + 1, 1), number=str(page)))
    return make_view(lines, sections)


def _make_piece(view, page, part="q1"):
    span = Span(page=page, line_start=1, line_end=2)
    found = FoundBy(method="keyword", rank=1, score=1000, why="")
    candidate = Candidate(
        ref=view.reference((span,)), sub_question=part, spans=(span,), score=1000, found_by=(found,), matched=("fee",)
    )
    return Evidence(candidate=candidate, lines=view.evidence_lines(span))


def test_a_candidate_is_derived_with_its_anchors_when_a_reference_is_followed():
    view = _make_rules()
    source = _make_piece(view, 1)
    followed = follow_references(view, ("q1/section:2@p1:l2",), (source,), 5)
    candidate = followed.derived[0]
    assert candidate.spans == (Span(page=2, line_start=1, line_end=2),)
    assert (candidate.derived_from, candidate.matched) == (source.candidate.ref, ("fee",))
    assert "section 2 Rule on page 2" in candidate.found_by[0].why
    assert [(row.target, row.outcome) for row in followed.ledger] == [("section:2@p1:l2", "followed")]


def test_nothing_is_derived_when_the_target_was_read():
    view = _make_rules()
    pieces = (_make_piece(view, 1), _make_piece(view, 2))
    followed = follow_references(view, ("q1/section:1@p2:l2",), pieces, 5)
    assert followed.derived == ()
    assert [row.outcome for row in followed.ledger] == ["already there"]


def test_the_reason_is_kept_when_a_reference_leads_nowhere():
    view = _make_rules()
    followed = follow_references(view, ("q1/section:9@p3:l2", "q1/section:7@p3:l2"), (_make_piece(view, 3),), 5)
    assert followed.derived == ()
    assert [(row.target, row.outcome) for row in followed.ledger] == [
        ("section:7@p3:l2", "dangling"),
        ("section:9@p3:l2", "dangling"),
    ]
    assert len(followed.refused) == 2


def test_only_so_many_are_followed_when_a_limit_is_given():
    view = _make_rules()
    pieces = (_make_piece(view, 1), _make_piece(view, 3, "q2"))
    targets = ("q1/section:2@p1:l2", "q2/section:2@p1:l2")
    followed = follow_references(view, targets, pieces, 1)
    assert len(followed.derived) == len(followed.ledger) == 1
    assert followed.refused == ("section:2@p1:l2 is beyond 1 references an action",)


def test_targets_that_are_no_pointers_are_passed_over_when_followed():
    assert follow_references(_make_rules(), ("q1", "page:3", ""), (), 5) == ((), (), ())


def test_a_pointer_reads_back_when_it_was_spelled():
    for text in ("q1/section:2@p1:l2", "q2/row:e@p14:l203", "q1/standard:sp800-53@p2:l7"):
        pointer = parse_pointer(text)
        assert pointer is not None
        assert pointer.text == text
