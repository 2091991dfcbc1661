from __future__ import annotations

import pytest

from fixtures.faults.hidden import CONTROLS, VARIANTS, build_hidden
from pipeline.parsing.hidden import is_unseen
from tests.unit.parsing.reading import put, read, read_contents

SENTENCE = "The deposit is nine thousand euros."
REASONS = {
    "invisible": "invisible",
    "white": "same_colour",
    "box_colour": "same_colour",
    "transparent": "transparent",
    "tiny": "tiny",
    "scaled_tiny": "tiny",
    "under_box": "covered",
    "under_dark_box": "covered",
    "under_image": "covered",
    "off_page": "off_page",
    "below_page": "off_page",
    "redaction": "redacted",
}
_IMAGE = "/XObject << /I 5 0 R >>"
_SCAN = "q 612 0 0 792 0 0 cm BI /W 2 /H 2 /BPC 8 /CS /G ID \x00\x40\x60\xc0 EI Q\n"


@pytest.mark.parametrize("variant", VARIANTS)
def test_text_is_flagged_with_its_reason_when_nobody_can_see_it(variant: str) -> None:
    document = read(build_hidden(variant, SENTENCE))
    flagged = [line for line in document.lines if line.hidden]
    assert [(line.text, line.hidden) for line in flagged] == [(SENTENCE, REASONS[variant])]
    assert document.profile.hidden_line_count == 1


@pytest.mark.parametrize("variant", CONTROLS)
def test_text_is_not_flagged_when_it_can_be_seen(variant: str) -> None:
    document = read(build_hidden(variant, SENTENCE))
    assert [line.hidden for line in document.lines if line.text == SENTENCE] == [""]
    assert document.profile.hidden_line_count == 0


def test_text_is_left_out_when_a_clip_path_cuts_it_away() -> None:
    assert SENTENCE not in [line.text for line in read(build_hidden("clipped", SENTENCE)).lines]


def test_only_the_hidden_part_is_flagged_when_a_line_holds_both() -> None:
    document = read_contents("BT /F0 12 Tf 72 700 Td (seen ) Tj 3 Tr (unseen) Tj ET")
    assert [(line.text.strip(), line.hidden) for line in document.lines] == [("seen", ""), ("unseen", "invisible")]


def test_invisible_text_counts_when_it_is_the_layer_of_a_scan() -> None:
    document = read_contents(_SCAN + "BT 3 Tr /F0 12 Tf 72 700 Td (Read from the scan) Tj ET")
    assert [(line.text, line.hidden) for line in document.lines] == [("Read from the scan", "")]
    assert document.pages[0].failed_checks == ("text_under_image",)
    assert document.profile.scanned_pages == (1,)


def test_text_counts_when_a_scan_was_painted_over_it() -> None:
    document = read_contents(put(72, 700, "Read from the scan") + _SCAN)
    assert [line.hidden for line in document.lines] == [""]
    assert "text_under_image" in document.pages[0].failed_checks


def test_only_the_old_words_are_flagged_when_a_box_was_written_on_again() -> None:
    box = "q 1 1 1 rg 60 690 300 30 re f Q\n"
    document = read_contents(put(72, 700, "Old words below") + box + put(150, 704, "New", 6))
    assert sorted((line.text, line.hidden) for line in document.lines) == [("New", ""), ("Old words below", "covered")]


def test_pixels_show_nothing_when_they_are_all_alike() -> None:
    assert is_unseen([(250, 250, 250)] * 20, 0xFFFFFF)


def test_pixels_show_text_when_most_are_of_another_colour() -> None:
    assert not is_unseen([(0, 0, 80)] * 70 + [(255, 255, 255)] * 30, 0xFFFFFF)


def test_pixels_show_no_such_text_when_its_colour_is_the_ground() -> None:
    assert is_unseen([(255, 255, 255)] * 70 + [(0, 0, 0)] * 30, 0xFFFFFF)
