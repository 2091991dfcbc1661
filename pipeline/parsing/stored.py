"""A parsed document as the cache keeps it: the parts of the children and what was worked out over all of them."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from pipeline.models.document import Diagnostic, DocumentProfile, ParsedDocument, Section
from pipeline.parsing.columns import build_model, build_page, load_json, unpack_parts
from pipeline.parsing.packing import dump_json


class Identity(NamedTuple):
    """What a document is known by: hash of the file and name and version of the engine."""

    sha256: str
    engine: str


def pack_document(contents: tuple[bytes, ...], document: ParsedDocument) -> bytes:
    """The parts and what was worked out over them, one JSON object a line."""
    extras = {
        "profile": dict(document.profile),
        "places": [(page.label, page.printed) for page in document.pages],
        "furniture": [at for at, line in enumerate(document.lines) if line.is_furniture],
        "sections": [dict(section) for section in document.sections],
        "diagnostics": [dict(diagnostic) for diagnostic in document.diagnostics],
    }
    return b"\n".join((*contents, dump_json(extras)))


def unpack_document(content: bytes) -> ParsedDocument:
    """The document again. Raises ValueError, KeyError, IndexError or TypeError on content that is no document."""
    *contents, last = content.split(b"\n")
    with pause_collector():
        extras = load_json(last)
        unpacked = unpack_parts(tuple(contents))
        # Nobody has seen these lines yet, so that their state may still be completed.
        for at in extras["furniture"]:
            unpacked.lines[at].__dict__["is_furniture"] = True
        places = zip(unpacked.pages, extras["places"], strict=True)
        return ParsedDocument.model_construct(
            profile=build_model(DocumentProfile, extras["profile"]),
            pages=tuple([build_page(row, label, printed) for row, (label, printed) in places]),
            lines=tuple(unpacked.lines),
            folded=unpacked.fold_marks(),
            sections=tuple([build_model(Section, row) for row in extras["sections"]]),
            diagnostics=tuple([build_model(Diagnostic, row) for row in extras["diagnostics"]]),
        )


@contextmanager
def pause_collector() -> Iterator[None]:
    """Ten thousand small dicts are no garbage, and looking for some costs more than making them."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
