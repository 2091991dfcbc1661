"""Captions, and what only looks like one."""

from __future__ import annotations

import pytest

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
