"""Names of copies stay inside, are short enough, and each is there once."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.report.names import CopyNames, make_safe


@pytest.mark.parametrize(
    ("document", "name"),
    [
        ("a.pdf", "a.pdf"),
        ("old/a.pdf", "old/a.pdf"),
        ("../../etc/a.pdf", "etc/a.pdf"),
        ("/etc/passwd", "etc/passwd.pdf"),
        ("..\\up.pdf", "_up.pdf"),
        (".drafts/copy.pdf", "drafts/copy.pdf"),
        ("a\nb\x00.PDF", "a_b_.PDF"),
        ("", "document.pdf"),
        ("..", "document.pdf"),
    ],
)
def test_a_name_stays_below_its_folder_when_it_is_hostile(document: str, name: str):
    assert str(make_safe(document)) == name


@given(st.text(max_size=600))
def test_a_name_can_be_made_in_any_folder_when_it_is_anything(document: str):
    name = make_safe(document)
    parts = name.parts
    assert not name.is_absolute()
    assert not {"", ".", ".."} & set(parts)
    assert all(len(part.encode()) <= 255 and part.isprintable() and not part.startswith(".") for part in parts)
    assert name.name.casefold().endswith(".pdf")
    assert Path("/out", name).resolve().is_relative_to("/out")


def test_two_documents_have_two_names_when_one_would_hide_the_other():
    names = CopyNames()
    chosen = [
        str(names.choose(name, sha)) for name, sha in (("a.pdf", "1" * 64), ("A.pdf", "2" * 64), ("a.pdf", "1" * 64))
    ]
    assert chosen == ["a.pdf", "A-22222222.pdf", "a-11111111.pdf"]


def test_long_names_stay_apart_when_they_differ_at_their_ends():
    first, second = (make_safe(f"{'x' * 300}{end}.pdf") for end in "ab")
    assert first != second
    assert first.suffix == ".pdf"
