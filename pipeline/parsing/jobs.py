"""What the parse child is told, and how it declines."""

from __future__ import annotations

from typing import NamedTuple


class Job(NamedTuple):
    """What the child is told beside the bytes of the file: the password, and limits as in `ParseLimits`.

    With a `reading` ("picture", "layout" or "ocr") one page is read by that alone.
    """

    password: str | None
    max_pages: int
    max_characters: int
    max_memory_bytes: int
    max_seconds: int
    page: int = 0
    reading: str = ""


def refuse(state: str, message: str) -> bytes:
    """An answer without a document."""
    from pipeline.parsing.packing import dump_json

    return dump_json({"state": state, "message": message})
