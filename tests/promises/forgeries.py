"""Generated ledgers: honest ones, damaged ones, and those of forgers who know the format, for whoever verifies them."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from typing import NamedTuple

from pipeline.audit.layout import REDACTION
from pipeline.audit.lines import build_line
from pipeline.audit.verify import verify_lines
from pipeline.canonical import encode_json
from pipeline.models.ledger import Checkpoint
from tests.unit.audit.ledgers import (
    blind,
    link,
    make_redaction,
    make_values,
    place,
    read_values,
    relink,
    rewrite,
    split,
)

Lines = list[bytes]
BLINDABLE = ("body.answer", "body.facts", "volatile.host", "volatile.duration_ms", "run_id", "body_hash")


class Suspect(NamedTuple):
    """A ledger, the head that was published of it (of the honest one), and what was done to it."""

    name: str
    lines: Lines
    head: Checkpoint | None


def flip_byte(content: bytes, chance: random.Random) -> bytes:
    """Another byte in the place of one."""
    at = chance.randrange(len(content))
    return content[:at] + bytes([content[at] ^ chance.randrange(1, 256)]) + content[at + 1 :]


def delete_byte(content: bytes, chance: random.Random) -> bytes:
    """One byte less."""
    at = chance.randrange(len(content))
    return content[:at] + content[at + 1 :]


def insert_byte(content: bytes, chance: random.Random) -> bytes:
    """One byte more, often one that JSON readers overlook or that stands there already."""
    at = chance.randrange(len(content) + 1)
    byte = chance.choice([b" ", b"\n", b"\t", b"0", b'"', content[max(at - 1, 0) : at] or b"{", chance.randbytes(1)])
    return content[:at] + byte + content[at:]


BYTE_CHANGES = (flip_byte, delete_byte, insert_byte)


def _change_bytes(change: Callable[[bytes, random.Random], bytes]) -> Callable[[Lines, random.Random], Lines]:
    return lambda lines, chance: split(change(b"".join(lines), chance))


def _remove_line(lines: Lines, chance: random.Random) -> Lines:
    at = chance.randrange(len(lines))
    return lines[:at] + lines[at + 1 :]


def _double_line(lines: Lines, chance: random.Random) -> Lines:
    at = chance.randrange(len(lines))
    return lines[: at + 1] + lines[at:]


def _swap_lines(lines: Lines, chance: random.Random) -> Lines:
    first, second = sorted(chance.sample(range(len(lines)), 2)) if len(lines) > 1 else (0, 0)
    swapped = list(lines)
    swapped[first], swapped[second] = swapped[second], swapped[first]
    return swapped


def _cut_end(lines: Lines, chance: random.Random) -> Lines:
    content = b"".join(lines)
    return split(content[: chance.randrange(len(content))])


def _change_json(lines: Lines, chance: random.Random) -> Lines:
    """One line says something else at its top, in canonical form."""
    at = chance.randrange(len(lines))
    change = chance.choice(
        [{"number": chance.randrange(9)}, {"number": True}, {"format": 2}, {"previous_hash": "0" * 64}, {"more": 1},
         {"chain_hash": "f" * 64}, {"fields": {}}, {"fields": []}, {"record": {}}, {"record": None}, {"redaction": {}}]
    )  # fmt: skip
    return [*lines[:at], rewrite(lines[at], change), *lines[at + 1 :]]


def _change_entry(lines: Lines, chance: random.Random) -> Lines:
    """One entry of one line says something else."""
    at = chance.randrange(len(lines))
    fields = json.loads(lines[at])["fields"]
    name = chance.choice(sorted(fields))
    change = chance.choice(
        [{"size": 4}, {"size": -1}, {"size": 0}, {"size": True}, {"size": "4"}, {"salt": "redacted"}, {"salt": ""},
         {"salt": "0" * 32}, {"salt": None}, {"commitment": "0" * 64}, {"commitment": ""}, {"commitment": 0},
         {"more": 1}]
    )  # fmt: skip
    return [*lines[:at], rewrite(lines[at], {"fields": {**fields, name: {**fields[name], **change}}}), *lines[at + 1 :]]


def _reformat(lines: Lines, chance: random.Random) -> Lines:
    """One line with the same content in another form."""
    at = chance.randrange(len(lines))
    content = json.loads(lines[at])
    form = chance.choice(
        [
            json.dumps(content, ensure_ascii=False).encode(),
            json.dumps(content, separators=(",", ":")).encode(),
            json.dumps(dict(reversed(content.items())), ensure_ascii=False, separators=(",", ":")).encode(),
            lines[at].rstrip(b"\n") + b"\r",
        ]
    )
    return [*lines[:at], form + b"\n", *lines[at + 1 :]]


def _forge_values(lines: Lines, chance: random.Random) -> Lines:
    """A value is changed and everything after it linked anew; half of these forgers forget the body hash."""
    at = chance.randrange(len(lines))
    kind, values = read_values(lines[at])
    if kind == REDACTION:
        return relink(lines)
    forged = make_values(chance)
    if chance.randrange(2):
        forged |= {
            name: values[name] for name in chance.choice([(b"body_hash",), (b"run_id",), (b"body_hash", b"run_id")])
        }
    return link([*map(read_values, lines[:at]), (kind, forged), *map(read_values, lines[at + 1 :])])


def _blind_alone(lines: Lines, chance: random.Random) -> Lines:
    """A field is blinded and nobody says so."""
    at = chance.randrange(len(lines))
    names = ("reason",) if read_values(lines[at])[0] == REDACTION else chance.sample(BLINDABLE, 2)
    return [*lines[:at], blind(lines[at], *names), *lines[at + 1 :]]


def _append_redaction(lines: Lines, chance: random.Random) -> Lines:
    """A redaction, perhaps of a later line, of nothing, or in another form, by somebody who may append."""
    number = chance.choice([1, 1, len(lines), len(lines) + 1, len(lines) + 5, 0, -1, True, "1"])
    fields = chance.choice([["body.answer"], ["volatile.host", "body.answer"], [], "body.answer", [1], None])
    kind, values = make_redaction(number, fields)
    last = json.loads(lines[-1])["chain_hash"].encode()
    added = build_line(kind, len(lines) + 1, last, values)[1]
    target = chance.randrange(len(lines))
    if chance.randrange(2) and read_values(lines[target])[0] != REDACTION:
        lines = [*lines[:target], blind(lines[target], "body.answer"), *lines[target + 1 :]]
    return [*lines, added]


def _rename_field(lines: Lines, chance: random.Random) -> Lines:
    """A forger links a record whose fields have other names."""
    at = chance.randrange(len(lines))
    kind, values = read_values(lines[at])
    name = chance.choice([name for name in values if b"." in name] or [b"at"])
    other = chance.choice([b"volatile.zebra", b"Volatile.x", b"volatile.a-b", b"zone", b"a.b.c"])
    content = json.loads(lines[at])
    entry = content["fields"].pop(name.decode())
    if kind != REDACTION and not name.startswith(b"body."):
        value = content["record"]["volatile"].pop(name.decode().removeprefix("volatile."), None)
        group, _, field = other.decode().rpartition(".")
        (content["record"].setdefault(group, {}) if group else content["record"])[field] = value
    content["fields"][other.decode()] = entry
    return [*lines[:at], encode_json(content) + b"\n", *lines[at + 1 :]]


CHANGES: tuple[tuple[str, Callable[[Lines, random.Random], Lines]], ...] = (
    ("nothing", lambda lines, chance: lines),
    *((change.__name__, _change_bytes(change)) for change in BYTE_CHANGES),
    ("remove", _remove_line),
    ("double", _double_line),
    ("swap", _swap_lines),
    ("cut", _cut_end),
    ("json", _change_json),
    ("entry", _change_entry),
    ("form", _reformat),
    ("forge", _forge_values),
    ("blind", _blind_alone),
    ("redaction", _append_redaction),
    ("names", _rename_field),
    ("relink", lambda lines, chance: relink(lines)),
)


def make_honest(chance: random.Random) -> Lines:
    """One to six lines as the program writes them, some with a redaction at the end."""
    lines = link(make_values(chance) for _ in range(chance.randrange(1, 6)))
    if chance.randrange(3) == 0:
        number = chance.randrange(1, len(lines) + 1)
        names = chance.sample(BLINDABLE, chance.randrange(1, 4))
        kind, values = make_redaction(number, sorted(names))
        last = json.loads(lines[-1])["chain_hash"].encode()
        lines[number - 1] = blind(lines[number - 1], *names)
        lines.append(build_line(kind, len(lines) + 1, last, values)[1])
    return lines


def walk_suspects(count: int, seed: int) -> Iterator[Suspect]:
    """Ledgers of every kind in turn; with a head for two of three."""
    chance = random.Random(seed)
    for at in range(count):
        honest = make_honest(chance)
        name, change = CHANGES[at % len(CHANGES)]
        report = verify_lines(place(honest))
        assert report.is_intact, report
        head = Checkpoint(count=report.count, chain_hash=report.chain_hash) if chance.randrange(3) else None
        yield Suspect(name, change(honest, chance), head)
