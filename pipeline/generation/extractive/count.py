"""The reader of "how many": a stated number next to its noun, else the members of the list counted in code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.extractive.listing import read_list
from pipeline.generation.extractive.reading import Reading
from pipeline.generation.extractive.value import read_value
from pipeline.models.answer import Item

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask


def read_count(task: ReaderTask) -> Reading | None:
    """Count: the number that the text states, checked against the list where both are there; else the list's length."""
    stated = read_value(task)
    if stated is not None and stated.has_typed_fit:
        return stated
    listed = read_list(task)
    if listed is None:
        return None
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
    return Reading(
        text=f"{count} (counted: {'; '.join(member.text[:60] for member in listed.items)})",
        items=(item,),
        is_complete=listed.is_complete,
        has_typed_fit=True,
        has_second_place=listed.has_second_place,
        certificate=listed.certificate,
        caveats=listed.caveats,
    )
