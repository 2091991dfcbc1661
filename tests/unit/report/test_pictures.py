"""Pictures of pages: once each, bounded, marked in the right place, and never of what needs a password."""

from __future__ import annotations

import io
import os
import threading
import zlib

import pymupdf
import pytest

from fixtures.faults.broken import encrypt
from fixtures.rawpdf import lease_pages, lease_pdf, page_objects, raw_pdf
from pipeline.canonical import hash_bytes
from pipeline.models.report import ReportLimits
from pipeline.models.settings import Settings
from pipeline.report.entries import Entry
from pipeline.report.page import drawing
from pipeline.report.page.pictures import Draughtsman, PageSet
from tests.unit.report.annotated import cite_line, make_pdf, make_row
from tests.unit.report.pages import write_page

WHITE, BLACK = 255, 0
MEMORY = 1_000_000_000


def _draw(path, *pages, width=600, **limits):
    draughtsman = Draughtsman(ReportLimits(**limits), MEMORY, width)
    try:
        return list(draughtsman.draw(PageSet(path, hash_bytes(path.read_bytes()), pages)))
    finally:
        draughtsman.close()


def _entry(path, *parts, settings=Settings(is_cache_used=False), **changes):  # noqa: B008 - frozen
    return Entry(make_row(path, [cite_line(path, part, settings) for part in parts], **changes), None, path)


def _find_ink(picture, box, size):
    """The darkest pixel of a picture below a box in hundredths of a point, and around it."""
    pixmap = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.Pixmap(picture))
    across, down = pixmap.width / size[0], pixmap.height / size[1]
    x0, y0, x1, y1 = (round(value * (across, down)[at % 2]) for at, value in enumerate(box))
    rows = [pixmap.samples[y * pixmap.stride : (y + 1) * pixmap.stride] for y in range(pixmap.height)]
    inside = [rows[y][x] for y in range(y0, y1) for x in range(x0, x1)]
    outside = [
        rows[y][x] for y in range(pixmap.height) for x in range(pixmap.width) if not (y0 <= y < y1 and x0 <= x < x1)
    ]
    return min(inside), sum(value < 128 for value in inside), sum(value < 128 for value in outside)


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
@pytest.mark.parametrize("box", ["/MediaBox [0 0 612 792]", "/MediaBox [-50 -30 700 900] /CropBox [10 20 600 760]"])
def test_a_mark_covers_the_ink_of_its_quote_when_a_page_is_turned_or_cropped(tmp_path, rotation, box):
    content = b"BT /F0 14 Tf 1 0 0 1 120 500 Tm (The deposit is 75 euros.) Tj ET"
    path = tmp_path / "one.pdf"
    path.write_bytes(raw_pdf(page_objects([content], f"{box} /Rotate {rotation}")))
    page = write_page([_entry(path, "deposit")], tmp_path, widths=((9, 400),))
    (sheet,) = [attributes for attributes, _ in page.parts.scripts if attributes.get("id") == "p1"]
    size = (int(sheet["data-width"]), int(sheet["data-height"]))
    (mark,) = page.details["1"].find("rect")
    x, y, wide, high = (int(mark[name]) for name in ("x", "y", "width", "height"))
    darkest, inside, outside = _find_ink(page.pictures["1"], (x, y, x + wide, y + high), size)
    assert darkest < 64
    # all that is printed on the page is that line
    assert inside > 20
    assert outside == 0


def test_a_page_is_there_once_when_many_answers_quote_it(tmp_path):
    path = make_pdf(tmp_path / "lease.pdf", "The deposit is 75 euros.\nThe roof is old.", "The end.")
    entries = [_entry(path, "deposit", "roof", number=1), _entry(path, "roof", number=2), _entry(path, "end", number=3)]
    page = write_page(entries, tmp_path)
    assert list(page.pictures) == ["1", "2"]
    assert [each["data-sheet"] for number in "123" for each in page.details[number].find("figure")] == ["1", "1", "2"]
    assert (page.summary.picture_count, page.summary.picture_bytes) == (2, sum(map(len, page.pictures.values())))
    assert page.summary.notes == ()


def test_what_is_not_shown_is_said_when_a_ceiling_of_pictures_is_reached(tmp_path):
    path = make_pdf(tmp_path / "long.pdf", *(f"Line {number} of it." for number in range(1, 7)))
    parts = [f"Line {number} of" for number in range(1, 7)]
    entry = _entry(path, *parts)
    few = write_page([entry], tmp_path, max_pictures_of_answer=4)
    assert len(few.pictures) == 4
    assert "No picture of 2 pages (5, 6)" in few.details["1"].text
    capped = write_page([entry], tmp_path, max_pictures=1)
    assert len(capped.pictures) == 1
    assert capped.summary.notes == ("pictures of 5 pages: a report holds 1",)
    size = len(few.pictures["1"])
    small = write_page([entry], tmp_path, max_picture_bytes=2 * size + size // 2)
    assert len(small.pictures) == 2
    assert small.summary.notes == ("pictures of 4 pages: a report holds 0 MB of them",)
    assert small.html.count('data-note="a report holds no more pictures"') == 4


def test_pages_are_never_shown_when_the_document_needs_a_password(tmp_path):
    path = tmp_path / "sealed.pdf"
    path.write_bytes(encrypt("sesame"))
    page = write_page([_entry(path, "deposit", settings=Settings(is_cache_used=False, password="sesame"))], tmp_path)
    assert page.pictures == {}
    assert page.summary.notes == (
        "pictures of 1 page: the document needs a password, and pages are never shown without it",
    )


def test_pages_are_shown_when_the_password_of_a_document_is_empty(tmp_path):
    path = tmp_path / "open.pdf"
    path.write_bytes(encrypt(""))
    assert len(write_page([_entry(path, "deposit")], tmp_path).pictures) == 1


def test_nothing_is_shown_when_the_file_changed_or_went_after_it_was_found(tmp_path):
    path = make_pdf(tmp_path / "lease.pdf", "The deposit is 75 euros.")
    entry = _entry(path, "deposit")
    path.write_bytes(path.read_bytes() + b"%")
    changed = write_page([entry], tmp_path)
    assert changed.pictures == {}
    assert changed.summary.notes == ("pictures of 1 page: the file was changed since the question was answered",)
    path.unlink()
    assert "cannot be read: no such file" in write_page([entry], tmp_path).summary.notes[0]
    absent = entry._replace(document=None, document_note="the file is not where it was")
    page = write_page([absent], tmp_path)
    assert "No pictures of the pages: the file is not where it was." in page.details["1"].text
    assert page.summary.notes == ("pictures of lease.pdf: the file is not where it was",)


def test_the_other_pages_are_drawn_when_one_breaks_the_engine(tmp_path, monkeypatch):
    draw = drawing.draw_picture

    def break_second(document, index, wish):
        if index == 1:
            os._exit(9)
        if index == 2:
            raise ValueError("no size")
        return draw(document, index, wish)

    # a forked child has it too
    monkeypatch.setattr(drawing, "draw_picture", break_second)
    path = tmp_path / "lease.pdf"
    path.write_bytes(raw_pdf(page_objects(lease_pages() + lease_pages())))
    drawn = _draw(path, 1, 2, 3, 4)
    assert [picture.page for picture in drawn] == [1, 2, 3, 4]
    assert [picture.note for picture in drawn] == [
        "", "drawing it broke the PDF engine", "the page cannot be drawn: no size", "",
    ]  # fmt: skip


def test_a_page_is_given_up_when_it_takes_too_long(tmp_path, monkeypatch):
    draw = drawing.draw_picture

    def hang_on_first(document, index, wish):
        if index == 0:
            threading.Event().wait()
        return draw(document, index, wish)

    monkeypatch.setattr(drawing, "draw_picture", hang_on_first)
    path = tmp_path / "lease.pdf"
    path.write_bytes(lease_pdf())
    first, second = _draw(path, 1, 2, max_page_seconds=2)
    assert first.note == "not drawn within 2 seconds"
    assert second.content


def test_the_same_picture_comes_when_the_process_cannot_fork(tmp_path):
    path = tmp_path / "lease.pdf"
    path.write_bytes(lease_pdf())
    forked = _draw(path, 1, 3)
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait)
    thread.start()
    try:
        assert _draw(path, 1, 3) == forked
    finally:
        stop.set()
        thread.join()
    assert all(picture.kind == "image/png" for picture in forked)


@pytest.mark.parametrize(("width", "height"), [(1, 1), (2, 1), (3, 2), (8, 5), (7, 7)])
def test_greys_come_back_when_a_picture_of_any_width_is_unpacked(width, height):
    samples = bytes(at * 37 % 256 for at in range(width * height))
    pixmap = pymupdf.Pixmap(drawing.pack_greys(samples, width, height))
    assert (pixmap.width, pixmap.height) == (width, height)
    back = pymupdf.Pixmap(pymupdf.csGRAY, pixmap)
    got = [back.samples[y * back.stride + x] for y in range(height) for x in range(width)]
    assert all(abs(one - other) <= 9 for one, other in zip(got, samples, strict=True))


def test_colour_is_kept_when_a_good_part_of_a_page_has_it(tmp_path):
    path = tmp_path / "figure.pdf"
    with pymupdf.open() as document:
        for part in (0.02, 0.5):
            page = document.new_page()
            page.draw_rect(pymupdf.Rect(0, 0, 500, 800 * part), fill=(1, 0, 0))
        document.save(path)
    few, many = _draw(path, 1, 2)
    assert (few.kind, many.kind) == ("image/png", "image/jpeg")
    red = pymupdf.Pixmap(many.content).pixel(100, 100)
    assert red[0] > 200
    assert red[1] < 60


def test_a_noisy_scan_is_packed_otherwise_when_greys_do_not_compress(tmp_path):
    noise = bytes(zlib.crc32(at.to_bytes(4, "big")) % 256 for at in range(700 * 900))
    path = tmp_path / "scan.pdf"
    picture = pymupdf.Pixmap(pymupdf.csGRAY, 700, 900, noise, False)
    with pymupdf.open() as document:
        document.new_page().insert_image(pymupdf.Rect(0, 0, 595, 842), stream=io.BytesIO(picture.tobytes("png")))
        document.save(path)
    (drawn,) = _draw(path, 1, width=900)
    assert drawn.kind == "image/jpeg"


def test_a_huge_page_stays_small_when_it_is_drawn(tmp_path):
    path = tmp_path / "poster.pdf"
    path.write_bytes(raw_pdf(page_objects([b"0 0 100 100 re f"], "/MediaBox [0 0 200 14000]")))
    (drawn,) = _draw(path, 1, width=1200, max_pixels=1_000_000)
    pixmap = pymupdf.Pixmap(drawn.content)
    assert pixmap.width * pixmap.height <= 1_010_000
