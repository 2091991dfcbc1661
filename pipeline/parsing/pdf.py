"""The parent's side: read the file once, look in the cache, else let a child parse it. It never loads the engine."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.canonical import hash_bytes
from pipeline.errors import ClockLimit, DocumentError
from pipeline.models.document import DocumentProfile, ParsedDocument
from pipeline.parsing.cache import PackedCache, find_cache_folder
from pipeline.parsing.child import Outcome, Watch, can_fork, end_child, finish_child, run_spawned, start_child
from pipeline.parsing.columns import load_json
from pipeline.parsing.early import Prepared, build_key, read_engine, take_prepared
from pipeline.parsing.jobs import Job
from pipeline.parsing.source import read_source
from pipeline.parsing.stored import Identity, pack_document, unpack_document

if TYPE_CHECKING:
    from pipeline.models.settings import Settings

_DAMAGED = "the file is damaged: try to open it in a viewer and save it again"


def parse_document(path: Path, settings: Settings, watch: Watch | None = None) -> ParsedDocument:
    """The parsed document, from the cache or freshly. Raises DocumentError with state, message and remedy.

    `watch` is called with the milliseconds that a child has been parsing, about twice a second.
    """
    limits = settings.parse
    job = Job(
        settings.password, limits.max_pages, limits.max_characters, limits.max_memory_bytes, limits.max_seconds
    )  # fmt: skip
    prepared = take_prepared(path)
    if prepared is None:
        content = read_source(path, limits.max_memory_bytes)
        prepared = Prepared(path, content, hash_bytes(content), None)
    identity = Identity(prepared.sha256, read_engine())
    cache = PackedCache(find_cache_folder(settings.cache_folder)) if settings.is_cache_used else None
    key = build_key(*identity)
    if cache is not None and (document := _load_cached(cache, key, identity)) is not None:
        if prepared.child:
            end_child(prepared.child)
        _check_limits(path, document, job)
        return document
    parts = _read_parts(path, _run_child(prepared, job, watch), job)
    # finding sections and furniture takes its time to import, and a cached document has them
    from pipeline.parsing.assemble import assemble_document

    document = assemble_document(parts, identity)
    _check_limits(path, document, job)
    profile = document.profile
    # Decrypted text stays out of the cache, and a page may have failed for want of memory.
    if cache is not None and profile.state == "ok" and not profile.is_encrypted:
        cache.store(key, pack_document(parts, document))
    return document


def profile_document(path: Path, settings: Settings, watch: Watch | None = None) -> DocumentProfile:
    """The profile of a document; parsing is cheap enough that it is read from the parsed document."""
    return parse_document(path, settings, watch).profile


def _run_child(prepared: Prepared, job: Job, watch: Watch | None) -> Outcome:
    child = prepared.child
    if child is not None and prepared.job not in (None, job):
        end_child(child)
        child = None
    if child is None and not can_fork():
        return run_spawned(prepared.content, job, watch)
    return finish_child(child or start_child(prepared.content), job, watch)


def _load_cached(cache: PackedCache, key: str, identity: Identity) -> ParsedDocument | None:
    packed = cache.load(key)
    if packed is None:
        return None
    document: ParsedDocument | None = None
    # The checksum held, so this is rare: columns that another version of the program wrote.
    with contextlib.suppress(ValueError, KeyError, TypeError, IndexError, AttributeError):
        document = unpack_document(packed)
    if document is None or document.profile.sha256 != identity.sha256:
        cache.discard(key)
        return None
    return document


def _check_limits(path: Path, document: ParsedDocument, job: Job) -> None:
    """Hold a document to the limits of this run: halves were counted apart, and cached ones under other limits."""
    profile = document.profile
    if profile.page_count > job.max_pages:
        raise _refuse(path, "limit", f"it has {profile.page_count} pages, more than {job.max_pages}")
    if sum([len(line.text) for line in document.lines]) > job.max_characters:
        raise _refuse(path, "limit", f"its text has more than {job.max_characters} characters")
    if len(profile.failed_pages) == profile.page_count:
        error = next(found.message for found in document.diagnostics if found.code == "page-failed")
        raise _refuse(path, "unreadable", f"none of its {profile.page_count} pages can be read: {error}")


def _read_parts(path: Path, outcome: Outcome, job: Job) -> tuple[bytes, ...]:
    """The parts of a child's answer. Raises DocumentError where there are none."""
    if outcome.failure == "time":
        words = f"{path}: not parsed within {job.max_seconds} seconds"
        raise ClockLimit("limit", words, "raise the limit, or split the document")
    if outcome.failure == "memory":
        raise _refuse(path, "limit", f"parsing takes more than {job.max_memory_bytes} bytes of memory")
    if outcome.failure or not outcome.parts:
        reason = outcome.failure or "no answer"
        raise DocumentError("unreadable", f"{path}: the PDF engine broke down ({reason})", _DAMAGED)
    for part in outcome.parts:
        # A refusal is short and has no columns.
        if not part.startswith(b'{"state":"ok"'):
            answer = load_json(part)
            raise _refuse(path, answer["state"], answer["message"])
    return outcome.parts


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
