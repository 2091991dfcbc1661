"""P12: no outline is lost in silence, and what is accepted of it lands on its heading."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pytest

from fixtures.awkward import AWKWARD, build_awkward
from fixtures.rawpdf import LEASE
from pipeline.models.document import ParsedDocument
from pipeline.models.settings import Settings
from pipeline.parsing import parse_document
from pipeline.run import profile

OUTLINES = tuple(name for name in AWKWARD if name.startswith("outline_"))
# whole in spite of a way of pointing that other readers stumble over
SOUND = ("outline_good", "outline_named", "outline_action", "outline_y_from_top")
LANDED_THOUSANDTHS = 990
HEADING_LINES = 3


def _squeeze(text: str) -> str:
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text)).casefold()


def _count_landings(document: ParsedDocument) -> tuple[int, int]:
    """How many sections of the outline begin with their title, and how many there are."""
    sections = [section for section in document.sections if section.source == "outline"]
    landed = 0
    for section in sections:
        page, line = section.start
        lines = [shown for shown in document.lines_on(page) if line <= shown.number < line + HEADING_LINES]
        head = _squeeze("".join(shown.text for shown in lines))
        landed += _squeeze(section.title.removeprefix(section.number)) in head
    return landed, len(sections)


@pytest.mark.parametrize("name", OUTLINES)
def test_a_diagnostic_says_so_when_anything_of_an_outline_is_lost(name: str, tmp_path: Path):
    [path] = build_awkward(tmp_path, (name,))
    document = parse_document(path, Settings())
    titles = [f"{section.number} {section.title.removeprefix(section.number).strip()}" for section in document.sections]
    codes = [diagnostic.code for diagnostic in document.diagnostics if diagnostic.code.startswith("outline")]
    assert document.profile.outline_entry_count == len(LEASE)
    if name in SOUND:
        assert titles == [heading for heading, *_ in LEASE]
        assert codes == []
    else:
        assert codes
    # a wrong place is worse than none
    landed, count = _count_landings(document)
    assert landed == count


def test_what_was_lost_of_an_outline_is_shown_when_the_document_is_profiled(tmp_path: Path):
    [path] = build_awkward(tmp_path, ("outline_one_bad",))
    found = profile(path, Settings())
    assert any("4 Repairs" in diagnostic.message for diagnostic in found.diagnostics)


def test_entries_land_on_their_headings_when_documents_are_sound(built_documents: Path):
    counts = [_count_landings(parse_document(path, Settings())) for path in sorted(built_documents.glob("*.pdf"))]
    landed, total = sum(count[0] for count in counts), sum(count[1] for count in counts)
    assert total > 100
    assert landed * 1000 >= LANDED_THOUSANDTHS * total


def test_entries_land_on_their_headings_when_documents_are_real(corpus: Path):
    counts = [_count_landings(parse_document(path, Settings())) for path in sorted(corpus.glob("*.pdf"))]
    landed, total = sum(count[0] for count in counts), sum(count[1] for count in counts)
    assert total > 30
    assert landed * 1000 >= LANDED_THOUSANDTHS * total
