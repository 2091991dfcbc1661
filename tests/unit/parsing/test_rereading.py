"""One page read by OCR or a layout model: cached by method and version, and never more than a reason when it fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from fixtures.build import build_document
from pipeline.canonical import hash_bytes
from pipeline.models.settings import Settings
from pipeline.parsing import layout, ocr, rereading
from pipeline.parsing.child import Outcome
from pipeline.parsing.ocr import ReadLine, Tesseract
from pipeline.parsing.rereading import Reading, decode_reading, encode_reading, read_page_again
from pipeline.parsing.source import PageSource

LINES = (ReadLine("The rent", (1, 2, 3, 4), 950, 1200, 1),)


@pytest.fixture
def source(tmp_path: Path) -> PageSource:
    path = build_document("scan", tmp_path)
    return PageSource(path, hash_bytes(path.read_bytes()), False, Settings(cache_folder=tmp_path / "cache"))


@pytest.fixture
def pictures(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The pictures that reached a recogniser, which always reads one line."""
    seen: list[bytes] = []

    def recognise(engine: Tesseract, picture: bytes, dpi: int) -> tuple[ReadLine, ...]:
        seen.append(picture)
        return LINES

    monkeypatch.setattr(ocr, "find_tesseract", lambda language: Tesseract("/opt/tesseract", "5.3.0", "eng"))
    monkeypatch.setattr(ocr, "recognise_picture", recognise)
    return seen


def test_a_reading_is_the_same_when_it_comes_back_from_json():
    reading = Reading("Tesseract 5", LINES, "")
    assert decode_reading(encode_reading(reading)) == reading


def test_the_child_draws_the_page_once_when_the_cache_keeps_what_was_read(source, pictures):
    first = decode_reading(read_page_again(source, 1, "ocr", "en"))
    assert first == Reading("Tesseract 5.3.0 eng", LINES)
    assert pictures[0].startswith(b"\x89PNG")
    assert decode_reading(read_page_again(source, 1, "ocr", "en")) == first
    assert len(pictures) == 1
    read_page_again(source, 2, "ocr", "en")
    assert len(pictures) == 2


def test_nothing_is_cached_when_the_file_is_encrypted(source, pictures, tmp_path):
    for _ in range(2):
        read_page_again(source._replace(is_encrypted=True), 1, "ocr", "en")
    assert len(pictures) == 2
    assert not (tmp_path / "cache").exists()


def test_the_reason_is_given_when_the_file_is_another_than_before(source, pictures):
    source.path.write_bytes(source.path.read_bytes() + b"\n")
    reading = decode_reading(read_page_again(source, 1, "ocr", "en"))
    assert (reading.lines, pictures) == ((), [])
    assert "has changed" in reading.reason


def test_the_reason_is_given_and_nothing_cached_when_time_is_over(source, pictures, monkeypatch):
    def give_up(engine, picture, dpi):
        raise TimeoutError("not read within 60 seconds")

    monkeypatch.setattr(ocr, "recognise_picture", give_up)
    assert decode_reading(read_page_again(source, 1, "ocr", "en")).reason == "not read within 60 seconds"
    monkeypatch.setattr(ocr, "recognise_picture", lambda engine, picture, dpi: LINES)
    assert decode_reading(read_page_again(source, 1, "ocr", "en")).lines == LINES


def test_the_reason_is_given_when_the_child_breaks_down(source, pictures, monkeypatch):
    monkeypatch.setattr(rereading, "can_fork", lambda: False)
    monkeypatch.setattr(rereading, "run_spawned", lambda content, job: Outcome((), "memory"))
    reading = decode_reading(read_page_again(source, 1, "ocr", "en"))
    assert (reading.lines, pictures) == ((), [])
    assert "memory" in reading.reason


@pytest.mark.parametrize(("method", "message"), [("ocr", ocr.MISSING), ("layout", layout.MISSING)])
def test_the_extra_is_named_when_nothing_is_installed(source, monkeypatch, method, message):
    monkeypatch.setattr(ocr, "find_tesseract", lambda language: None)
    monkeypatch.setattr(rereading, "_name_extra", lambda method: "")
    assert decode_reading(read_page_again(source, 1, method, "en")) == Reading("", reason=message)


@pytest.mark.parametrize(("method", "message"), [("ocr", ocr.MISSING), ("layout", layout.MISSING)])
def test_the_extra_is_named_when_the_child_cannot_import_it(source, monkeypatch, method, message):
    from importlib.util import find_spec

    if find_spec("rapidocr" if method == "ocr" else "pymupdf.layout"):
        pytest.skip("the extra is installed")
    monkeypatch.setattr(ocr, "find_tesseract", lambda language: None)
    monkeypatch.setattr(rereading, "_name_extra", lambda method: "announced 1.0")
    assert decode_reading(read_page_again(source, 1, method, "en")).reason == message
