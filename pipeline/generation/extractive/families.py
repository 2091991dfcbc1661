"""Counting a whole document: "how many Subcategories are there in total" is the number of identifiers of one depth."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.citing import cite_lines
from pipeline.generation.extractive.reading import Reading
from pipeline.models.answer import Certificate, DetectorCount, Item
from pipeline.text.anchors import find_anchor
from pipeline.text.identifiers import find_identifiers
from pipeline.text.matching import fold
from pipeline.text.tokens import split_sentences

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.structure import Target

MIN_MEMBERS = 3
MAX_PLACES = 200
SUB = "sub"
"""The prefix that names the next depth: a Subcategory is one level below a Category."""


class _Depth(NamedTuple):
    """All identifiers of one shape ("A.A-9"), each once, in document order."""

    shape: str
    members: tuple[Target, ...]


def read_family_count(task: ReaderTask) -> Reading | None:
    """Count the identifiers that the asked noun stands for, over every page; None where no family is named so.

    A noun stands for a shape of identifiers where the header of a table column that holds such identifiers says so, or
    where "sub" and the noun of the shape above make it up.
    """
    depths = _list_depths(task)
    if not depths:
        return None
    for anchor in task.part.anchors:
        depth = _find_named(task, anchor.text, depths)
        if depth is not None:
            return _build_reading(task, depth)
    return None


def _list_depths(task: ReaderTask) -> dict[str, _Depth]:
    shapes: dict[str, dict[str, Target]] = defaultdict(dict)
    for target in task.view.registry.targets:
        if target.kind == "identifier":
            shapes[_shape(target.label)].setdefault(target.key, target)
    return {
        shape: _Depth(shape, tuple(members.values()))
        for shape, members in sorted(shapes.items())
        if len(members) >= MIN_MEMBERS
    }


def _shape(label: str) -> str:
    """Letters and digits as kinds: "GV.OC-01" has the shape "A.A-9"."""
    return re.sub(r"\d+", "9", re.sub(r"[A-Za-z]+", "A", label))


def _find_named(task: ReaderTask, noun: str, depths: dict[str, _Depth]) -> _Depth | None:
    shape = _find_shape(task, noun) or _find_said(task, noun)
    if shape in depths:
        return depths[shape]
    base = fold(noun).removeprefix(SUB)
    if base == fold(noun):
        return None
    above = _find_shape(task, base)
    below = [depth for shape, depth in depths.items() if above and shape != above and shape.startswith(above)]
    return min(below, key=lambda depth: len(depth.shape)) if below else None


def _find_shape(task: ReaderTask, noun: str) -> str:
    """The shape of the identifiers in a table column whose header has the noun; "" where no table says so."""
    anchor = next((a for a in task.part.anchors if fold(a.text) == fold(noun)), None)
    for caption in task.view.captions:
        if caption.kind != "table":
            continue
        for table in task.view.tables_on(caption.extent.page):
            for column, header in enumerate(table.header):
                is_named = find_anchor(anchor, header) if anchor else _stem(noun) in fold(header)
                shapes = {_shape(i.text) for c in table.cells if c.column == column for i in find_identifiers(c.text)}
                if is_named and len(shapes) == 1:
                    return next(iter(shapes))
    return ""


def _find_said(task: ReaderTask, noun: str) -> str:
    """The shape of the identifiers that sentences give as examples of a noun: "A Control has a number, as HD.TR-01"."""
    anchor = next((a for a in task.part.anchors if fold(a.text) == fold(noun)), None)
    if anchor is None:
        return ""
    said: Counter[str] = Counter()
    for page, number in task.view.positions_of(anchor)[:MAX_PLACES]:
        text = task.view.text_between((page, number), (page, number + 3))
        for start, end in split_sentences(text):
            named = find_anchor(anchor, text[start:end])
            given = [found for found in find_identifiers(text[start:end]) if named and found.start >= named[0][1]]
            said.update(_shape(found.text) for found in given[:1])
    best = max(said, key=lambda shape: (said[shape], shape), default="")
    return best if best and said[best] * 2 > said.total() else ""


def _stem(noun: str) -> str:
    """A plural without its ending: "categories" and "category" share "categor"."""
    return fold(noun).removesuffix("s").removesuffix("ie").removesuffix("y")


def _build_reading(task: ReaderTask, depth: _Depth) -> Reading | None:
    first, last = depth.members[0], depth.members[-1]
    lines = [line for target in (first, last) if (line := task.view.document.line_at(*target.start)) is not None]
    citations = cite_lines(task.view, lines)
    if not citations:
        return None
    count = len(depth.members)
    item = Item(
        sub_question=task.part.id,
        text=str(count),
        value=str(count),
        label=f"{first.label} to {last.label}",
        citations=citations,
        extraction="computed",
    )
    certificate = Certificate(
        sub_question=task.part.id,
        denominator=None,
        denominator_source="none",
        denominator_quote="",
        detectors=(DetectorCount(detector=f"identifiers {depth.shape}", item_count=count),),
        item_count=count,
        is_end_seen=True,
        gaps=(),
        verdict="unverified",
        why="counted over all pages; the document states no number",
    )
    return Reading(
        text=f"{count} (identifiers from {first.label} to {last.label}, counted over all pages)",
        items=(item,),
        has_typed_fit=True,
        certificate=certificate,
    )
