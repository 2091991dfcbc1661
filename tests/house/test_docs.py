"""Generated pages are what the generator writes today."""

from __future__ import annotations

from pathlib import Path

from docs.generate import write_catalogue, write_pages
from pipeline.policy.rulebook import find_default_folder
from tests.house.source import ROOT


def test_generated_pages_are_current_when_written_again(tmp_path: Path):
    pages = write_pages(tmp_path)
    assert pages
    for page in pages:
        published = ROOT / "docs" / page.name
        assert published.is_file(), "run make docs"
        assert published.read_bytes() == page.read_bytes(), f"run make docs: {page.name} changed"


def test_the_catalogue_of_rules_is_current_when_written_again(tmp_path: Path):
    written = write_catalogue(tmp_path)
    assert (find_default_folder() / written.name).read_bytes() == written.read_bytes(), "run make docs"
