"""Lists without markers: paragraphs with run-in heads, and the sections under one heading."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pipeline.models.base import Position
from pipeline.models.document import Line, Section
from pipeline.structure.paragraphs import is_close

_MAX_HEAD = 90


class RunIn(NamedTuple):
    """An item with a run-in head: the head as printed and the lines of its paragraphs."""

    head: str
    lines: tuple[Line, ...]


def find_run_in(stream: Sequence[Line], breaks: frozenset[Position]) -> list[list[RunIn]]:
    """Runs of two and more paragraphs that begin with a bold head, with no heading between them."""
    runs: list[list[RunIn]] = []
    current: list[tuple[str, list[Line]]] = []

    def _close() -> None:
        if len(current) >= 2:
            runs.append([RunIn(head, tuple(lines)) for head, lines in current])
        current.clear()

    for index, line in enumerate(stream):
        if line.position in breaks:
            _close()
            continue
        before = stream[index - 1] if index else None
        head = _read_head(stream, index)
        opens = (
            before is None
            or not is_close(before, line)
            or before.block != line.block
            or line.box[0] > before.box[0] + 800
        )
        if head and (opens or before is None or before.text.rstrip()[-1:] in ".:;"):
            current.append((head, [line]))
        elif current:
            current[-1][1].append(line)
    _close()
    return runs


def _read_head(stream: Sequence[Line], index: int) -> str:
    """The bold head of a paragraph, "" where there is none; it may be a line of its own before text on the same row."""
    line = stream[index]
    text = line.text
    is_prefix = 3 <= line.bold_prefix < len(text.rstrip()) - 2
    if line.bold and not is_prefix:
        after = stream[index + 1] if index + 1 < len(stream) else None
        is_row = (
            after is not None and not after.bold and after.page == line.page and abs(after.box[3] - line.box[3]) < 300
        )
        if not is_row or after is None or after.box[0] - line.box[2] > 3000 or len(after.text) < 25:
            return ""
        head = text
    elif is_prefix:
        head = text[: line.bold_prefix]
    else:
        return ""
    head = head.strip().rstrip(":.—–- ")
    # a lone sign or number in bold is no name
    is_word = head[:1].isupper() or head[:1].isdigit() or head[:1] in '“"('
    return head if is_word and sum(c.isalpha() for c in head) >= 3 and len(head) <= _MAX_HEAD else ""


def list_children(sections: Sequence[Section], start: Position, end: Position) -> list[tuple[Section, list[Section]]]:
    """Sections with two and more direct subsections, of which the first begins between two positions; all of those.

    Half of the subsections would be another list.
    """
    children: dict[int, list[Section]] = {}
    for section in sections:
        if section.parent is not None:
            children.setdefault(section.parent, []).append(section)
    return [
        (sections[parent], found)
        for parent, found in sorted(children.items())
        if len(found) >= 2 and start <= found[0].start < end
    ]
