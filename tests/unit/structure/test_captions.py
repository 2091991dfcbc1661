"""Captions, and what only looks like one."""

from __future__ import annotations

import pytest

from pipeline.models.document import Line
from tests.unit.structure.pages import make_line, make_view, stack_lines

PROSE = "The harbour office keeps what this part asks for and shows it to whoever may see it"


@pytest.mark.parametrize(
    ("text", "kind", "label", "title"),
    [
        ("Table 2. Fees by size of ship", "table", "2", "Fees by size of ship"),
        ("Fig. 3: Map of the berths", "figure", "3", "Map of the berths"),
        ("Figure A.1 — Flow of cargo", "figure", "A.1", "Flow of cargo"),
        ("Tabela 4 – Prazos", "table", "4", "Prazos"),
    ],
)
def test_a_caption_is_read_when_it_has_kind_number_and_mark(text: str, kind: str, label: str, title: str):
    caption = make_view([make_line(text)]).captions[0]
    assert (caption.kind, caption.label, caption.title) == (kind, label, title)


@pytest.mark.parametrize(
    "text",
    ["Table 2 contains the fees by size of ship", "Figure 3 shows the berths", "Tables are listed below", "Figures 2"],
)
def test_a_sentence_is_no_caption_when_it_begins_with_a_kind(text: str):
    assert make_view([make_line(text)]).captions == ()


def test_a_line_is_no_caption_when_it_goes_on_with_the_sentence_above_it():
    lines = stack_lines([f"{PROSE} as shown in", "Fig. 2. The office then decides"])
    assert make_view(lines).captions == ()


def test_a_caption_covers_its_lines_when_its_title_wraps():
    caption = make_view(stack_lines([f"Table 1: {PROSE}", "and what it costs.", "", PROSE])).captions[0]
    assert (caption.extent.line_start, caption.extent.line_end) == (1, 2)
    assert caption.title.endswith("and what it costs.")


def test_entries_of_a_list_of_figures_are_no_captions_when_they_lead_to_pages():
    rows = [f"Figure {n}. Map number {n} {'.' * 40} {n + 3}" for n in range(1, 6)]
    assert make_view([make_line("List of Figures"), *stack_lines(rows, y=9000, first=2)]).captions == ()


def _set_formula(*pieces: tuple[str, int, int]) -> list[Line]:
    """Pieces of a display at (x, y), below a line of text."""
    above = make_line(PROSE, number=1, at=(7200, 20000))
    return [above, *(make_line(text, number=at, at=(x, y)) for at, (text, x, y) in enumerate(pieces, start=2))]


def test_an_equation_is_read_when_its_formula_is_set_in_several_lines():
    lines = _set_formula(
        ("speed = (ab", 15000, 24000),
        ("\u221a", 22000, 23500),
        ("n", 22800, 24700),
        (")", 23500, 24000),
        ("(7)", 50000, 24000),
    )
    caption = make_view(lines).captions[0]
    assert (caption.kind, caption.label, caption.extent.line_start, caption.extent.line_end) == ("equation", "7", 2, 6)


@pytest.mark.parametrize(
    "pieces",
    [
        # a formula far above the number, prose beside it, a number at the left, and no formula at all
        [("speed = ab", 15000, 24000), ("as told", 15000, 29000), ("(7)", 50000, 29000)],
        [("speed = ab", 15000, 24000), (PROSE[:62], 7200, 24500), ("(7)", 50000, 24500)],
        [("speed = ab", 15000, 24000), ("(7)", 15000, 24000)],
        [("speed of ab", 15000, 24000), ("(7)", 50000, 24000)],
    ],
)
def test_a_number_is_no_equation_when_no_formula_stands_beside_it(pieces: list[tuple[str, int, int]]):
    assert make_view(_set_formula(*pieces)).captions == ()
