"""The cache of parsed documents: one SQLite file of packed columns, checked before use and rebuilt when it is damaged.

A cache that cannot be opened, read or written is no error: the work is then done without it.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pipeline.parsing.constants import CACHE_BUSY_SECONDS, MAX_CACHE_ROWS

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

_FILE = "documents.sqlite3"
_SCHEMA = "CREATE TABLE IF NOT EXISTS packed (key TEXT PRIMARY KEY, checksum BLOB NOT NULL, content BLOB NOT NULL)"

Result = TypeVar("Result")


def find_cache_folder(wanted: Path | None) -> Path:
    """The folder asked for, or `pdfdocket` in the user's cache directory (XDG base directories)."""
    if wanted is not None:
        return wanted
    base = os.environ.get("XDG_CACHE_HOME", "")
    return Path(base if os.path.isabs(base) else Path.home() / ".cache") / "pdfdocket"


class PackedCache:
    """Bytes by key. Content that does not match its checksum is discarded, never returned."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / _FILE

    def has(self, key: str) -> bool:
        """Whether something is stored under a key; it may still turn out to be damaged."""
        if not self._path.exists():
            return False
        return bool(self._use(lambda base: base.execute("SELECT 1 FROM packed WHERE key = ?", (key,)).fetchone()))

    def load(self, key: str) -> bytes | None:
        """The content stored under a key, or None."""
        if not self._path.exists():
            return None
        row = self._use(
            lambda base: base.execute("SELECT checksum, content FROM packed WHERE key = ?", (key,)).fetchone()
        )
        if row is None:
            return None
        checksum, packed = row
        if isinstance(packed, bytes) and _sum(key, packed) == checksum:
            with contextlib.suppress(zlib.error):
                return zlib.decompress(packed)
        self.discard(key)
        return None

    def store(self, key: str, content: bytes) -> bool:
        """Keep content under a key; False when that is not possible."""
        packed = zlib.compress(content, 1)
        row = (key, _sum(key, packed), packed)

        def write(base: sqlite3.Connection) -> bool:
            with base:
                base.execute("INSERT OR REPLACE INTO packed VALUES (?, ?, ?)", row)
                # The oldest rows go first: row numbers only grow.
                base.execute("DELETE FROM packed WHERE rowid <= (SELECT max(rowid) FROM packed) - ?", (MAX_CACHE_ROWS,))
            return True

        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError:
            return False
        return bool(self._use(write))

    def discard(self, key: str) -> None:
        """Forget what is stored under a key."""

        def delete(base: sqlite3.Connection) -> bool:
            with base:
                base.execute("DELETE FROM packed WHERE key = ?", (key,))
            return True

        self._use(delete)

    def _use(self, work: Callable[[sqlite3.Connection], Result]) -> Result | None:
        import sqlite3

        try:
            base = sqlite3.connect(self._path, timeout=CACHE_BUSY_SECONDS, isolation_level="IMMEDIATE")
            try:
                # No waiting for the disk: what a power cut leaves behind fails its checksum.
                base.execute("PRAGMA synchronous = OFF")
                base.execute(_SCHEMA)
                return work(base)
            finally:
                base.close()
        except sqlite3.OperationalError:
            return None  # locked too long, read only, no room: the caller goes on without the cache
        except sqlite3.Error:
            self._remove()
            return None

    def _remove(self) -> None:
        """Drop a file that is no database any more; the next store begins a new one."""
        for suffix in ("", "-journal", "-wal", "-shm"):
            with contextlib.suppress(OSError):
                self._path.with_name(_FILE + suffix).unlink()


def _sum(key: str, packed: bytes) -> bytes:
    return hashlib.sha256(key.encode() + b"\0" + packed).digest()
