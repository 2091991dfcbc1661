"""A parsed document as columns of plain values: what goes through the pipe and into the cache."""

from __future__ import annotations

import gc
import json
from typing import Any, TypeVar, cast

from pipeline.models.base import Contract
from pipeline.models.document import Diagnostic, DocumentProfile, Line, Page, ParsedDocument, Section

_DENSE = ("text", "box", "size", "block")
_SPARSE: dict[str, object] = {
    "bold": False, "bold_prefix": 0, "italic": False, "column": 0, "is_furniture": False, "hidden": "",
    "method": "native", "raised": (), "lowered": (),
}  # fmt: skip
_FIELDS = frozenset(Line.model_fields)

AnyContract = TypeVar("AnyContract", bound=Contract)


def encode_document(document: ParsedDocument) -> bytes:
    """JSON of the columns; values that are mostly their default are kept as (index, value) pairs."""
    lines = document.lines
    columns: dict[str, object] = {
        "page": _encode_runs([line.page for line in lines]),
        "text": [line.text for line in lines],
        "box": [edge for line in lines for edge in line.box],
        "size": [line.size for line in lines],
        "block": [line.block for line in lines],
    }
    for name, default in _SPARSE.items():
        columns[name] = [(at, value) for at, line in enumerate(lines) if (value := getattr(line, name)) != default]
    content = {
        "profile": dict(document.profile),
        "pages": [dict(page) for page in document.pages],
        "sections": [dict(section) for section in document.sections],
        "diagnostics": [dict(diagnostic) for diagnostic in document.diagnostics],
        "lines": columns,
        "folded": document.folded,
    }
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def decode_document(content: bytes) -> ParsedDocument:
    """The document again. Raises ValueError, KeyError or TypeError on content that is no document."""
    was_enabled = gc.isenabled()
    gc.disable()  # ten thousand small dicts are no garbage, and looking for some costs more than making them
    try:
        columns = json.loads(content.decode("utf-8", "surrogatepass"))
        return ParsedDocument.model_construct(
            profile=_build_model(DocumentProfile, columns["profile"]),
            pages=tuple(_build_model(Page, row) for row in columns["pages"]),
            lines=_decode_lines(columns["lines"]),
            folded=tuple(columns["folded"]),
            sections=tuple(_build_model(Section, row) for row in columns["sections"]),
            diagnostics=tuple(_build_model(Diagnostic, row) for row in columns["diagnostics"]),
        )
    finally:
        if was_enabled:
            gc.enable()


def _encode_runs(values: list[int]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for value in values:
        if runs and runs[-1][0] == value:
            runs[-1] = (value, runs[-1][1] + 1)
        else:
            runs.append((value, 1))
    return runs


def _decode_lines(columns: dict[str, Any]) -> tuple[Line, ...]:
    texts, sizes, blocks = columns["text"], columns["size"], columns["block"]
    edges = iter(columns["box"])
    boxes = list(zip(edges, edges, edges, edges, strict=True))
    if not len(texts) == len(boxes) == len(sizes) == len(blocks):
        raise ValueError("columns of different lengths")
    states: list[dict[str, Any]] = []
    at = 0
    for page, count in columns["page"]:
        for number in range(1, count + 1):
            states.append(
                {
                    "page": page, "number": number, "text": texts[at], "box": boxes[at], "size": sizes[at],
                    "bold": False, "bold_prefix": 0, "italic": False, "column": 0, "block": blocks[at],
                    "is_furniture": False, "hidden": "", "method": "native", "raised": (), "lowered": (),
                }
            )  # fmt: skip
            at += 1
    if at != len(texts):
        raise ValueError("lines without a page")
    for name in _SPARSE:
        for index, value in columns[name]:
            states[index][name] = _freeze(value)
    return tuple([build_line(state) for state in states])


def build_line(state: dict[str, Any]) -> Line:
    """A line around all its values, which the caller vouches for; a tenth of the cost of validation."""
    made = Line.__new__(Line)
    set_attribute = object.__setattr__
    set_attribute(made, "__dict__", state)
    set_attribute(made, "__pydantic_fields_set__", _FIELDS)
    set_attribute(made, "__pydantic_extra__", None)
    set_attribute(made, "__pydantic_private__", None)
    return made


def _build_model(model: type[AnyContract], row: dict[str, Any]) -> AnyContract:
    if set(row) != set(model.model_fields):
        raise ValueError(f"not the fields of {model.__name__}")
    values: dict[str, Any] = {name: _freeze(value) for name, value in row.items()}
    return cast(AnyContract, model.model_construct(None, **values))


def _freeze(value: object) -> object:
    return tuple(_freeze(item) for item in value) if isinstance(value, list) else value
