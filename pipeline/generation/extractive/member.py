"""The reader of "step 3 of the procedure" and "the third rule": one member of a list, named by its number or place."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.citing import cite_extents, cite_heading
from pipeline.generation.extractive.reading import Reading
from pipeline.models.answer import Item
from pipeline.question.terms import cue_of
from pipeline.structure.list_items import pick_item
from pipeline.text.anchors import find_anchor
from pipeline.text.late import compile_late
from pipeline.text.matching import fold

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.base import Position
    from pipeline.models.lexicon import Lexicon
    from pipeline.models.question import Anchor
    from pipeline.models.structure import Enumeration, EnumerationItem

READ_PIECES = 8
_NUMBER = compile_late(r"\s+(?:no\.?\s*|number\s+|nº\s*|#)?(?:\(([0-9]{1,2}|[a-z]{1,4})\)|([0-9]{1,2})(?![\w.,%]|\)))")


class AskedMember(NamedTuple):
    """A member that a question names: its label, and the span of its name in the question."""

    label: str
    start: int
    end: int


def find_asked_member(text: str, lexicon: Lexicon) -> AskedMember | None:
    """The member that a question names: "step 3", "item (b)", "the third rule"; None where it names none."""
    nouns = cue_of(lexicon.value_cues, "members")
    folded = fold(text)
    if not any(noun in folded for noun in nouns):
        return None
    places = cue_of(lexicon.value_cues, "places")
    for noun in re.finditer(rf"\b(?:{'|'.join(map(re.escape, nouns))})\b", folded):
        number = _NUMBER.match(folded, noun.end())
        if number is not None:
            return AskedMember(number[1] or number[2], noun.start(), number.end())
        before = re.search(r"(\w+)\s+$", folded[: noun.start()])
        if before is not None and before[1] in places:
            return AskedMember(str(places.index(before[1]) + 1), before.start(), noun.end())
    return None


def read_member(task: ReaderTask) -> Reading | None:
    """Quote the member; where several lists have one of that number, all of them, and say so."""
    asked = find_asked_member(task.part.text, task.view.lexicon)
    if asked is None:
        return None
    scope = [anchor for anchor in task.part.anchors if _is_outside(anchor, task.part.text, asked)]
    lists = _list_meant(task, scope, asked)
    found: dict[Position, tuple[Enumeration, EnumerationItem]] = {}
    for own in lists:
        item = pick_item(own, asked.label, is_counted=True)
        if item is not None and item.extents:
            found.setdefault((item.extents[0].page, item.extents[0].line_start), (own, item))
    if found:
        return _tell(task, asked, [found[start] for start in sorted(found)])
    return _tell_none(task, asked, lists[0]) if len(lists) == 1 and lists[0].is_closed and scope else None


def _is_outside(anchor: Anchor, text: str, asked: AskedMember) -> bool:
    spans = find_anchor(anchor, text)
    return bool(spans) and all(end <= asked.start or asked.end <= start for start, end in spans)


def _list_meant(task: ReaderTask, scope: list[Anchor], asked: AskedMember) -> list[Enumeration]:
    """The lists whose lead and headings carry most of what the question says beside the member; of no less than half.

    Where it says nothing else, those that are led in by the noun: "requirement 4" of "the following requirements".
    """
    noun = fold(task.part.text[asked.start : asked.end]).split()
    rated: dict[tuple[Position, Position, str], tuple[int, Enumeration]] = {}
    for piece in task.evidence[:READ_PIECES]:
        for start, end in _list_ranges(task, piece.candidate.section, [span.page for span in piece.candidate.spans]):
            for own in task.view.enumerations_in(start, end):
                if own.kind in ("table_rows", "inline"):
                    continue
                said = f"{own.lead} {_read_heading(task, own)}"
                hits = sum(1 for anchor in scope if find_anchor(anchor, said))
                is_named = not scope and any(len(word) > 2 and word[:-1] in fold(said) for word in noun)
                if hits * 2 >= len(scope) and (hits or is_named):
                    rated.setdefault((own.start, own.end, own.kind), (hits, own))
    best = max((hits for hits, _ in rated.values()), default=0)
    return [own for key, (hits, own) in sorted(rated.items(), key=lambda entry: entry[0]) if hits == best]


def _list_ranges(task: ReaderTask, section: int | None, pages: list[int]) -> list[tuple[Position, Position]]:
    if section is not None:
        found = task.view.document.sections[section]
        return [(found.start, found.end)]
    return [((page, 1), (page + 1, 1)) for page in dict.fromkeys(pages)]


def _read_heading(task: ReaderTask, own: Enumeration) -> str:
    section = task.view.document.section_at(own.start)
    return " ".join((*section.breadcrumb, section.title)) if section is not None else ""


def _tell(task: ReaderTask, asked: AskedMember, found: list[tuple[Enumeration, EnumerationItem]]) -> Reading | None:
    items: list[Item] = []
    name = task.part.text[asked.start : asked.end].strip()
    is_place = task.part.shape == "place"
    for own, member in found:
        citations = cite_extents(task.view, member.extents)
        page = member.extents[0].page
        if citations:
            heading = cite_heading(task.view, task.part.anchors, own.start)
            items.append(
                Item(
                    sub_question=task.part.id,
                    text=f"{name}: page {page} of the file" if is_place else member.text,
                    value=str(page) if is_place else None,
                    label=member.marker,
                    citations=(*heading, *citations),
                    extraction="inferred" if is_place else "verbatim",
                )
            )
    caveats = (f"{name} stands in {len(items)} lists; each of them is quoted",) if len(items) > 1 else ()
    is_one = len(items) == 1
    return Reading(
        text="\n".join(item.text for item in items),
        items=tuple(items),
        has_typed_fit=is_one,
        has_second_place=is_one,
        caveats=caveats,
    )


def _tell_none(task: ReaderTask, asked: AskedMember, own: Enumeration) -> Reading | None:
    """Say that a list has no member of that number, with its last one."""
    members = [item for item in own.items if item.level == 0]
    citations = cite_extents(task.view, members[-1].extents)
    if not citations or own.gaps or own.begins_at > 1:
        return None
    name = task.part.text[asked.start : asked.end].strip()
    text = f"There is no {name}: the list has {len(members)} members"
    item = Item(sub_question=task.part.id, text=text, citations=citations, extraction="inferred")
    return Reading(text=f"{text}.", items=(item,), has_typed_fit=True)
