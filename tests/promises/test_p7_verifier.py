"""P7: the verifier can be trusted. Another one, written from the page alone, agrees; and its mutants are found out."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections import Counter
from types import ModuleType

import pytest

from pipeline.audit.ledger import append_record
from pipeline.audit.verify import verify_ledger, verify_lines
from pipeline.models.settings import LedgerLimits
from tests.conftest import ROOT
from tests.promises.forgeries import CHANGES, Suspect, walk_suspects
from tests.promises.mutants import EQUIVALENT, find_survivors, list_mutants
from tests.unit.audit.ledgers import make_record, place

SECOND = ROOT / "docs" / "verify_ledger.py"
SAMPLED, ALL = 300, 10_000


def _load_second() -> ModuleType:
    spec = importlib.util.spec_from_file_location("verify_ledger", SECOND)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _compare(suspect: Suspect, second: ModuleType) -> bool:
    """Whether the ledger is intact; both verifiers must say so, or name the same line."""
    ours = verify_lines(place(suspect.lines), suspect.head).fault
    count, chain_hash = (suspect.head.count, suspect.head.chain_hash) if suspect.head else (0, "0" * 64)
    theirs = second.find_fault(suspect.lines, count, chain_hash)
    assert (ours.number if ours else None) == (theirs[0] if theirs else None), (suspect.name, ours, theirs)
    return ours is None


def _check_agreement(count: int, seed: int) -> None:
    second = _load_second()
    intact = Counter(suspect.name for suspect in walk_suspects(count, seed) if _compare(suspect, second))
    assert intact["nothing"] == (count + len(CHANGES) - 1) // len(CHANGES)
    # what one byte or one more line does is always seen
    assert not intact.keys() & {"flip_byte", "delete_byte", "insert_byte", "double"}


def test_the_second_verifier_is_short_and_alone_when_read():
    text = SECOND.read_text(encoding="utf-8")
    assert len(text.splitlines()) < 80
    assert "pipeline" not in text


def test_both_verifiers_agree_when_ledgers_are_generated():
    _check_agreement(SAMPLED, seed=7)


@pytest.mark.soak
def test_both_verifiers_agree_when_ten_thousand_ledgers_are_generated():
    _check_agreement(ALL, seed=10_000)


def test_the_second_verifier_walks_the_segments_when_called_as_a_program(tmp_path):
    path = tmp_path / "ledger.jsonl"
    for at in range(3):
        append_record(make_record(str(at)), path, LedgerLimits(max_bytes=1))
    head = f"3:{verify_ledger(path).chain_hash}"

    def call(*arguments):
        command = [sys.executable, str(SECOND), str(path), *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=tmp_path, check=False)

    assert [call().returncode, call(head).returncode] == [0, 0]
    path.write_bytes(path.read_bytes().replace(b'"here"', b'"hera"'))
    assert (call().returncode, "(3, 'value of volatile.host')" in call().stderr) == (1, True)
    path.unlink()
    assert [call().returncode, call(head).returncode] == [0, 1]


def test_mutants_of_the_verifier_are_killed_when_every_fourth_is_tried():
    mutants = list_mutants()
    assert len(mutants) >= 120
    assert find_survivors(mutants[::4]) == ()


@pytest.mark.soak
def test_every_mutant_of_the_verifier_is_killed_when_its_equivalents_are_left_out():
    assert find_survivors(list_mutants()) == ()


@pytest.mark.soak
def test_the_equivalent_mutants_survive_when_judged_like_the_others():
    listed = tuple(mutant for mutant in list_mutants(with_equivalent=True) if mutant.name in EQUIVALENT)
    assert set(find_survivors(listed)) == set(EQUIVALENT)
