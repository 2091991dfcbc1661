"""The file itself: read once, and told apart from what is no PDF before any engine sees it."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pipeline.errors import DocumentError
from pipeline.parsing.constants import HEADER_WINDOW

if TYPE_CHECKING:
    from pipeline.models.settings import Settings

_LOOKS = (
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"II*\x00", "a TIFF image"),
    (b"MM\x00*", "a TIFF image"),
    (b"PK\x03\x04", "a ZIP archive or an Office document"),
    (b"\xd0\xcf\x11\xe0", "an old Office document"),
    (b"%!PS", "a PostScript file"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"{\\rtf", "a rich text document"),
)


class PageSource(NamedTuple):
    """Where a page comes from: the file, the hash that it must have, and whether its text may be cached."""

    path: Path
    sha256: str
    is_encrypted: bool
    settings: Settings


def read_source(path: Path, max_bytes: int) -> bytes:
    """The bytes of a PDF file. Raises DocumentError for anything else, and for a file larger than `max_bytes`."""
    try:
        # Opening a named pipe would otherwise wait for somebody to write to it.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(descriptor, "rb") as stream:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise DocumentError("unreadable", f"{path}: not a regular file", "give the path of a PDF file")
            if status.st_size > max_bytes:
                raise DocumentError(
                    "limit", f"{path}: {status.st_size} bytes are more than {max_bytes}", "raise the memory limit"
                )
            content = stream.read()
    except IsADirectoryError as error:
        raise DocumentError("unreadable", f"{path}: a directory", "give the path of a PDF file") from error
    except FileNotFoundError as error:
        raise DocumentError("unreadable", f"{path}: no such file", "check the path") from error
    except PermissionError as error:
        raise DocumentError("unreadable", f"{path}: no permission to read it", "change its permissions") from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise DocumentError("unreadable", f"{path}: cannot be read: {reason}", "check the path and the disk") from error
    if b"%PDF" not in content[:HEADER_WINDOW]:
        raise DocumentError(
            "not_pdf",
            f"{path}: not a PDF, it looks like {describe_content(content)}",
            "give a PDF, or convert it to one",
        )
    return content


def describe_content(content: bytes) -> str:
    """What a file that is no PDF looks like, in words."""
    if not content:
        return "an empty file"
    for magic, name in _LOOKS:
        if content.startswith(magic):
            return name
    head = content[:HEADER_WINDOW].lstrip(b"\xef\xbb\xbf \t\r\n")
    if head[:1] == b"<":
        lowered = head.lower()
        return "an HTML page" if b"<html" in lowered or b"<!doctype html" in lowered else "an XML file"
    if not head.strip(b"\0"):
        return "a file of zeros"
    try:
        content[:HEADER_WINDOW].decode("utf-8")
    except UnicodeDecodeError:
        return "some other binary file"
    return "plain text"
