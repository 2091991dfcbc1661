"""What is done before settings are known: a job given ahead counts only when it is the one that is meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from fixtures.rawpdf import lease_pdf
from pipeline.models.settings import ParseLimits, Settings
from pipeline.parsing import early
from pipeline.parsing import pdf as pdf_room
from pipeline.parsing.constants import USUAL_LIMITS
from pipeline.parsing.jobs import Job


@pytest.fixture
def document(tmp_path: Path):
    path = tmp_path / "lease.pdf"
    path.write_bytes(lease_pdf())
    yield path
    early.drop_prepared()


def test_usual_limits_are_those_of_the_settings_when_nobody_set_any():
    limits = ParseLimits()
    named = (limits.max_pages, limits.max_characters, limits.max_memory_bytes, limits.max_seconds)
    assert named == USUAL_LIMITS


@pytest.mark.parametrize("job", [None, early.USUAL_JOB, early.USUAL_JOB._replace(max_pages=1)])
def test_document_is_the_same_when_it_was_prepared(tmp_path: Path, document: Path, job: Job | None):
    settings = Settings(is_cache_used=False)
    plain = pdf_room.parse_document(document, settings)
    early.prepare_document(document, tmp_path / "cache", True, job)
    assert pdf_room.parse_document(document, settings) == plain
    assert early.take_prepared(document) is None
