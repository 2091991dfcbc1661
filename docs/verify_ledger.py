"""Verify a ledger without pdfdocket, by docs/ledger.md alone: `python verify_ledger.py LEDGER [COUNT:HASH]`."""

import json
import re
import sys
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any


def _encode(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def _require(is_so: object, words: str) -> None:
    if not is_so:
        raise ValueError(words)


def _check_field(name: str, entry: dict[str, Any], value: object) -> set[str]:
    _require(re.fullmatch(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)?", name), "name")
    _require(set(entry) == {"commitment", "salt", "size"} and type(entry["size"]) is int, "entry of " + name)
    _require(entry["size"] == len(_encode(value)), "size of " + name)
    if entry["salt"] == "redacted":
        _require(value is None and re.fullmatch("[0-9a-f]{64}", entry["commitment"]), name + " is not blinded")
        return {name}
    _require(re.fullmatch("[0-9a-f]{32}", entry["salt"]), "salt of " + name)
    _require(entry["commitment"] == sha256(entry["salt"].encode() + _encode(value)).hexdigest(), "value of " + name)
    return set()


def _check_line(raw: bytes, number: int, previous: str) -> tuple[str, set[str], Any]:
    line: Any = json.loads(raw.decode("utf-8", "surrogatepass"))
    _require(_encode(line) + b"\n" == raw, "not canonical JSON and a line end")
    kind = "redaction" if "redaction" in line else "record"
    _require(set(line) == {"chain_hash", "fields", "format", "number", "previous_hash", kind}, "keys")
    covered: dict[str, Any] = {"format": 1, "kind": kind, "number": number, "previous_hash": previous}
    _require(_encode({name: line.get(name, kind) for name in covered}) == _encode(covered), "not the next line")
    blinded, rebuilt, record = set(), {}, line[kind]
    for name, entry in line["fields"].items():
        group, _, key = name.rpartition(".")
        value = (record[group] if group else record)[key]
        (rebuilt.setdefault(group, {}) if group else rebuilt)[key] = value
        blinded |= _check_field(name, entry, value)
    _require(rebuilt == record and (kind == "record" or len(record) == 4), "a value without an entry")
    covered["commitments"] = {name: entry["commitment"] for name, entry in line["fields"].items()}
    _require(line["chain_hash"] == sha256(_encode(covered)).hexdigest(), "chain hash")
    if kind == "redaction":
        types = [type(record[name]) for name in ("at", "fields", "number", "reason")]
        _require(types == [str, list, int, str] and {type(name) for name in record["fields"]} <= {str}, "redaction")
        _require(0 < record["number"] < number, "redaction of a later line")
    elif all(name.startswith("volatile.") for name in blinded):
        body_hash = sha256(_encode(record["body"])).hexdigest()
        _require(record["body"] and (record["body_hash"], record["run_id"]) == (body_hash, body_hash[:16]), "body hash")
    return line["chain_hash"], blinded, record if kind == "redaction" else None


def find_fault(lines: Iterable[bytes], count: int = 0, head: str = "0" * 64) -> tuple[int, str] | None:
    """The first bad line and why; `count` and `head` are what was published of the ledger."""
    number, previous, waiting = 0, "0" * 64, set()
    for number, raw in enumerate(lines, 1):
        try:
            previous, blinded, redaction = _check_line(raw, number, previous)
            _require(number != count or previous == head, "not the published head")
        except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
            return number, str(error)
        waiting |= {(number, name) for name in blinded}
        waiting -= {(redaction["number"], name) for name in redaction["fields"]} if redaction else set()
    cut = (number + 1, "the end was cut off") if number < count else None
    return cut or ((min(waiting)[0], "blinded without a redaction") if waiting else None)


if __name__ == "__main__":
    path, (count, head) = Path(sys.argv[1]), (sys.argv[2] if len(sys.argv) > 2 else "0:" + "0" * 64).split(":")
    full = [p for p in path.parent.iterdir() if re.fullmatch(re.escape(path.stem) + r"\.\d{6,}\.jsonl", p.name)]
    segments = sorted(full, key=lambda p: int(p.name.split(".")[-2])) + [path] * path.exists()
    sys.exit(find_fault((line for segment in segments for line in segment.open("rb")), int(count), head))
