from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from pipeline.parsing.drafts import DraftLine
from pipeline.parsing.lines import split_cells
from tests.unit.parsing.reading import put, read_contents, texts


def test_words_of_one_baseline_are_one_line_when_drawn_apart() -> None:
    document = read_contents(put(72, 700, "The rent") + put(112, 700, "is due."))
    assert texts(document) == ["The rent is due."]


def test_cells_stay_apart_when_a_wide_gap_is_between() -> None:
    document = read_contents(put(72, 700, "Rent") + put(300, 700, "4,800"))
    assert texts(document) == ["Rent", "4,800"]


def test_a_bullet_joins_its_text_when_it_is_set_off() -> None:
    document = read_contents(put(72, 700, "\\225") + put(90, 700, "dry wood only"))
    assert texts(document) == ["• dry wood only"]


def test_a_heading_number_joins_its_title_when_it_is_set_off() -> None:
    document = read_contents(put(72, 700, "3.2.1") + put(105, 700, "Attention"))
    assert texts(document) == ["3.2.1 Attention"]


def test_offsets_name_scripts_when_characters_are_raised_or_lowered() -> None:
    shown = "BT /F0 10 Tf 72 700 Td (d) Tj /F0 6 Tf -2 Ts (model) Tj 0 Ts /F0 10 Tf ( or x) Tj /F0 6 Tf 4 Ts (2) Tj ET"
    line = read_contents(shown).lines[0]
    assert line.text == "dmodel or x2"
    assert [line.text[start:end] for start, end in line.lowered] == ["model"]
    assert [line.text[start:end] for start, end in line.raised] == ["2"]


def test_coordinates_are_those_seen_when_the_page_is_turned() -> None:
    page = "q 0 1 -1 0 792 0 cm\n" + put(72, 700, "Upper line") + put(72, 650, "Lower line") + "Q\n"
    document = read_contents(page, page_extra="/MediaBox [0 0 792 612] /Rotate 90")
    assert texts(document) == ["Upper line", "Lower line"]
    upper, lower = document.lines
    assert (document.pages[0].width, document.pages[0].height) == (61200, 79200)
    assert upper.box[1] < lower.box[1]
    assert abs(upper.box[0] - 7200) < 200


def test_text_is_verbatim_when_it_has_odd_signs() -> None:
    assert read_contents(put(72, 700, "caf\\351 \\223x\\224 \\205")).lines[0].text == "café “x” …"


def test_figures_are_cut_into_cells_when_blanks_set_them_apart() -> None:
    line = DraftLine("(171,590) \xa0 $", (1000, 0, 2000, 100), 1000)
    assert [cell.text for cell in split_cells(line)] == ["(171,590)", "$"]


def test_prose_is_not_cut_when_it_is_justified_with_two_blanks() -> None:
    line = DraftLine("related  consolidated  statements", (1000, 0, 2000, 100), 1000)
    assert split_cells(line) == [line]


@given(st.text(alphabet="ab1,.$ \xa0", min_size=1, max_size=40).filter(str.strip))
def test_cells_hold_every_character_in_order_when_any_line_is_cut(text: str) -> None:
    cells = split_cells(DraftLine(text, (0, 0, 10_000, 100), 1000))
    assert "".join("".join(cell.text.split()) for cell in cells) == "".join(text.split())
    assert all(0 <= cell.box[0] <= cell.box[2] <= 10_000 for cell in cells)
    assert all(first.box[2] <= second.box[0] for first, second in pairwise(cells))
