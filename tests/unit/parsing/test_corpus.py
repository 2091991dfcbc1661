"""What holds for every real document; needs PDFDOCKET_CORPUS."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.models.document import ParsedDocument
from pipeline.models.settings import Settings
from pipeline.parsing import parse_document

SAMPLE = ("1706.03762v7.pdf", "NIST.CSWP.29.pdf", "NIST.FIPS.199.pdf", "northwind/pdfs/employee_handbook.pdf")


@pytest.fixture(scope="module")
def documents(corpus: Path) -> dict[str, ParsedDocument]:
    present = [name for name in SAMPLE if (corpus / name).is_file()]
    return {name: parse_document(corpus / name, Settings()) for name in present}


def _check_accounts(document: ParsedDocument) -> None:
    profile = document.profile
    counted = profile.ok_page_count + len(profile.failed_pages) + len(profile.pages_without_text)
    assert counted + len(profile.garbled_pages) == profile.page_count == len(document.pages)
    assert document.positions == sorted(set(document.positions))
    assert len(document.folded) == len(document.lines)


def test_clean_documents_are_clean_when_they_are_parsed(documents: dict[str, ParsedDocument]) -> None:
    for document in documents.values():
        _check_accounts(document)
        assert document.profile.state == "ok"
        assert document.profile.garbled_pages == ()
        assert document.profile.hidden_line_count == 0


def test_lowered_letters_are_marked_when_a_formula_has_an_index(documents: dict[str, ParsedDocument]) -> None:
    if "1706.03762v7.pdf" not in documents:
        pytest.skip("the paper is not there")
    lowered = {line.text[start:end] for line in documents["1706.03762v7.pdf"].lines for start, end in line.lowered}
    assert "model" in lowered


def test_printed_numbers_change_their_kind_when_front_matter_ends(documents: dict[str, ParsedDocument]) -> None:
    if "NIST.CSWP.29.pdf" not in documents:
        pytest.skip("the standard is not there")
    assert [page.printed for page in documents["NIST.CSWP.29.pdf"].pages][:6] == ["", "i", "ii", "iii", "iv", "1"]


@pytest.mark.soak
def test_no_page_is_garbled_and_none_fails_when_all_documents_are_parsed(corpus: Path) -> None:
    for path in sorted(corpus.rglob("*.pdf")):
        document = parse_document(path, Settings(is_cache_used=False))
        _check_accounts(document)
        assert document.profile.state == "ok", path
        assert len(document.profile.garbled_pages) * 100 <= document.profile.page_count, path
