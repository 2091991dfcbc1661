"""Raised and lowered figures of a line: marks, powers and what only looks like either."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.text.folding import fold
from pipeline.text.scripts import apply_edits, find_scripts, fold_line, list_edits


def read_markup(source: str):
    """Text with its raised ("<2>") and lowered ("_2_") ranges."""
    text, raised, lowered = "", [], []
    for piece in re.split(r"(<.+?>|_[^_]+_)", source):
        if piece[:1] in ("<", "_") and len(piece) > 2:
            ranges = raised if piece[0] == "<" else lowered
            ranges.append((len(text), len(text) + len(piece) - 2))
            text += piece[1:-1]
        else:
            text += piece
    return text, tuple(raised), tuple(lowered)


def tell(source: str, notes: str = "") -> str:
    """The line as it is told on a page that has notes with the given signs."""
    text, raised, lowered = read_markup(source)
    return apply_edits(
        text, list_edits(text, raised, lowered, lambda s: text[s.start : s.end].strip("()")[:1] in notes)
    )


@pytest.mark.parametrize(
    "source",
    [
        "O(n<2> · d)", "x<2> + y<2>", "120 km<2>", "speed in kg<2>", "10<19>", "about 10<6> people", "x_i_<2>",
        "(x + y)<2>", "sin<2> a", "QK<T>", "step_num<-0.5>", "R<d>", "d<\u22120.5>", "10000<2i/d>",
    ],
)  # fmt: skip
def test_raised_figure_is_a_power_when_it_stands_behind_a_symbol(source):
    text, raised, lowered = read_markup(source)
    assert {script.kind for script in find_scripts(text, raised, lowered)} == {"power"}


@pytest.mark.parametrize(
    "source",
    [
        "The Agreement<1> ends", "Total net sales<3>", "for individuals.<2>", "Sales<1,2>", "SG&A<(2)>", "net loss<a>",
        "Level 2<(2) (3)>", "in 2019<1>", "$1,234<2>", "EPS (diluted)<1,4>", "23 %<b>", "Ada Quay<\u2217\u2020>",
        "so-called \u201cPlan\u201d<4>", "sales (in millions) <(1)>", "CO_2_<1> and", "Loans<((j)(k)>",
    ],
)  # fmt: skip
def test_raised_figure_is_a_mark_when_it_stands_behind_words_or_amounts(source):
    text, raised, lowered = read_markup(source)
    assert {script.kind for script in find_scripts(text, raised, lowered)} == {"mark"}


@pytest.mark.parametrize(
    "source",
    ["34<th> Street", "Linux<\u00ae> kernel", "ExtraCash<TM> card", "N<o> 8", "\u221a<dk>", "(in millions) (1<)>:"],
)
def test_raised_text_is_left_alone_when_it_is_neither_mark_nor_power(source):
    text, raised, lowered = read_markup(source)
    assert [script.kind for script in find_scripts(text, raised, lowered)] == ["plain"]
    assert tell(source, notes="t") == text


@pytest.mark.parametrize(
    ("source", "notes", "expected"),
    [
        ("O(n<2> · d)", "", "O(n^2 · d)"),
        ("O(n<2>d)", "", "O(n^2 d)"),
        ("10<19> FLOPs", "1", "10^19 FLOPs"),
        ("sin(p/10000<2i/d>)", "", "sin(p/10000^(2i/d))"),
        ("The Agreement<1> ends", "1", "The Agreement ends"),
        ("The Agreement<1> ends", "", "The Agreement 1 ends"),
        ("Other <(2)> and", "2", "Other and"),
        ("Other <(2)> and", "", "Other and"),
        ("Ada Quay<\u2217> and", "", "Ada Quay\u2217 and"),
        ("as agreed.<2> Then", "2", "as agreed. Then"),
        ("Level 5<2>", "2", "Level 5"),
        ("Level 5<2>", "", "Level 5^2"),
        ("<1>Information is", "1", "1 Information is"),
        ("410 kg of CO_2_ a year", "", "410 kg of CO2 a year"),
        ("101_2_ in binary", "", "101_2 in binary"),
        ("x_i_<2> + y", "", "xi^2 + y"),
        ("_model_ · min(a, b)", "", "_model · min(a, b)"),
        ("_model_", "", "model"),
    ],
)
def test_line_is_told_apart_when_figures_are_raised_or_lowered(source, notes, expected):
    assert tell(source, notes) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("The Agreement<1> ends", "the agreement 1 ends"),
        ("Sales<1,2> rose", "sales 1,2 rose"),
        ("O(n<2>)", "o(n2)"),
        ("34<th> Street", "34th street"),
        ("Total <(1)>", "total (1)"),
    ],
)
def test_matching_form_sets_marks_apart_when_they_are_glued_to_words(source, expected):
    assert fold_line(*read_markup(source)) == expected


TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), max_size=40)


@given(TEXTS)
def test_line_is_told_and_folded_as_it_is_when_nothing_is_raised(text):
    assert list_edits(text, (), (), lambda script: True) == ()
    assert apply_edits(text, ()) == text
    assert fold_line(text, ()) == fold(text)


@given(st.data())
def test_only_raised_and_lowered_figures_change_when_a_line_is_told(data):
    text = data.draw(st.text("ab1( ).,^2CO%\u2217", min_size=1, max_size=24))
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6)))
    spans = tuple(zip(cuts[::2], cuts[1::2], strict=False))
    raised, lowered = spans[::2], spans[1::2]
    edits = list_edits(text, raised, lowered, lambda script: data.draw(st.booleans()))
    assert list(edits) == sorted(edits)
    assert all(before.end <= after.start for before, after in pairwise(edits))
    for edit in edits:
        # what goes or changes is the figure and the space around it
        inside = any(low <= edit.end <= high for low, high in spans)
        assert inside
        assert text[edit.start : edit.end].strip() in [text[low:high].strip() for low, high in spans]
