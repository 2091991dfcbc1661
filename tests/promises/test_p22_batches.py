"""P22 for batches: memory grows neither with the questions nor with the files, in the parent and in its processes."""

from __future__ import annotations

from pathlib import Path

import pytest

from fixtures.rawpdf import lease_pages, page_objects, raw_pdf, show_lines
from tests.promises.batches import QUIET, fill_desk, list_questions, measure_batch

# parent and processes, per cent
MOST_BY_QUESTIONS, MOST_BY_FILES = 120, 105


def _make_lease(number: int) -> bytes:
    own = show_lines([f"{number} Keys", f"The deposit is {number + 50} euros for key {number}."])
    return raw_pdf(page_objects([own, *lease_pages()]))


def _fill_files(folder: Path, count: int, questions: list[str]) -> Path:
    paths = []
    (folder / "made").mkdir(parents=True)
    for number in range(count):
        path = folder / "made" / f"lease-{number:04}.pdf"
        path.write_bytes(_make_lease(number))
        paths.append(path)
    return fill_desk(folder / "desk", paths, questions)


def _check_memory(few: Path, many: Path, most: int, *flags: str) -> None:
    """Two batches, and how much more the larger one took; what is read for the first time comes once for both."""
    measures = [measure_batch(desk, "out", "--workers", "2", *flags) for desk in (few, many)]
    one, other = measures
    print(f"\nkilobytes of parent and largest process: {one[1:]} and {other[1:]}, {other.seconds:.0f} s")
    assert 100 * other.parent_kilobytes <= most * one.parent_kilobytes
    assert 100 * other.child_kilobytes <= most * one.child_kilobytes


def test_memory_stays_when_there_are_five_times_the_questions(tmp_path):
    few = _fill_files(tmp_path / "few", 2, list_questions(20))
    many = _fill_files(tmp_path / "many", 2, list_questions(100))
    _check_memory(few, many, MOST_BY_QUESTIONS, *QUIET)


@pytest.mark.soak
@pytest.mark.parametrize("flags", [QUIET, ()], ids=["tables", "page-and-copies"])
def test_memory_stays_when_there_are_a_thousand_questions_and_not_a_hundred(tmp_path, flags):
    few = _fill_files(tmp_path / "few", 2, list_questions(100))
    many = _fill_files(tmp_path / "many", 2, list_questions(1000))
    _check_memory(few, many, MOST_BY_QUESTIONS, *flags)


@pytest.mark.soak
def test_memory_stays_when_there_are_a_thousand_files_and_not_a_hundred(tmp_path):
    few = _fill_files(tmp_path / "few", 100, ["What is the deposit?"])
    many = _fill_files(tmp_path / "many", 1000, ["What is the deposit?"])
    _check_memory(few, many, MOST_BY_FILES, *QUIET)
