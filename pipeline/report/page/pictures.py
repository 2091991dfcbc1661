"""The parent's side of the pictures: a child draws them, and a page that breaks it costs that page alone."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from pipeline.canonical import hash_bytes
from pipeline.errors import DocumentError
from pipeline.parsing.child import can_fork, silence_streams
from pipeline.parsing.source import read_source
from pipeline.parsing.work import EXIT_ENGINE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.models.report import ReportLimits

_CHUNK = 1 << 18


class Picture(NamedTuple):
    """A page: its picture, media type and size in hundredths of a point, or a note that says why there is none."""

    page: int
    note: str
    kind: str = ""
    content: bytes = b""
    width: int = 0
    height: int = 0


class PageSet(NamedTuple):
    """Pages of one document, ascending, and the hash that its file must have."""

    path: Path
    sha256: str
    pages: tuple[int, ...]


class Draughtsman:
    """Draws pages of any number of documents, with one child as long as that lives."""

    def __init__(self, limits: ReportLimits, max_memory_bytes: int, width: int) -> None:
        self._limits = limits
        self._max_bytes = max_memory_bytes
        self._width = width
        self._child: _Child | None = None

    def draw(self, wanted: PageSet) -> Iterator[Picture]:
        """The pictures of some pages in their order; it never raises for a bad document."""
        try:
            content = read_source(wanted.path, self._max_bytes)
        except DocumentError as error:
            note = error.message.removeprefix(f"{wanted.path}: ")
            yield from (Picture(page, f"the document cannot be read: {note}") for page in wanted.pages)
            return
        # it may have been changed since it was found
        if hash_bytes(content) != wanted.sha256:
            words = "the file was changed since the question was answered"
            yield from (Picture(page, words) for page in wanted.pages)
            return
        # after a page that breaks the child a new one goes on with the rest
        left = wanted.pages
        while left:
            for picture in self._ask(content, left):
                yield picture
                left = left[1:]

    def close(self) -> None:
        """End the child."""
        if self._child is not None:
            self._child.end()
            self._child = None

    def _ask(self, content: bytes, pages: tuple[int, ...]) -> Iterator[Picture]:
        """Pictures up to the page that breaks the child, which then comes with a note."""
        if self._child is None:
            self._child = _Child(self._max_bytes)
        child = self._child
        head = json.dumps([len(content), pages, self._width, self._limits.max_pixels]).encode() + b"\n"
        is_told = child.has_taken(head) and child.has_taken(content)
        for page in pages:
            answer = child.read_answer(self._limits.max_page_seconds) if is_told else None
            if answer is None:
                seconds = self._limits.max_page_seconds
                words = f"not drawn within {seconds} seconds" if child.is_late else "drawing it broke the PDF engine"
                self.close()
                yield Picture(page, words)
                return
            told, picture = answer
            width, height = told.get("size", (0, 0))
            yield Picture(page, told["note"], told.get("kind", ""), picture, width, height)


class _Child:
    """A process that draws, forked or spawned, and the pipes to it and from it."""

    def __init__(self, max_bytes: int) -> None:
        asked, answered = os.pipe(), os.pipe()
        self._process: subprocess.Popen[bytes] | None = None
        self._pid = 0
        if can_fork():
            self._pid = os.fork()
            if self._pid == 0:
                # without its ends of the pipes the child would never see them close
                os.close(asked[1])
                os.close(answered[0])
                _serve(asked[0], answered[1], max_bytes)
        else:
            command = [sys.executable, "-m", "pipeline.report.page.drawing", str(max_bytes)]
            path = os.pathsep.join([str(Path(__file__).parents[3]), *sys.path[1:]])
            self._process = subprocess.Popen(
                command,
                stdin=asked[0],
                stdout=answered[1],
                stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": path},
            )
        os.close(asked[0])
        os.close(answered[1])
        self._writer, self._reader = asked[1], answered[0]
        self._rest = bytearray()
        self.is_late = False

    def has_taken(self, content: bytes) -> bool:
        """Give it something; false when it is gone."""
        view = memoryview(content)
        try:
            while view:
                view = view[os.write(self._writer, view) :]
        except BrokenPipeError:
            return False
        return True

    def read_answer(self, max_seconds: int) -> tuple[dict[str, Any], bytes] | None:
        """The next line and the picture behind it; none when the child ended, or took longer than it may."""
        end = time.monotonic() + max_seconds
        while b"\n" not in self._rest:
            if not self._is_filled(end):
                return None
        line, _, _ = self._rest.partition(b"\n")
        told: dict[str, Any] = json.loads(line)
        start, stop = len(line) + 1, len(line) + 1 + told["bytes"]
        while len(self._rest) < stop:
            if not self._is_filled(end):
                return None
        picture = bytes(self._rest[start:stop])
        del self._rest[:stop]
        return told, picture

    def end(self) -> None:
        """Close the pipes and wait for its end, which comes at once."""
        for descriptor in (self._writer, self._reader):
            os.close(descriptor)
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            return
        with suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)

    def _is_filled(self, end: float) -> bool:
        left = end - time.monotonic()
        self.is_late = left <= 0 or not select.select([self._reader], [], [], left)[0]
        if self.is_late:
            return False
        chunk = os.read(self._reader, _CHUNK)
        self._rest += chunk
        return bool(chunk)


def _serve(reader: int, writer: int, max_bytes: int) -> NoReturn:
    status = EXIT_ENGINE
    try:
        # Ctrl-C reaches the parent, which ends this process
        os.setpgid(0, 0)
        silence_streams()
        from pipeline.report.page.drawing import run_drawing

        status = run_drawing(reader, writer, max_bytes)
    finally:
        os._exit(status)
