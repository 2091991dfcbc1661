"""The reader of changes: the gap or the growth between two members or periods of a row, column or list."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal, localcontext
from typing import TYPE_CHECKING

from pipeline.generation.extractive.arithmetic import PRECISION
from pipeline.generation.extractive.extremes import COMPARED, decline
from pipeline.generation.extractive.groups import cite_members, find_group, list_asked, tell_members
from pipeline.generation.extractive.measures import add, tell_size
from pipeline.generation.extractive.ordering import explain_mixture
from pipeline.generation.extractive.reading import Reading
from pipeline.models.answer import Item
from pipeline.question.operations import read_operation
from pipeline.text.numbers import find_years

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.groups import Group
    from pipeline.generation.extractive.members import Member
    from pipeline.generation.extractive.reading import ReaderTask

GROWTH_DECIMALS = 1


def read_change(task: ReaderTask) -> Reading | None:
    """The difference between two that are named, or the growth from one to the other in percent of the first.

    Periods are taken in their own order, others in that of the question. Values of different units are shown and not
    subtracted; growth from nothing or from a negative value is not computed.
    """
    operation = read_operation(task.part.text, task.view.lexicon)
    is_growth = "growth" in operation.singles
    if not is_growth and "difference" not in operation.singles:
        return None
    group = find_group(task, operation)
    named = _sort_periods(list_asked(task, group, is_partial=True)) if group is not None else ()
    if group is None or len(named) != COMPARED:
        return None
    first, second = named
    gap = add((second.measure, first.measure._replace(size=-first.measure.size)))
    if gap is None:
        return decline(task, group, named, explain_mixture(named) or "their difference is not exact")
    if is_growth and first.measure.size <= 0:
        return decline(task, group, named, f"growth from {first.printed} is not computed")
    return _build_reading(task, group, named, _tell_growth(gap, first) if is_growth else _tell_gap(task, gap, named))


def _sort_periods(named: Sequence[Member]) -> tuple[Member, ...]:
    years = [[year for _, _, year in find_years(member.name)] for member in named]
    if not all(len(found) == 1 for found in years):
        return tuple(named)
    return tuple(member for _, member in sorted(zip(years, named, strict=True), key=lambda entry: entry[0]))


def _tell_growth(gap: Decimal, first: Member) -> tuple[str, str, str]:
    with localcontext() as context:
        context.prec = PRECISION
        share = gap * 100 / first.measure.size
    rounded = share.quantize(Decimal(1).scaleb(-GROWTH_DECIMALS), rounding=ROUND_HALF_UP)
    return format(rounded, "f"), "%", f"{format(rounded, 'f')}%"


def _tell_gap(task: ReaderTask, gap: Decimal, named: Sequence[Member]) -> tuple[str, str, str]:
    """The gap with its sign between periods, without one between things."""
    is_signed = all(find_years(member.name) for member in named)
    number, unit, told = tell_size(gap if is_signed else abs(gap), [member.measure for member in named])
    if named[0].measure.kind == "percent":
        return number, "percentage points", f"{number} percentage points"
    return number, unit, told


def _build_reading(
    task: ReaderTask, group: Group, named: Sequence[Member], told: tuple[str, str, str]
) -> Reading | None:
    citations = cite_members(task, group, named)
    if not citations:
        return None
    number, unit, text = told
    item = Item(
        sub_question=task.part.id,
        text=text,
        label=group.name,
        value=number,
        unit=unit,
        period="-".join(member.name for member in named) if find_years(named[0].name) else "",
        citations=citations,
        extraction="computed",
    )
    return Reading(text=f"{text} ({group.name}: {tell_members(named)})", items=(item,), has_typed_fit=True)
