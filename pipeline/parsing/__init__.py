"""Reading a PDF: the only room (with report/) that imports PyMuPDF, and only in a child process."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.parsing.early import prepare_document
    from pipeline.parsing.pdf import parse_document, profile_document
    from pipeline.parsing.revision import describe_engine

_HOMES = {
    "describe_engine": "revision",
    "parse_document": "pdf",
    "profile_document": "pdf",
    "prepare_document": "early",
}

__all__ = ["describe_engine", "parse_document", "prepare_document", "profile_document"]


def __getattr__(name: str) -> object:
    """Load the parent's side of the parser on first use (PEP 562)."""
    if name in _HOMES:
        return getattr(import_module(f"pipeline.parsing.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
