"""Pages that must be read again: scans, turned pictures, mixed columns, letters that mean nothing."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from pipeline.effects import Effects
from pipeline.run import ask
from tests.e2e.asking import ask_cases, describe_faults, read_cases
from tests.e2e.commands import run_pdfdocket

CASES = read_cases(Path(__file__).resolve().parents[2] / "fixtures" / "cases" / "reparse.jsonl")
MEETING = "When is the next meeting?"

needs_tesseract = pytest.mark.skipif(shutil.which("tesseract") is None, reason="Tesseract (tesseract-ocr) is missing")


@needs_tesseract
def test_pages_are_read_again_and_answer_when_cases_are_asked(built_documents: Path):
    outcomes = ask_cases(CASES, built_documents)
    assert len(outcomes) >= 12
    assert not any(outcome.faults for outcome in outcomes), describe_faults(outcomes)
    for outcome in outcomes:
        rows = {entry.target for entry in outcome.record.body.ledger if entry.kind == "reparse"}
        citations = [citation for item in outcome.record.body.answer.items for citation in item.citations]
        read = {f"page:{citation.page}" for citation in citations if "@ocr." in citation.ref}
        assert read <= rows, outcome.case["id"]


@needs_tesseract
def test_the_same_record_comes_out_when_readings_are_cached_and_when_they_are_fresh(
    built_documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "fresh"))
    fresh = ask(built_documents / "scan.pdf", MEETING)
    cached = ask(built_documents / "scan.pdf", MEETING)
    assert fresh.body_hash == cached.body_hash
    assert len(fresh.body.effects) == 3


def _ask_without_engine(built_documents: Path, tmp_path: Path, name: str) -> dict:
    # a user's machine without Tesseract: nothing is found on the path
    done = run_pdfdocket(
        ["ask", built_documents / name, MEETING, "--json"], tmp_path, {"PATH": str(tmp_path / "nothing")}
    )
    assert done.returncode in (0, 1), done.stderr
    return json.loads(done.stdout)


def test_the_missing_engine_is_named_when_a_scan_is_asked(built_documents: Path, tmp_path: Path):
    from importlib.util import find_spec

    if find_spec("rapidocr"):
        pytest.skip("RapidOCR is installed and reads what Tesseract does not")
    told = _ask_without_engine(built_documents, tmp_path, "scan.pdf")
    assert told["answer"]["absence"] == "not_seen"
    assert "3 of the pages could not be read" in told["answer"]["absence_reason"]
    records = list((tmp_path / ".pdfdocket").rglob("*.json"))
    ledger = json.loads(records[0].read_text(encoding="utf-8"))["body"]["ledger"]
    assert [row["target"] for row in ledger] == ["page:1", "page:2", "page:3"]
    assert all("no OCR engine is installed" in row["outcome"] for row in ledger)


def test_a_text_layer_still_answers_when_no_engine_can_check_it(built_documents: Path, tmp_path: Path):
    told = _ask_without_engine(built_documents, tmp_path, "scan_ocr.pdf")
    assert "8 October 2019" in told["answer"]["text"]


def test_five_patterns_answer_within_the_budget_when_one_question_needs_them_all(built_documents: Path):
    question = "What are all the duties of the operator, and what do the referenced schedules say?"
    body = ask(built_documents / "harbour.pdf", question, effects=Effects("forbidden")).body
    assert [step.pattern for step in body.plan.steps] == [
        "reparse", "toc_retrieval", "keyword", "two_hop", "aggregation",
    ]  # fmt: skip
    assert (len(body.iterations), body.stop_reason) == (3, "satisfied")
    assert [step.trigger.action for step in body.iterations[:2]] == ["reparse", "resolve_references"]
    assert {entry.kind for entry in body.ledger} == {"reparse", "cross_reference"}
    for part in ("(d) to keep the berths clear", "kept clear of nets and of any cargo from one hour before the ferry"):
        assert part.removeprefix("(d) ") in body.answer.text
    assert body.answer.certificates[0].verdict == "complete"
