"""Readers of superlatives and comparisons: the least of a row, the larger of two, found in code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.extractive.reading import Reading
from pipeline.generation.extractive.series import (
    MIN_MEMBERS,
    SHOWN_MEMBERS,
    cite_points,
    find_series,
    has_cue,
    list_named,
    tell_cell,
    tell_points,
)
from pipeline.models.answer import Item
from pipeline.question.terms import cue_of
from pipeline.text.anchors import find_anchor
from pipeline.text.matching import fold

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.generation.extractive.series import Point, Series
    from pipeline.models.answer import Citation

COMPARED = 2
"""Members of a comparison: a question that names more asks for the highest or lowest of them."""


def read_extreme(task: ReaderTask) -> Reading | None:
    """The member with the highest or lowest number; None without a superlative, a table, or a single winner.

    "Which had more pairs, Lapwing or Curlew" asks for the higher of two that are named.
    """
    direction = find_direction(task)
    is_comparative = not direction
    direction = direction or find_direction(task, "more", "less")
    if not direction or task.part.expected_count not in (None, 1):
        return None
    series = find_series(task)
    if series is None or (task.part.shape == "list" and not _is_of_series(task, series, direction)):
        return None
    named = list_named(task, series)
    # "more than" alone asks for no winner: two that are named make it a choice
    if is_comparative and len(named) != COMPARED:
        return None
    points = named or series.points
    values = [point.value for point in points]
    extreme = max(values) if direction == "max" else min(values)
    winners = [point for point in points if point.value == extreme]
    return _build_reading(task, series, (winners[0], points), direction) if len(winners) == 1 else None


def read_compared(task: ReaderTask) -> Reading | None:
    """Both numbers and their difference for a question that compares two members by name; None without such a pair."""
    series = find_series(task) if task.part.shape == "comparison" else None
    named = list_named(task, series) if series is not None else ()
    if series is None or len(named) != COMPARED or not any(map(str.isalpha, named[0].member)):
        return None
    items = []
    for point in named:
        citations = cite_points(task, series, (point,))
        if citations:
            items.append(_build_item(task, point, citations, False))
    if len(items) < COMPARED:
        return None
    first, second = named
    gap = first.value - second.value
    words = "equal" if not gap else f"{(first if gap > 0 else second).member} is higher by {format(abs(gap), ',f')}"
    units = f" ({series.units})" if series.units else ""
    return Reading(
        text=f"{tell_points(named)} in {series.name.strip()}{units}: {words}",
        items=tuple(items),
        has_typed_fit=True,
    )


def find_direction(task: ReaderTask, most: str = "max", least: str = "min") -> str:
    """Which end the superlative or comparative of the question asks for: max or min; empty without one."""
    return "max" if has_cue(task, most) else "min" if has_cue(task, least) else ""


def _is_of_series(task: ReaderTask, series: Series, direction: str) -> bool:
    """Whether the superlative stands right before what names the series: "most pairs", not "most rare pairs"."""
    named = [anchor for anchor in task.part.anchors if anchor.key in series.own | series.around]
    text = fold(task.part.text)
    for cue in cue_of(task.view.lexicon.superlatives, direction):
        _, found, rest = text.partition(f"{fold(cue)} ")
        if found and any(span[0] == 0 for anchor in named for span in find_anchor(anchor, rest)):
            return True
    return False


def _build_reading(
    task: ReaderTask, series: Series, found: tuple[Point, tuple[Point, ...]], direction: str
) -> Reading | None:
    winner, points = found
    others = [point for point in points if point is not winner]
    citations = cite_points(task, series, (winner, *others[: SHOWN_MEMBERS - 1]))
    if not citations:
        return None
    word = "highest" if direction == "max" else "lowest"
    printed = tell_cell(winner)
    where = f"{len(points)} in {series.name.strip()}"
    return Reading(
        text=f"{winner.member} ({printed}) is the {word} of {where}: {tell_points(points)}",
        items=(_build_item(task, winner, citations, True),),
        has_typed_fit=True,
        has_second_place=len(points) > MIN_MEMBERS,
    )


def _build_item(task: ReaderTask, point: Point, citations: tuple[Citation, ...], picked: bool) -> Item:
    return Item(
        sub_question=task.part.id,
        text=f"{point.member}: {tell_cell(point)}",
        label=point.member,
        value=format(point.value, "f"),
        picked=picked,
        citations=citations,
        extraction="computed" if picked else "verbatim",
    )
