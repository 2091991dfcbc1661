"""The reader of "how many": a stated number next to its noun, else the members of the list counted in code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.extractive.certificate import tell_mismatch
from pipeline.generation.extractive.coded import find_coded_list
from pipeline.generation.extractive.counted import may_count
from pipeline.generation.extractive.enumerated import read_enumeration
from pipeline.generation.extractive.families import find_code, read_family_count
from pipeline.generation.extractive.kinds import read_kind_count
from pipeline.generation.extractive.listing import read_list
from pipeline.generation.extractive.lists import is_announced, rate_lists
from pipeline.generation.extractive.nouns import MENTIONED_CEILING
from pipeline.generation.extractive.numbered import read_numbered
from pipeline.generation.extractive.reading import Reading
from pipeline.generation.extractive.rowcount import read_row_count
from pipeline.generation.extractive.unsaid import list_said
from pipeline.generation.extractive.value import read_value
from pipeline.generation.extractive.wanted import list_named_parts
from pipeline.models.answer import Item
from pipeline.text.anchors import find_anchor
from pipeline.text.late import compile_late
from pipeline.text.matching import fold

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.question import Anchor

HEADED_PAGES = 6
"""Pages whose running headers are read; the first ones often have none."""
NARROWING = frozenset({"identifier", "word", "concept", "quoted"})

MIN_OTHERS, SURE = 2, 1000
_NAME = compile_late(r"[A-Z][\w&-]+(?: (?:and|&|of) [A-Z][\w&-]+| [A-Z][\w&-]+)+")


def read_count(task: ReaderTask) -> Reading | None:
    """Count: the number that the text states, checked against the list where both are there; else the list's length."""
    # the parts of the document are counted by their numbers, not by what is said about them
    parts = read_row_count(task) or read_kind_count(task)
    if parts is not None:
        return parts
    coded = find_coded_list(task)
    if coded is not None and (listed := read_enumeration(task, coded)) is not None:
        return _count_items(task, listed)
    stated = read_value(task)
    if stated is not None and stated.has_typed_fit and not _is_one(task, stated):
        return stated
    numbered = read_numbered(task)
    if numbered is not None and numbered.max_confidence == SURE:
        return _count_items(task, numbered)
    if any(not task.view.positions_of(part) for part in list_named_parts(task)):
        return None  # no list counts what is somewhere that the document never names
    scope = _find_scope(task)
    rated = rate_lists(task)
    # A list that carries nothing of what narrows the question is part of the whole, and the whole is counted.
    narrowing = [anchor for anchor in task.part.anchors if anchor.key in scope]
    is_coded = bool(find_code(task, narrowing))
    is_whole = is_coded or not any(scope & entry.matched for entry in rated[:1])
    whole = read_family_count(task) if is_whole else None
    if whole is not None:
        return whole
    # what only its members speak of is not what a list counts: tips for visits are no visits
    is_counted = not rated or is_announced(task, rated[0].enumeration)
    is_counted = is_counted and may_count(task, rated[0].enumeration if rated else None)
    listed = read_list(task) if is_counted else None
    # the length of a list that nothing calls so counts something else
    is_named = listed is not None and listed.max_confidence > MENTIONED_CEILING
    return None if listed is None or not is_named or _holds_amounts(task, listed) else _count_items(task, listed)


def _holds_amounts(task: ReaderTask, listed: Reading) -> bool:
    """Whether the members are kinds of what is counted, each with a number of its own: those are asked for then.

    "Factory stores 220; outlet stores 31" are no two stores.
    """
    places = {anchor.key: find_anchor(anchor, task.part.text) for anchor in task.part.anchors}
    counted = _find_counted(task, places)
    nouns = [anchor for anchor in task.part.anchors if any(start <= counted < end for start, end in places[anchor.key])]
    kinds = [
        item
        for item in listed.items
        if item.text.rstrip(" %)")[-1:].isdigit() and any(find_anchor(noun, item.text) for noun in nouns)
    ]
    if len(kinds) * 2 > len(listed.items) or _lists_one_of(task, listed):
        return True
    # numbers by segment say nothing of a place that neither they nor what stands over them name
    amounts = [item for item in listed.items if item.text.rstrip(" %)")[-1:].isdigit()]
    said = " | ".join(list_said(task, listed)) if len(amounts) * 2 > len(listed.items) else ""
    return bool(said) and any(not find_anchor(part, said) for part in list_named_parts(task))


def _lists_one_of(task: ReaderTask, listed: Reading) -> bool:
    """Whether one member is what the question names: "patents of the Towage segment" are not the segments of a list."""
    names = [fold(name) for name in _NAME.findall(task.part.text)]
    heads = [[name for name in names if fold(item.text).startswith(name)] for item in listed.items]
    return len(heads) > MIN_OTHERS and sum(map(bool, heads)) == 1


def _is_one(task: ReaderTask, stated: Reading) -> bool:
    """Whether a number is only the marker of a member, or a passing "one", where a list can be counted."""
    return stated.items[0].value == "1" and bool(rate_lists(task))


def _find_scope(task: ReaderTask) -> frozenset[str]:
    """Keys of the anchors that narrow the question to a part of the document, beside the noun that is counted."""
    places = {anchor.key: find_anchor(anchor, task.part.text) for anchor in task.part.anchors}
    counted = _find_counted(task, places)
    focus = {anchor.key for anchor in task.part.focus}
    named = [anchor for anchor in task.part.anchors if anchor.source in NARROWING and anchor.key in focus]
    return frozenset(
        anchor.key
        for anchor in named
        if not any(start <= counted < end for start, end in places[anchor.key]) and not _names_document(task, anchor)
    )


def _find_counted(task: ReaderTask, places: dict[str, tuple[tuple[int, int], ...]]) -> int:
    """Where the noun that is counted begins: of "how many GOVERN Subcategories" the last word."""
    spans = [(places[anchor.key][0], anchor) for anchor in task.part.anchors if places[anchor.key]]
    first = min((span[0] for span, _ in spans), default=0)
    end = max((span[1] for span, anchor in spans if anchor.source == "compound" and span[0] == first), default=0)
    return max((span[0] for span, anchor in spans if anchor.source == "word" and span[1] == end), default=first)


def _names_document(task: ReaderTask, anchor: Anchor) -> bool:
    """Whether an anchor is what the document is called: in its title or in its running headers."""
    document = task.view.document
    furniture = [line.text for line in document.lines_between((1, 1), (HEADED_PAGES + 1, 1)) if line.is_furniture]
    return any(find_anchor(anchor, text) for text in (document.profile.title, *furniture))


def _count_items(task: ReaderTask, listed: Reading) -> Reading:
    count = sum(1 for item in listed.items if item.level == 0)
    first = listed.items[0]
    item = Item(
        sub_question=task.part.id,
        text=f"{count}",
        value=str(count),
        citations=tuple(citation for member in listed.items for citation in member.citations),
        extraction="computed",
        label=first.label,
    )
    told = f"{count} (counted: {'; '.join(member.text[:60] for member in listed.items)})"
    mismatch = tell_mismatch(listed.certificate) if listed.certificate is not None else ""
    return Reading(
        text=f"{told}\n{mismatch}" if mismatch else told,
        items=(item,),
        is_complete=listed.is_complete,
        has_typed_fit=True,
        has_second_place=listed.has_second_place,
        certificate=listed.certificate,
        caveats=listed.caveats,
        max_confidence=listed.max_confidence,
    )
