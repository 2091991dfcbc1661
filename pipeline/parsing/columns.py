"""From columns back to models: the parts that children sent, and what was worked out over all of them."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable
from itertools import repeat
from typing import Any, NamedTuple, TypeVar, cast

from pipeline.models.base import Contract
from pipeline.models.document import Line, Page
from pipeline.parsing.packing import PAGE_FIELDS, SPARSE

_FIELDS = frozenset(Line.model_fields)

AnyContract = TypeVar("AnyContract", bound=Contract)


class Unpacked(NamedTuple):
    """All parts of a document in one: pages without label and printed number, lines, their folded texts, the rest.

    The lines are not published yet: `is_furniture` of their state may still be set.
    """

    pages: list[dict[str, Any]]
    lines: list[Line]
    folded: list[str]
    parts: list[dict[str, Any]]

    def gather(self, name: str) -> list[Any]:
        """A list that each part has a stretch of."""
        return [freeze(row) for part in self.parts for row in part[name]]

    def fold_marks(self) -> tuple[str, ...]:
        """The folded texts, with raised footnote marks set apart from the words that they are glued to."""
        folded, first = self.folded, 0
        for part in self.parts:
            for index, spans in part["raised"]:
                line = self.lines[first + index]
                # most raised marks have brackets, which part them already
                if any(low and line.text[low].isalnum() and line.text[low - 1].isalnum() for low, _ in spans):
                    from pipeline.text.scripts import fold_line

                    folded[first + index] = fold_line(line.text, line.raised, line.lowered)
            first += len(part["text"])
        return tuple(folded)


def unpack_parts(contents: tuple[bytes, ...]) -> Unpacked:
    """Raises ValueError, KeyError, IndexError or TypeError on content that is no document."""
    parts = [load_json(content) for content in contents]
    pages: list[dict[str, Any]] = []
    lines: list[Line] = []
    folded: list[str] = []
    for part in parts:
        pages += [dict(zip(PAGE_FIELDS, map(freeze, row), strict=True)) for row in part["pages"]]
        lines += _unpack_lines(part)
        folded += part["folded"]
    if len(folded) != len(lines):
        raise ValueError("folded texts of other lines")
    return Unpacked(pages, lines, folded, parts)


def load_json(content: bytes) -> dict[str, Any]:
    """A JSON object as `dump_json` wrote it."""
    loaded = json.loads(content.decode("utf-8", "surrogatepass"))
    if not isinstance(loaded, dict):
        raise TypeError("not an object")
    return loaded


def build_page(row: dict[str, Any], label: str, printed: str) -> Page:
    """A page from its row; values were checked when they were written."""
    return Page.model_construct(None, **row, label=label, printed=printed)


def build_model(model: type[AnyContract], row: dict[str, Any]) -> AnyContract:
    """A model from the values of all its fields. Raises ValueError when they are not its fields."""
    if set(row) != set(model.model_fields):
        raise ValueError(f"not the fields of {model.__name__}")
    values: dict[str, Any] = {name: freeze(value) for name, value in row.items()}
    return cast(AnyContract, model.model_construct(None, **values))


def build_lines(states: list[dict[str, Any]]) -> list[Line]:
    """Lines around all their values, which the caller vouches for; a tenth of the cost of validation."""
    made = [Line.__new__(Line) for _ in states]
    attributes: dict[str, Iterable[object]] = {
        "__dict__": states,
        "__pydantic_fields_set__": repeat(_FIELDS),
        "__pydantic_extra__": repeat(None),
        "__pydantic_private__": repeat(None),
    }
    for name, values in attributes.items():
        # a loop in C over ten thousand lines; the models are frozen for everybody else
        deque(map(object.__setattr__, made, repeat(name), values), maxlen=0)
    return made


def freeze(value: object) -> object:
    """Lists of JSON as the tuples that they were."""
    return tuple([freeze(item) for item in value]) if isinstance(value, list) else value


def _unpack_lines(part: dict[str, Any]) -> list[Line]:
    texts, sizes, blocks = part["text"], part["size"], part["block"]
    # One flat list of edges is read several times as fast as a list of boxes.
    edges = iter(part["box"])
    boxes = list(zip(edges, edges, edges, edges, strict=True))
    if not len(texts) == len(boxes) == len(sizes) == len(blocks) == sum(part["counts"]):
        raise ValueError("columns of different lengths")
    places = [
        (row[0], number)
        for row, count in zip(part["pages"], part["counts"], strict=True)
        for number in range(1, count + 1)
    ]
    states: list[dict[str, Any]] = [
        {
            "page": page,
            "number": number,
            "text": text,
            "box": box,
            "size": size,
            "bold": False,
            "bold_prefix": 0,
            "italic": False,
            "column": 0,
            "block": block,
            "is_furniture": False,
            "hidden": "",
            "method": "native",
            "raised": (),
            "lowered": (),
        }
        for (page, number), text, box, size, block in zip(places, texts, boxes, sizes, blocks, strict=True)
    ]
    for name in SPARSE:
        for index, value in part[name]:
            states[index][name] = freeze(value)
    return build_lines(states)
