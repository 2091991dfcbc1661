"""The reader of bounds: the members whose value lies above, below or at a value of the question, listed or counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.extractive.groups import cite_members, find_group, tell_members
from pipeline.generation.extractive.measures import find_measures, order
from pipeline.generation.extractive.reading import Reading
from pipeline.models.answer import Item
from pipeline.question.operations import read_operation
from pipeline.question.terms import split_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.groups import Group
    from pipeline.generation.extractive.measures import Measure
    from pipeline.generation.extractive.members import Member
    from pipeline.generation.extractive.reading import ReaderTask

# bound -> the verdicts of `order(value, bound)` that lie on its side
SIDES = {"above": (1,), "at least": (0, 1), "below": (-1,), "at most": (-1, 0)}


def read_bounded(task: ReaderTask) -> Reading | None:
    """The members beyond the bounds of the question, or how many they are; None where it sets none for members.

    A member whose side is open (another currency, 1 month against 30 days) is told and makes the answer incomplete.
    """
    operation = read_operation(task.part.text, task.view.lexicon)
    if not operation.bounds or not _asks_members(task):
        return None
    group = find_group(task, operation)
    bounds = [
        (bound.kind, measures[0])
        for bound in operation.bounds
        if (measures := find_measures(task.part.text[bound.start : bound.end], task.view.lexicon))
    ]
    if group is None or len(bounds) != len(operation.bounds):
        return None
    sides = [(member, _decide(member, bounds)) for member in group.members]
    inside = [member for member, is_in in sides if is_in]
    outside = [member for member, is_in in sides if is_in is False]
    unsure = [member for member, is_in in sides if is_in is None]
    if len(unsure) == len(sides):
        return None
    return _build_reading(task, group, (inside, outside, unsure))


def _asks_members(task: ReaderTask) -> bool:
    """Whether members are asked for: "the fine for more than 30 days" asks for one value and sets a condition."""
    if task.part.shape in ("list", "count"):
        return True
    words = split_words(task.part.text, task.view.lexicon)
    return bool(words) and task.part.shape == "text" and words[0].folded in task.view.lexicon.list_openers[1:]


def _decide(member: Member, bounds: Sequence[tuple[str, Measure]]) -> bool | None:
    """Whether a member lies on the asked side of every bound; None where the order is open."""
    verdicts: list[bool | None] = []
    for kind, bound in bounds:
        # "more than 500" means 500 of what the members are in
        is_bare = bound.kind == "quantity" and not (bound.unit and member.measure.unit)
        like = member.measure._replace(size=bound.amount * _find_factor(member.measure), text=bound.text)
        verdict = _compare_sizes(member.measure, like) if is_bare else order(member.measure, bound)
        verdicts.append(None if verdict is None else verdict in SIDES[kind])
    return False if False in verdicts else None if None in verdicts else True


def _compare_sizes(one: Measure, other: Measure) -> int | None:
    return None if one.kind == "date" else (one.size > other.size) - (one.size < other.size)


def _find_factor(measure: Measure) -> int:
    return int(measure.size / measure.amount) if measure.kind == "duration" and measure.amount else 1


def _build_reading(
    task: ReaderTask, group: Group, parts: tuple[list[Member], list[Member], list[Member]]
) -> Reading | None:
    inside, outside, unsure = parts
    is_count = task.part.shape == "count"
    members = [*inside, *outside, *unsure]
    if is_count or not inside:
        items = _count(task, group, members, inside)
    else:
        items = tuple(item for member in inside if (item := _tell_item(task, group, member)) is not None)
    if not items:
        return None
    caveats = [f"not decided: {member.name} {member.printed}" for member in unsure]
    caveats += [f"no value for {', '.join(group.missing)}"] if group.missing else []
    certificate = group.certificate
    told = tell_members(inside) if inside else "none"
    text = f"{len(inside)} of {len(members)} in {group.name}: {told}"
    return Reading(
        text=text if is_count or not inside else "\n".join(f"- {item.text}" for item in items),
        items=items,
        is_complete=not unsure and (certificate is None or certificate.verdict != "incomplete"),
        has_typed_fit=True,
        has_second_place=len(members) > len(inside),
        certificate=certificate,
        caveats=tuple(caveats),
    )


def _count(task: ReaderTask, group: Group, members: Sequence[Member], inside: Sequence[Member]) -> tuple[Item, ...]:
    citations = cite_members(task, group, members)
    item = Item(
        sub_question=task.part.id,
        text=str(len(inside)) if inside or task.part.shape == "count" else "none",
        label=group.name,
        value=str(len(inside)),
        citations=citations,
        extraction="computed",
    )
    return (item,) if citations else ()


def _tell_item(task: ReaderTask, group: Group, member: Member) -> Item | None:
    citations = cite_members(task, group, (member,))
    if not citations:
        return None
    is_dated = member.measure.kind == "date"
    return Item(
        sub_question=task.part.id,
        text=f"{member.name}: {member.printed}",
        label=member.name,
        value=member.measure.unit if is_dated else format(member.measure.amount, "f"),
        unit="" if is_dated else member.measure.printed,
        citations=citations,
        extraction="computed",
    )
