"""Records: the same body has the same id, a file is whole or absent, and a change does not go unseen."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from pipeline.audit.record import SCHEMA_VERSION, build_record, describe_schema, load_record, write_record
from pipeline.canonical import encode_json, hash_bytes
from pipeline.errors import RecordError
from pipeline.loop import run_loop
from pipeline.models.run import RunBody, Versions, Volatile
from pipeline.models.settings import RunSettings
from pipeline.policy.facts import read_facts
from tests.conftest import ROOT
from tests.unit.loop.fakes import WHOLE, ScriptedPorts, Turn, make_candidate, make_plan
from tests.unit.policy.builders import make_facts, make_profile, make_question


def _make_body(**given: object) -> RunBody:
    question, plan = make_question(), make_plan()
    outcome = run_loop(question, plan, ScriptedPorts(Turn(WHOLE, candidates=(make_candidate(1),))))
    values = {
        "versions": Versions(pdfdocket="0", schema_version=SCHEMA_VERSION, parser_revision=1, engine="none"),
        "document_sha256": "0" * 64,
        "question_sha256": "1" * 64,
        "settings": RunSettings(),
        "question": question,
        "profile": make_profile(),
        "facts": read_facts(make_facts()),
        "plan": plan,
        "iterations": outcome.iterations,
        "stop_reason": outcome.stop_reason,
        "stop_detail": outcome.stop_detail,
        "pending_trigger": outcome.pending_trigger,
        "best_iteration": outcome.best_iteration,
        "answer": outcome.answer,
    }
    return RunBody.model_validate({**values, **given})


@pytest.fixture
def record():
    return build_record(_make_body(), Volatile(host="here", duration_ms=7))


def test_the_id_is_a_prefix_of_the_body_hash_when_built(record):
    assert len(record.body_hash) == 64
    assert record.run_id == record.body_hash[:16]
    assert record.body_hash == hash_bytes(encode_json(record.body.model_dump(mode="json")))


def test_the_hash_covers_the_body_only_when_the_volatile_part_differs(record):
    assert build_record(_make_body()).body_hash == record.body_hash
    assert build_record(_make_body()).volatile == Volatile()
    assert build_record(_make_body(stop_detail="another")).body_hash != record.body_hash


def test_a_record_comes_back_whole_when_written_and_loaded(record, tmp_path):
    path = tmp_path / "deep" / "runs" / f"{record.run_id}.json"
    assert write_record(record, path) == path
    assert load_record(path) == record
    assert path.read_bytes().endswith(b"}\n")
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]
    write_record(record, path)
    assert load_record(path) == record


def test_the_file_is_there_whole_or_not_at_all_when_the_disk_fails(record, tmp_path, monkeypatch):
    path = tmp_path / "run.json"
    for broken in ("fsync", "replace"):
        monkeypatch.setattr(os, broken, _fail_on_a_full_disk)
        with pytest.raises(RecordError, match="cannot be written: No space left"):
            write_record(record, path)
        monkeypatch.undo()
        assert list(tmp_path.iterdir()) == []


def _fail_on_a_full_disk(*_):
    raise OSError(28, "No space left on device")


def test_an_older_record_stays_when_the_new_one_cannot_be_written(record, tmp_path, monkeypatch):
    path = write_record(record, tmp_path / "run.json")
    before = path.read_bytes()
    monkeypatch.setattr(os, "fsync", _fail_on_a_full_disk)
    with pytest.raises(RecordError):
        write_record(build_record(_make_body(stop_detail="new")), path)
    assert path.read_bytes() == before


def test_the_place_is_named_when_it_cannot_be_written_to(record, tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(RecordError, match="file/run"):
        write_record(record, tmp_path / "file" / "run.json")
    (tmp_path / "folder").mkdir()
    with pytest.raises(RecordError, match=r"folder: the record cannot be written"):
        write_record(record, tmp_path / "folder")
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["file", "folder"]


def _rewrite(record, tmp_path, change):
    path = write_record(record, tmp_path / "run.json")
    content = json.loads(path.read_text(encoding="utf-8"))
    change(content)
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda content: content["body"].update(stop_detail="forged"), "does not have the hash"),
        (lambda content: content.update(body_hash="0" * 64), "does not have the hash"),
        (lambda content: content.update(run_id="0" * 16), "is not the id of this run"),
        (lambda content: content["body"]["answer"].update(confidence=1.0), "body.answer.confidence"),
        (lambda content: content["body"].update(extra=1), "body.extra"),
        (lambda content: content["body"]["versions"].update(schema_version=99), "schema version 99"),
        (lambda content: (content["body"]["versions"].update(schema_version=99), content.pop("run_id")), "version 99"),
        (lambda content: content.pop("body"), "not a run record"),
    ],
)
def test_a_record_is_refused_when_it_was_changed(record, tmp_path, change, words):
    path = _rewrite(record, tmp_path, change)
    with pytest.raises(RecordError, match=r"run\.json") as caught:
        load_record(path)
    assert words in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"[]", b"\xff", b"{", b"null", b'{"body": 1}'])
def test_a_file_is_refused_when_it_is_no_record(tmp_path, content):
    path = tmp_path / "run.json"
    path.write_bytes(content)
    with pytest.raises(RecordError, match="not a run record"):
        load_record(path)


def test_a_file_is_named_when_it_cannot_be_read(tmp_path):
    with pytest.raises(RecordError, match=r"nowhere\.json: the record cannot be read"):
        load_record(tmp_path / "nowhere.json")


def test_the_volatile_part_may_differ_when_a_record_is_loaded(record, tmp_path):
    path = _rewrite(record, tmp_path, lambda content: content["volatile"].update(host="elsewhere"))
    assert load_record(path).body == record.body


def test_the_published_schema_is_current_when_generated_again():
    published = json.loads((ROOT / "docs" / "run-record.schema.json").read_text(encoding="utf-8"))
    assert published == describe_schema(), "make docs"


def test_the_bytes_are_the_same_when_the_hash_seed_differs():
    script = (
        "import sys; from tests.unit.audit.test_record import _make_body;"
        "from pipeline.audit.record import build_record;"
        "sys.stdout.write(build_record(_make_body()).body_hash)"
    )
    printed = set()
    for seed in ("0", "77"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", script]
        printed.add(subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True).stdout)
    assert printed == {build_record(_make_body()).body_hash.encode()}
