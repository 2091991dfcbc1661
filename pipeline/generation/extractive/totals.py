"""The reader of sums: members of a column added up in exact decimals, or the total that the table prints."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from pipeline.generation.extractive.reading import Reading
from pipeline.generation.extractive.series import cite_points, find_series, has_cue, list_named, tell_cell, tell_points
from pipeline.models.answer import Certificate, DetectorCount, Item

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.generation.extractive.series import Point, Series

MAX_CITED = 40


def read_total(task: ReaderTask) -> Reading | None:
    """The sum of a column, or of the members that the question names; None where it asks for no sum.

    A sum of all members that the table prints itself is quoted and not computed.
    """
    if not has_cue(task, "sum"):
        return None
    series = find_series(task)
    if series is None or not series.own:
        return None
    named = list_named(task, series)
    if not named and series.total is not None:
        return _build_reading(task, series, (series.total,), series.total.value)
    points = named or series.points
    return _build_reading(task, series, points, sum((point.value for point in points), Decimal(0)))


def _build_reading(task: ReaderTask, series: Series, points: tuple[Point, ...], total: Decimal) -> Reading | None:
    citations = cite_points(task, series, points[:MAX_CITED])
    if not citations:
        return None
    is_printed = len(points) == 1
    sign = next((point.cell.text.strip()[0] for point in points if point.cell.text.strip()[:1] in "$\u20ac\u00a3"), "")
    told = tell_cell(points[0]) if is_printed else f"{sign}{format(total, ',f')}"
    units = f" {series.units}" if series.units else ""
    item = Item(
        sub_question=task.part.id,
        text=f"{told}{units}",
        label=series.name.strip(),
        value=format(total, "f"),
        citations=citations,
        extraction="verbatim" if is_printed else "computed",
    )
    # members that are named by the question are all there; of a whole column some may have no number
    is_named = bool(list_named(task, series))
    missing = () if is_printed or is_named else series.missing
    what = f"printed as {points[0].member}" if is_printed else f"sum of {len(points)}: {tell_points(points)}"
    return Reading(
        text=f"{told}{units} ({series.name.strip()}, {what})",
        items=(item,),
        has_typed_fit=True,
        certificate=None if is_printed else _certify(task, points, missing),
        caveats=(f"no number for {', '.join(missing)}",) if missing else (),
    )


def _certify(task: ReaderTask, points: tuple[Point, ...], missing: tuple[str, ...]) -> Certificate:
    return Certificate(
        sub_question=task.part.id,
        denominator=len(points) + len(missing),
        denominator_source="structural",
        denominator_quote="",
        detectors=(DetectorCount(detector="table_rows", item_count=len(points) + len(missing)),),
        item_count=len(points),
        is_end_seen=True,
        gaps=missing,
        verdict="unverified" if missing else "complete",
        why=f"{len(points)} numbers added" + (f", {len(missing)} rows have none" if missing else ""),
    )
