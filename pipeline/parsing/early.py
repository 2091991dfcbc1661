"""What can be done before settings and models are loaded: read the file, look for it in the cache, start a child.

`prepare_document` is for programs that parse one document soon after they start; `parse_document` finds its work.
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import NamedTuple

from pipeline.canonical import hash_bytes
from pipeline.errors import DocketError, UsageError
from pipeline.parsing.cache import PackedCache, find_cache_folder
from pipeline.parsing.child import Child, can_fork, end_child, give_job, start_child
from pipeline.parsing.constants import MAX_EARLY_BYTES, PARSER_REVISION, USUAL_LIMITS
from pipeline.parsing.jobs import Job
from pipeline.parsing.source import read_source


class Prepared(NamedTuple):
    """A file that was read, and the child that waits for it, or has its job, where the cache does not hold it."""

    path: Path
    content: bytes
    sha256: str
    child: Child | None
    job: Job | None = None


USUAL_JOB = Job(None, *USUAL_LIMITS)
"""What a child is told when nobody set a password or a limit."""

_waiting: list[Prepared] = []


def prepare_document(
    path: Path, cache_folder: Path | None = None, is_cache_used: bool = True, job: Job | None = None
) -> None:
    """Read a file ahead and start loading the engine for it, unless the cache holds it. Never raises for a bad file.

    With a job the child parses at once; should another one be meant after all, it is done afresh.
    """
    drop_prepared()
    with contextlib.suppress(DocketError):
        content = read_source(path, MAX_EARLY_BYTES)
        sha256 = hash_bytes(content)
        folder = find_cache_folder(cache_folder)
        is_cached = is_cache_used and PackedCache(folder).has(build_key(sha256, read_engine()))
        child = start_child(content) if can_fork() and not is_cached else None
        if child is not None and job is not None:
            child = give_job(child, job)
        _waiting.append(Prepared(path, content, sha256, child, job))


def take_prepared(path: Path) -> Prepared | None:
    """What was prepared for this path, once; anything else that was prepared is dropped."""
    if _waiting and _waiting[-1].path == path:
        return _waiting.pop()
    drop_prepared()
    return None


def drop_prepared() -> None:
    """End a child that waits in vain."""
    while _waiting:
        child = _waiting.pop().child
        if child is not None:
            end_child(child)


def build_key(sha256: str, engine: str) -> str:
    """Key of a document in the cache: what its columns depend on."""
    return f"document:{sha256}:{PARSER_REVISION}:{engine}"


def read_engine() -> str:
    """Name and version of the installed engine, without importing it. Raises UsageError when it is not installed."""
    # importlib.metadata takes longer to import than a warm run has to spare.
    for folder in sys.path:
        try:
            names = sorted(os.listdir(folder or "."))
        except OSError:
            continue
        for name in names:
            if name.endswith(".dist-info") and name[:8].lower() == "pymupdf-":
                return f"PyMuPDF {name[8 : -len('.dist-info')]}"
    from importlib.metadata import PackageNotFoundError, version

    try:
        return f"PyMuPDF {version('PyMuPDF')}"
    except PackageNotFoundError as error:
        raise UsageError("PyMuPDF is not installed", "install pdfdocket with its dependencies") from error
