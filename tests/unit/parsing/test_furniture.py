from __future__ import annotations

import pytest

from pipeline.models.document import ParsedDocument
from pipeline.parsing.printed import read_numbers, read_roman
from tests.unit.parsing.reading import put, read_contents


def _build(head: str, foot: str, count: int = 6, first: int = 1) -> ParsedDocument:
    """Pages with a running head and foot; # is the printed number."""
    pages = []
    for number in range(first, first + count):
        body = "".join(
            put(72, 680 - 20 * at, f"Body {'abcdefghij'[number % 10]} line {at} of its own") for at in range(5)
        )
        pages.append(put(72, 760, head.replace("#", str(number))) + body + put(300, 30, foot.replace("#", str(number))))
    return read_contents(*pages)


def _furniture(document: ParsedDocument, page: int) -> list[str]:
    return [line.text for line in document.lines_on(page) if line.is_furniture]


def test_running_heads_and_numbers_are_furniture_when_they_recur() -> None:
    document = _build("The Manual of Weather", "#")
    assert _furniture(document, 3) == ["The Manual of Weather", "3"]
    assert [page.printed for page in document.pages] == ["1", "2", "3", "4", "5", "6"]


def test_the_printed_number_counts_from_elsewhere_when_front_matter_precedes() -> None:
    assert [page.printed for page in _build("The Manual", "Page # of 90", first=11).pages][:3] == ["11", "12", "13"]


@pytest.mark.parametrize(("foot", "printed"), [("A-#", "A-4"), ("- # -", "4"), ("# | Weather report", "4")])
def test_the_printed_number_is_read_when_it_has_company(foot: str, printed: str) -> None:
    document = _build("", foot)
    assert document.pages[3].printed == printed
    assert len(_furniture(document, 4)) == 1


def test_numbered_headings_are_no_page_numbers_when_their_words_differ() -> None:
    titles = ("1 Scope", "2 Terms", "3 Duties", "4 Faults", "5 Costs")
    document = read_contents(*(put(72, 740, title) + put(72, 700, f"Text under {title}") for title in titles))
    assert [page.printed for page in document.pages] == [""] * 5
    assert not [line for line in document.lines if line.is_furniture]


def test_list_markers_are_no_page_numbers_when_they_stand_in_brackets() -> None:
    document = read_contents(
        *(put(72, 740, f"\\({mark}\\)") + put(72, 600, f"{mark} text") for mark in ("i", "ii", "iii"))
    )
    assert [page.printed for page in document.pages] == ["", "", ""]


def test_a_table_head_is_not_furniture_when_text_stands_outside_it() -> None:
    pages = [
        put(72, 760, f"Title number {'abcd'[at]}") + put(72, 745, "Year ended") + put(72, 700, "x") for at in range(4)
    ]
    assert not [line for line in read_contents(*pages).lines if line.is_furniture and line.text == "Year ended"]


def test_the_number_is_found_when_pages_end_early() -> None:
    pages = [
        "".join(put(72, 740 - 20 * at, f"Words {number} of {at} here") for at in range(5 + number))
        + put(300, 700 - 20 * (5 + number), str(number))
        for number in range(1, 7)
    ]
    assert [page.printed for page in read_contents(*pages).pages] == ["1", "2", "3", "4", "5", "6"]


@pytest.mark.parametrize(("text", "value"), [("iv", 4), ("XIX", 19), ("xl", 40), ("ix", 9)])
def test_roman_numerals_are_read_when_they_number_pages(text: str, value: int) -> None:
    assert read_roman(text) == value
    assert [number.family for number in read_numbers(text)] == ["roman"]


def test_a_year_in_a_sentence_is_no_page_number_when_the_line_is_long() -> None:
    assert read_numbers("The amounts are stated as they were on the last day of the business year, " * 2 + "2018") == []
