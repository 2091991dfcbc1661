"""Readers of superlatives and comparisons: the least of a row, the largest of a list, the larger of two, in code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.extractive.groups import (
    MIN_MEMBERS,
    SHOWN_MEMBERS,
    cite_members,
    find_group,
    list_asked,
    tell_members,
)
from pipeline.generation.extractive.measures import add, order, tell_size
from pipeline.generation.extractive.ordering import explain_mixture, find_extreme
from pipeline.generation.extractive.reading import Reading
from pipeline.generation.extractive.turns import read_turn
from pipeline.models.answer import Item
from pipeline.models.lexicon import singular
from pipeline.question.operations import read_operation
from pipeline.question.terms import cue_of, split_words
from pipeline.text.anchors import find_anchor
from pipeline.text.matching import contains_folded, fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.groups import Group
    from pipeline.generation.extractive.members import Member
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.answer import Citation
    from pipeline.question.operations import Operation

WORDS = {"duration": ("longest", "shortest"), "date": ("latest", "earliest")}
COMPARED = 2
"""Members of a comparison: a question that names more asks for the highest or lowest of them."""


def read_extreme(task: ReaderTask) -> Reading | None:
    """The member with the highest or lowest value, all of them where they tie; None without a superlative or members.

    "Which had more pairs, Lapwing or Curlew" asks for the higher of two that are named. Values of different currencies
    or units are shown and not compared.
    """
    operation = read_operation(task.part.text, task.view.lexicon)
    direction = operation.direction or operation.choice
    if not direction or task.part.expected_count not in (None, 1) or "difference" in operation.singles:
        return None
    group = find_group(task, operation)
    if group is None or not _is_meant(task, group, operation):
        return None
    if _is_level(task, group, operation):
        return None
    named = list_asked(task, group, is_partial=bool(operation.choice))
    # "more than" alone asks for no winner: two that are named make it a choice
    if operation.choice and len(named) != COMPARED:
        return None
    return tell_extreme(task, group, named or group.members, operation)


def tell_extreme(task: ReaderTask, group: Group, members: Sequence[Member], operation: Operation) -> Reading | None:
    """The members at the asked end, or why there is none."""
    said = fold(f"{task.part.text} {group.name}")
    # a change is printed with its own sign, whatever it is a change of
    is_turned = bool(read_turn(task.part.text, operation, task.view.lexicon))
    outflows = cue_of(task.view.lexicon.superlatives, "outflows")
    is_outflow = not is_turned and any(contains_folded(word, said) for word in outflows)
    direction = operation.direction or operation.choice
    ordering = find_extreme(members, direction, operation.rank, is_outflow=is_outflow)
    if ordering.reason:
        return decline(task, group, members, ordering.reason)
    return _build_reading(task, group, (ordering.winners, members), operation)


def read_compared(task: ReaderTask) -> Reading | None:
    """Both values and their difference for a question that compares two members by name; None without such a pair."""
    operation = read_operation(task.part.text, task.view.lexicon)
    group = find_group(task, operation) if task.part.shape == "comparison" else None
    named = list_asked(task, group) if group is not None else ()
    if group is None or len(named) != COMPARED or not any(map(str.isalpha, named[0].name)):
        return None
    reason = explain_mixture(named)
    verdict = order(named[0].measure, named[1].measure)
    if reason or verdict is None:
        return decline(task, group, named, reason or "their order is not certain")
    items = tuple(item for member in named if (item := build_item(task, group, (member,), False)) is not None)
    if len(items) < COMPARED:
        return None
    units = f" ({group.units})" if group.units else ""
    return Reading(
        text=f"{tell_members(named)} in {group.name}{units}: {_tell_gap(named, verdict)}",
        items=items,
        has_typed_fit=True,
    )


def _tell_gap(named: Sequence[Member], verdict: int) -> str:
    if not verdict:
        return "equal"
    more, less = named if verdict > 0 else named[::-1]
    negative = less.measure._replace(size=-less.measure.size)
    gap = add((more.measure, negative))
    if gap is None:
        return f"{more.name} is higher"
    told = tell_size(gap, (more.measure, less.measure))[2]
    return f"{more.name} is higher by {told}"


def decline(task: ReaderTask, group: Group, members: Sequence[Member], reason: str) -> Reading | None:
    """The members with their values and the reason why they are not put in order or added up."""
    items = [build_item(task, group, (member,), False) for member in members]
    shown = tuple(item for item in items if item is not None)
    if not shown:
        return None
    return Reading(
        text=f"Not computed, {reason}: {tell_members(members)}",
        items=shown,
        is_complete=False,
        certificate=group.certificate,
        caveats=(reason,),
    )


def build_item(task: ReaderTask, group: Group, members: Sequence[Member], picked: bool) -> Item | None:
    """The item of the first of some members, cited with the others; None where nothing of it can be quoted."""
    citations: tuple[Citation, ...] = cite_members(task, group, members)
    if not citations:
        return None
    first = members[0]
    is_dated = first.measure.kind == "date"
    return Item(
        sub_question=task.part.id,
        text=f"{first.name}: {first.printed}",
        label=first.name,
        value=first.measure.unit if is_dated else format(first.measure.amount, "f"),
        unit="" if is_dated else ", ".join(filter(None, (first.measure.printed, group.units))),
        picked=picked,
        citations=citations,
        extraction="computed" if picked else "verbatim",
    )


def _is_meant(task: ReaderTask, group: Group, operation: Operation) -> bool:
    """Whether the superlative is said of what the members have: "most pairs", not "most rare pairs".

    "Most" and the like may belong to an adjective; in a question for a list any superlative may be of something else.
    """
    vague = cue_of(task.view.lexicon.superlatives, "vague")
    if operation.cue not in vague and task.part.shape != "list":
        return True
    text = fold(task.part.text)
    _, found, rest = text.partition(f"{fold(operation.cue)} ")
    first = split_words(rest, task.view.lexicon)[:1]
    if not found or any(word.folded in task.view.lexicon.stop_word_set for word in first):
        return True  # "which costs the most?" and "has the most of" are of the value itself
    following = [word.folded for word in split_words(rest, task.view.lexicon)][:1]
    units = {singular(fold(member.measure.printed)) for member in group.members}
    if any(singular(word) in units for word in following):
        return True
    named = [anchor for anchor in task.part.anchors if anchor.key in group.matched]
    return any(span[0] == 0 for anchor in named for span in find_anchor(anchor, rest))


def _is_level(task: ReaderTask, group: Group, operation: Operation) -> bool:
    """Whether a column or row has values as they are where those that fell or rose the most are asked for."""
    lexicon = task.view.lexicon
    if group.certificate is not None or not read_turn(task.part.text, operation, lexicon):
        return False
    cues = ("change heads", "falls", "rises", "turns")
    named = fold(group.name)
    return not any(contains_folded(cue, named) for label in cues for cue in cue_of(lexicon.superlatives, label))


def _build_reading(
    task: ReaderTask, group: Group, found: tuple[Sequence[Member], Sequence[Member]], operation: Operation
) -> Reading | None:
    winners, members = found
    others = [member for member in members if member not in winners]
    items = [build_item(task, group, (one, *others[: SHOWN_MEMBERS - 1]), True) for one in winners]
    shown = tuple(item for item in items if item is not None)
    if not shown:
        return None
    certificate = group.certificate
    name = f"{group.name} ({group.units})" if group.units else group.name
    caveats = [f"no value for {', '.join(group.missing)}"] if group.missing else []
    caveats += [f"{len(winners)} have the same value"] if len(winners) > 1 else []
    return Reading(
        text=f"{_tell_winners(task, winners, operation)} of {len(members)} in {name}: {tell_members(members)}",
        items=shown,
        is_complete=certificate is None or certificate.verdict != "incomplete",
        has_typed_fit=True,
        has_second_place=len(members) > MIN_MEMBERS,
        certificate=certificate,
        caveats=tuple(caveats),
    )


def _tell_winners(task: ReaderTask, winners: Sequence[Member], operation: Operation) -> str:
    direction = operation.direction or operation.choice
    word = WORDS.get(operation.dimension, ("highest", "lowest"))[direction == "min"]
    rank = cue_of(task.view.lexicon.superlatives, "ranks")[operation.rank - 1] if operation.rank > 1 else ""
    names = " and ".join(member.name for member in winners)
    verb = "is" if len(winners) == 1 else "are equally"
    return " ".join(f"{names} ({winners[0].printed}) {verb} the {rank} {word}".split())
