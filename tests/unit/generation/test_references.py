"""What a reading leaves to other places: which references are needed, and what an answer gains by them."""

from __future__ import annotations

import pytest

from pipeline.generation.extractive.linked import may_refer
from pipeline.generation.extractive.reading import ReaderTask, Reading
from pipeline.generation.extractive.references import join_references
from pipeline.models.answer import Item
from pipeline.models.evidence import Candidate, Evidence, FoundBy, Span
from pipeline.models.structure import Extent
from pipeline.question.parse import parse_question
from tests.unit.generation.pages import read_lexicons
from tests.unit.structure.pages import make_line, make_section, make_view

RULES = (
    "The fee is set as section 2 says.",
    "The fee is two euros, subject to section 3.",
    "Children pay no fee.",
    "A breach of section 1 is a breach.",
)


def _make_view(texts=RULES):
    lines, sections = [], []
    for page, text in enumerate(texts, 1):
        lines += [make_line(f"{page} Rule", page, 1, bold=True), make_line(text, page, 2, (7200, 9000))]
        sections.append(make_section(page - 1, "Rule", (page, 1), (page + 1, 1), number=str(page)))
    return make_view(lines, sections)


def _make_piece(view, page, method="keyword"):
    span = Span(page=page, line_start=1, line_end=2)
    found = FoundBy(method=method, rank=1, score=1000, why="")
    candidate = Candidate(
        ref=view.reference((span,)), sub_question="q1", spans=(span,), score=1000, found_by=(found,), matched=(),
        derived_from="x" if method == "two_hop" else None,
    )  # fmt: skip
    return Evidence(candidate=candidate, lines=view.evidence_lines(span))


def _make_task(view, question, pages, linked=()):
    parsed = parse_question(question, read_lexicons())
    pieces = tuple(_make_piece(view, page) for page in pages)
    return ReaderTask(
        parsed,
        parsed.sub_questions[0],
        pieces,
        view,
        3600,
        tuple(_make_piece(view, page, "two_hop") for page in linked),
    )


def _make_reading(view, page, **fields):
    from pipeline.generation.extractive.citing import cite_extents

    citations = cite_extents(view, (Extent(page=page, line_start=2, line_end=2),))
    text = view.document.line_at(page, 2).text
    item = Item(sub_question="q1", text=text, citations=citations, extraction="verbatim")
    return Reading(text=text, items=(item,), **fields)


def _join(question, page, pages, linked=(), texts=RULES):
    view = _make_view(texts)
    reading = _make_reading(view, page)
    return join_references(_make_task(view, question, pages, linked), reading, lambda _: None)


def _states(reading):
    return [(report.target, report.state) for report in reading.references]


def test_a_reference_is_pending_when_the_answer_leaves_what_was_asked_to_it():
    reading = _join("How is the fee set?", 1, (1,))
    assert reading.pending_references == ("q1/section:2@p1:l2",)
    assert _states(reading) == [("section:2@p1:l2", "pending")]


def test_the_answer_gains_an_item_when_the_place_was_reached():
    reading = _join("How is the fee set?", 1, (1,), (2,))
    assert reading.pending_references == ()
    assert [item.text for item in reading.items[1:]] == ["The fee is two euros, subject to section 3."]
    assert reading.items[1].citations[0].page == 2
    assert ("section:2@p1:l2", "followed") in _states(reading)


def test_a_condition_becomes_a_caveat_with_its_citation_when_it_was_read():
    reading = _join("What is the fee?", 2, (2, 3))
    assert reading.caveats == ("subject to section 3: Children pay no fee.",)
    assert [citation.page for citation in reading.items[0].citations] == [2, 3]
    assert len(reading.items) == 1


def test_a_reference_is_not_needed_when_it_is_merely_there():
    reading = _join("What is a breach?", 4, (4,))
    assert _states(reading) == [("section:1@p4:l2", "not needed")]
    assert reading.pending_references == ()


def test_a_reference_is_followed_when_the_question_asks_for_it():
    reading = _join("What is a breach, including what the text refers to?", 4, (4, 1))
    assert [item.text for item in reading.items[1:]] == [RULES[0]]


def test_a_circle_of_references_ends_when_all_of_it_was_read():
    texts = ("The fee is set as section 2 says.", "The fee follows from section 1.")
    reading = _join("How is the fee set?", 1, (1, 2), (), texts)
    assert len(reading.items) <= 3
    assert reading.pending_references == ()


@pytest.mark.parametrize(
    ("text", "state", "caveat"),
    [
        (
            "The fee is set as section 9 says.",
            "dangling",
            "the text refers to section 9, but",
        ),
        ("The fee follows from SP 800-53.", "external", "SP 800-53 is outside of this document and was not read"),
    ],
)
def test_a_caveat_says_so_when_the_answer_depends_on_a_place_that_is_not_there(text, state, caveat):
    reading = _join("How is the fee set?", 1, (1,), (), (text,))
    assert [report.state for report in reading.references] == [state]
    assert reading.caveats[0].startswith(caveat)


def test_the_list_is_the_answer_when_the_text_only_says_where_it_stands():
    lines = [
        make_line("1 Rule", 1, 1, bold=True),
        make_line("The colours are listed in section 2.", 1, 2, (7200, 9000)),
        make_line("2 Colours", 2, 1, bold=True),
        *(
            make_line(f"• {name}", 2, number, (7200, 7200 + 1300 * number))
            for number, name in enumerate(("red", "green", "blue"), 2)
        ),
        make_line("3 Rule", 3, 1, bold=True),
    ]
    sections = [
        make_section(0, "Rule", (1, 1), (2, 1), number="1"),
        make_section(1, "Colours", (2, 1), (3, 1), number="2"),
        make_section(2, "Rule", (3, 1), (4, 1), number="3"),
    ]
    view = make_view(lines, sections)
    span = Span(page=2, line_start=1, line_end=4)
    found = FoundBy(method="two_hop", rank=1, score=1, why="")
    candidate = Candidate(
        ref=view.reference((span,)), sub_question="q1", spans=(span,), score=1, found_by=(found,), matched=(),
        derived_from="x",
    )  # fmt: skip
    parsed = parse_question("What are the colours?", read_lexicons())
    part = parsed.sub_questions[0].model_copy(update={"shape": "list"})
    linked = (Evidence(candidate=candidate, lines=view.evidence_lines(span)),)
    task = ReaderTask(parsed, part, (_make_piece(view, 1),), view, 3600, linked)
    reading = join_references(task, _make_reading(view, 1), lambda _: None)
    assert [item.text for item in reading.items] == ["red", "green", "blue"]
    assert reading.items[0].citations[0].page == 1


def test_nothing_is_looked_at_when_no_quote_holds_a_reference():
    view = _make_view()
    assert not may_refer(view, _make_reading(view, 3))
    assert may_refer(view, _make_reading(view, 1))
