"""P4: the same question on the same document gives the same bytes, whatever the process, the place or the time."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from pipeline.models.settings import Settings
from pipeline.parsing import child, parse_document
from tests.promises.harness import run_lines

QUESTIONS = {
    "standard.pdf": (
        "What are all the Categories under DIRECT, and which one covers supplier risk?",
        "What does the Framework say about multi-factor authentication?",
    ),
    "annual.pdf": ("What were net sales of the Online segment in 2022?",),
    "contract.pdf": ("Which law governs the agreement, and what is the liability cap?",),
    "long.pdf": ("What is section 12 about?",),
}
PLACES = (
    {"PYTHONHASHSEED": "0", "LC_ALL": "C", "TZ": "UTC"},
    {"PYTHONHASHSEED": "1", "LC_ALL": "C.UTF-8", "TZ": "Asia/Kolkata"},
    {"PYTHONHASHSEED": "4711", "LC_ALL": "C", "TZ": "America/St_Johns"},
)


def _list_lines(folder: Path, *flags: str) -> list[list[str]]:
    return [
        ["ask", str(folder / name), question, "--json", *flags]
        for name, questions in QUESTIONS.items()
        for question in questions
    ]


def _collect_bodies(folder: Path, documents: Path, changes: dict[str, str], *flags: str) -> list[tuple[str, str, str]]:
    """Body hash, answer and plan of every question."""
    folder.mkdir()
    bodies = []
    for ending in run_lines(_list_lines(documents, *flags), folder, changes).endings:
        assert ending.code in (0, 1), ending.err
        printed = ending.read()
        shown = [json.dumps(printed[part], sort_keys=True) for part in ("answer", "plan")]
        record = json.loads((folder / printed["record"]).read_text(encoding="utf-8"))
        assert record["body_hash"] == printed["body_hash"]
        bodies.append((printed["body_hash"], *shown))
    return bodies


def test_bodies_are_equal_when_seed_locale_time_zone_and_folder_differ(tmp_path: Path, built_documents: Path):
    runs = [
        _collect_bodies(tmp_path / f"place-{number}", built_documents, place) for number, place in enumerate(PLACES)
    ]
    assert runs[0]
    assert runs[1] == runs[0]
    assert runs[2] == runs[0]


def test_bodies_are_equal_when_the_document_comes_from_the_cache(tmp_path: Path, built_documents: Path):
    cache = {"PDFDOCKET_CACHE": str(tmp_path / "shared")}
    cold = _collect_bodies(tmp_path / "cold", built_documents, cache)
    warm = _collect_bodies(tmp_path / "warm", built_documents, cache)
    off = _collect_bodies(tmp_path / "off", built_documents, {}, "--no-cache")
    assert warm == cold
    assert off == cold


@pytest.mark.parametrize("name", ["standard.pdf", "long.pdf", "zh.pdf", "scan_ocr.pdf"])
def test_document_is_equal_when_read_on_one_core_or_in_a_fresh_interpreter(
    name: str, built_documents: Path, monkeypatch: pytest.MonkeyPatch
):
    settings = Settings(is_cache_used=False)
    path = built_documents / name
    usual = parse_document(path, settings)
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    assert parse_document(path, settings) == usual
    monkeypatch.undo()
    monkeypatch.setattr(child.threading, "active_count", lambda: 2)
    assert parse_document(path, settings) == usual


@pytest.mark.soak
@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
@pytest.mark.parametrize("zone", ["UTC", "Pacific/Chatham"])
def test_bodies_are_equal_when_twenty_seeds_are_tried(tmp_path: Path, built_documents: Path, locale: str, zone: str):
    first = _collect_bodies(tmp_path / "first", built_documents, {"PYTHONHASHSEED": "0"})
    for seed in range(1, 21):
        changes = {"PYTHONHASHSEED": str(seed), "LC_ALL": locale, "TZ": zone}
        assert _collect_bodies(tmp_path / f"seed-{seed}", built_documents, changes) == first, seed
