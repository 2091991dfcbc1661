"""Cells: one row and one column, typed or prose, without the neighbour's text."""

from __future__ import annotations

import pytest

from pipeline.generation.extractive.cells import find_best_cells, is_clipped
from pipeline.generation.extractive.table_value import read_table_value
from pipeline.generation.extractive.value import read_value
from pipeline.models.question import Anchor
from tests.unit.generation.pages import make_task, make_view

SCORES = [
    "Table 2: BLEU of systems on English-to-German and English-to-French",
    "",
    [(0, "Model"), (46, "BLEU"), (76, "Cost")],
    [(40, "EN-DE"), (52, "EN-FR"), (70, "EN-DE"), (82, "EN-FR")],
    [(0, "ByteNet"), (40, "23.75"), (52, "31.5"), (70, "1.0"), (82, "1.4")],
    [(0, "GNMT"), (40, "24.6"), (52, "39.92"), (70, "2.3"), (82, "1.5")],
    [(0, "Transformer (base model)"), (40, "27.3"), (52, "38.1"), (70, "3.3"), (82, "3.4")],
    [(0, "Transformer (big)"), (40, "28.4"), (52, "41.8"), (70, "2.9"), (82, "2.8")],
]


@pytest.mark.parametrize(
    ("question", "printed"),
    [
        ("What BLEU does the big Transformer reach on English-to-French?", "41.8"),
        ("What BLEU does the base Transformer reach on English-to-German?", "27.3"),
        ("What BLEU does GNMT reach on English-to-French?", "39.92"),
    ],
)
def test_cell_is_read_when_row_and_column_are_named(question, printed):
    reading = read_value(make_task(make_view(SCORES), question))
    assert reading is not None
    assert reading.items[0].text.startswith(printed)
    assert reading.conflict is None


def test_no_cell_is_chosen_when_two_columns_fit_equally():
    task = make_task(make_view(SCORES), "What BLEU does GNMT reach?")
    assert list(find_best_cells(task)) == []


def test_prose_cell_is_read_alone_when_its_neighbours_hold_text_too():
    page = [
        "Table 1. Duties by level",
        "",
        [(0, "Level"), (20, "Governance Duty"), (60, "Management Duty")],
        "",
        [(0, "Level 1: Basic"), (20, "Owners keep a list of systems"), (60, "Staff report each incident soon")],
        [(20, "and review it once a year."), (60, "to the help desk by telephone.")],
        "",
        [(0, "Level 2: Firm"), (20, "The board approves a policy and"), (60, "Suppliers are rated before they")],
        [(20, "expresses it in plain words."), (60, "are given access to any system.")],
    ]
    task = make_task(make_view(page), "What is the Governance Duty at Level 2 (Firm)?")
    reading = read_table_value(task)
    assert reading is not None
    assert "approves a policy" in reading.items[0].text
    assert "Suppliers" not in reading.text


@pytest.mark.parametrize(
    ("asked", "header", "fits"),
    [
        ("English-to-French", "BLEU EN-FR", True),
        ("English-to-German", "EN-DE", True),
        ("English-to-French", "EN-DE", False),
        ("parameters", "params x106", True),
        ("parameters", "paragraph", False),
    ],
)
def test_code_stands_for_an_anchor_when_each_part_begins_a_word(asked, header, fits):
    form = asked.casefold()
    anchor = Anchor(text=asked, key=form, source="word", forms=(form,), weight=500)
    assert is_clipped(anchor, header, ("german de",)) is fits
