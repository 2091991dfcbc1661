"""Records of other schemas: migrated where a migration leads here, refused by name where none does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pipeline.audit import migrations, record
from pipeline.audit.ledger import append_record
from pipeline.audit.reading import read_ledger
from pipeline.audit.record import load_record
from pipeline.audit.verify import verify_ledger
from pipeline.canonical import encode_json, encode_model, hash_bytes
from pipeline.errors import RecordError, SchemaUnknown
from tests.unit.audit.ledgers import link, make_record


def _write(path: Path, body: dict) -> str:
    """A record of a body as JSON, with the hash of that body; its hash."""
    body_hash = hash_bytes(encode_json(body))
    content = {"body": body, "body_hash": body_hash, "run_id": body_hash[:16], "volatile": {}}
    path.write_bytes(encode_json(content))
    return body_hash


@pytest.fixture
def body() -> dict:
    return json.loads(encode_model(make_record("kept").body))


@pytest.fixture
def older(tmp_path: Path, body: dict) -> Path:
    """A record of schema 0, in which the stop detail had another name."""
    body["why_it_stopped"] = body.pop("stop_detail")
    body["versions"]["schema_version"] = 0
    _write(tmp_path / "run.json", body)
    return tmp_path / "run.json"


def _rename(body: dict) -> dict:
    return {**{name: value for name, value in body.items() if name != "why_it_stopped"}, "stop_detail": "kept"}


def test_every_step_to_the_present_schema_is_there_when_a_version_was_left_behind():
    assert sorted(migrations.MIGRATIONS) == list(range(1, record.SCHEMA_VERSION))


def test_the_version_is_named_when_no_migration_leads_from_it(older):
    with pytest.raises(SchemaUnknown, match=r"run\.json: the record has schema version 0 \(no migration leads"):
        load_record(older)


def test_the_version_is_named_when_it_is_a_later_one(tmp_path, body):
    body["versions"]["schema_version"] = record.SCHEMA_VERSION + 1
    for addition in ({}, {"a_field_of_tomorrow": 1}):
        _write(tmp_path / "run.json", {**body, **addition})
        with pytest.raises(SchemaUnknown, match=r"schema version 2 \(this version reads 1\)"):
            load_record(tmp_path / "run.json")


def test_an_older_record_is_read_when_a_migration_leads_here(older, monkeypatch):
    monkeypatch.setattr(migrations, "MIGRATIONS", {0: _rename})
    loaded = load_record(older)
    assert loaded.body.stop_detail == "kept"
    # it keeps the name under which it is known, and says of which schema it was
    assert loaded.body_hash == json.loads(older.read_bytes())["body_hash"]
    assert loaded.body.versions.schema_version == 0


def test_steps_follow_each_other_when_a_record_is_two_versions_old(monkeypatch):
    steps = {0: lambda body: {**body, "path": "a"}, 1: lambda body: {**body, "path": body["path"] + "b"}}
    monkeypatch.setattr(migrations, "MIGRATIONS", steps)
    assert migrations.migrate_body({"x": 1}, 0, 2) == {"x": 1, "path": "ab"}
    assert migrations.migrate_body({"path": ""}, 1, 3) is None


def test_an_older_record_is_refused_when_it_was_changed(older, monkeypatch):
    monkeypatch.setattr(migrations, "MIGRATIONS", {0: _rename})
    content = older.read_bytes()
    older.write_bytes(content.replace(b'"kept"', b'"lost"'))
    with pytest.raises(RecordError, match="the record was changed"):
        load_record(older)
    older.write_bytes(content.replace(b'"run_id":"', b'"run_id":"0'))
    with pytest.raises(RecordError, match="is not the id of this run"):
        load_record(older)


def test_an_older_record_is_refused_when_it_holds_what_no_body_holds(older, monkeypatch):
    monkeypatch.setattr(migrations, "MIGRATIONS", {0: _rename})
    older.write_bytes(older.read_bytes().replace(b'"parser_revision":1', b'"parser_revision":1.0'))
    with pytest.raises(RecordError, match="the record was changed"):
        load_record(older)


def test_what_is_wrong_is_named_when_a_migration_makes_no_record(older, monkeypatch):
    monkeypatch.setattr(migrations, "MIGRATIONS", {0: lambda body: body})
    with pytest.raises(RecordError, match=r"not a run record: body\."):
        load_record(older)


def test_a_record_is_read_when_it_was_made_before_a_field_was_added(tmp_path, body):
    path = tmp_path / "run.json"
    del body["ledger"], body["plan"]["worst_case_reparsed_pages"]
    body_hash = _write(path, body)
    loaded = load_record(path)
    assert (loaded.body_hash, loaded.body.ledger) == (body_hash, ())
    path.write_bytes(path.read_bytes().replace(b'"kept"', b'"lost"'))
    with pytest.raises(RecordError, match="the record was changed"):
        load_record(path)


def test_a_ledger_verifies_and_is_read_when_it_was_made_before_a_field_was_added(tmp_path, body):
    del body["ledger"], body["plan"]["worst_case_reparsed_pages"]
    body_hash = hash_bytes(encode_json(body))
    values = {f"body.{name}".encode(): encode_json(value) for name, value in body.items()}
    values |= {b"body_hash": encode_json(body_hash), b"run_id": encode_json(body_hash[:16])}
    values |= {b"volatile.host": b'"here"'}
    path = tmp_path / "ledger.jsonl"
    path.write_bytes(b"".join(link([values])))
    append_record(make_record("later"), path)
    assert verify_ledger(path, reads_records=True).is_intact
    lines = list(read_ledger(path))
    assert [line.record.body.stop_detail for line in lines if line.record] == ["kept", "later"]
