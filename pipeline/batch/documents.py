"""The documents of a folder: listed in an order of their own, and found by the names that people write in tables."""

from __future__ import annotations

import fnmatch
import hashlib
import os
from pathlib import Path
from typing import NamedTuple

from pipeline.errors import UsageError
from pipeline.report.annotation import REPORT_NAME

COPIES_NAME = "annotated"
_SUFFIX = ".pdf"
_BLOCK = 1 << 20


class SourceDocument(NamedTuple):
    """A document: its name below the folder with forward slashes, its path, and the hash of its bytes.

    The hash is empty for a file that cannot be read. One with a URL has no path of its own: it is fetched to be read.
    """

    name: str
    path: Path
    sha256: str
    url: str = ""

    @property
    def place(self) -> str:
        """Where it is, in words and in records."""
        return self.url or os.fsencode(self.path).decode("utf-8", "backslashreplace")


def list_documents(folder: Path, out: Path) -> tuple[SourceDocument, ...]:
    """Every PDF below a folder by its name, hidden ones, those below `out` and copies with marks left out.

    Raises:
        UsageError: there is no such folder, no PDF in it, or a folder in it cannot be listed.
    """
    if not folder.is_dir():
        raise UsageError(f"{folder}: no such folder of documents", "give one to --docs")
    # results of a batch are no input of the next one, also where they lie among the documents
    own = {os.path.realpath(out), os.path.realpath(out / COPIES_NAME)}
    paths = []
    for place, names, files in os.walk(folder, onerror=_refuse_folder):
        here = Path(place)
        names[:] = [name for name in names if not name.startswith(".") and not _holds_results(here / name, own)]
        paths += [here / name for name in files if name.lower().endswith(_SUFFIX) and not name.startswith(".")]
    if not paths:
        raise UsageError(f"{folder}: no file in it is called .pdf", "give a folder of PDFs to --docs")
    named = sorted((os.fsencode(path.relative_to(folder).as_posix()), path) for path in paths)
    return tuple(SourceDocument(_spell(name), path, _hash_file(path)) for name, path in named)


def _holds_results(folder: Path, own: set[str]) -> bool:
    return os.path.realpath(folder) in own or os.path.isfile(folder / REPORT_NAME)


def _refuse_folder(error: OSError) -> None:
    # whatever lies in it would be left out in silence
    path = os.fsencode(error.filename or "").decode("utf-8", "backslashreplace")
    raise UsageError(f"{path}: the folder cannot be listed: {error.strerror}", "change its permissions, or move it")


def match_documents(wanted: tuple[str, ...], documents: tuple[SourceDocument, ...]) -> tuple[tuple[int, ...], str]:
    """Places of the documents that a question names, in their order, and a name that none of them has, if any.

    A name is tried as written, then as a file name in any folder, whatever its case and with or without .pdf, then as a
    glob, then as several names with commas between them. No name means all documents.
    """
    if not wanted:
        return tuple(range(len(documents))), ""
    found: set[int] = set()
    for name in wanted:
        hits = _match(name, documents) or _match_each(name, documents)
        if not hits:
            return (), name
        found |= hits
    return tuple(sorted(found)), ""


def _match_each(wanted: str, documents: tuple[SourceDocument, ...]) -> set[int]:
    """Documents of several names with commas between them, none unless each is that of one."""
    parts = [part.strip() for part in wanted.split(",") if part.strip()]
    found = [_match(part, documents) for part in parts]
    return set().union(*found) if len(parts) > 1 and all(found) else set()


def _match(wanted: str, documents: tuple[SourceDocument, ...]) -> set[int]:
    exact = {place for place, document in enumerate(documents) if document.name == wanted.removeprefix("./")}
    if exact:
        return exact
    folded = wanted.replace("\\", "/").removeprefix("./").casefold()
    spelled = {place: _forms(document.name) for place, document in enumerate(documents)}
    named = {place for place, forms in spelled.items() if folded in forms}
    if named:
        return named
    return {place for place, forms in spelled.items() if any(fnmatch.fnmatchcase(form, folded) for form in forms)}


def _forms(name: str) -> tuple[str, ...]:
    folded = name.casefold()
    forms = (folded, folded.rpartition("/")[2])
    return (*forms, *(form.removesuffix(_SUFFIX) for form in forms))


def _spell(name: bytes) -> str:
    return name.decode("utf-8", "backslashreplace")


def _hash_file(path: Path) -> str:
    digest = hashlib.sha256()
    try:
        # a named pipe would wait for somebody who writes to it
        if not path.is_file():
            return ""
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                digest.update(block)
    except OSError:
        # whoever asks the document meets the same error and says it in the row
        return ""
    return digest.hexdigest()
