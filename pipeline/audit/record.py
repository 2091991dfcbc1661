"""Run records: the body is hashed, the hash names the run, and a file is whole or not there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from pipeline.audit.migrations import migrate_body
from pipeline.audit.writing import replace_file
from pipeline.canonical import encode_json, encode_model, hash_bytes, hash_model
from pipeline.errors import RecordError, SchemaUnknown
from pipeline.models.run import RunBody, RunRecord, Volatile

SCHEMA_VERSION = 1
"""The form of a record; it changes when an older program could misread a newer record."""

_ID_LENGTH = 16


def build_record(body: RunBody, volatile: Volatile | None = None) -> RunRecord:
    """Hash a body and put the run id (16 hexadecimal digits of the hash) and the volatile part beside it."""
    body_hash = hash_model(body)
    return RunRecord(run_id=body_hash[:_ID_LENGTH], body_hash=body_hash, body=body, volatile=volatile or Volatile())


def write_record(record: RunRecord, path: Path) -> Path:
    """Write a record so that after a crash the file is either whole or not there; give its path.

    Raises:
        RecordError: the folder cannot be made or the file cannot be written, for instance because the disk is full.
    """
    remedy = "free some space, or write elsewhere with --out"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RecordError(f"{path}: the record cannot be written: {error.strerror}", remedy) from error
    replace_file(path, (encode_model(record) + b"\n",), "record")
    return path


def load_record(path: Path) -> RunRecord:
    """Read a record and hold its body against its hash.

    Raises:
        RecordError: the file cannot be read, is no record, has another schema version, or was changed.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise RecordError(f"{path}: the record cannot be read: {error.strerror}") from error
    return decode_record(content, str(path))


def decode_record(content: bytes, place: str) -> RunRecord:
    """Read a record from its JSON and hold its body against its hash; `place` names it in messages.

    Raises:
        RecordError: it is no record, has another schema version, or was changed.
    """
    try:
        # strict validation refuses what the hash alone would not see: a second key, a float that equals an integer
        record = RunRecord.model_validate_json(content)
    except ValidationError as error:
        record = _decode_other(content, place, error)
    else:
        if record.body.versions.schema_version != SCHEMA_VERSION:
            record = _decode_other(content, place, None)
        # a body of before a field was added has the hash of what is written there, not of the model with its default
        elif record.body_hash != hash_model(record.body) and record.body_hash != _hash_written(content):
            raise _refuse_hash(place, record.body_hash)
    if record.run_id != record.body_hash[:_ID_LENGTH]:
        raise RecordError(f"{place}: {record.run_id} is not the id of this run", "the record was changed")
    return record


def _decode_other(content: bytes, place: str, error: ValidationError | None) -> RunRecord:
    """A record of an older schema, migrated once its own bytes were held against its hash; anything else is refused."""
    told = _read_object(content)
    version = _find_version(told)
    if error is not None and version in (None, SCHEMA_VERSION):
        raise RecordError(f"{place}: {_explain(version, error)}") from error
    words = f"{place}: the record has schema version {version}"
    if version is None or version > SCHEMA_VERSION:
        raise SchemaUnknown(words, f"this version reads {SCHEMA_VERSION}") from error
    if told.get("body_hash") != _hash_written(content):
        raise _refuse_hash(place, str(told.get("body_hash")))
    body = migrate_body(told["body"], version, SCHEMA_VERSION)
    if body is None:
        raise SchemaUnknown(words, f"no migration leads from it to {SCHEMA_VERSION}") from error
    try:
        return RunRecord.model_validate_json(encode_json({**told, "body": body}))
    except ValidationError as second:
        raise RecordError(f"{place}: {_explain(SCHEMA_VERSION, second)}") from second


def _refuse_hash(place: str, body_hash: str) -> RecordError:
    return RecordError(f"{place}: the body does not have the hash {body_hash}", "the record was changed")


def _read_object(content: bytes) -> dict[str, Any]:
    try:
        told = json.loads(content)
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}


def _find_version(told: dict[str, Any]) -> int | None:
    try:
        version = told["body"]["versions"]["schema_version"]
    except (KeyError, TypeError):
        return None
    return version if type(version) is int else None


def _hash_written(content: bytes) -> str:
    try:
        return hash_bytes(encode_json(_read_object(content)["body"]))
    except TypeError:
        # a float, or an integer that JSON readers do not keep: no body was ever written with one
        return ""


def _explain(version: int | None, error: ValidationError) -> str:
    if version is None:
        return "not a run record"
    first = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"not a run record: {place}: {first['msg']}"


def describe_schema() -> dict[str, object]:
    """The JSON schema of a run record, as published in docs/."""
    return RunRecord.model_json_schema()
