"""The reader of lists: every member from structure, a certificate of completeness, and the member that is asked for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pipeline.generation.extractive.certificate import join_certificates
from pipeline.generation.extractive.coded import find_coded_list
from pipeline.generation.extractive.enumerated import key_member, read_members, tell_members
from pipeline.generation.extractive.listed_as import weigh_listing
from pipeline.generation.extractive.lists import find_companions, rate_lists
from pipeline.generation.extractive.nouns import MENTIONED_CEILING, find_noun
from pipeline.generation.extractive.numbered import read_numbered
from pipeline.generation.extractive.pick import pick_items
from pipeline.generation.extractive.titled_kinds import read_titled_kinds

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask, Reading
    from pipeline.models.answer import Item


def read_list(task: ReaderTask) -> Reading | None:
    """List the members of the list that the question means; None when no list near the evidence speaks for it."""
    coded = find_coded_list(task)
    if coded is not None:
        return read_members(task, coded, [])
    rated = rate_lists(task)
    if not rated:
        return None
    best = read_members(task, rated[0].enumeration, [entry.enumeration for entry in rated[1:]])
    if best is not None:
        best = weigh_listing(task, best, rated)
        # of a general noun ("steps") nothing over a list says much
        is_doubted = best.max_confidence <= MENTIONED_CEILING or not find_noun(task)
        apart = _read_named_apart(task) if is_doubted else None
        if apart is not None:
            return apart
    companions = [read_members(task, entry.enumeration, []) for entry in find_companions(task, rated)]
    if best is not None and task.question.exclusions:
        # few questions put two lists against each other
        from pipeline.generation.extractive.list_difference import leave_out_other

        best = leave_out_other(task, best, rated[0].enumeration)
    joined = _join_lists(task, best, [reading for reading in companions if reading is not None])
    if joined is None or task.part.pick is None:
        return joined
    # few questions pick by a value, and computing takes its time to import
    from pipeline.generation.extractive.valued_pick import pick_by_value

    return pick_by_value(task, joined)


def _read_named_apart(task: ReaderTask) -> Reading | None:
    """What is named by the very noun, apart in the text: by numbers, or by titles of sections; for lists in doubt."""
    return read_numbered(task) or read_titled_kinds(task)


def _join_lists(task: ReaderTask, best: Reading | None, companions: list[Reading]) -> Reading | None:
    """One reading of several lists in document order, members that both have once; complete when all of them are."""
    if best is None or not companions:
        return best
    readings = sorted([best, *companions], key=_place)
    certificates = [reading.certificate for reading in readings if reading.certificate is not None]
    items, _ = pick_items(task.part, _drop_repeated(tuple(item for each in readings for item in each.items)))
    caveats = [caveat for reading in readings for caveat in reading.caveats]
    return replace(
        best,
        text=tell_members(items),
        items=items,
        is_complete=all(reading.is_complete for reading in readings),
        certificate=join_certificates(certificates),
        caveats=tuple(dict.fromkeys(caveats)),
    )


def _place(reading: Reading) -> tuple[int, int]:
    citation = reading.items[0].citations[-1]
    return citation.page, citation.line_start


def _drop_repeated(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """Each member of several lists once."""
    kept: dict[str, Item] = {}
    for item in items:
        kept.setdefault(key_member(item.label, item.text), item)
    return tuple(kept.values())
