"""The copy of a remote document while its questions are asked: private, one at a time, and gone afterwards.

What a process leaves behind that was killed is removed by the next one that fetches something.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.audit.writing import write_all
from pipeline.batch.remote import read_blocks
from pipeline.errors import DocumentError
from pipeline.parsing.cache import find_cache_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.models.settings import Settings

_FOLDER = "fetched"
_LOCK = ".lock"
_SUFFIX = ".pdf"


class RemoteCopy:
    """Holds the file of one URL in the folder of the parse cache, as it came: what is encrypted stays so."""

    def __init__(self, settings: Settings) -> None:
        self._folder = find_cache_folder(settings.cache_folder) / _FOLDER
        self._max_bytes = settings.parse.max_memory_bytes
        self._url = ""
        self._path: Path | None = None
        self._handle = -1
        self._error: DocumentError | None = None

    def find_path(self, url: str) -> Path:
        """Where the document of a URL is; the one before it is removed first.

        Raises:
            DocumentError: it cannot be fetched, or is too large; that is not tried again for the next question.
        """
        if url != self._url:
            self.close()
            self._url = url
            try:
                self._path = self._fetch(url)
            except DocumentError as error:
                self.close()
                self._url, self._error = url, error
        if self._error is not None or self._path is None:
            raise self._error or DocumentError("unreadable", f"{url}: it was not fetched to its end")
        return self._path

    def close(self) -> None:
        """Remove the copy."""
        if self._path is not None:
            self._path.unlink(missing_ok=True)
        if self._handle >= 0:
            os.close(self._handle)
        self._url, self._path, self._handle, self._error = "", None, -1, None

    def _fetch(self, url: str) -> Path:
        try:
            self._path = path = self._create()
            size = 0
            for block in read_blocks(url):
                size += len(block)
                if size > self._max_bytes:
                    words = f"{url}: it has more than {self._max_bytes} bytes"
                    raise DocumentError("limit", words, "raise the memory limit")
                write_all(self._handle, block)
        except OSError as error:
            words = f"{url}: there is no room for a copy in {self._folder}: {error.strerror or error}"
            raise DocumentError("unreadable", words, "name another folder with PDFDOCKET_CACHE") from error
        return path

    def _create(self) -> Path:
        """A file that only this user can read, locked while this process lives."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # nobody takes a file for a forgotten one between its beginning and its lock
        with self._hold_folder():
            self._remove_forgotten()
            self._handle, name = tempfile.mkstemp(_SUFFIX, dir=self._folder)
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return Path(name)

    @contextlib.contextmanager
    def _hold_folder(self) -> Iterator[None]:
        handle = os.open(self._folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)

    def _remove_forgotten(self) -> None:
        for path in sorted(self._folder.glob(f"*{_SUFFIX}")):
            # one that is locked is in use, and one that is gone was removed by somebody else
            with contextlib.suppress(OSError):
                handle = os.open(path, os.O_RDWR | os.O_CLOEXEC)
                try:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    path.unlink()
                finally:
                    os.close(handle)
