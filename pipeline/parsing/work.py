"""What the parse child does, from bytes to the columns it sends back."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from pipeline.parsing.constants import MAX_WARNINGS, MIN_PAGES_TO_SPLIT
from pipeline.parsing.jobs import Job, refuse

if TYPE_CHECKING:
    from pipeline.parsing.drafts import DraftPage

EXIT_ENGINE = 70
EXIT_MEMORY = 71


class LimitReached(Exception):
    """The document has more of something than it may have; the message says what."""


def run_job(content: bytes, job: Job, second: int | None) -> bytes:
    """Parse; the answer is one JSON object with the state "ok" and columns, or another state and a message.

    `second` is the writing end of a pipe: the second half of a large document goes there, from a child of this one.
    """
    from pipeline.parsing import engine

    try:
        document = engine.open_document(content)
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
    if job.reading:
        from pipeline.parsing.pictures import serve_reading

        return serve_reading(document, job)
    return _read_document(document, job, second, is_encrypted)


def write_all(writer: int, content: bytes) -> None:
    """Write everything to a pipe, and close it."""
    view = memoryview(content)
    while view:
        view = view[os.write(writer, view) :]
    os.close(writer)


def _read_document(document: Any, job: Job, second: int | None, is_encrypted: bool) -> bytes:
    from pipeline.parsing.packing import pack_pages

    page_count = document.page_count
    middle = page_count
    child = 0
    if second is not None and page_count > MIN_PAGES_TO_SPLIT and (os.cpu_count() or 1) >= 2:
        # Text does not depend on the order in which pages are read, so halves give what the whole gives.
        middle = page_count // 2
        child = os.fork()
        if child == 0:
            _serve_second(document, range(middle, page_count), job, second)
    if second is not None:
        os.close(second)
    try:
        drafts = read_some(document, range(middle), job.max_characters)
        answer = pack_pages(drafts, _describe_file(document, is_encrypted))
    except LimitReached as error:
        answer = refuse("limit", str(error))
    if child:
        _, status = os.waitpid(child, 0)
        if status:
            _repeat_death(status)
    return answer


def read_some(document: Any, span: range, max_characters: int) -> list[DraftPage]:
    """Drafts of some pages. Raises LimitReached as soon as their text is longer than allowed."""
    from pipeline.parsing import engine

    drafts: list[DraftPage] = []
    count = warning_count = 0
    for index in span:
        draft = engine.read_page_safely(document, index)
        draft.warnings = draft.warnings[: MAX_WARNINGS - warning_count]
        warning_count += len(draft.warnings)
        count += sum([len(line.text) for line in draft.lines])
        drafts.append(draft)
        if count > max_characters:
            raise LimitReached(f"its text has more than {max_characters} characters")
    return drafts


def _describe_file(document: Any, is_encrypted: bool) -> dict[str, object]:
    from pipeline.parsing import engine
    from pipeline.parsing.bookmarks import read_bookmarks

    entries, faults = read_bookmarks(document)
    metadata = engine.read_metadata(document)
    return {
        "outline": entries,
        "outline_faults": faults,
        "labels": engine.read_labels(document),
        "producer": metadata.get("producer") or "",
        "title": metadata.get("title") or "",
        "author": metadata.get("author") or "",
        "created": metadata.get("creationDate") or "",
        "is_encrypted": is_encrypted,
        "was_repaired": bool(document.is_repaired),
    }


def _serve_second(document: Any, span: range, job: Job, second: int) -> None:
    from pipeline.parsing.packing import pack_pages

    status = EXIT_ENGINE
    try:
        try:
            write_all(second, pack_pages(read_some(document, span, job.max_characters), {}))
        except LimitReached as error:
            write_all(second, refuse("limit", str(error)))
        status = 0
    except MemoryError:
        status = EXIT_MEMORY
    finally:
        os._exit(status)


def _repeat_death(status: int) -> None:
    """Die as the other half did, so that the parent hears the true reason."""
    if os.WIFSIGNALED(status):
        import signal

        number = os.WTERMSIG(status)
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(os.WEXITSTATUS(status))
