"""Where a quote stands among characters: found once or not at all."""

from __future__ import annotations

import pytest

from pipeline.report.places import Glyph, find_quote

WIDTH = 500
HEIGHT = 1000


def _write(text: str, x: int = 0, y: int = 0) -> tuple[Glyph, ...]:
    """A run of characters of one width."""
    return tuple(Glyph(letter, (x + at * WIDTH, y, x + (at + 1) * WIDTH, y + HEIGHT)) for at, letter in enumerate(text))


def _box(start: int, end: int, y: int = 0) -> tuple[int, int, int, int]:
    return (start * WIDTH, y, end * WIDTH, y + HEIGHT)


def test_only_the_words_of_the_quote_are_boxed_when_it_is_a_part_of_its_line():
    runs = [_write("the deposit is 75 euros")]
    place = find_quote(runs, ["75 euros"], [_box(0, 23)])
    assert (place.fault, place.boxes) == ("", (_box(15, 23),))


def test_every_line_has_its_own_box_when_a_quote_runs_over_two():
    runs = [_write("notice of", y=0), _write("30 days", y=1200)]
    place = find_quote(runs, ["notice of", "30 days"], [_box(0, 9), _box(0, 7, 1200)])
    assert place.boxes == (_box(0, 9), _box(0, 7, 1200))


def test_the_box_decides_when_the_same_words_stand_in_two_columns():
    runs = [_write("30 days"), _write("30 days", x=20_000)]
    place = find_quote(runs, ["30 days"], [(20_000, 0, 23_500, HEIGHT)])
    assert place.boxes == ((20_000, 0, 23_500, HEIGHT),)


@pytest.mark.parametrize(
    ("text", "part", "words"),
    [
        ("18 of 18 gates", "18", "2 times"),
        ("the rate is 180", "18", "not at its place"),
        ("1,418 gates", "418", "not at its place"),
        ("another line", "deposit", "not at its place"),
        ("anything", "  ", "nothing is quoted"),
    ],
)
def test_there_is_no_place_when_the_words_are_not_there_just_once(text: str, part: str, words: str):
    place = find_quote([_write(text)], [part], [_box(0, len(text))])
    assert place.boxes == ()
    assert words in place.fault


def test_there_is_no_place_when_the_words_stand_outside_the_box():
    runs = [_write("30 days and 40 days")]
    place = find_quote(runs, ["40 days"], [_box(0, 7)])
    assert "beside its place" in place.fault


def test_nothing_is_boxed_when_one_of_two_lines_is_missing():
    runs = [_write("notice of"), _write("60 days", y=1200)]
    place = find_quote(runs, ["notice of", "30 days"], [_box(0, 9), _box(0, 7, 1200)])
    assert place.boxes == ()
    assert place.fault


def test_words_are_found_when_white_space_and_runs_are_cut_otherwise():
    # "12", a gap, and "months" written as two runs, as typesetting does it
    runs = [_write("12"), _write("mon", x=3 * WIDTH), _write("ths", x=6 * WIDTH)]
    place = find_quote(runs, ["12 months"], [_box(0, 9)])
    assert place.fault == ""
    assert len(place.boxes) == 3


def test_a_number_is_found_when_a_superscript_stands_right_behind_it():
    small = (Glyph("1", (4 * WIDTH, 0, 4 * WIDTH + 250, 600)),)
    assert find_quote([_write("22.5"), small], ["22.5"], [_box(0, 4)]).boxes == (_box(0, 4),)
    assert find_quote([_write("22.5"), _write("1", x=4 * WIDTH)], ["22.5"], [_box(0, 4)]).fault


def test_one_place_is_found_when_a_text_is_painted_twice():
    runs = [_write("Deposit"), _write("Deposit", x=30, y=20)]
    assert find_quote(runs, ["Deposit"], [_box(0, 8)]).fault == ""


def test_a_part_is_found_when_there_are_fewer_boxes_than_parts():
    runs = [_write("red"), _write("green", y=1200)]
    place = find_quote(runs, ["red", "green"], [(0, 0, 4000, 2300)])
    assert place.boxes == (_box(0, 3), _box(0, 5, 1200))


def test_the_whole_page_is_searched_when_a_quote_has_no_box():
    runs = [_write("the deposit is 75"), _write("the rent is 900", y=1200)]
    assert find_quote(runs, ["rent is 900"], []).boxes == (_box(4, 15, 1200),)
    assert "2 times" in find_quote(runs, ["the"], []).fault


def test_most_of_a_quote_is_enough_when_the_box_of_a_cell_is_an_estimate():
    runs = [_write("north      12      south      13")]
    place = find_quote(runs, ["12"], [_box(11, 12)])
    assert place.fault == ""
    assert place.boxes == (_box(11, 13),)
