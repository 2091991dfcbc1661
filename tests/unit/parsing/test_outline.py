"""The cascade: what counts is the heading line, whatever a file, a contents page or a typesetter claims."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.models.document import Line, Page
from pipeline.parsing.outline import RawEntry, RawOutline, build_sections
from pipeline.text.matching import fold
from tests.unit.structure.pages import PITCH, make_line

TITLES = ("Scope", "Terms", "Duties of the port", "Records", "Review", "Fees")
BODY = "The harbour office keeps what this part asks for and shows it to whoever may see it, on any day."


def _build_pages(printed: bool = False, numbers: bool = True) -> tuple[tuple[Page, ...], list[Line]]:
    """Page 1 is a cover; every title then opens a page of its own, in bold, over plain text."""
    pages = tuple(
        Page(number=n, width=61200, height=79200, printed=str(n) if printed else "") for n in range(1, len(TITLES) + 2)
    )
    lines = [make_line("A guide for those who keep the port and its records", 1, 1)]
    for page, title in enumerate(TITLES, 2):
        text = f"{page - 1} {title}" if numbers else title
        lines.append(make_line(text, page, 1, bold=True, bold_prefix=len(text)))
        lines += [make_line(BODY, page, n, (7200, 8000 + PITCH * n), block=9) for n in range(2, 8)]
    return pages, lines


def _run(entries: list[RawEntry], printed: bool = False, contents: list[Line] | None = None, numbers: bool = True):
    pages, lines = _build_pages(printed, numbers)
    lines = [*(contents or lines[:1]), *lines[1:]]
    return build_sections(RawOutline(tuple(entries)), pages, tuple(lines), tuple(fold(line.text) for line in lines))


def _good() -> list[RawEntry]:
    return [RawEntry(1, title, page, 7200) for page, title in enumerate(TITLES, 2)]


def _starts(result) -> list[tuple[int, int]]:
    return [section.start for section in result.sections if section.source != "typography"]


EXPECTED = [(page, 1) for page in range(2, len(TITLES) + 2)]


def test_sections_follow_the_outline_when_its_destinations_are_right():
    result = _run(_good())
    assert (result.source, result.has_usable_outline, result.entry_count) == ("outline", True, 6)
    assert _starts(result) == EXPECTED
    assert [section.number for section in result.sections] == ["1", "2", "3", "4", "5", "6"]
    assert result.sections[2].end == (5, 1)


@pytest.mark.parametrize("shift", [-1, 1, 2])
def test_headings_are_found_on_neighbouring_pages_when_destinations_are_off(shift: int):
    entries = [entry._replace(page=(entry.page or 0) + shift) for entry in _good()]
    assert _starts(_run(entries)) == EXPECTED


@pytest.mark.parametrize("page", [None, -1, 0, 999])
def test_headings_are_found_by_their_text_when_destinations_lead_nowhere(page: int | None):
    result = _run([entry._replace(page=page) for entry in _good()])
    assert result.has_usable_outline
    assert _starts(result) == EXPECTED


def test_the_nearest_of_two_equal_headings_is_taken_when_y_is_upside_down():
    pages = (Page(number=1, width=61200, height=79200), Page(number=2, width=61200, height=79200))
    titles = [("Scope", 1, 7200), ("Fees", 1, 20000), ("Costs", 1, 40000), ("Fees", 1, 60000), ("Review", 2, 7200)]
    lines = [make_line(t, p, n, (7200, y), bold=True, bold_prefix=len(t)) for n, (t, p, y) in enumerate(titles, 1)]
    entries = [RawEntry(1, t, p, 79200 - y) for t, p, y in titles]
    result = build_sections(RawOutline(tuple(entries)), pages, tuple(lines), tuple(fold(each.text) for each in lines))
    assert [section.start for section in result.sections] == [(1, 1), (1, 2), (1, 3), (1, 4), (2, 5)]


def test_an_entry_is_diagnosed_and_closes_sections_when_its_heading_is_nowhere():
    entries = _good()
    entries.insert(3, RawEntry(1, "Something the text never says", 5, 7000))
    result = _run(entries)
    assert [each.code for each in result.diagnostics] == ["outline_entry_lost"]
    assert result.sections[2].end == (5, 1)
    assert "Something the text never says" not in [section.title for section in result.sections]


def test_the_outline_is_set_aside_with_a_diagnostic_when_most_entries_are_lost():
    entries = [*_good()[:2], *(RawEntry(1, f"Nowhere {n}", n, 0) for n in range(1, 6))]
    result = _run(entries)
    assert not result.has_usable_outline
    assert "outline_unusable" in [each.code for each in result.diagnostics]
    assert result.source == "typography"
    assert [section.start for section in result.sections] == EXPECTED


def test_the_outline_is_set_aside_when_it_is_out_of_order():
    result = _run(list(reversed(_good())))
    codes = [each.code for each in result.diagnostics]
    assert not result.has_usable_outline
    assert "outline_out_of_order" in codes


def test_three_entries_are_no_outline_when_four_are_asked_for():
    assert not _run(_good()[:3]).has_usable_outline


def test_numbers_come_from_the_body_when_the_outline_has_none():
    result = _run(_good())
    assert [(s.number, s.title) for s in result.sections][:2] == [("1", "Scope"), ("2", "Terms")]


def test_nothing_raises_when_the_document_is_empty():
    result = build_sections(RawOutline((RawEntry(1, "Scope", 1, 0),)), (), (), ())
    assert result.sections == ()
    assert result.source == "none"


def _contents(offset: int) -> list[Line]:
    rows = [f"{n} {title} {'.' * 60} {n + offset}" for n, title in enumerate(TITLES, 1)]
    lines = [make_line("Contents", 1, 1, bold=True, bold_prefix=8)]
    return lines + [make_line(row, 1, n + 1, (7200, 8000 + PITCH * n)) for n, row in enumerate(rows, 1)]


def test_sections_follow_the_printed_contents_when_there_is_no_outline():
    result = _run([], contents=_contents(0))
    assert result.source == "contents_text"
    assert result.printed_offset == 1
    assert _starts(result) == EXPECTED


def test_the_contents_page_is_rejected_when_pages_in_print_say_otherwise():
    result = _run([], printed=True, contents=_contents(4))
    assert "contents_rejected" in [each.code for each in result.diagnostics]
    assert result.source == "typography"
    assert [s.start for s in result.sections if s.number] == EXPECTED


def test_entries_of_the_contents_page_are_no_sections_when_headings_are_found_by_type():
    result = _run([], printed=True, contents=_contents(4))
    assert [section.start for section in result.sections if section.start[0] == 1] == [(1, 1)]


@pytest.mark.parametrize(
    ("name", "number", "title", "start"),
    [
        ("1706.03762v7.pdf", "5.4", "Regularization", 7),
        ("1706.03762v7.pdf", "3.2.2", "Multi-Head Attention", 4),
        ("NIST.CSWP.29.pdf", "Appendix A", "CSF Core", 20),
        ("NIST.CSWP.29.pdf", "5.2", "Improving Integration with Other Risk Management Programs", 16),
        ("NIST.FIPS.199.pdf", "2", "APPLICABILITY", 5),
    ],
)
def test_a_numbered_section_resolves_when_the_document_is_real(
    corpus: Path, name: str, number: str, title: str, start: int
):
    from pipeline.models.settings import Settings
    from pipeline.parsing import parse_document

    document = parse_document(corpus / name, Settings(is_cache_used=False))
    found = [section for section in document.sections if section.number == number]
    assert [(section.title, section.start[0]) for section in found] == [(title, start)]
    line = document.line_at(*found[0].start)
    assert line is not None
    assert number.split()[-1] in line.text
