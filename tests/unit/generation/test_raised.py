"""Answers told without footnote marks in words and with carets before exponents; quotes stay verbatim."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.generation.extractive.citing import cite_lines
from pipeline.generation.extractive.raised import tell_raised
from pipeline.generation.extractive.reading import Reading
from pipeline.generation.validate import find_answer_faults
from pipeline.models.answer import Answer, Conflict, Item
from pipeline.structure.view import DocumentView
from pipeline.text.matching import join_lines
from tests.unit.generation.pages import make_view
from tests.unit.text.test_scripts import read_markup

PAGE = [
    "The Supply Agreement<1> ends on 30 June. The yard pays a fee for each of the",
    "120 m<2> that it uses; 10<19> grains of sand are no 1019 stones, and the Char-",
    "ter<2> of the harbour holds.",
    "Work is O(n<2> · k) for ray casting and O(k<3>) for cones.",
    "",
    "<1>Amended on 4 May, when the price of sand rose.",
]


def _make_view() -> DocumentView:
    marked = [read_markup(row) for row in PAGE]
    view = make_view([text for text, _, _ in marked])
    spans = [(raised, lowered) for text, raised, lowered in marked if text]
    lines = tuple(
        line.model_copy(update={"raised": raised, "lowered": lowered, "size": 800 if number == len(spans) else 1000})
        for number, (line, (raised, lowered)) in enumerate(zip(view.document.lines, spans, strict=True), start=1)
    )
    return DocumentView(view.document.model_copy(update={"lines": lines}), view.lexicon)


def _read(view: DocumentView, text: str, first: int, last: int) -> Reading:
    citations = cite_lines(view, view.document.lines[first - 1 : last])
    item = Item(sub_question="q1", text=text, label=text, citations=citations, extraction="verbatim")
    return Reading(text=text, items=(item,))


def test_sentence_is_told_apart_when_its_lines_have_marks_and_powers():
    view = _make_view()
    text = join_lines([line.text for line in view.document.lines[:3]]).display
    told = tell_raised(view, _read(view, text, 1, 3))
    expected = (
        "The Supply Agreement ends on 30 June. The yard pays a fee for each of the 120 m^2 that it uses; "
        "10^19 grains of sand are no 1019 stones, and the Charter 2 of the harbour holds."
    )
    assert told.text == told.items[0].text == told.items[0].label == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ray casting: O(n2 · k)", "Ray casting: O(n^2 · k)"),
        ("O(k3)", "O(k^3)"),
        ("O(n2) or O(n2, but never O(n20)", "O(n^2) or O(n^2, but never O(n20)"),
        ("Ray casting: O(n^2 · k)", "Ray casting: O(n^2 · k)"),
        ("no figure", "no figure"),
    ],
)
def test_piece_of_a_line_is_told_when_an_answer_holds_only_that(text, expected):
    view = _make_view()
    assert tell_raised(view, _read(view, text, 4, 4)).text == expected


def test_note_is_told_with_its_sign_set_apart_when_it_is_answered_itself():
    view = _make_view()
    text = view.document.lines[4].text
    assert tell_raised(view, _read(view, text, 5, 5)).text == "1 Amended on 4 May, when the price of sand rose."


def test_conflict_and_caveats_are_told_alike_when_they_name_what_is_marked():
    view = _make_view()
    reading = _read(view, "O(k3)", 4, 4)
    conflict = Conflict(concept="work", values=("O(k3)", "O(n2 · k)"), citations=reading.items[0].citations)
    object.__setattr__(reading, "conflict", conflict)
    told = tell_raised(view, reading.doubt("O(k3) is not certain"))
    assert told.conflict is not None
    assert told.conflict.values == ("O(k^3)", "O(n^2 · k)")
    assert told.caveats == ("O(k^3) is not certain",)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 5), st.integers(1, 5), st.text("On2k3 (·)Agremnt1\u0011.", max_size=30))
def test_quotes_are_verbatim_when_whatever_text_is_told(first, last, text):
    view = _make_view()
    first, last = min(first, last), max(first, last)
    reading = _read(view, text, first, last)
    told = tell_raised(view, reading)
    assert [item.citations for item in told.items] == [item.citations for item in reading.items]
    answer = Answer(found=True, complete=True, text=told.text, items=told.items)
    assert find_answer_faults(answer, view, 10_000) == ()


@given(st.text(max_size=60))
def test_text_is_unchanged_when_no_cited_line_is_raised(text):
    view = make_view(["The yard is open.", "It closes at noon."])
    reading = _read(view, text, 1, 2)
    assert tell_raised(view, reading) is reading
