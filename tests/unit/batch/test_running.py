"""A batch in one process: rows in the order of the input, nothing asked twice, and files that do not say when."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys

import pytest

from fixtures.rawpdf import lease_pdf
from pipeline.audit.reading import read_ledger
from pipeline.audit.verify import verify_ledger
from pipeline.batch import running
from pipeline.batch.forecasting import forecast_batch
from pipeline.batch.journal import Journal
from pipeline.batch.opening import LOCK_NAME
from pipeline.batch.running import Options
from pipeline.errors import BatchStopped, RecordError, UsageError
from pipeline.models.settings import LedgerLimits
from tests.unit.batch.folders import HereCrew, fill_folder, make_inputs, read_files, read_rows, run_here


@pytest.fixture
def folder(tmp_path):
    return fill_folder(tmp_path)


def test_rows_come_in_the_order_of_the_input_when_lanes_answer_in_another(folder):
    summary = run_here(make_inputs(folder))
    rows = [(row.id, row.document) for row in read_rows(folder / "out")]
    assert rows == [
        ("a", "broken.pdf"), ("a", "lease.pdf"), ("a", "note.pdf"), ("a", "old/Lease 2.pdf"), ("b", "lease.pdf"),
        ("b", "old/Lease 2.pdf"),
    ]  # fmt: skip
    assert (summary.row_count, summary.failed_count, summary.asked_count, summary.kept_count) == (6, 1, 6, 0)
    assert [row.number for row in read_rows(folder / "out")] == [1, 2, 3, 4, 5, 6]
    assert len(list(read_ledger(folder / "out" / "ledger.jsonl"))) == 5
    assert (folder / "out" / "rulebooks").is_dir()
    run_here(make_inputs(folder, "again"), worker_count=1)
    assert read_files(folder / "again") == read_files(folder / "out")


def test_nothing_is_asked_again_when_a_finished_batch_is_resumed(folder):
    run_here(make_inputs(folder))
    before = read_files(folder / "out")
    with pytest.raises(UsageError, match="there is a batch in it"):
        run_here(make_inputs(folder))
    for name in before:
        (folder / "out" / name).unlink()
    summary = run_here(make_inputs(folder), is_resumed=True, make_crew=None)
    assert (summary.asked_count, summary.kept_count) == (0, 6)
    assert read_files(folder / "out") == before


def test_a_batch_begins_without_a_word_when_the_one_before_asked_nothing(folder):
    def refuse(*_):
        raise UsageError("no worker is there", "start one")

    with pytest.raises(UsageError, match="no worker"):
        run_here(make_inputs(folder), make_crew=refuse)
    assert run_here(make_inputs(folder)).asked_count == 6
    run_here(make_inputs(folder, "again"))
    assert read_files(folder / "again") == read_files(folder / "out")


def _stop_after(count, name):
    """A function that fails in the middle of a batch, as a crash would."""
    original = getattr(running, name) if hasattr(running, name) else getattr(Journal, name)
    left = [count]

    def call(*given, **named):
        left[0] -= 1
        if left[0] < 0:
            raise RecordError("stopped here")
        return original(*given, **named)

    return call


@pytest.mark.parametrize("count", [0, 2, 4])
@pytest.mark.parametrize("place", ["append_fields", "add"])
def test_a_resumed_batch_is_that_of_one_go_when_it_stopped_anywhere(folder, monkeypatch, count, place):
    run_here(make_inputs(folder, "whole"))
    with monkeypatch.context() as patch:
        patch.setattr(running if place == "append_fields" else Journal, place, _stop_after(count, place))
        with pytest.raises(RecordError, match="stopped here"):
            run_here(make_inputs(folder))
    asked = []
    summary = run_here(
        make_inputs(folder), lambda event, told: asked.append(told) if event == "row" else None, is_resumed=True
    )
    assert summary.asked_count == len(asked)
    assert read_files(folder / "out") == read_files(folder / "whole")
    # each answered row once: also the one whose crash came between ledger and journal
    runs = [line.record.run_id for line in read_ledger(folder / "out" / "ledger.jsonl")]
    assert sorted(runs) == sorted(row.run_id for row in read_rows(folder / "out") if row.run_id)


def test_failed_rows_alone_are_asked_when_they_are_retried(folder):
    run_here(make_inputs(folder))
    (folder / "docs" / "broken.pdf").write_bytes(lease_pdf())
    kept = run_here(make_inputs(folder), is_resumed=True)
    assert (kept.asked_count, kept.failed_count) == (0, 1)
    summary = run_here(make_inputs(folder), is_failed_retried=True)
    assert (summary.asked_count, summary.failed_count) == (1, 0)
    run_here(make_inputs(folder, "fresh"))
    assert read_files(folder / "out") == read_files(folder / "fresh")


def test_a_batch_is_not_resumed_when_it_is_another_one(folder):
    run_here(make_inputs(folder))
    (folder / "docs" / "more.pdf").write_bytes(lease_pdf())
    with pytest.raises(UsageError, match="names of the documents"):
        run_here(make_inputs(folder), is_resumed=True)
    (folder / "docs" / "more.pdf").unlink()
    (folder / "docs" / "note.pdf").write_bytes(lease_pdf())
    with pytest.raises(UsageError, match=r"note\.pdf: it was changed"):
        run_here(make_inputs(folder), is_resumed=True)
    with pytest.raises(UsageError, match="settings or tags"):
        run_here(make_inputs(folder, only=("money",)), is_resumed=True)
    with (folder / "questions.csv").open("a") as file:
        file.write("c,Why?,,\n")
    with pytest.raises(UsageError, match="questions"):
        run_here(make_inputs(folder), is_resumed=True)


def test_only_questions_with_a_tag_are_asked_when_one_is_given(folder):
    run_here(make_inputs(folder, only=("Repair",)))
    assert {row.id for row in read_rows(folder / "out")} == {"b"}
    with pytest.raises(UsageError, match="no question carries the tag none"):
        run_here(make_inputs(folder, "other", only=("none",)))


def test_rows_that_name_no_document_or_no_rules_fail_alone_when_asked(folder):
    lines = ["id,question,document,rulebook", "a,Who?,nothere,", "b,,lease.pdf,", "c,Who pays?,lease.pdf,missing"]
    text = "\n".join([*lines, "d,Who pays?,lease.pdf,default"])
    (folder / "questions.csv").write_text(text, encoding="utf-8")
    summary = run_here(make_inputs(folder))
    rows = read_rows(folder / "out")
    assert [row.state for row in rows] == ["input", "input", "rules", ""]
    assert rows[0].reason == "questions.csv:2: no document is called nothere"
    assert rows[1].reason.startswith("questions.csv:3: ")
    assert (summary.failed_count, summary.asked_count, summary.kept_count) == (3, 2, 0)


def test_the_batch_stops_at_the_first_failure_when_that_is_asked_for(folder):
    with pytest.raises(BatchStopped, match=r"a of broken\.pdf"):
        run_here(make_inputs(folder), is_failing_fast=True, worker_count=1)
    assert not (folder / "out" / "results.jsonl").exists()
    run_here(make_inputs(folder), is_resumed=True)
    run_here(make_inputs(folder, "whole"))
    assert read_files(folder / "out") == read_files(folder / "whole")
    (folder / "questions.csv").write_text("id,question\na,\nb,Who?\n", encoding="utf-8")
    with pytest.raises(BatchStopped, match="no question in the row"):
        run_here(make_inputs(folder, "bad"), is_failing_fast=True)


def test_a_row_fails_when_its_record_is_larger_than_a_line_may_be(folder):
    inputs = make_inputs(folder, only=("repair",))
    limits = LedgerLimits(max_record_bytes=25_000)
    run_here(inputs._replace(settings=inputs.settings.model_copy(update={"ledger_limits": limits})))
    assert {row.state for row in read_rows(folder / "out")} == {"record"}
    assert not (folder / "out" / "ledger.jsonl").exists()


def test_a_second_batch_is_kept_out_when_one_is_writing(folder):
    (folder / "out").mkdir()
    code = "import fcntl, sys; f = open(sys.argv[1], 'w'); fcntl.lockf(f, fcntl.LOCK_EX); print('held', flush=True)"
    code += "; sys.stdin.read()"
    command = [sys.executable, "-c", code, str(folder / "out" / LOCK_NAME)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout.readline() == "held\n"
        with pytest.raises(UsageError, match="another batch"):
            run_here(make_inputs(folder))
        other.stdin.close()
    assert run_here(make_inputs(folder)).row_count == 6
    with (folder / "out" / LOCK_NAME).open("w") as lock:
        fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    (folder / "file").touch()
    with pytest.raises(UsageError, match="cannot be written to"):
        run_here(make_inputs(folder, "file"))


def test_drafts_of_a_killed_call_are_gone_when_the_next_one_ends(folder):
    out = folder / "out"
    (out / ".drafts").mkdir(parents=True)
    (out / ".drafts" / "tmp1").touch()
    (out / ".results.csv.77.tmp").touch()
    run_here(make_inputs(folder))
    assert sorted(path.name for path in out.iterdir() if path.name.startswith(".")) == []


def test_the_bytes_of_each_document_stay_when_results_are_compared(folder):
    events = []
    run_here(make_inputs(folder), lambda event, told: events.append((event, told)))
    names = [event for event, _ in events if event != "tick"]
    assert names == ["started", *["row"] * 6, "finished"]
    assert json.dumps(events)
    assert verify_ledger(folder / "out" / "ledger.jsonl").is_intact
    assert os.listdir(folder / "docs")


def test_a_forecast_counts_plans_and_writes_nothing_when_asked_for(folder):
    (folder / "questions.csv").write_text("id,question\na,What is the deposit?\nb,\n", encoding="utf-8")
    options = Options(worker_count=2, make_crew=HereCrew)
    forecast = forecast_batch(make_inputs(folder), options, lambda *_: None)
    assert (forecast.row_count, forecast.planned_count, len(forecast.failed)) == (5, 3, 2)
    assert {found.name: found.count for found in forecast.patterns}["keyword"] == 3
    assert forecast.max_iterations == 12
    assert not (folder / "out").exists()
    assert [row.number for row in forecast.failed] == [1, 5]
