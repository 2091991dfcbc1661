"""What a file says of itself: title, author and the year it was made."""

from __future__ import annotations

import pytest

from fixtures.rawpdf import lease_pages, page_objects, raw_pdf
from pipeline.models.settings import Settings
from pipeline.parsing import parse_document


@pytest.mark.parametrize(
    ("written", "year"),
    [(b"(D:20210304120000Z)", 2021), (b"(20190101)", 2019), (b"(D:yesterday)", None), (b"(D:20)", None), (b"()", None)],
)
def test_author_and_year_are_read_when_the_file_names_them(tmp_path, written, year):
    told = b"<< /Title (Lease) /Author (A. Clerk) /CreationDate %b >>" % written
    path = tmp_path / "told.pdf"
    path.write_bytes(raw_pdf({**page_objects(lease_pages()[:1]), 6: told}, "/Info 6 0 R"))
    settings = Settings(cache_folder=tmp_path)
    for _ in range(2):
        # the second time from the cache
        profile = parse_document(path, settings).profile
        assert (profile.title, profile.author, profile.creation_year) == ("Lease", "A. Clerk", year)
