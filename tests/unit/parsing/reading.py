"""Parsing inside the test's own process: no child, no cache, the same code."""

from __future__ import annotations

from pathlib import Path

from fixtures.rawpdf import page_objects, raw_pdf
from pipeline.models.document import ParsedDocument
from pipeline.models.settings import ParseLimits, Settings
from pipeline.parsing.assemble import assemble_document
from pipeline.parsing.jobs import Job
from pipeline.parsing.stored import Identity
from pipeline.parsing.work import run_job

LIMITS = ParseLimits(max_seconds=20, max_memory_bytes=1_000_000_000)
UNCACHED = Settings(is_cache_used=False, parse=LIMITS)


def make_job(password: str | None = None, max_pages: int = 1000, max_characters: int = 10_000_000) -> Job:
    return Job(password, max_pages, max_characters, LIMITS.max_memory_bytes, LIMITS.max_seconds)


def read(content: bytes, password: str | None = None) -> ParsedDocument:
    """The document that these bytes make."""
    answer = run_job(content, make_job(password), None)
    assert answer.startswith(b'{"state":"ok"'), answer[:200]
    return assemble_document((answer,), Identity("0" * 64, "test"))


def read_contents(*contents: str, page_extra: str = "", resources: str = "") -> ParsedDocument:
    """The document whose pages have these content streams (font /F0 is Helvetica)."""
    return read(make(*contents, page_extra=page_extra, resources=resources))


def make(*contents: str, page_extra: str = "", resources: str = "") -> bytes:
    """The bytes of such a document."""
    return raw_pdf(page_objects([text.encode("cp1252") for text in contents], page_extra, resources))


def put(x: float, y: float, text: str, size: float = 10) -> str:
    """One string at a place, in PDF coordinates."""
    return f"BT /F0 {size:g} Tf {x:g} {y:g} Td ({text}) Tj ET\n"


def texts(document: ParsedDocument, page: int = 1) -> list[str]:
    return [line.text.strip() for line in document.lines_on(page)]


def write(folder: Path, content: bytes, name: str = "document.pdf") -> Path:
    path = folder / name
    path.write_bytes(content)
    return path
