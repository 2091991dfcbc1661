"""Reading a PDF: the only room (with report/) that imports PyMuPDF, and only in a child process."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.parsing.pdf import parse_document, profile_document

__all__ = ["parse_document", "profile_document"]


def __getattr__(name: str) -> object:
    """Load the parent's side of the parser on first use (PEP 562)."""
    if name in __all__:
        from pipeline.parsing import pdf

        return getattr(pdf, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
