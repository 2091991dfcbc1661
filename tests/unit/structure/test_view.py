"""The view: lines, references and places of anchors."""

from __future__ import annotations

from pipeline.models.evidence import Span
from pipeline.models.question import Anchor
from tests.unit.structure.pages import make_line, make_view, stack_lines


def _view():
    lines = [
        make_line("Port rules", 1, 1, is_furniture=True),
        *stack_lines(["The port keeps the quantum-", "safe keys of ware-", "house doors."], first=2),
        make_line("hidden words", 1, 5, (7200, 30000), hidden="same_colour"),
    ]
    return make_view(lines)


def _anchor(text: str) -> Anchor:
    return Anchor(text=text, key=text, source="compound", forms=(text,), weight=1000)


def test_furniture_and_hidden_lines_are_left_out_when_evidence_is_read():
    lines = _view().evidence_lines(Span(page=1, line_start=1, line_end=5))
    assert [line.number for line in lines] == [2, 3, 4]


def test_the_reference_names_every_span_when_there_are_several():
    spans = (Span(page=7, line_start=48, line_end=58), Span(page=8, line_start=1, line_end=3, method="ocr"))
    assert _view().reference(spans) == "abababababab:p7:l48-58@native.1,p8:l1-3@ocr.1"


def test_places_are_found_when_a_form_breaks_over_two_lines():
    view = _view()
    assert view.positions_of(_anchor("quantum-safe")) == ((1, 2),)
    assert view.positions_of(_anchor("warehouse")) == ((1, 3),)


def test_hidden_lines_carry_no_anchor_when_searched():
    assert _view().positions_of(_anchor("hidden words")) == ()


def test_text_reads_without_hyphens_when_lines_are_joined():
    assert _view().text_between((1, 1), (2, 0)) == "The port keeps the quantumsafe keys of warehouse doors."


def test_mentions_carry_their_place_when_they_break_over_two_lines():
    view = make_view(stack_lines(["Fees are listed in Table 2 and, for big ships, in Table", "3 of this part."]))
    mentions = view.mentions_in((1, 1), (2, 0))
    assert [(mention.key, mention.extent.line_start, mention.extent.line_end) for mention in mentions] == [
        ("table:2", 1, 1),
        ("table:3", 1, 2),
    ]
