from __future__ import annotations

import pymupdf
import pytest

from fixtures.faults.bookmarks import FAULTS
from pipeline.parsing.bookmarks import read_bookmarks
from pipeline.parsing.labels import build_labels, write_roman
from pipeline.parsing.objects import decode_string
from tests.unit.parsing.reading import read

FAULTY = {
    "outline_out_of_range": "outline-out-of-range",
    "outline_minus_one": "outline-out-of-range",
    "outline_missing_page": "outline-out-of-range",
    "outline_null": "outline-null",
    "outline_without_destination": "outline-null",
    "outline_named_missing": "outline-name-unresolved",
    "outline_uri": "outline-external",
    "outline_cyclic": "outline-cycle",
    "outline_one_bad": "outline-out-of-range",
}


@pytest.mark.parametrize("name", sorted(FAULTY))
def test_a_diagnostic_is_given_when_bookmarks_are_faulty(name: str) -> None:
    document = read(FAULTS[name].make())
    assert FAULTY[name] in [found.code for found in document.diagnostics]
    assert document.profile.outline_entry_count == 6


@pytest.mark.parametrize("name", ["outline_good", "outline_named", "outline_action"])
def test_bookmarks_lead_to_their_headings_when_they_are_sound(name: str) -> None:
    document = read(FAULTS[name].make())
    assert not [found for found in document.diagnostics if found.code.startswith("outline-")]
    assert [section.start[0] for section in document.sections] == [1, 2, 3, 4, 5, 6]


def test_heights_are_measured_from_the_top_when_the_file_counts_from_the_bottom() -> None:
    entries, faults = read_bookmarks(pymupdf.open(stream=FAULTS["outline_good"].make(), filetype="pdf"))
    assert faults == {}
    assert [(level, page) for level, _, page, _ in entries] == [(1, number) for number in range(1, 7)]
    assert entries[0][3] == 5600


def test_nesting_is_kept_when_bookmarks_have_children() -> None:
    document = pymupdf.open()
    for _ in range(3):
        document.new_page()
    document.set_toc([[1, "One", 1], [2, "One one", 2], [1, "Two", 3]])
    entries, _ = read_bookmarks(pymupdf.open(stream=document.tobytes(), filetype="pdf"))
    assert [entry[:3] for entry in entries] == [(1, "One", 1), (2, "One one", 2), (1, "Two", 3)]


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("(Scope)", "Scope"),
        (r"(A \(b\) \\ c)", r"A (b) \ c"),
        (r"(caf\351)", "café"),
        ("<FEFF00C4>", "Ä"),
        ("<41 42>", "AB"),
        ("<<>>", ""),
        ("null", ""),
    ],
)
def test_strings_are_decoded_when_they_come_as_written(written: str, text: str) -> None:
    assert decode_string(written) == text


def test_labels_follow_their_rules_when_a_file_has_several() -> None:
    rules = [
        {"startpage": 0, "style": "r"},
        {"startpage": 2, "style": "D", "prefix": "", "firstpagenum": 1},
        {"startpage": 4, "style": "A", "prefix": "App-"},
    ]
    assert build_labels(rules, 6) == ["i", "ii", "1", "2", "App-A", "App-B"]


def test_labels_are_readable_when_the_prefix_is_hexadecimal() -> None:
    assert build_labels([{"startpage": 0, "prefix": "<FEFF00410031>", "style": ""}], 2) == ["A1", "A1"]


def test_labels_are_empty_when_no_rule_covers_a_page() -> None:
    assert build_labels([{"startpage": 2, "style": "D"}], 3) == ["", "", "1"]


@pytest.mark.parametrize(("number", "roman"), [(1, "i"), (4, "iv"), (49, "xlix"), (1994, "mcmxciv"), (0, "0")])
def test_roman_numerals_are_written_when_labels_ask_for_them(number: int, roman: str) -> None:
    assert write_roman(number) == roman
