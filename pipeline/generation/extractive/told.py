"""What an earlier part of the question was already told is not told again: a sentence, a point of a list, a cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.text.late import compile_late
from pipeline.text.matching import squeeze

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.reading import Reading
    from pipeline.models.answer import Item
    from pipeline.models.question import SubQuestion

MIN_TOLD_WORDS = 4
"""A shorter line ("six") may be the answer of two parts."""
_MARKER = compile_late(r"^[\s\u2022\u25aa\u25cf-]*(?:\([A-Za-z0-9]{1,4}\)|[A-Za-z0-9]{1,3}[.)](?=\s))?\s*")


def drop_told(closed: Sequence[tuple[SubQuestion, Reading]]) -> list[tuple[str, tuple[Item, ...]]]:
    """Text and items of each reading without what an earlier one says in the same words from the same lines.

    A reading that says nothing else keeps its items, so that its part stays answered, but not its text.
    """
    lines: set[str] = set()
    places: set[tuple[str, int, int]] = set()
    told: list[tuple[str, tuple[Item, ...]]] = []
    for _, reading in closed:
        kept = [line for line in reading.text.split("\n") if _key_line(line) not in lines]
        items = tuple(item for item in reading.items if _key_item(item) not in places)
        told.append(("\n".join(kept), items or reading.items))
        # within one reading a line may stand twice on purpose
        lines.update(key for line in reading.text.split("\n") if (key := _key_line(line)))
        places.update(_key_item(item) for item in reading.items)
        places.discard(("", 0, 0))
    return told


def _key_line(line: str) -> str:
    """The words of a line without its marker; "" for one that is too short to be told from another."""
    plain = _MARKER.sub("", line)
    return squeeze(plain).rstrip(".;,") if len(plain.split()) >= MIN_TOLD_WORDS else ""


def _key_item(item: Item) -> tuple[str, int, int]:
    key = _key_line(item.text)
    if not key or not item.citations:
        return ("", 0, 0)
    return (key, item.citations[-1].page, item.citations[-1].line_end)
