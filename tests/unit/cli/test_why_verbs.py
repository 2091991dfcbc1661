"""`pdfdocket why` and `why-not`: the story of a record, a rule explained, another budget."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from fixtures.rawpdf import lease_pdf
from pipeline.audit.record import write_record
from pipeline.cli.group import run_command
from pipeline.loop import ActionResult
from pipeline.models.run import LedgerEntry
from tests.unit.loop.fakes import (
    EXPANDED,
    VOCABULARY,
    Turn,
    make_answer,
    make_candidate,
    make_certificate,
    make_expansion,
    make_signal,
)
from tests.unit.policy.builders import make_rule, write_rules
from tests.unit.rerun.records import make_record

Call = Callable[..., tuple[int, str]]
DEPOSIT = "What is the deposit?"


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Call:
    """Run a command line in a folder of its own; gives exit code and stdout with stderr behind it."""
    monkeypatch.chdir(tmp_path)
    for name in ("PDFDOCKET_RULES", "PDFDOCKET_RECORDS", "PDFDOCKET_LEDGER"):
        monkeypatch.delenv(name, raising=False)

    def run(*arguments: str) -> tuple[int, str]:
        code = run_command(list(arguments))
        captured = capfd.readouterr()
        return code, captured.out + captured.err

    return run


@pytest.fixture
def story(tmp_path: Path) -> str:
    """The path of a record with two iterations, both ledgers and a list."""
    certificate = make_certificate("complete", gaps=("c)",), detectors=({"detector": "lines", "item_count": 4},))
    last = make_answer(
        confidence=700, certificates=(certificate,), confidence_parts=("no open trigger: +200",), text="a\nb"
    )
    offered = ActionResult(expansions=(make_expansion("term"),) * 2)
    turns = (
        Turn(
            make_answer(found=False),
            (VOCABULARY,),
            ("a fault",),
            results={"expand_keywords": offered},
            candidates=(make_candidate(1),),
        ),
        Turn(last, (make_signal("short_list", "q1"),), candidates=tuple(make_candidate(n) for n in range(2, 9))),
    )
    rows = (
        LedgerEntry(kind="cross_reference", target="section:4", outcome="resolved", why="named"),
        LedgerEntry(kind="reparse", target="page:3", outcome="kept", why="no better"),
    )
    record = make_record(*turns, ledger=rows, facts_given={"scanned_page_count": 1, "page_count": 2})
    return str(write_record(record, tmp_path / "story.json"))


def test_the_story_has_every_chapter_when_the_run_has_something_for_each(call: Call, story: str):
    code, out = call("why", story)
    assert code == 0
    for words in (
        "Asked\n  What is the retention period?",
        "has_usable_outline is false: blocks TOC01",
        "scanned_page_count is 1: fires RPR01",
        "KEY01 always-look-for-the-anchors: keyword (iteration 1, 2)",
        "iteration 1 (budget 4 to 3): the steps of the plan [",
        "answer: no answer, confidence 500/1000",
        "expand keywords, because of discovered vocabulary (term) [EXP01]",
        "changed: q1: term",
        "evidence: ",
        "not valid against the document",
        "Cross-references\n  section:4: resolved (named)",
        "Pages read again\n  page:3: kept (no better)",
        "q1: complete, 4 of 6 (stated), its end was seen; gaps: c); counted; found by lines 4",
        "found: a ...",
        "no open trigger: +200",
    ):
        assert " ".join(words.split()) in " ".join(out.split())
    assert max(len(line) for line in out.split("\n")) <= 100
    code, out = call("why", story, "--json")
    assert json.loads(out)["iterations"][1]["rules"] == ["EXP01"]


def test_a_story_is_short_when_nothing_was_run(call: Call, tmp_path: Path):
    from tests.unit.policy.builders import make_question

    path = write_record(make_record(question=make_question(clarification="which one?")), tmp_path / "r.json")
    code, out = call("why", str(path))
    assert code == 0
    assert "clarification needed" in out
    assert "Who spent the budget" not in out
    assert "the answer is that of" not in out


def test_what_was_pending_is_told_when_the_budget_is_spent(call: Call, tmp_path: Path):
    from pipeline.models.settings import RunSettings

    record = make_record(
        Turn(make_answer(), (VOCABULARY,), results=EXPANDED, candidates=(make_candidate(1),)),
        settings=RunSettings(max_iterations=1),
    )
    _, out = call("why", str(write_record(record, tmp_path / "r.json")))
    assert "pending: discovered vocabulary asks to expand keywords (term)" in out


def test_a_rule_is_explained_with_its_smallest_change_when_it_was_blocked(call: Call, story: str):
    code, out = call("why-not", story, "toc01")
    assert code == 0
    assert "TOC01 was blocked by all: has_usable_outline is true, but it is false" in out
    assert "the smallest change that would have fired it: has_usable_outline true (it is false)" in out
    assert "which brings with it: has_sections true, section_source outline, section_count 1" in out
    code, out = call("why-not", story, "LST01")
    assert "iteration 2 gave the signal short list, but nothing in the plan waited for it" in out
    code, out = call("why-not", story, "LST01", "--json")
    printed = json.loads(out)
    assert printed["what_if"] is None
    assert printed["why_not"]["changes"][0]["fact"] == "is_listing"


def test_a_change_brings_nothing_along_when_no_fact_is_tied(call: Call, story: str):
    _, out = call("why-not", story, "HOP03")
    assert "asks_for_references true" in out
    assert "brings with it" not in out


def test_no_facts_are_offered_when_a_rule_contradicts_itself(call: Call, tmp_path: Path):
    from pipeline.policy.rulebook import load_rulebook

    when = 'all = [{ fact = "page_count", op = "above", value = 5 }, { fact = "page_count", op = "below", value = 5 }]'
    book = load_rulebook(write_rules(tmp_path / "r", make_rule("ABC01", 'pattern = "two_hop"', when)))
    path = write_record(make_record(rulebook=book), tmp_path / "r.json")
    _, out = call("why-not", str(path), "ABC01", "--rules", str(tmp_path / "nowhere"))
    assert "no possible facts would have fired it" in out


def test_a_rule_or_a_budget_must_be_named_when_asked_why_not(call: Call, story: str):
    code, out = call("why-not", story)
    assert code == 2
    assert "neither a rule nor a budget is named" in out
    code, out = call("why-not", story, "XYZ99")
    assert code == 2
    assert "without a rule XYZ99" in out


def test_another_budget_is_compared_when_the_document_is_there(call: Call, tmp_path: Path):
    (tmp_path / "lease.pdf").write_bytes(lease_pdf())
    assert call("ask", "lease.pdf", DEPOSIT, "--out", "run.json")[0] == 0
    code, out = call("why-not", "run.json", "TOC01", "--budget", "1")
    assert code == 0, out
    assert out.startswith("TOC01 outline-is-usable")
    assert "With a budget of 1 instead of 4" in out
    assert "the answer is the same" in out
    (tmp_path / "lease.pdf").rename(tmp_path / "moved.pdf")
    code, out = call("why-not", "run.json", "--budget", "2")
    assert code == 2
    assert "--doc" in out
    code, out = call("why-not", "run.json", "--budget", "2", "--doc", "moved.pdf", "--json")
    printed = json.loads(out)
    assert (code, printed["why_not"], printed["what_if"]["budget"]) == (0, None, 2)


def test_both_answers_are_shown_when_the_budget_changes_them(call: Call, story: str, monkeypatch: pytest.MonkeyPatch):
    from pipeline.audit.record import load_record
    from pipeline.models.story import RunEnd, WhatIf

    end = RunEnd(
        stop_reason="budget_spent",
        stop_detail="",
        iteration_count=2,
        best_iteration=1,
        is_found=False,
        is_complete=False,
        confidence=0,
        answer="one",
    )
    what_if = WhatIf(
        run_id=load_record(Path(story)).run_id,
        recorded_budget=4,
        budget=2,
        recorded=end,
        would_be=end.model_copy(update={"answer": "two", "stop_detail": "why"}),
        iterations=(),
        is_same_answer=False,
        caveats=("another engine",),
    )
    monkeypatch.setattr("pipeline.rerun.what_if.ask_with_budget", lambda *given: what_if)
    code, out = call("why-not", story, "--budget", "2")
    assert code == 0
    assert "the answer is another\n    - one\n    + two\n  beware: another engine" in out
    assert "after 2 iterations; budget spent (why)" in out
