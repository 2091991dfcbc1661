from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pipeline.parsing.drafts import DraftLine
from pipeline.parsing.order import order_lines
from tests.unit.parsing.reading import put, read_contents, texts

LEFT = [f"left words that fill a column {number}" for number in range(12)]
RIGHT = [f"right words that fill a column {number}" for number in range(12)]


def _column(words: list[str], x: float) -> list[str]:
    return [put(x, 650 - 14 * at, text) for at, text in enumerate(words)]


def test_columns_are_read_one_after_the_other_when_lines_are_drawn_across() -> None:
    pairs = zip(_column(LEFT, 60), _column(RIGHT, 320), strict=True)
    document = read_contents("".join(left + right for left, right in pairs))
    assert texts(document) == LEFT + RIGHT
    assert document.pages[0].column_count == 2
    assert document.pages[0].failed_checks == ("mixed_columns",)
    assert {line.column for line in document.lines[:12]} == {1}


def test_a_heading_across_stays_first_when_columns_follow() -> None:
    title = put(60, 700, "A heading that runs across both of the columns of this page", 16)
    document = read_contents("".join(_column(RIGHT, 320) + _column(LEFT, 60)) + title)
    assert texts(document)[0].startswith("A heading")
    assert texts(document)[1:] == LEFT + RIGHT
    assert document.lines[0].column == 0


def test_a_table_is_no_pair_of_columns_when_its_cells_are_short() -> None:
    rows = "".join(put(60, 650 - 14 * at, f"Item {at}") + put(400, 650 - 14 * at, f"{at},000") for at in range(12))
    document = read_contents(rows)
    assert document.pages[0].column_count == 1
    assert texts(document)[:4] == ["Item 0", "0,000", "Item 1", "1,000"]


def test_a_footer_is_last_when_it_is_drawn_first() -> None:
    document = read_contents(put(72, 30, "Footer") + put(72, 700, "First line") + put(72, 680, "Second line"))
    assert texts(document) == ["First line", "Second line", "Footer"]


def test_rows_are_restored_when_fonts_are_drawn_one_after_the_other() -> None:
    heads = "".join(put(72, 700 - 40 * at, f"Head {at}") for at in range(4))
    bodies = "".join(put(72, 685 - 40 * at, f"Body {at}") for at in range(4))
    assert texts(read_contents(heads + bodies))[:4] == ["Head 0", "Body 0", "Head 1", "Body 1"]


@given(st.lists(st.tuples(st.integers(0, 500), st.integers(0, 700), st.integers(1, 40)), max_size=40))
def test_no_line_is_lost_or_doubled_when_any_page_is_put_in_order(places: list[tuple[int, int, int]]) -> None:
    lines = [
        DraftLine(f"word {at} and more", (x * 100, y * 100, (x + w * 10) * 100, (y + 10) * 100), 1000, baseline=y * 100)
        for at, (x, y, w) in enumerate(places)
    ]
    ordered, column_count, _ = order_lines(list(lines), 61200)
    assert sorted(line.text for line in ordered) == sorted(line.text for line in lines)
    assert column_count >= 1
    blocks = [line.block for line in ordered]
    assert blocks == sorted(blocks)
