"""One line: every byte of it is bound, its form is the only one, and a blinded field leaves the chain as it was."""

from __future__ import annotations

import json
import random

import pytest

from pipeline.audit.layout import RECORD, REDACTION, LineFault, lay_out
from pipeline.audit.ledger import encode_fields
from pipeline.audit.lines import (
    FIRST_PREVIOUS,
    build_line,
    check_line,
    join_line,
    read_position,
)
from pipeline.canonical import encode_json, encode_model, hash_bytes
from tests.unit.audit.ledgers import blind, make_record, make_redaction, make_values, rewrite, walk_values


def _build(record=None):
    return build_line(RECORD, 1, FIRST_PREVIOUS, encode_fields(record or make_record()))


def test_the_line_holds_the_record_as_its_file_does_when_built():
    record = make_record("why")
    chain_hash, line = _build(record)
    content = json.loads(line)
    assert encode_json(content) + b"\n" == line
    assert encode_json(content["record"]) == encode_model(record)
    assert content["chain_hash"] == chain_hash.decode()
    assert set(content["fields"]) == {name.decode() for name in encode_fields(record)}


def test_the_salts_differ_and_the_body_hash_does_not_when_the_same_run_is_built_twice():
    first, second = (json.loads(_build()[1]) for _ in range(2))
    salts = [entry["salt"] for line in (first, second) for entry in line["fields"].values()]
    assert len(set(salts)) == len(salts)
    assert first["record"] == second["record"]
    assert first["chain_hash"] != second["chain_hash"]


def test_the_chain_hash_stays_when_a_field_is_blinded():
    chain_hash, line = _build()
    blinded = blind(line, "body.question", "body_hash", "run_id", "volatile.host")
    checked = check_line(blinded, 1, FIRST_PREVIOUS)
    assert checked.chain_hash == chain_hash
    assert checked.redacted == ("body.question", "body_hash", "run_id", "volatile.host")
    assert json.loads(blinded)["record"]["body"]["question"] is None


def test_number_and_link_are_read_as_written_when_asked_for():
    _, line = build_line(RECORD, 41, b"a" * 64, encode_fields(make_record()))
    assert read_position(line) == (41, b"a" * 64)
    assert check_line(line, 41, b"a" * 64).number == 41


@pytest.mark.parametrize(
    ("number", "previous", "kind"),
    [(2, FIRST_PREVIOUS, "number"), (1, b"1" * 64, "previous"), (2, b"1" * 64, "number")],
)
def test_the_fault_says_what_differs_when_the_line_stands_elsewhere(number, previous, kind):
    with pytest.raises(LineFault) as caught:
        check_line(_build()[1], number, previous)
    assert caught.value.kind == kind


def _swap_hash(line: bytes, name: str) -> bytes:
    content = json.loads(line)
    content["fields"][name]["commitment"] = "0" * 64
    return encode_json(content) + b"\n"


def _with_entry(line: bytes, name: str, **change: object) -> bytes:
    content = json.loads(line)
    content["fields"][name].update(change)
    return encode_json(content) + b"\n"


@pytest.mark.parametrize(
    ("change", "kind", "words"),
    [
        (lambda line: b"\n", "form", "not a line"),
        (lambda line: b'{"record":{}}\n', "form", "not a line"),
        (lambda line: b'x","record":{}\n', "form", "another form"),
        (lambda line: line.replace(b'"format":1', b'"format":2'), "number", "number 1"),
        (lambda line: line.replace(b'"number":1,', b'"number":01,', 1), "number", "number 1"),
        (lambda line: rewrite(line, {"chain_hash": "0" * 64}), "chain", "chain hash"),
        (lambda line: line.replace(b'{"chain_hash', b'{"Chain_hash', 1), "chain", "chain hash"),
        (lambda line: _swap_hash(line, "body.plan"), "value", "body.plan"),
        (lambda line: _with_entry(line, "body.plan", size=0), "form", "body.plan"),
        (lambda line: _with_entry(line, "body.plan", size=-5), "form", "body.plan"),
        (lambda line: _with_entry(line, "body.plan", size=2**50), "form", "body.profile"),
        (lambda line: _with_entry(line, "body.plan", salt="0" * 31), "form", "salt"),
        (lambda line: _with_entry(line, "body.plan", salt="g" * 32), "form", "salt"),
        (lambda line: _with_entry(line, "body.plan", salt="redacted"), "form", "blinded field"),
        (lambda line: line.replace(b'"size":', b'"size":x', 1), "form", "size"),
        (lambda line: line[:-1] + b" \n", "form", "goes on"),
        (lambda line: line.replace(b"}\n", b"\n"), "form", "goes on"),
        (lambda line: line.replace(b'"record":{', b'"record":{ '), "form", "body.answer"),
        (lambda line: line.replace(b'"body.answer"', b'"body.zzzzzz"', 1), "form", "names"),
        (lambda line: line.replace(b'"body.answer"', b'"body answer"', 1), "form", "names"),
    ],
)
def test_the_fault_is_named_when_a_line_was_changed(change, kind, words):
    line = _build()[1]
    changed = change(line)
    assert changed != line
    with pytest.raises(LineFault) as caught:
        check_line(changed, 1, FIRST_PREVIOUS)
    assert (caught.value.kind, words in caught.value.detail) == (kind, True), caught.value.detail


def test_a_value_is_named_when_it_was_changed():
    line = _build(make_record("wherefore"))[1]
    with pytest.raises(LineFault) as caught:
        check_line(line.replace(b'"wherefore"', b'"wherefork"'), 1, FIRST_PREVIOUS)
    assert caught.value.kind == "value"
    assert "body.stop_detail" in caught.value.detail


@pytest.mark.parametrize("commitment", ["0" * 63, "G" * 64])
def test_a_blinded_field_is_refused_when_its_commitment_is_none(commitment):
    blinded = blind(_build()[1], "volatile.host")
    with pytest.raises(LineFault, match="keeps its commitment"):
        check_line(_with_entry(blinded, "volatile.host", commitment=commitment), 1, FIRST_PREVIOUS)


@pytest.mark.parametrize(("name", "value"), [(b"body_hash", b'"' + b"0" * 64 + b'"'), (b"run_id", b'"0123"')])
def test_the_body_hash_is_held_against_the_body_when_a_forger_links_anew(name, value):
    _, line = build_line(RECORD, 1, FIRST_PREVIOUS, {**encode_fields(make_record()), name: value})
    with pytest.raises(LineFault) as caught:
        check_line(line, 1, FIRST_PREVIOUS)
    assert caught.value.kind == "body_hash"


def test_the_body_hash_is_found_wherever_the_body_stands_when_other_groups_come_first():
    values = make_values(random.Random(1))
    values |= {b"about": b"1", b"age.a": b"2", b"age.b": b"3"}
    chain_hash, line = build_line(RECORD, 1, FIRST_PREVIOUS, values)
    assert check_line(line, 1, FIRST_PREVIOUS).chain_hash == chain_hash
    assert hash_bytes(encode_json(json.loads(line)["record"]["body"])) == json.loads(line)["record"]["body_hash"]


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        (RECORD, ("body_hash", "run_id")),
        (RECORD, ("body.a", "run_id")),
        (RECORD, ("body.a", "body_hash")),
        (RECORD, ("body.a", "body_hash", "run_id", "run_id")),
        (RECORD, ("body.a.b", "body_hash", "run_id")),
        (REDACTION, ("at", "fields", "number")),
        (REDACTION, ("body.a", "body_hash", "run_id")),
    ],
)
def test_a_layout_is_refused_when_fields_lack_or_are_not_in_order(kind, names):
    with pytest.raises(LineFault, match=r"names|lacks|other fields"):
        lay_out(kind, tuple(name.encode() for name in names))


def test_a_position_is_refused_when_the_number_is_no_number():
    with pytest.raises(LineFault, match="no number"):
        read_position(_build()[1].replace(b'"number":1,', b'"number":x,', 1))


def test_a_redaction_is_a_line_like_any_other_when_built():
    kind, values = make_redaction(1, ["body.question"])
    chain_hash, line = build_line(kind, 2, b"a" * 64, values)
    assert check_line(line, 2, b"a" * 64)[:4] == (2, chain_hash, b"a" * 64, REDACTION)


def test_a_line_comes_back_when_joined_from_its_parts():
    chain_hash, line = _build()
    checked = check_line(line, 1, FIRST_PREVIOUS)
    fields = list(zip(checked.entries, walk_values(line), strict=True))
    assert join_line(RECORD, 1, FIRST_PREVIOUS, fields) == (chain_hash, line)
