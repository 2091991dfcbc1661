"""The readers of sums and averages: members added up in exact decimals, or the total that a table prints."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING

from pipeline.generation.extractive.extremes import decline
from pipeline.generation.extractive.groups import cite_members, find_group, list_asked, tell_members
from pipeline.generation.extractive.measures import add, tell_size, trim
from pipeline.generation.extractive.ordering import explain_mixture
from pipeline.generation.extractive.reading import Reading
from pipeline.models.answer import Certificate, DetectorCount, Item
from pipeline.question.operations import read_operation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.groups import Group
    from pipeline.generation.extractive.members import Member
    from pipeline.generation.extractive.reading import ReaderTask

AVERAGE_DECIMALS = 2


def read_total(task: ReaderTask) -> Reading | None:
    """The sum of a column or list, or of the members that the question names; None where it asks for no sum.

    A sum of all members that the table prints itself is quoted and not computed.
    """
    operation = read_operation(task.part.text, task.view.lexicon)
    if "sum" not in operation.singles and "sum named" not in operation.singles:
        return None
    group = find_group(task, operation)
    if group is None or not group.has_name:
        return None
    named = list_asked(task, group)
    if not named and "sum" not in operation.singles:
        return None
    if not named and group.total is not None:
        return _build_printed(task, group, group.total)
    members = named or group.members
    total = add([member.measure for member in members])
    if total is None:
        return decline(task, group, members, explain_mixture(members) or _explain_units(members))
    return _build_reading(task, group, members, (total, "sum", bool(named)))


def read_average(task: ReaderTask) -> Reading | None:
    """The mean or median of a column or list; None where it asks for none. The mean is rounded half up, and says so."""
    operation = read_operation(task.part.text, task.view.lexicon)
    asked = next((name for name in ("median", "average") if name in operation.singles), "")
    group = find_group(task, operation) if asked else None
    if group is None or not group.has_name:
        return None
    named = list_asked(task, group)
    members = named or group.members
    total = add([member.measure for member in members])
    if total is None:
        return decline(task, group, members, explain_mixture(members) or _explain_units(members))
    if asked == "average":
        return _build_reading(task, group, members, (total / len(members), asked, bool(named)))
    sizes = sorted(member.measure.size for member in members)
    middle = len(sizes) // 2
    value = sizes[middle] if len(sizes) % 2 else (sizes[middle - 1] + sizes[middle]) / 2
    return _build_reading(task, group, members, (value, asked, bool(named)))


def _explain_units(members: Sequence[Member]) -> str:
    if members[0].measure.kind == "date":
        return "dates are not added up"
    units = dict.fromkeys(member.measure.printed for member in members)
    return f"units that do not convert are not added up: {', '.join(units)}"


def _build_printed(task: ReaderTask, group: Group, total: Member) -> Reading | None:
    citations = cite_members(task, group, (total,))
    if not citations:
        return None
    units = f" {group.units}" if group.units else ""
    item = Item(
        sub_question=task.part.id,
        text=f"{total.printed}{units}",
        label=group.name,
        value=format(total.measure.amount, "f"),
        citations=citations,
        extraction="verbatim",
    )
    text = f"{total.printed}{units} ({group.name}, printed as {total.name})"
    return Reading(text=text, items=(item,), has_typed_fit=True)


def _build_reading(
    task: ReaderTask, group: Group, members: Sequence[Member], result: tuple[Decimal, str, bool]
) -> Reading | None:
    value, word, is_named = result
    citations = cite_members(task, group, members)
    if not citations:
        return None
    rounded = _round(value) if word != "sum" else value
    number, unit, told = tell_size(rounded, [member.measure for member in members])
    units = f" {group.units}" if group.units else ""
    item = Item(
        sub_question=task.part.id,
        text=f"{told}{units}",
        label=group.name,
        value=number,
        unit=unit,
        citations=citations,
        extraction="computed",
    )
    # members that are named by the question are all there; of a whole column some may have no number
    missing = () if is_named else group.missing
    caveats = [f"no number for {', '.join(missing)}"] if missing else []
    caveats += [f"rounded from {word} of {len(members)}"] if rounded != value else []
    certificate = _certify(task, group, members, missing)
    return Reading(
        text=f"{told}{units} ({group.name}, {word} of {len(members)}: {tell_members(members)})",
        items=(item,),
        is_complete=certificate.verdict != "incomplete",
        has_typed_fit=True,
        certificate=certificate,
        caveats=tuple(caveats),
    )


def _round(value: Decimal) -> Decimal:
    return trim(value.quantize(Decimal(1).scaleb(-AVERAGE_DECIMALS), rounding=ROUND_HALF_UP))


def _certify(task: ReaderTask, group: Group, members: Sequence[Member], missing: tuple[str, ...]) -> Certificate:
    """What a sum rests on: the certificate of the list, or the rows of the table that have a number."""
    if group.certificate is not None and len(members) == len(group.members):
        own = group.certificate
        if not missing or own.verdict == "incomplete":
            return own
        why = f"{own.why}; no value for {', '.join(missing)}"
        return own.model_copy(update={"verdict": "unverified", "why": why, "gaps": (*own.gaps, *missing)})
    return Certificate(
        sub_question=task.part.id,
        denominator=len(members) + len(missing),
        denominator_source="structural",
        denominator_quote="",
        detectors=(DetectorCount(detector="table_rows", item_count=len(members) + len(missing)),),
        item_count=len(members),
        is_end_seen=True,
        gaps=missing,
        verdict="unverified" if missing else "complete",
        why=f"{len(members)} numbers added" + (f", {len(missing)} rows have none" if missing else ""),
    )
