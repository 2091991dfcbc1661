"""Sections that are named by the noun asked for: "Freight Segment" and "Leisure Segment" are the segments."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from pipeline.generation.extractive.enumerated import read_enumeration
from pipeline.generation.extractive.nouns import find_noun
from pipeline.generation.extractive.verdict import is_subject
from pipeline.models.lexicon import singular
from pipeline.models.structure import Enumeration, EnumerationItem, Extent
from pipeline.text.anchors import find_anchor
from pipeline.text.matching import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.reading import ReaderTask, Reading
    from pipeline.models.document import Section

MIN_SECTIONS, CEILING = 2, 600
"""The thousandths that such a list may claim: a section may be called so and be none."""


def read_titled_kinds(task: ReaderTask) -> Reading | None:
    """List the sections side by side whose titles end in the noun, in the singular; None where there are no two.

    Of several such groups the largest is meant. What the question says beside the noun must stand above them.
    """
    noun = find_noun(task)
    if not noun or singular(fold(noun[-1].text)) == fold(noun[-1].text):
        return None
    groups: dict[int | None, list[Section]] = defaultdict(list)
    for section in task.view.document.sections:
        if _ends_in(task, section.title):
            groups[section.parent].append(section)
    best = max(groups.values(), key=lambda group: (len(group), -group[0].index), default=[])
    if len(best) < MIN_SECTIONS or not all(list_held(task, best)):
        return None
    items = tuple(_build_item(section) for section in best)
    own = Enumeration(kind="headings", items=items, start=best[0].start, end=best[-1].end)
    reading = read_enumeration(task, own)
    return reading.doubt("listed by the titles of its sections", CEILING) if reading is not None else None


def list_held(task: ReaderTask, group: Sequence[Section]) -> tuple[bool, ...]:
    """For each word that is asked besides whether it stands in the titles or above them; not for the document's own."""
    noun = {anchor.key for anchor in find_noun(task)}
    said = " | ".join(title for section in group for title in (*section.breadcrumb, section.title))
    rest = [anchor for anchor in task.part.anchors if anchor.source == "word" and anchor.key not in noun]
    return tuple(bool(find_anchor(anchor, said)) for anchor in rest if not is_subject(task, anchor))


def _ends_in(task: ReaderTask, title: str) -> bool:
    """Whether a title is a name that ends in the noun: "Freight Segment", not "Segment" alone or "Segments"."""
    head = find_noun(task)[-1]
    bare = title.strip().rstrip(".:")
    spans = find_anchor(head, bare)
    if not spans or spans[-1][0] == 0 or spans[-1][1] != len(bare):
        return False
    return singular(fold(bare[spans[-1][0] :])) == fold(bare[spans[-1][0] :])


def _build_item(section: Section) -> EnumerationItem:
    page, line = section.start
    extent = Extent(page=page, line_start=line, line_end=line)
    return EnumerationItem(marker="", head="", text=section.title.strip(), level=0, extents=(extent,))
