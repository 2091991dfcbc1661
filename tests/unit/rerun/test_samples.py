"""Samples: facts of questions and of records, and what could not be used."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fixtures.rawpdf import lease_pdf
from pipeline.audit.ledger import append_record
from pipeline.audit.record import write_record
from pipeline.audit.redaction import redact_field
from pipeline.errors import RecordError, UsageError
from pipeline.models.plan import FactReading
from pipeline.rerun.samples import read_runs, sample_questions, sample_runs
from pipeline.run import plan
from tests.unit.policy.builders import make_facts
from tests.unit.rerun.records import make_record

FIRST, SECOND = make_record(facts_given={"page_count": 3}), make_record(facts_given={"page_count": 4})


def test_records_of_a_folder_come_by_name_and_broken_ones_are_named_when_read(tmp_path: Path):
    for record in (FIRST, SECOND):
        write_record(record, tmp_path / f"{record.run_id}.json")
    (tmp_path / "zz.json").write_text("{}", encoding="utf-8")
    found = sample_runs(tmp_path)
    assert [sample.name for sample in found.samples] == sorted([FIRST.run_id, SECOND.run_id])
    assert {sample.facts.page_count for sample in found.samples} == {3, 4}
    assert found.samples[0].question == FIRST.body.question.text
    assert "zz.json" in found.left_out[0]


def test_one_record_is_read_when_its_file_is_named(tmp_path: Path):
    path = write_record(FIRST, tmp_path / "run.json")
    assert read_runs(path).records == (FIRST,)
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(RecordError):
        read_runs(path)


def test_lines_of_a_ledger_come_in_order_and_redacted_ones_are_named_when_read(tmp_path: Path):
    path = tmp_path / "ledger.jsonl"
    for record in (SECOND, FIRST, SECOND):
        append_record(record, path)
    redact_field(path, 2, "body.question", reason="private")
    found = sample_runs(path)
    assert [sample.facts.page_count for sample in found.samples] == [4, 4]
    assert found.left_out == ("line 2: redacted",)


def test_a_run_is_left_out_when_it_has_other_facts(tmp_path: Path):
    record = make_record(facts=(FactReading(name="moon_phase", value=3),))
    write_record(record, tmp_path / "run.json")
    found = sample_runs(tmp_path)
    assert found.samples == ()
    assert record.run_id in found.left_out[0]


def test_a_path_is_refused_when_nothing_is_there(tmp_path: Path):
    with pytest.raises(UsageError, match="no ledger"):
        read_runs(tmp_path / "ledger.jsonl")


def _write(path: Path, *lines: object) -> Path:
    path.write_text("\n".join(json.dumps(line) for line in lines) + "\n\n", encoding="utf-8")
    return path


def test_facts_are_those_of_a_plan_when_questions_are_sampled(tmp_path: Path):
    (tmp_path / "lease.pdf").write_bytes(lease_pdf())
    questions = _write(
        tmp_path / "q.jsonl",
        {"id": "deposit", "document": "lease.pdf", "question": "What is the deposit?"},
        {"document": "lease.pdf", "question": "?"},
        {"id": "gone", "document": "gone.pdf", "question": "What is it?"},
    )
    found = sample_questions(questions, tmp_path)
    [sample] = found.samples
    assert (sample.source, sample.name, sample.question) == ("question", "deposit", "What is the deposit?")
    readings = plan(tmp_path / "lease.pdf", "What is the deposit?").facts
    assert sample.facts == make_facts(**{reading.name: reading.value for reading in readings})
    assert [words.split(": ")[0] for words in found.left_out] == ["q.jsonl:2", "gone"]
    folder = tmp_path / "folder"
    folder.mkdir()
    questions.rename(folder / "q.jsonl")
    assert sample_questions(folder, tmp_path) == found


@pytest.mark.parametrize(
    ("text", "words"),
    [("{", "not JSON"), ("[]", "no document and question"), ('{"document": 1, "question": "x"}', "no document and")],
)
def test_a_line_is_refused_with_its_place_when_it_is_no_question(tmp_path: Path, text: str, words: str):
    path = tmp_path / "q.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=f"q.jsonl:1: {words}"):
        sample_questions(path, tmp_path)


def test_questions_are_refused_when_there_are_none(tmp_path: Path):
    for path in (tmp_path, tmp_path / "none.jsonl"):
        with pytest.raises(UsageError, match="no questions"):
            sample_questions(path, tmp_path)
