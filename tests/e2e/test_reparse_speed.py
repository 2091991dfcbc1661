"""What reading a page again costs, against reading it once, measured in one run; and that others do not pay for it."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.canonical import hash_bytes
from pipeline.models.settings import Settings
from pipeline.parsing import parse_document
from pipeline.parsing.additions import add_flow
from pipeline.parsing.reflow import reflow_lines
from pipeline.parsing.rereading import read_page_again
from pipeline.parsing.source import PageSource
from pipeline.run import ask, composition

pytestmark = pytest.mark.bench

REPEATS = 5
UNCACHED = Settings(is_cache_used=False)
MAX_EXTRA_SHARE = 1.05


def _time(work: Callable[[], object], repeats: int = REPEATS) -> float:
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


def test_ratios_are_told_when_a_page_is_read_again(built_documents: Path):
    scan, mixed = built_documents / "scan.pdf", built_documents / "mixed_columns.pdf"
    parse = _time(lambda: parse_document(built_documents / "long.pdf", UNCACHED))
    cheap = parse / parse_document(built_documents / "long.pdf", Settings()).profile.page_count
    document = parse_document(mixed, Settings())
    flow = _time(lambda: add_flow(document, 1, reflow_lines(document.lines_on(1)), "reflow"))
    print(f"\ncheap parse {1000 * cheap:.2f} ms a page; reflow {flow / cheap:.3f} times as much")
    assert flow < 20 * cheap
    if shutil.which("tesseract"):
        source = PageSource(scan, hash_bytes(scan.read_bytes()), False, UNCACHED)
        seconds = _time(lambda: read_page_again(source, 1, "ocr", "en"), 2)
        cached = PageSource(scan, source.sha256, False, Settings())
        read_page_again(cached, 1, "ocr", "en")
        again = _time(lambda: read_page_again(cached, 1, "ocr", "en"))
        print(f"ocr {seconds / cheap:.0f} times as much, from the cache {again / cheap:.3f} times")
        assert again * 10 < seconds


def test_a_question_is_as_quick_as_before_when_no_page_needs_a_reparse(
    built_documents: Path, monkeypatch: pytest.MonkeyPatch
):
    document = built_documents / "annual.pdf"
    question = "What are total assets in 2031?"
    ask(document, question)
    with_step, without = [], []
    make = composition.build_plan

    def plan_without(*given):
        plan = make(*given)
        steps = tuple(step for step in plan.steps if step.pattern != "reparse")
        standby = tuple(step for step in plan.standby if step.action != "reparse")
        return plan.model_copy(update={"steps": steps, "standby": standby})

    for _ in range(4 * REPEATS):
        # one beside the other, so that a busy machine slows both
        monkeypatch.setattr(composition, "build_plan", make)
        with_step.append(_time(lambda: ask(document, question), 1))
        monkeypatch.setattr(composition, "build_plan", plan_without)
        without.append(_time(lambda: ask(document, question), 1))
    ratio = min(with_step) / min(without)
    print(f"\nwith reparse {1000 * min(with_step):.1f} ms, without {1000 * min(without):.1f} ms: ratio {ratio:.3f}")
    assert ratio <= MAX_EXTRA_SHARE
