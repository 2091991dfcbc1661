"""Documents in a store that the user's own fsspec driver reads: listed, hashed in passing, and fetched one by one."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote, unquote, urlsplit

from pipeline.batch.boundary import bound_faults
from pipeline.batch.documents import SourceDocument
from pipeline.errors import DocumentError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

_SUFFIX = ".pdf"
_BLOCK = 1 << 20
_REMEDY = "check the URL and the settings of its driver"


class Place(NamedTuple):
    """A file system of fsspec and a path in it."""

    system: Any
    path: str


def find_local_folder(url: str) -> str:
    """The folder that a file URL means; empty for any other URL.

    Raises:
        UsageError: it is one of another machine.
    """
    parts = urlsplit(url)
    if parts.scheme.casefold() != "file":
        return ""
    if parts.netloc.casefold() not in ("", "localhost"):
        raise UsageError(f"{url}: a folder of another machine", "as in file:///srv/contracts")
    return unquote(parts.path) or "/"


def list_remote_documents(url: str) -> tuple[SourceDocument, ...]:
    """Every PDF below a URL by its name, hidden ones left out; each is read once for its hash.

    Raises:
        UsageError: there is no driver, no access, nothing there, or no PDF.
    """
    try:
        system, root = open_place(url)
        with _bound_driver(url, "listed"):
            paths = [str(path) for path in system.find(root)]
    except DocumentError as error:
        raise UsageError(error.message, error.remedy) from error
    # a driver may list more than was asked for, such as the marker of the folder itself
    base = root.rstrip("/") + "/"
    named = [(path.removeprefix(base), path) for path in paths if path.startswith(base)]
    found = [(name, path) for name, path in named if name.lower().endswith(_SUFFIX) and not _is_hidden(name)]
    if not found:
        words = "no file in it is called .pdf" if named else "there is nothing"
        raise UsageError(f"{url}: {words}", "give a folder of PDFs to --docs")
    # the same order and names as for a folder
    told = sorted((os.fsencode(name), str(system.unstrip_protocol(path))) for name, path in found)
    return tuple(
        SourceDocument(name.decode("utf-8", "backslashreplace"), Path(), hash_remote(each), each) for name, each in told
    )


def open_place(url: str) -> Place:
    """The file system of a URL, by the driver that fsspec finds for it.

    Raises:
        DocumentError: fsspec or the driver is not installed, or the URL is none.
    """
    # its parts would be lost in the names of single documents
    if "::" in url:
        raise DocumentError("unreadable", f"{url}: one URL inside another", "give the one with the PDFs")
    if urlsplit(url).password:
        shown = url.replace(f":{urlsplit(url).password}@", ":...@", 1)
        words = f"{shown}: a password in a URL would stand in the results"
        raise DocumentError("unreadable", words, "leave it to the settings of the driver")
    try:
        from fsspec.core import url_to_fs
        from fsspec.registry import known_implementations
    except ImportError as error:
        words = f"{url}: documents by URL need the extra `remote`: {error}"
        raise DocumentError("unreadable", words, "pip install 'pdfdocket[remote]'") from error
    with _bound_driver(url, "opened"):
        try:
            return Place(*url_to_fs(url))
        except ImportError as error:
            driver = str(known_implementations.get(url.partition(":")[0], {}).get("class", "")).partition(".")[0]
            remedy = f"pip install {driver}" if driver not in ("", "fsspec") else "install what it names"
            raise DocumentError("unreadable", f"{url}: its driver is missing: {error}", remedy) from error


def read_blocks(url: str) -> Iterator[bytes]:
    """The bytes of a remote file, a megabyte at a time.

    Raises:
        DocumentError: it cannot be read.
    """
    place = open_place(url)
    with _bound_driver(url, "fetched"), place.system.open(place.path, "rb") as file:
        while block := file.read(_BLOCK):
            yield block


def hash_remote(url: str) -> str:
    """SHA-256 of a remote file; empty for one that cannot be read."""
    digest = hashlib.sha256()
    try:
        for block in read_blocks(url):
            digest.update(block)
    except DocumentError:
        # whoever asks the document meets the same error and says it in the row
        return ""
    return digest.hexdigest()


def link_url(url: str) -> str:
    """A URL that can be followed: of HTTP as it is, of a store with its names escaped."""
    safe = ":/?&=%@+,;~" if urlsplit(url).scheme in ("http", "https") else ":/@+,;=~"
    return quote(os.fsencode(url), safe=safe)


def _is_hidden(name: str) -> bool:
    return any(part.startswith(".") for part in name.split("/"))


def _bound_driver(url: str, done: str) -> AbstractContextManager[None]:
    """What a driver raises becomes a document that cannot be `done`."""
    return bound_faults(
        lambda error: DocumentError("unreadable", f"{url}: cannot be {done}: {describe_fault(error)}", _REMEDY)
    )


def describe_fault(error: Exception) -> str:
    """What a driver says, in one line."""
    if isinstance(error, FileNotFoundError):
        return "not found"
    if isinstance(error, PermissionError):
        return "no access"
    told = " ".join(str(error).split())
    return f"{type(error).__name__}: {told}" if told else type(error).__name__
