"""`pdfdocket annotate` as a user runs it: on a run, a ledger and the folder of a batch."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fixtures.rawpdf import lease_pdf
from tests.e2e.commands import list_files, run_pdfdocket
from tests.promises.harness import run_lines
from tests.unit.report.annotated import find_changed, list_word_boxes, read_marks


@pytest.fixture(scope="module")
def desk(tmp_path_factory) -> Path:
    """A document and two runs of it, one of which found nothing."""
    folder = tmp_path_factory.mktemp("desk")
    (folder / "lease.pdf").write_bytes(lease_pdf())
    for question, code in (("What is the deposit?", 0), ("What is the zebra quota?", 1)):
        assert run_pdfdocket(["ask", "lease.pdf", question], folder).returncode == code
    return folder


def _find_run(desk: Path) -> str:
    return next(
        path.name for path in sorted((desk / ".pdfdocket" / "runs").iterdir()) if b"1,200 euros" in path.read_bytes()
    ).removesuffix(".json")


def test_the_quote_is_marked_when_a_run_is_named_by_its_id(desk):
    run = _find_run(desk)
    done = run_pdfdocket(["annotate", run[:8], "--out", "one"], desk)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode().splitlines() == [
        "one/lease.pdf: 1 note, 1 highlight",
        "1 copy of 1 document, 1 note, 1 highlight, 0 places not marked",
    ]
    changed, _ = find_changed(desk / "lease.pdf", desk / "one" / "lease.pdf", page=2)
    (box,) = list_word_boxes(desk / "lease.pdf", "1,200 euros", page=2)
    assert any(2 * box.x0 < x < 2 * box.x1 and 2 * box.y0 < y < 2 * box.y1 for x, y in changed)
    note = next(mark for mark in read_marks(desk / "one" / "lease.pdf", page=2) if mark[0] == "Text")
    assert "What is the deposit?" in note[1]["content"]
    assert note[1]["content"].endswith(f"Run: {run}")
    assert (desk / "lease.pdf").read_bytes() == lease_pdf()


def test_both_runs_are_told_when_a_ledger_is_annotated_as_json(desk):
    done = run_pdfdocket(["annotate", ".pdfdocket/ledger.jsonl", "--out", "all", "--json"], desk)
    assert done.returncode == 0
    told = json.loads(done.stdout)
    assert told["summary"] == {
        "documents": 1, "copies": 1, "refused": 0, "notes": 1, "highlights": 1, "unmarked": 0, "failed": 0,
    }  # fmt: skip
    (document,) = told["documents"]
    assert [one["reason"] for one in document["unmarked"]] == ["not found: there is nothing to mark"]
    assert [json.loads(line) for line in (desk / "all" / "annotations.jsonl").read_bytes().splitlines()] == [document]


def test_the_copies_are_those_of_the_batch_when_its_folder_is_annotated(desk):
    (desk / "docs" / "deep").mkdir(parents=True)
    (desk / "docs" / "deep" / "lease.pdf").write_bytes(lease_pdf())
    (desk / "q.txt").write_text("What is the deposit?\nWho repairs the roof?\n")
    batch = ["batch", "q.txt", "--docs", "docs", "--out", "results", "--no-report"]
    done = run_pdfdocket(batch, desk)
    assert done.returncode == 0, done.stderr
    assert b"copies:  results/annotated, 1 document" in done.stdout
    assert run_pdfdocket(["annotate", "results", "--out", "again"], desk).returncode == 0
    for name in ("deep/lease.pdf", "annotations.jsonl"):
        assert (desk / "results" / "annotated" / name).read_bytes() == (desk / "again" / name).read_bytes()
    run_pdfdocket([*batch[:-3], "--out", "bare", "--no-report", "--no-annotated"], desk)
    assert not (desk / "bare" / "annotated").exists()


def test_the_reason_is_told_when_the_document_was_changed(desk, tmp_path):
    for place in (".pdfdocket/ledger.jsonl",):
        (tmp_path / place).parent.mkdir(parents=True)
        (tmp_path / place).write_bytes((desk / place).read_bytes())
    (tmp_path / "lease.pdf").write_bytes(lease_pdf() + b"\n%changed\n")
    done = run_pdfdocket(["annotate", ".pdfdocket/ledger.jsonl", "--out", "out"], tmp_path)
    assert done.returncode == 1
    assert b"lease.pdf: no copy: " in done.stdout
    assert b"changed" in done.stdout
    assert [name for name in list_files(tmp_path / "out")] == ["annotations.jsonl"]


def test_nothing_is_written_elsewhere_and_nothing_connects_when_copies_are_made(desk, tmp_path):
    arguments = ["annotate", str(desk / ".pdfdocket" / "ledger.jsonl"), "--out", str(tmp_path / "out")]
    watched = run_lines([arguments], desk, is_watched=True)
    assert [ending.code for ending in watched.endings] == [0], watched.endings
    outside = [
        event
        for event in watched.events
        if not event[0].startswith("os.fork") and not any(place.startswith(str(tmp_path)) for place in event[1:2])
    ]
    assert [event for event in outside if "devnull" not in str(event) and "/dev/null" not in str(event)] == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["annotate", "none", "--out", "x"], b"no run none"),
        (["annotate", "lease.pdf", "--out", "x"], b"not a run, a ledger or results"),
        (["annotate", ".pdfdocket/ledger.jsonl", "--out", "lease.pdf"], b"cannot be written to"),
        (["annotate", ".pdfdocket/ledger.jsonl", "--out", "x", "--docs", "none"], b"no such folder"),
    ],
)
def test_one_line_says_what_is_wrong_when_nothing_can_be_annotated(desk, arguments, words):
    done = run_pdfdocket(arguments, desk)
    assert done.returncode == 2
    assert words in done.stderr
    assert done.stderr.count(b"\n") == 1
