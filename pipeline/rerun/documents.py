"""Documents found by their hash, whatever they are called now."""

from __future__ import annotations

import hashlib
from pathlib import Path

_CHUNK = 1 << 20


class DocumentFinder:
    """Finds documents by SHA-256: at the path that a record names, then among the PDFs below a folder.

    Every file is hashed at most once, and only when a document is not where its record says.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._known: dict[str, Path] | None = None
        self._hashes: dict[Path, str] = {}

    def find(self, sha256: str, recorded_path: str) -> Path | None:
        """The file with this content, None where there is none."""
        path = Path(recorded_path)
        if recorded_path and path.is_file() and self._hash(path) == sha256:
            return path
        return self._index().get(sha256)

    def is_changed(self, sha256: str, recorded_path: str) -> bool:
        """Whether a file of that name is there, in its place or below the folder, but with other content."""
        path = Path(recorded_path)
        if not recorded_path:
            return False
        named = [path, *([found for found in self._index().values() if found.name == path.name])]
        return any(found.is_file() and self._hash(found) != sha256 for found in named)

    def _index(self) -> dict[str, Path]:
        if self._known is None:
            files = sorted(self._folder.rglob("*.pdf")) if self._folder else []
            # of two copies the first by name is taken: the content is the same
            self._known = {self._hash(path): path for path in reversed(files) if path.is_file()}
        return self._known

    def _hash(self, path: Path) -> str:
        if path not in self._hashes:
            digest = hashlib.sha256()
            with path.open("rb") as stream:
                while chunk := stream.read(_CHUNK):
                    digest.update(chunk)
            self._hashes[path] = digest.hexdigest()
        return self._hashes[path]
