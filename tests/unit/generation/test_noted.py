"""What bears a footnote mark, and what its note says."""

from __future__ import annotations

import pytest

from pipeline.generation.extractive.noted import read_noted
from pipeline.structure.view import DocumentView
from tests.unit.generation.pages import make_task, make_view

ROWS = [
    [(0, "Ada Quay\u2217"), (40, "Ben Mast\u2217\u2020")],
    [(0, "Harbour College"), (40, "Light House")],
    "",
    "Lamps are lit at dusk in every tower of the coast by keepers who live there all year.",
    "",
    "\u2217Equal contribution of both.",
    "",
    "\u2020Work performed while at Salt Works.",
]


def _make_view() -> DocumentView:
    view = make_view(ROWS)
    lines = []
    for line in view.document.lines:
        if line.text[0] in "\u2217\u2020":
            line = line.model_copy(update={"raised": ((0, 1),), "size": 800})
        elif line.text[-1] in "\u2217\u2020":
            first = min(at for at, char in enumerate(line.text) if char in "\u2217\u2020")
            line = line.model_copy(update={"raised": ((first, len(line.text)),)})
        lines.append(line)
    return DocumentView(view.document.model_copy(update={"lines": tuple(lines)}), view.lexicon)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which author worked at Salt Works according to the footnote?", ["Ben Mast"]),
        ("What does the footnote at Ada Quay say?", ["\u2217Equal contribution of both."]),
    ],
)
def test_other_end_of_a_mark_is_read_when_a_question_names_one(question, expected):
    reading = read_noted(make_task(_make_view(), question))
    assert reading is not None
    assert [item.text for item in reading.items] == expected


def test_nothing_is_read_when_no_note_says_what_is_named():
    assert read_noted(make_task(_make_view(), "Who is from Pepper Island according to the footnote?")) is None
