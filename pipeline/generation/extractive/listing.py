"""The reader of lists: every member from structure, a certificate of completeness, and the member that is asked for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pipeline.generation.extractive.certificate import certify_list
from pipeline.generation.extractive.citing import cite_extents, cite_heading
from pipeline.generation.extractive.lists import find_companions, rate_lists
from pipeline.generation.extractive.pick import pick_items
from pipeline.generation.extractive.reading import Reading
from pipeline.models.answer import Citation, Item

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.structure import Enumeration, EnumerationItem

# A member longer than this is named by its head; its text stands in the quote.
NAMED_CHARACTERS = 200


def read_list(task: ReaderTask) -> Reading | None:
    """List the members of the list that the question means; None when no list near the evidence speaks for it."""
    rated = rate_lists(task)
    if not rated:
        return None
    best = _read_members(task, rated[0].enumeration, [entry.enumeration for entry in rated[1:]])
    companions = [_read_members(task, entry.enumeration, []) for entry in find_companions(task, rated)]
    return _join_lists(best, [reading for reading in companions if reading is not None])


def _join_lists(best: Reading | None, companions: list[Reading]) -> Reading | None:
    """One reading of several lists; it is complete when all of them are, and certified by the best one."""
    if best is None or not companions:
        return best
    readings = [best, *companions]
    return replace(
        best,
        text="\n".join(reading.text for reading in readings),
        items=tuple(item for reading in readings for item in reading.items),
        is_complete=all(reading.is_complete for reading in readings),
        caveats=tuple(dict.fromkeys(caveat for reading in readings for caveat in reading.caveats)),
    )


def read_enumeration(task: ReaderTask, enumeration: Enumeration) -> Reading | None:
    """List the members of one list that is known to answer the part."""
    return _read_members(task, enumeration, [])


def _read_members(task: ReaderTask, own: Enumeration, others: list[Enumeration]) -> Reading | None:
    items = _build_items(task, own)
    if not items:
        return None
    certificate = certify_list(task.part.id, own, others)
    caveats = list(certificate.gaps and (f"numbering gaps: {', '.join(certificate.gaps)}",))
    if certificate.verdict == "incomplete":
        caveats.append(f"the list may be incomplete: {certificate.why}")
    items, pick_caveat = pick_items(task.part, items)
    caveats += [pick_caveat] if pick_caveat else []
    return Reading(
        text=_tell(items),
        items=items,
        is_complete=certificate.verdict != "incomplete",
        has_typed_fit=task.part.expected_count in (None, len(items)),
        has_second_place=sum(1 for count in certificate.detectors if count.item_count == len(items)) > 1
        or certificate.denominator == len(items),
        certificate=certificate,
        caveats=tuple(caveats),
    )


def _build_items(task: ReaderTask, own: Enumeration) -> tuple[Item, ...]:
    # What is nested below a member belongs to it; a list of those below is an enumeration of its own.
    top = min(item.level for item in own.items)
    members = [item for item in own.items if item.level == top]
    share = task.max_quote_characters // max(1, len(members))
    items: list[Item] = []
    heading = cite_heading(task.view, task.part.anchors, own.start)
    for member in members:
        citations = _cite_member(task, member, share)
        if citations and not items:
            # What links the list to the question may be the heading alone; it is evidence for the list as a whole.
            citations = (*heading, *citations)
        if citations:
            items.append(
                Item(
                    sub_question=task.part.id,
                    text=_name(member),
                    label=member.marker,
                    citations=citations,
                    extraction="verbatim",
                )
            )
    return tuple(items)


def _cite_member(task: ReaderTask, member: EnumerationItem, share: int) -> tuple[Citation, ...]:
    """The member's own lines; only its first line where all of them would not leave room for the others."""
    citations = cite_extents(task.view, member.extents)
    if sum(len(citation.quote) for citation in citations) <= share:
        return citations
    first = member.extents[0]
    short = first.model_copy(update={"line_end": first.line_start, "end_offset": None})
    return cite_extents(task.view, (short,))


def _name(member: EnumerationItem) -> str:
    """What stands for a member in the answer: its name, else its text; an identifier goes before it."""
    is_identifier = len(member.marker) > 3 and any(character.isalpha() for character in member.marker)
    is_named = bool(member.head) and (is_identifier or len(member.text) > NAMED_CHARACTERS)
    name = member.head if is_named else member.text
    return f"{member.marker} {name}" if is_identifier and member.marker not in name else name


def _tell(items: tuple[Item, ...]) -> str:
    lines = [f"{'  ' * item.level}- {item.text}{' (the one asked for)' if item.picked else ''}" for item in items]
    return "\n".join(lines)
