"""Documents found by their hash, whatever they are called now."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from pipeline.parsing.constants import HEADER_WINDOW

_CHUNK = 1 << 20
_MARK = b"%PDF"


class DocumentFinder:
    """Finds documents by SHA-256: at the path that a record names, then among the PDFs below a folder.

    A relative path was meant from the folder where the question was asked. That is not recorded, but records and
    ledgers lie in it or below: so it is also looked for from every folder above `source`, the record or ledger.
    A PDF is told by its first bytes, not by its name. Every file is hashed at most once, and only when a document is
    not where its record says; a file that cannot be read is passed over.
    """

    def __init__(self, folder: Path | None, source: Path | None = None) -> None:
        self._folder = folder
        self._bases = tuple(source.absolute().parents) if source is not None else ()
        self._files: tuple[Path, ...] | None = None
        self._hashes: dict[Path, str] = {}

    def find(self, sha256: str, recorded_path: str) -> Path | None:
        """The file with this content, None where there is none; of several the first by name."""
        path = Path(recorded_path)
        named = self._list_named(path) if recorded_path else ()
        # most documents keep their name when they are moved, and one of a thousand is soon hashed
        files = sorted(self._list_files(), key=lambda file: file.name != path.name)
        return next((file for file in (*named, *files) if self._hash(file) == sha256), None)

    def is_changed(self, sha256: str, recorded_path: str) -> bool:
        """Whether a file of that name is there, in its place or below the folder, but with other content."""
        path = Path(recorded_path)
        if not recorded_path:
            return False
        named = (*self._list_named(path), *(file for file in self._list_files() if file.name == path.name))
        return any(self._hash(file) not in ("", sha256) for file in named)

    def _list_named(self, path: Path) -> tuple[Path, ...]:
        return (path,) if path.is_absolute() else (path, *(base / path for base in self._bases))

    def _list_files(self) -> tuple[Path, ...]:
        if self._files is None:
            walked = os.walk(self._folder) if self._folder else ()
            files = sorted(Path(folder) / name for folder, _, names in walked for name in names)
            self._files = tuple(file for file in files if _looks_like_pdf(file))
        return self._files

    def _hash(self, path: Path) -> str:
        """SHA-256 of a file; empty for one that cannot be read."""
        if path not in self._hashes:
            self._hashes[path] = _hash_file(path)
        return self._hashes[path]


def _looks_like_pdf(path: Path) -> bool:
    try:
        # a named pipe would wait for somebody to write to it
        if not path.is_file():
            return False
        with path.open("rb") as stream:
            return _MARK in stream.read(HEADER_WINDOW)
    except OSError:
        return False


def _hash_file(path: Path) -> str:
    try:
        if not path.is_file():
            return ""
        with path.open("rb") as stream:
            digest = hashlib.sha256()
            while chunk := stream.read(_CHUNK):
                digest.update(chunk)
            return digest.hexdigest()
    except OSError:
        return ""
