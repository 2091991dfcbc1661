"""Sections after pages were read again: recognised headings, beside what the file itself says."""

from __future__ import annotations

from pipeline.models.document import Line
from pipeline.parsing.additions import add_recognised, settle_document
from pipeline.parsing.ocr import ReadLine
from tests.unit.structure.pages import make_line, make_section, make_view

SCAN = (
    ("1 Berths", 1500), ("Every berth has a number and a post.", 1200), ("A berth may be let for a night.", 1200),
    ("2 Fees", 1500), ("The fee for a night is 14 pounds.", 1200), ("It is paid in advance to the master.", 1200),
)  # fmt: skip


def _read(rows) -> list[ReadLine]:
    return [
        ReadLine(text, (7200, 8000 + 2400 * at, 7200 + 500 * len(text), 8000 + 2400 * at + size), 950, size, at + 1)
        for at, (text, size) in enumerate(rows)
    ]


def _scan(lines=(), sections=(), page_count=1, unread=1):
    """A document whose page `unread` is a picture without text."""
    document = make_view(list(lines), list(sections)).document
    page = document.pages[0]
    pages = tuple(
        page.model_copy(
            update={"number": number, "image_cover": 1000, "failed_checks": ("no_text",), "state": "without_text"}
            if number == unread
            else {"number": number}
        )
        for number in range(1, page_count + 1)
    )
    profile = document.profile.model_copy(update={"section_count": len(sections), "section_source": "outline"})
    return document.model_copy(update={"pages": pages, "profile": profile})


def _settle(document, page, rows):
    return settle_document(add_recognised(document, page, _read(rows)).document, [page])


def test_numbered_headings_of_a_scan_are_sections_when_they_are_set_larger():
    settled = _settle(_scan(), 1, SCAN)
    assert [(section.number, section.title) for section in settled.sections] == [("1", "Berths"), ("2", "Fees")]
    assert settled.sections[0].end == settled.sections[1].start


def test_a_scan_has_no_sections_when_all_lines_are_of_one_height():
    assert _settle(_scan(), 1, [(text, 1200) for text, _ in SCAN]).sections == ()


def test_sections_of_the_file_stay_when_a_page_is_read_again():
    lines = [
        make_line("Deed", 1, 1, (7200, 7200 + 2400 * 1), bold=True),
        make_line("The parties agree.", 1, 2, (7200, 7200 + 2400 * 2)),
        make_line("They sign.", 1, 3, (7200, 7200 + 2400 * 3)),
    ]
    known = make_section(0, "Deed", (1, 1), (1, 4))
    settled = _settle(_scan(lines, [known], page_count=2, unread=2), 2, SCAN)
    assert settled.sections[0].title == "Deed"
    assert [section.title for section in settled.sections[1:]] == ["Berths", "Fees"]
    assert all(section.start[0] == 2 for section in settled.sections[1:])


def test_only_numbers_tell_headings_when_recognised_heights_vary_everywhere():
    noisy = [(text, 1500 if at % 2 else 1200) for at, (text, _) in enumerate(SCAN)]
    rows = [("1 Berths", 1500), *[(f"Line {text.rstrip('.')}", size) for text, size in noisy[1:]]]
    lines = [
        make_line("Deed", 1, 1, (7200, 7200 + 2400 * 1), bold=True),
        make_line("The parties agree.", 1, 2, (7200, 7200 + 2400 * 2)),
    ]
    known = make_section(0, "Deed", (1, 1), (1, 3))
    settled = _settle(_scan(lines, [known], page_count=2, unread=2), 2, rows)
    assert [section.number for section in settled.sections[1:]] in ([], ["1"])


def test_lines_of_other_pages_stay_the_same_objects_when_sections_are_added():
    lines = [
        make_line("Deed", 1, 1, (7200, 7200 + 2400 * 1), bold=True),
        make_line("The parties agree.", 1, 2, (7200, 7200 + 2400 * 2)),
    ]
    document = _scan(lines, [make_section(0, "Deed", (1, 1), (1, 3))], page_count=2, unread=2)
    settled = _settle(document, 2, SCAN)
    before: tuple[Line, ...] = document.lines_on(1)
    assert all(one is other for one, other in zip(before, settled.lines_on(1), strict=True))
