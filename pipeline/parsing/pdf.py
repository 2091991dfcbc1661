"""The parent's side: read the file once, look in the cache, else let a child parse it."""

from __future__ import annotations

import json
from pathlib import Path

from pipeline.canonical import hash_bytes
from pipeline.errors import DocumentError
from pipeline.models.document import DocumentProfile, ParsedDocument
from pipeline.models.settings import Settings
from pipeline.parsing.child import Watch, run_child
from pipeline.parsing.columns import decode_document
from pipeline.parsing.constants import HEADER_WINDOW
from pipeline.parsing.work import Job


def parse_document(path: Path, settings: Settings, watch: Watch | None = None) -> ParsedDocument:
    """The parsed document, from the cache or freshly. Raises DocumentError with state, message and remedy.

    `watch` is called with the milliseconds that a child has been parsing, about twice a second.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise DocumentError("unreadable", f"{path}: {error.strerror}", "give a readable PDF file") from error
    if b"%PDF" not in content[:HEADER_WINDOW]:
        raise DocumentError("not_pdf", f"{path} is not a PDF", "give a PDF file")
    job = Job(
        content,
        hash_bytes(content),
        f"PyMuPDF {read_engine_version()}",
        settings.password,
        settings.parse.max_pages,
        settings.parse.max_characters,
        settings.parse.max_memory_bytes,
        settings.parse.max_seconds,
    )
    outcome = run_child(job, watch)
    if outcome.failure:
        raise DocumentError("limit", f"{path}: the parser ended with {outcome.failure}", "raise the limits")
    head, _, columns = outcome.answer.partition(b"\n")
    answer = json.loads(head)
    if answer["state"] != "ok":
        raise DocumentError(answer["state"], f"{path}: {answer['message']}", "give another file")
    return decode_document(columns)


def profile_document(path: Path, settings: Settings) -> DocumentProfile:
    """The profile of a document; parsing is cheap enough that it is read from the parsed document."""
    return parse_document(path, settings).profile


def read_engine_version() -> str:
    """Version of the installed engine, without importing it."""
    from importlib.metadata import version

    return version("PyMuPDF")
