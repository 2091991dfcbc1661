from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from fixtures.faults.bombs import FAULTS as BOMBS
from fixtures.rawpdf import lease_pdf
from pipeline.errors import DocumentError
from pipeline.models.settings import ParseLimits, Settings
from pipeline.parsing import child as child_room
from pipeline.parsing import parse_document
from pipeline.parsing.child import end_child, finish_child, run_spawned, start_child
from tests.unit.parsing.reading import make_job, put, read, write


def _settings(seconds: int = 2, memory: int = 400_000_000) -> Settings:
    return Settings(is_cache_used=False, parse=ParseLimits(max_seconds=seconds, max_memory_bytes=memory))


@pytest.mark.parametrize("name", ["bomb_filter_contents", "bomb_forms_exponential"])
def test_a_bomb_is_a_limit_when_it_takes_too_long(tmp_path: Path, name: str) -> None:
    path = write(tmp_path, BOMBS[name].make())
    start = time.monotonic()
    with pytest.raises(DocumentError) as caught:
        parse_document(path, _settings())
    assert caught.value.state == "limit"
    assert time.monotonic() - start < 4
    assert str(path) in str(caught.value)


def test_the_answer_is_the_same_when_an_interpreter_is_spawned() -> None:
    content = lease_pdf()
    forked = finish_child(start_child(content), make_job())
    spawned = run_spawned(content, make_job())
    assert forked.failure == spawned.failure == ""
    assert forked.parts == spawned.parts
    assert len(forked.parts) == 1


def test_a_spawned_child_is_killed_when_its_time_is_over() -> None:
    job = make_job()._replace(max_seconds=1)
    assert run_spawned(BOMBS["bomb_forms_exponential"].make(), job).failure == "time"


def test_the_failure_is_named_when_the_child_dies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child_room, "run_job", lambda *_: os.kill(os.getpid(), 15))
    assert finish_child(start_child(b""), make_job()).failure == "signal 15"


def test_the_failure_is_named_when_memory_runs_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def fill_memory(*_: object) -> bytes:
        return bytes(10**12)

    monkeypatch.setattr(child_room, "run_job", fill_memory)
    assert finish_child(start_child(b""), make_job()).failure == "memory"


def test_the_watch_is_called_when_a_child_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    reader, writer = os.pipe()
    ticks: list[int] = []

    def watch(elapsed: int) -> None:
        ticks.append(elapsed)
        if len(ticks) == 3:
            os.write(writer, b"!")

    monkeypatch.setattr(child_room, "run_job", lambda *_: os.read(reader, 1))
    monkeypatch.setattr(child_room, "_TICK_SECONDS", 0.05)
    assert finish_child(start_child(b""), make_job(), watch).parts == (b"!",)
    assert len(ticks) >= 3
    assert ticks == sorted(ticks)


def test_nothing_is_left_when_a_waiting_child_is_not_needed() -> None:
    child = start_child(lease_pdf())
    end_child(child)
    with pytest.raises(ProcessLookupError):
        os.kill(child.pid, 0)


def test_halves_make_the_same_document_when_two_processes_read(tmp_path: Path) -> None:
    pages = [put(72, 700, f"Page number {number} of many") for number in range(50)]
    from tests.unit.parsing.reading import make

    content = make(*pages)
    outcome = finish_child(start_child(content), make_job())
    assert len(outcome.parts) == (2 if (os.cpu_count() or 1) > 1 else 1)
    document = parse_document(write(tmp_path, content), _settings(20))
    whole = read(content)
    assert document.lines == whole.lines
    assert document.pages == whole.pages
