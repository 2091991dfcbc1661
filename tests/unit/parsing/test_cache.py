from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.parsing.cache import PackedCache, find_cache_folder


def test_content_comes_back_when_it_was_stored(tmp_path: Path) -> None:
    cache = PackedCache(tmp_path / "cache")
    assert cache.load("key") is None
    assert cache.store("key", b"columns" * 1000)
    assert cache.has("key")
    assert PackedCache(tmp_path / "cache").load("key") == b"columns" * 1000
    assert cache.load("other") is None


def test_a_row_is_discarded_when_it_was_changed(tmp_path: Path) -> None:
    cache = PackedCache(tmp_path)
    cache.store("key", b"columns")
    with sqlite3.connect(tmp_path / "documents.sqlite3") as base:
        base.execute("UPDATE packed SET content = ?", (b"other",))
    base.close()
    assert cache.load("key") is None
    assert not cache.has("key")


def test_a_row_is_refused_when_it_was_moved_to_another_key(tmp_path: Path) -> None:
    cache = PackedCache(tmp_path)
    cache.store("one", b"columns")
    with sqlite3.connect(tmp_path / "documents.sqlite3") as base:
        base.execute("UPDATE packed SET key = 'two'")
    base.close()
    assert cache.load("two") is None


@pytest.mark.parametrize("rubbish", [b"", b"no database" * 500, b"SQLite format 3\0" + b"\xff" * 5000])
def test_the_file_is_rebuilt_when_it_is_no_database(tmp_path: Path, rubbish: bytes) -> None:
    (tmp_path / "documents.sqlite3").write_bytes(rubbish)
    cache = PackedCache(tmp_path)
    assert cache.load("key") is None
    cache.store("key", b"columns")
    assert cache.store("key", b"columns")
    assert cache.load("key") == b"columns"


def test_nothing_is_stored_when_the_folder_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    cache = PackedCache(tmp_path / "file" / "cache")
    assert not cache.store("key", b"columns")
    assert cache.load("key") is None


def test_the_oldest_goes_when_there_are_too_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipeline.parsing.cache.MAX_CACHE_ROWS", 3)
    cache = PackedCache(tmp_path)
    for number in range(5):
        cache.store(str(number), b"x")
    assert [cache.has(str(number)) for number in range(5)] == [False, False, True, True, True]


def test_both_are_kept_when_two_processes_write(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from pipeline.parsing.cache import PackedCache\n"
        "cache = PackedCache(Path(sys.argv[1]))\n"
        "assert all(cache.store(sys.argv[2] + str(n), b'x' * 9000) for n in range(30))"
    )
    root = Path(__file__).parents[3]
    running = [
        subprocess.Popen([sys.executable, "-c", program, str(tmp_path), name], cwd=root, env={**os.environ})
        for name in ("a", "b")
    ]
    assert [process.wait(timeout=60) for process in running] == [0, 0]
    cache = PackedCache(tmp_path)
    assert all(cache.load(f"{name}{number}") == b"x" * 9000 for name in "ab" for number in range(30))


def test_the_folder_is_the_users_when_none_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert find_cache_folder(None) == tmp_path / "pdfdocket"
    assert find_cache_folder(tmp_path / "mine") == tmp_path / "mine"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert find_cache_folder(None) == tmp_path / ".cache" / "pdfdocket"
