"""Tables of words: the cell that a question names comes whole and alone, or nothing is told."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.generation.extractive.labelled import read_labelled
from tests.unit.generation.pages import make_task, make_view

MEANINGS = [
    "Table 1: Meaning of ratings for parts of a boat",
    "",
    [(0, "Part"), (20, "SLIGHT"), (60, "GRAVE")],
    "",
    [(0, "Hull (outer)"), (20, "Paint comes off and the"), (60, "Water comes in and the")],
    [(20, "boat looks worse."), (60, "boat may go down.")],
    "",
    [(0, "Mast"), (20, "A stay hums in a fresh"), (60, "The mast leans over and")],
    [(20, "wind."), (60, "cannot carry sail.")],
    "",
    [(0, "Rudder"), (20, "The helm feels stiff in"), (60, "The boat cannot be steered")],
    [(20, "the cold."), (60, "at all.")],
]
SEASONS = [
    "Tasks by season",
    "",
    [(0, "Group"), (20, "Office"), (45, "Summer Task"), (75, "Season Code")],
    "",
    [(0, "Shore"), (20, "Berth Office"), (45, "Assigns berths"), (75, "SH.BE")],
    "",
    [(20, "Gate Office"), (45, "Opens the lock"), (75, "SH.GA")],
    "",
    [(0, "Water"), (20, "Dive Office"), (45, "Inspects chains"), (75, "WA.DI")],
    "",
    [(20, "Buoy Office"), (45, "Paints buoys"), (75, "WA.BU")],
]
FEES = [
    "Table 2: Fees by kind of boat",
    "",
    [(0, "Kind of Boat"), (30, "Day Fee"), (50, "Year Fee")],
    "",
    [(0, "Dinghy"), (30, "12"), (50, "240")],
    "",
    [(0, "Barge"), (30, "80"), (50, "1,900")],
    "",
    [(0, "Tug"), (30, "40"), (50, "900")],
]
PAPERS = [
    "List of exhibits",
    "",
    [(0, "4.1"), (10, "Form of the berth licence")],
    [(0, "4.2"), (10, "Letter on chains, with the")],
    [(10, "drawings of three sinkers")],
    [(0, "4.3"), (10, "Tariff of the lagoon")],
    [(0, "4.4"), (10, "Agreement on towing")],
]


def _read(page, question):
    return read_labelled(make_task(make_view(page), question))


@pytest.mark.parametrize(
    ("question", "cells"),
    [
        ("What does Table 1 say of GRAVE damage to the hull?", ["Water comes in and the boat may go down."]),
        ("How does Table 1 define a SLIGHT rating for the rudder?", ["The helm feels stiff in the cold."]),
        (
            "How does Table 1 define a GRAVE rating for each part?",
            [
                "Water comes in and the boat may go down.",
                "The mast leans over and cannot carry sail.",
                "The boat cannot be steered at all.",
            ],
        ),
        (
            "How do SLIGHT and GRAVE ratings of the rudder differ in Table 1?",
            ["The helm feels stiff in the cold.", "The boat cannot be steered at all."],
        ),
        (
            "What does Table 1 say about the mast?",
            ["A stay hums in a fresh wind.", "The mast leans over and cannot carry sail."],
        ),
    ],
)
def test_named_cells_are_told_whole_when_row_or_column_is_said(question, cells):
    reading = _read(MEANINGS, question)
    assert [item.text for item in reading.items] == cells
    assert reading.has_typed_fit


def test_cell_is_cited_with_its_row_and_its_heads_when_it_is_told():
    item = _read(MEANINGS, "What does Table 1 say of GRAVE damage to the mast?").items[0]
    quotes = [citation.quote for citation in item.citations]
    assert item.label == "Mast, GRAVE"
    assert quotes[:3] == ["The mast leans over and", "cannot carry sail.", "Mast"]
    assert any("GRAVE" in quote for quote in quotes[3:])
    assert all(len(citation.boxes) == citation.line_end - citation.line_start + 1 for citation in item.citations)


def test_column_is_told_with_a_doubt_when_no_row_is_called_as_asked():
    reading = _read(MEANINGS, "What does Table 1 say of GRAVE damage to the anchor winch gearbox?")
    assert reading is None or (not reading.has_typed_fit and reading.caveats)


@pytest.mark.parametrize(
    "question",
    [
        "What is the colour of the hull?",
        "What does the harbour master do in a grave emergency?",
        "What does Table 2 say of GRAVE damage to the hull?",
    ],
)
def test_nothing_is_told_when_the_question_names_no_cell(question):
    assert _read(MEANINGS, question) is None


def test_row_is_found_when_it_is_named_beside_the_first_cell():
    reading = _read(SEASONS, "What is the season code of the Gate Office?")
    assert [item.text for item in reading.items] == ["SH.GA"]
    assert "Gate Office" in reading.items[0].label


def test_all_rows_are_told_when_heads_are_said_in_some_of_their_words_for_each():
    page = [[(0, "Name of Guarantor"), (40, "Place of Incorporation")], ""]
    page += [
        [(0, "Moss plc"), (40, "Jersey")],
        "",
        [(0, "Fern Ltd"), (40, "Malta")],
        "",
        [(0, "Reed Ltd"), (40, "Crete")],
    ]
    reading = _read(page, "What is the place of incorporation of each guarantor?")
    assert [item.text for item in reading.items] == ["Jersey", "Malta", "Crete"]


def test_figures_are_left_to_other_readers_when_a_table_holds_figures():
    assert _read(FEES, "What does Table 2 say of the day fee of a barge?") is None


@pytest.mark.parametrize("question", ["What is Exhibit 4.2?", "What is exhibit 4.2 in the list of exhibits?"])
def test_exhibit_is_told_whole_when_it_is_asked_by_number(question):
    reading = _read(PAPERS, question)
    assert [item.text for item in reading.items] == ["Letter on chains, with the drawings of three sinkers"]


def test_points_are_told_one_by_one_when_a_cell_is_a_list():
    page = [
        "Goods by house",
        "",
        [(0, "House"), (20, "Chief Goods"), (60, "Other Goods")],
        "",
        [(0, "North House"), (20, "\u2022 Rope"), (60, "\u2022 Tar")],
        [(20, "\u2022 Chain of all"), (60, "\u2022 Oakum")],
        [(20, "sizes"), (60, "in bales")],
        "",
        [(0, "South House"), (20, "\u2022 Sails"), (60, "\u2022 Paint")],
        [(20, "\u2022 Nets"), (60, "\u2022 Nails")],
    ]
    reading = _read(page, "What are the chief goods of the North House?")
    assert [item.text for item in reading.items] == ["Rope", "Chain of all sizes"]


WORDS = st.sampled_from("amber birch cedar delta ember flint grove heron iris jade kelp lotus maple".split())
LABELS = ("Anvil", "Bellows", "Crucible", "Forge", "Hammer")
HEADS = ("FIRST", "SECOND", "THIRD")


@st.composite
def _tables(draw):
    """A table whose cells hold words of their own: which cell each word is of can be told from the word."""
    height, width = draw(st.integers(2, 5)), draw(st.integers(2, 3))
    cells = {
        (row, column): [
            [f"{draw(WORDS)}{row}{column}{line}{at}" for at in range(draw(st.integers(1, 2)))]
            for line in range(draw(st.integers(1, 4)))
        ]
        for row in range(height)
        for column in range(width)
    }
    is_middle = draw(st.booleans())
    page = ["Table 7: Stages of tools of the smithy", "", [(0, "Tool"), *_place(HEADS[:width])], ""]
    for row in range(height):
        tall = max(len(cells[row, column]) for column in range(width))
        for line in range(tall):
            placed = [(0, LABELS[row])] if line == ((tall - 1) // 2 if is_middle else 0) else []
            for column in range(width):
                if line < len(cells[row, column]):
                    placed.append((25 + column * 35, " ".join(cells[row, column][line])))
            page.append(placed)
        page.append("")
    place = draw(st.sampled_from(sorted(cells)))
    return page, place, " ".join(" ".join(line) for line in cells[place])


def _place(heads):
    return [(25 + column * 35, head) for column, head in enumerate(heads)]


@settings(max_examples=60, deadline=None)
@given(_tables())
def test_cell_comes_whole_or_not_at_all_when_a_table_has_any_shape(table):
    page, (row, column), text = table
    reading = _read(page, f"What does Table 7 say of the {HEADS[column]} stage of the {LABELS[row]}?")
    assert reading is None or [item.text for item in reading.items] == [text]


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        ("What are the effects of a GRAVE fault, and what does Table 1 say about it for the mast?", ["leans over"]),
        ("What are the effects of a SLIGHT fault, and what does Table 1 say about it for the rudder?", ["feels stiff"]),
    ],
)
def test_column_of_the_part_before_is_meant_when_a_part_points_at_it(question, texts):
    task = make_task(make_view(MEANINGS), question)
    reading = read_labelled(replace(task, part=task.question.sub_questions[1]))
    assert reading is not None
    assert len(reading.items) == len(texts)
    assert all(text in item.text for text, item in zip(texts, reading.items, strict=True))


def test_row_is_told_whole_when_a_part_points_at_nothing():
    task = make_task(
        make_view(MEANINGS), "What are the effects of a GRAVE fault, and what does Table 1 say for the mast?"
    )
    reading = read_labelled(replace(task, part=task.question.sub_questions[1]))
    assert reading is not None
    assert len(reading.items) == 2
