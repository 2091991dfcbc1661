"""What the parse child does, from bytes to the columns it sends back."""

from __future__ import annotations

import json
import os
from typing import Any, NamedTuple

from pipeline.parsing.constants import MIN_PAGES_TO_SPLIT


class Job(NamedTuple):
    """What the child is asked to read."""

    content: bytes
    sha256: str
    engine: str
    password: str | None
    max_pages: int
    max_characters: int
    max_memory_bytes: int
    max_seconds: int
    may_split: bool = True


def run_job(job: Job) -> bytes:
    """Parse; the answer is `{"state": ..., "message": ...}` and, after a line end, the columns of the document."""
    from pipeline.parsing import engine
    from pipeline.parsing.columns import encode_document

    limit_memory(job.max_memory_bytes)
    try:
        document = engine.open_document(job.content)
    except engine.ENGINE_ERRORS as error:
        return refuse("unreadable", str(error))
    if not document.is_pdf:
        return refuse("not_pdf", "the content is no PDF")
    is_encrypted = bool(document.needs_pass or document.is_encrypted or document.metadata.get("encryption"))
    if document.needs_pass:
        if job.password is None:
            return refuse("needs_password", "none")
        if not document.authenticate(job.password):
            return refuse("needs_password", "wrong")
    page_count = document.page_count
    if page_count == 0:
        return refuse("unreadable", "no pages")
    if page_count > job.max_pages:
        return refuse("limit", f"{page_count} pages")
    drafts = _read_all(document, page_count, job)
    if sum(len(line.text) for page in drafts for line in page.lines) > job.max_characters:
        return refuse("limit", "characters")
    return b'{"state":"ok"}\n' + encode_document(_assemble(document, drafts, job, is_encrypted))


def _assemble(document: Any, drafts: list[Any], job: Job, is_encrypted: bool) -> Any:
    from pipeline.parsing.assemble import FileFacts, assemble_document
    from pipeline.parsing.bookmarks import read_bookmarks

    entries, diagnostics = read_bookmarks(document)
    metadata = document.metadata or {}
    facts = FileFacts(
        job.sha256,
        job.engine,
        metadata.get("producer") or "",
        metadata.get("title") or "",
        is_encrypted,
        bool(document.is_repaired),
    )
    return assemble_document(drafts, entries, facts, list(diagnostics))


def _read_all(document: Any, page_count: int, job: Job) -> list[Any]:
    from pipeline.parsing import engine

    if page_count <= MIN_PAGES_TO_SPLIT or not job.may_split or (os.cpu_count() or 1) < 2:
        return engine.read_pages(document, 0, page_count)
    return _read_halves(document, page_count)


def _read_halves(document: Any, page_count: int) -> list[Any]:
    from pipeline.parsing import engine
    from pipeline.parsing.drafts import pack_pages, unpack_pages

    middle = page_count // 2
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        rows = json.dumps(pack_pages(engine.read_pages(document, middle, page_count)), ensure_ascii=False)
        with os.fdopen(writer, "wb") as stream:
            stream.write(rows.encode("utf-8", "surrogatepass"))
        os._exit(0)
    os.close(writer)
    first = engine.read_pages(document, 0, middle)
    with os.fdopen(reader, "rb") as stream:
        content = stream.read()
    _, status = os.waitpid(child, 0)
    if status:
        os._exit(70)
    return first + unpack_pages(json.loads(content.decode("utf-8", "surrogatepass")))


def refuse(state: str, message: str) -> bytes:
    """An answer without a document."""
    return json.dumps({"state": state, "message": message}).encode() + b"\n"


def limit_memory(max_bytes: int) -> None:
    """Let this process map `max_bytes` more than it has now."""
    import resource

    with open("/proc/self/statm", encoding="ascii") as stream:
        mapped = int(stream.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (mapped + max_bytes, mapped + max_bytes))
