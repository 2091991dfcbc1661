"""What the parse child does, from bytes to the columns it sends back."""

from __future__ import annotations

import gc
import json
import marshal
import os
from typing import TYPE_CHECKING, Any, NamedTuple

from pipeline.parsing.constants import MAX_WARNINGS, MIN_PAGES_TO_SPLIT

if TYPE_CHECKING:
    from pipeline.models.document import ParsedDocument
    from pipeline.parsing.drafts import DraftPage

EXIT_ENGINE = 70
EXIT_MEMORY = 71


class Job(NamedTuple):
    """What the child is asked to read, and within which limits (`ParseLimits`)."""

    content: bytes
    sha256: str
    engine: str
    password: str | None
    max_pages: int
    max_characters: int
    max_memory_bytes: int
    max_seconds: int
    may_split: bool = True


class LimitReached(Exception):
    """The document has more of something than it may have; the message says what."""


def run_job(job: Job) -> bytes:
    """Parse; the answer is `{"state": ..., "message": ...}` and, after a line end, the columns of the document."""
    from pipeline.parsing import engine
    from pipeline.parsing.columns import encode_document

    gc.disable()  # the process is short and makes no cycles worth looking for
    try:
        document = engine.open_document(job.content)
        if not document.is_pdf:
            return refuse("not_pdf", "the content is no PDF")
        is_encrypted = bool(document.needs_pass or document.is_encrypted or document.metadata.get("encryption"))
        if document.needs_pass and not (job.password and document.authenticate(job.password)):
            return refuse("needs_password", "wrong" if job.password else "none")
        page_count = document.page_count
    except engine.ENGINE_ERRORS as error:
        return refuse("unreadable", str(error) or type(error).__name__)
    if page_count == 0:
        return refuse("unreadable", "it has no pages")
    if page_count > job.max_pages:
        return refuse("limit", f"it has {page_count} pages, more than {job.max_pages}")
    try:
        drafts = read_all(document, page_count, job)
    except LimitReached as error:
        return refuse("limit", str(error))
    if all(draft.state == "failed" for draft in drafts):
        return refuse("unreadable", f"none of its {page_count} pages can be read: {drafts[0].error}")
    parsed = _assemble(document, drafts, job, is_encrypted)
    return b'{"state":"ok","message":""}\n' + encode_document(parsed)


def read_all(document: Any, page_count: int, job: Job) -> list[DraftPage]:
    """Drafts of all pages; large documents are read by two processes, half each.

    Raises LimitReached when the text is longer than the job allows.
    """
    can_fork = job.may_split and hasattr(os, "fork") and (os.cpu_count() or 1) >= 2
    if page_count > MIN_PAGES_TO_SPLIT and can_fork:
        drafts = _read_halves(document, page_count, job.max_characters)
    else:
        drafts = _read_some(document, range(page_count), job.max_characters)
    if sum([len(line.text) for draft in drafts for line in draft.lines]) > job.max_characters:
        raise LimitReached(f"its text has more than {job.max_characters} characters")
    return drafts


def _read_some(document: Any, span: range, max_characters: int) -> list[DraftPage]:
    from pipeline.parsing import engine

    drafts: list[DraftPage] = []
    count = 0
    for index in span:
        draft = engine.read_page_safely(document, index)
        count += sum(len(line.text) for line in draft.lines)
        drafts.append(draft)
        if count > max_characters:
            raise LimitReached(f"its text has more than {max_characters} characters")
    return drafts


def _read_halves(document: Any, page_count: int, max_characters: int) -> list[DraftPage]:
    """The second half is read by a child of the child; its rows come back through a pipe."""
    from pipeline.parsing.drafts import pack_pages, unpack_pages

    middle = page_count // 2
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        status = EXIT_ENGINE
        try:
            os.close(reader)
            drafts = _read_some(document, range(middle, page_count), max_characters)
            with os.fdopen(writer, "wb") as stream:
                # marshal keeps tuples and is fast; both ends are the same program, and equally untrusted.
                marshal.dump(pack_pages(drafts), stream)
            status = 0
        except MemoryError:
            status = EXIT_MEMORY
        except LimitReached:
            status = 0  # an empty answer; the first half finds its own end or the sum does
        finally:
            os._exit(status)
    os.close(writer)
    first = _read_some(document, range(middle), max_characters)
    with os.fdopen(reader, "rb") as stream:
        content = stream.read()
    _, status = os.waitpid(child, 0)
    if status:
        # Die as the other half did, so that the parent hears the true reason.
        _repeat_death(status)
    if not content:
        raise LimitReached(f"its text has more than {max_characters} characters")
    return first + unpack_pages(marshal.loads(content))  # noqa: S302 - see above


def _repeat_death(status: int) -> None:
    if os.WIFSIGNALED(status):
        import signal

        signal.signal(os.WTERMSIG(status), signal.SIG_DFL) if os.WTERMSIG(status) != signal.SIGKILL else None
        os.kill(os.getpid(), os.WTERMSIG(status))
    os._exit(os.WEXITSTATUS(status))


def _assemble(document: Any, drafts: list[DraftPage], job: Job, is_encrypted: bool) -> ParsedDocument:
    from pipeline.models.document import Diagnostic
    from pipeline.parsing import engine
    from pipeline.parsing.assemble import FileFacts, assemble_document
    from pipeline.parsing.bookmarks import read_bookmarks

    entries, diagnostics = read_bookmarks(document)
    metadata = engine.read_metadata(document)
    labels = engine.read_labels(document, len(drafts))
    for draft, label in zip(drafts, labels, strict=True):
        draft.label = label
    facts = FileFacts(
        job.sha256,
        job.engine,
        metadata.get("producer") or "",
        metadata.get("title") or "",
        is_encrypted,
        bool(document.is_repaired),
        any(labels),
    )
    warnings = [(draft.number, warning) for draft in drafts for warning in draft.warnings]
    diagnostics += [
        Diagnostic.model_construct(code="engine-warning", message=warning, page=page)
        for page, warning in warnings[:MAX_WARNINGS]
    ]
    return assemble_document(drafts, entries, facts, diagnostics)


def refuse(state: str, message: str) -> bytes:
    """An answer without a document."""
    return json.dumps({"state": state, "message": message}).encode() + b"\n"
