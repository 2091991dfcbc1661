from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fixtures.build import build_document
from fixtures.faults.broken import FAULTS, USER_PASSWORD, encrypt
from fixtures.rawpdf import lease_pdf
from pipeline.errors import DocumentError
from pipeline.models.settings import ParseLimits, Settings
from pipeline.parsing import parse_document, prepare_document, profile_document
from pipeline.parsing import pdf as pdf_room
from pipeline.parsing.stored import pack_document, unpack_document
from tests.unit.parsing.reading import UNCACHED, make, make_job, put, read, write

REFUSED = (
    "empty",
    "html_named_pdf",
    "png_named_pdf",
    "text_named_pdf",
    "zeros",
    "header_only",
    "zero_pages",
    "truncated_10",
)


@pytest.mark.parametrize("name", REFUSED)
def test_one_line_names_file_and_remedy_when_it_is_no_sound_pdf(tmp_path: Path, name: str) -> None:
    path = write(tmp_path, FAULTS[name].make())
    with pytest.raises(DocumentError) as caught:
        parse_document(path, UNCACHED)
    assert caught.value.state == FAULTS[name].state
    assert str(path) in caught.value.message
    assert caught.value.remedy
    assert "\n" not in str(caught.value)


def test_the_message_says_what_it_looks_like_when_it_is_no_pdf(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="an HTML page"):
        parse_document(write(tmp_path, FAULTS["html_named_pdf"].make()), UNCACHED)


def test_the_state_is_unreadable_when_the_path_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "missing.pdf", tmp_path / "pipe", Path("bad\0name")):
        with pytest.raises(DocumentError) as caught:
            parse_document(path, UNCACHED)
        assert caught.value.state == "unreadable"


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_the_state_is_unreadable_when_there_is_no_permission(tmp_path: Path) -> None:
    path = write(tmp_path, lease_pdf())
    path.chmod(0)
    with pytest.raises(DocumentError, match="permission"):
        parse_document(path, UNCACHED)


def test_a_password_is_asked_for_when_the_file_needs_one(tmp_path: Path) -> None:
    path = write(tmp_path, encrypt(USER_PASSWORD))
    with pytest.raises(DocumentError, match="needs a password") as caught:
        parse_document(path, UNCACHED)
    assert caught.value.state == "needs_password"
    with pytest.raises(DocumentError, match="password is wrong"):
        parse_document(path, UNCACHED.model_copy(update={"password": "other"}))
    document = parse_document(path, UNCACHED.model_copy(update={"password": USER_PASSWORD}))
    assert document.profile.is_encrypted
    assert document.profile.page_count == 6


def test_nothing_of_it_is_cached_when_a_file_is_encrypted(tmp_path: Path) -> None:
    settings = Settings(cache_folder=tmp_path / "cache")
    assert parse_document(write(tmp_path, encrypt("")), settings).profile.is_encrypted
    assert not (tmp_path / "cache").exists()


def test_the_same_document_comes_back_when_it_is_cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path, lease_pdf())
    settings = Settings(cache_folder=tmp_path / "cache")
    fresh = parse_document(path, settings)
    monkeypatch.setattr(pdf_room, "start_child", None)
    monkeypatch.setattr(pdf_room, "run_spawned", None)
    assert parse_document(path, settings) == fresh
    assert profile_document(path, settings) == fresh.profile


def test_marks_are_set_apart_in_matching_forms_when_lines_are_read_or_cached(tmp_path: Path) -> None:
    path = build_document("panels", tmp_path)
    settings = Settings(cache_folder=tmp_path / "cache")
    fresh = parse_document(path, settings)
    folded = " ".join(fresh.folded)
    for wording in ("supply agreement 1 ends", "transport charter 2 was", "o(n2 · k)", "the 1st of may"):
        assert wording in folded
    assert "Supply Agreement1 ends" in " ".join(line.text for line in fresh.lines)
    assert parse_document(path, settings) == fresh


def test_it_is_parsed_again_when_the_cache_holds_something_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path, lease_pdf())
    settings = Settings(cache_folder=tmp_path / "cache")
    fresh = parse_document(path, settings)
    for content in (b"{}", b"[]\n[]", b"{\n}", b"", b'{"pages": 3}\n{"furniture": [1]}'):
        monkeypatch.setattr("pipeline.parsing.cache.PackedCache.load", lambda *_, content=content: content)
        assert parse_document(path, settings) == fresh


def test_no_cache_is_written_when_it_is_not_wanted(tmp_path: Path) -> None:
    settings = UNCACHED.model_copy(update={"cache_folder": tmp_path / "cache"})
    parse_document(write(tmp_path, lease_pdf()), settings)
    assert not (tmp_path / "cache").exists()


def test_limits_hold_when_the_document_is_cached(tmp_path: Path) -> None:
    path = write(tmp_path, lease_pdf())
    settings = Settings(cache_folder=tmp_path / "cache")
    parse_document(path, settings)
    for limits in (ParseLimits(max_pages=5), ParseLimits(max_characters=100), ParseLimits(max_memory_bytes=100)):
        with pytest.raises(DocumentError) as caught:
            parse_document(path, settings.model_copy(update={"parse": limits}))
        assert caught.value.state == "limit"


@pytest.mark.parametrize("limits", [ParseLimits(max_pages=5), ParseLimits(max_characters=100)])
def test_limits_hold_when_the_document_is_fresh(tmp_path: Path, limits: ParseLimits) -> None:
    with pytest.raises(DocumentError) as caught:
        parse_document(write(tmp_path, lease_pdf()), UNCACHED.model_copy(update={"parse": limits}))
    assert caught.value.state == "limit"


@pytest.mark.parametrize("name", ["one_page_fails", "page_object_missing", "contents_missing"])
def test_every_page_is_accounted_for_when_some_fail(name: str) -> None:
    document = read(FAULTS[name].make())
    profile = document.profile
    assert profile.state == "partial"
    assert profile.failed_pages == (3,)
    counted = profile.ok_page_count + len(profile.failed_pages) + len(profile.pages_without_text)
    assert counted + len(profile.garbled_pages) == profile.page_count == len(document.pages)
    assert [found.page for found in document.diagnostics if found.code == "page-failed"] == [3]


def test_a_repair_is_recorded_when_the_file_was_damaged() -> None:
    assert read(FAULTS["xref_damaged"].make()).profile.was_repaired
    assert not read(lease_pdf()).profile.was_repaired


def test_preparing_changes_nothing_when_the_document_is_parsed_later(tmp_path: Path) -> None:
    path = write(tmp_path, lease_pdf())
    expected = parse_document(path, UNCACHED)
    prepare_document(path, tmp_path / "cache")
    assert parse_document(path, UNCACHED) == expected
    prepare_document(path, tmp_path / "cache")
    other = write(tmp_path, make(put(72, 700, "Another document")), "other.pdf")
    assert parse_document(other, UNCACHED).lines[0].text == "Another document"


def test_preparing_is_silent_when_the_file_is_bad(tmp_path: Path) -> None:
    prepare_document(tmp_path / "missing.pdf")
    with pytest.raises(DocumentError):
        parse_document(tmp_path / "missing.pdf", UNCACHED)


def test_a_document_survives_packing_when_its_text_is_odd() -> None:
    shown = put(72, 700, "caf\\351 \\223quoted\\224") + "BT 3 Tr /F0 12 Tf 72 600 Td (unseen) Tj ET"
    content = make(shown, put(72, 700, "second"))
    document = read(content)
    from pipeline.parsing.work import run_job

    packed = pack_document((run_job(content, make_job(), None),), document)
    assert unpack_document(packed) == document


def test_the_parent_never_loads_the_engine_when_it_parses(tmp_path: Path) -> None:
    path = write(tmp_path, lease_pdf())
    program = (
        "import sys; from pathlib import Path; from pipeline.parsing import parse_document\n"
        "from pipeline.models.settings import Settings\n"
        "parse_document(Path(sys.argv[1]), Settings(is_cache_used=False))\n"
        "assert not [name for name in sys.modules if name.split('.')[0] in ('pymupdf', 'fitz')]"
    )
    done = subprocess.run([sys.executable, "-c", program, str(path)], cwd=Path(__file__).parents[3], timeout=60)
    assert done.returncode == 0
