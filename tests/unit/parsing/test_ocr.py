"""Words of a recogniser become lines and cells; what is missing is said and never raised."""

from __future__ import annotations

import shutil

import pytest

from pipeline.parsing import ocr
from pipeline.parsing.ocr import Word, find_tesseract, gather_lines, parse_words

HEAD = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext"


def _word(text, left, line=1, confidence=950, **place):
    width, height = 10 * len(text), place.get("height", 24)
    return Word(text, (left, 100 * line, left + width, 100 * line + height), confidence, (1, place.get("par", 1), line))


def test_words_are_read_with_whole_numbers_when_the_table_has_regions_and_blanks():
    rows = [HEAD, "4\t1\t1\t1\t1\t0\t7\t8\t30\t12\t-1\t", "5\t1\t1\t1\t1\t1\t7\t8\t30\t12\t96.68\tRent",
            "5\t1\t1\t1\t1\t2\t40\t8\t3\t12\t95.0\t ", "torn"]  # fmt: skip
    assert parse_words("\n".join(rows)) == [Word("Rent", (7, 8, 37, 20), 966, (1, 1, 1))]
    assert parse_words("") == []


def test_cells_are_parted_and_paragraphs_counted_when_gaps_are_wide():
    words = [_word("Parish", 100), _word("rate", 170), _word("9,400", 600), _word("Trees", 100, 2, par=2)]
    lines = gather_lines(words, 200)
    assert [(line.text, line.block) for line in lines] == [("Parish rate", 1), ("9,400", 1), ("Trees", 2)]
    assert lines[0].box == (3600, 3600, 7560, 4464)
    assert all(isinstance(value, int) for line in lines for value in (*line.box, line.confidence, line.size))


def test_doubtful_lines_are_left_out_when_the_recogniser_is_not_sure():
    assert [line.text for line in gather_lines([_word("sure", 10), _word("?x", 10, 2, 200)], 200)] == ["sure"]
    assert gather_lines([], 200) == ()


def test_a_heading_keeps_its_size_when_it_has_no_descender():
    body = [_word("going on quietly, yes", 10, line, height=30, par=1) for line in range(2, 7)]
    heading = _word("Trees", 10, 1, height=32)
    sizes = [line.size for line in gather_lines([heading, *body], 200)]
    assert sizes[0] > sizes[1]
    assert len(set(sizes[1:])) == 1


def test_no_engine_is_found_when_the_path_has_none(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_tesseract("en") is None


def test_a_program_that_does_not_start_counts_as_missing_when_it_is_no_tesseract(monkeypatch, tmp_path):
    fake = tmp_path / "tesseract"
    fake.write_text("#!/bin/sh\nexit 3\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_tesseract("en") is None
    fake.write_text("no program at all")
    ocr._describe_tesseract.cache_clear()
    assert find_tesseract("en") is None


def test_only_its_own_language_counts_when_the_data_of_another_is_missing(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: "/opt/tesseract")
    monkeypatch.setattr(ocr, "_describe_tesseract", lambda path: ("5.3.0", ("eng", "osd")))
    assert find_tesseract("en").name == "Tesseract 5.3.0 eng"
    assert find_tesseract("zh") is None


def test_a_limit_is_named_when_the_recogniser_takes_too_long(monkeypatch, tmp_path):
    slow = tmp_path / "tesseract"
    slow.write_text("#!/bin/sh\nexec sleep 5\n")
    slow.chmod(0o755)
    monkeypatch.setattr(ocr, "MAX_OCR_SECONDS", 0.2)
    with pytest.raises(TimeoutError, match="not read within"):
        ocr.recognise_picture(ocr.Tesseract(str(slow), "5", "eng"), b"", 200)
