"""The parent's side: read the file once, look in the cache, else let a child parse it. It never loads the engine."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from pipeline.canonical import hash_bytes
from pipeline.errors import DocumentError, UsageError
from pipeline.models.document import DocumentProfile, ParsedDocument
from pipeline.models.settings import Settings
from pipeline.parsing.cache import PackedCache, find_cache_folder
from pipeline.parsing.child import Outcome, Watch, run_child
from pipeline.parsing.columns import decode_document
from pipeline.parsing.constants import PARSER_REVISION
from pipeline.parsing.source import read_source
from pipeline.parsing.work import Job

_DAMAGED = "the file is damaged: try to open it in a viewer and save it again"


def parse_document(path: Path, settings: Settings, watch: Watch | None = None) -> ParsedDocument:
    """The parsed document, from the cache or freshly. Raises DocumentError with state, message and remedy.

    `watch` is called with the milliseconds that a child has been parsing, about twice a second.
    """
    limits = settings.parse
    content = read_source(path, limits.max_memory_bytes)
    job = Job(
        content,
        hash_bytes(content),
        f"PyMuPDF {read_engine_version()}",
        settings.password,
        limits.max_pages,
        limits.max_characters,
        limits.max_memory_bytes,
        limits.max_seconds,
    )
    cache = PackedCache(find_cache_folder(settings.cache_folder)) if settings.is_cache_used else None
    key = build_key(job)
    if cache is not None and (document := _load_cached(cache, key, job)) is not None:
        _check_limits(path, document, job)
        return document
    columns = _read_answer(path, run_child(job, watch), job)
    document = decode_document(columns)
    profile = document.profile
    # Decrypted text stays out of the cache, and a page may have failed for want of memory.
    if cache is not None and profile.state == "ok" and not profile.is_encrypted:
        cache.store(key, columns)
    return document


def profile_document(path: Path, settings: Settings, watch: Watch | None = None) -> DocumentProfile:
    """The profile of a document; parsing is cheap enough that it is read from the parsed document."""
    return parse_document(path, settings, watch).profile


def build_key(job: Job) -> str:
    """Key of a document in the cache: what its columns depend on."""
    return f"document:{job.sha256}:{PARSER_REVISION}:{job.engine}"


def read_engine_version() -> str:
    """Version of the installed engine, without importing it. Raises UsageError when it is not installed."""
    # importlib.metadata takes longer to import than a warm run has to spare.
    for folder in sys.path:
        try:
            names = sorted(os.listdir(folder or "."))
        except OSError:
            continue
        for name in names:
            if name.endswith(".dist-info") and name[:8].lower() == "pymupdf-":
                return name[8 : -len(".dist-info")]
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("PyMuPDF")
    except PackageNotFoundError as error:
        raise UsageError("PyMuPDF is not installed", "install pdfdocket with its dependencies") from error


def _load_cached(cache: PackedCache, key: str, job: Job) -> ParsedDocument | None:
    columns = cache.load(key)
    if columns is None:
        return None
    try:
        document = decode_document(columns)
    except (ValueError, KeyError, TypeError, IndexError, AttributeError):
        cache.discard(key)
        return None
    if document.profile.sha256 != job.sha256:
        cache.discard(key)
        return None
    return document


def _check_limits(path: Path, document: ParsedDocument, job: Job) -> None:
    """Hold a cached document to the limits of this run, which may be lower than those it was parsed under."""
    count = document.profile.page_count
    if count > job.max_pages:
        raise _refuse(path, "limit", f"it has {count} pages, more than {job.max_pages}")
    if sum([len(line.text) for line in document.lines]) > job.max_characters:
        raise _refuse(path, "limit", f"its text has more than {job.max_characters} characters")


def _read_answer(path: Path, outcome: Outcome, job: Job) -> bytes:
    """The columns in a child's answer. Raises DocumentError where there are none."""
    if outcome.failure == "time":
        raise _refuse(path, "limit", f"not parsed within {job.max_seconds} seconds")
    if outcome.failure == "memory":
        raise _refuse(path, "limit", f"parsing takes more than {job.max_memory_bytes} bytes of memory")
    if outcome.failure:
        raise DocumentError("unreadable", f"{path}: the PDF engine broke down ({outcome.failure})", _DAMAGED)
    head, _, columns = outcome.answer.partition(b"\n")
    answer = json.loads(head)
    if answer["state"] != "ok":
        raise _refuse(path, answer["state"], answer["message"])
    return columns


def _refuse(path: Path, state: str, message: str) -> DocumentError:
    """The error for a state that a child reports, with what can be done about it."""
    message = " ".join(message.split())
    if state == "needs_password":
        if message == "wrong":
            return DocumentError(state, f"{path}: the password is wrong", "give the right one with --password")
        return DocumentError(state, f"{path}: needs a password", "give it with --password or PDFDOCKET_PASSWORD")
    if state == "limit":
        return DocumentError(state, f"{path}: {message}", "raise the limit, or split the document")
    if state == "not_pdf":
        return DocumentError(state, f"{path}: not a PDF", "give a PDF, or convert it to one")
    return DocumentError(state, f"{path}: cannot be read as a PDF: {message}", _DAMAGED)
