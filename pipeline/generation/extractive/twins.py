"""Cells that a question names equally: rows or columns that differ only in what it leaves open."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.generation.extractive.hits import misnames, weigh
from pipeline.question.terms import cue_of
from pipeline.text.anchors import find_anchor
from pipeline.text.matching import contains_folded, fold
from pipeline.text.numbers import find_years

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.cells import Sighted
    from pipeline.generation.extractive.reading import ReaderTask

MAX_TWINS = 6


def choose_cells(task: ReaderTask, sights: Sequence[Sighted]) -> tuple[Sighted, ...]:
    """The cell whose row and column name most of the question, first those whose label says nothing else.

    Several where they are twins ("Deductible, one person" and "Deductible, family", of whom the question says nothing);
    none where cells of other kinds fit equally well, since nothing says which one is meant.
    """
    scored = [(weigh(task.view, task.part.anchors, one.in_row | one.in_column), one) for one in sights]
    best = max((share for share, _ in scored), default=0)
    if not best:
        return ()
    equal = [one for share, one in scored if share == best]
    equal = [one for one in equal if not misnames(task, one.name)] or equal
    least = min(_count_words(one) for one in equal)
    winners = [one for one in equal if _count_words(one) == least]
    twins = [one for one in equal if _is_twin(task, winners[0], one)]
    if 1 < len(twins) <= MAX_TWINS and all(one in twins for one in winners):
        # who names no part among parts asks for the whole where it stands beside them
        whole = [one for one in twins if _is_whole(task, one)]
        return tuple(whole if len(whole) == 1 else twins)
    return tuple(winners) if len(winners) == 1 else ()


def _is_whole(task: ReaderTask, sighted: Sighted) -> bool:
    cues = cue_of(task.view.lexicon.calculation_cues, "whole")
    return any(contains_folded(cue, fold(sighted.header)) for cue in cues)


def _count_words(sighted: Sighted) -> int:
    """How many words the label of a row has, where the question names the row."""
    return len(sighted.labels[0].text.split()) if sighted.labels and sighted.in_row else 0


def _is_twin(task: ReaderTask, one: Sighted, other: Sighted) -> bool:
    """Whether two cells differ only in words of their row or column that the question says nothing of."""
    if one is other:
        return True
    if (one.in_row, one.in_column) != (other.in_row, other.in_column):
        return False
    is_same_row = one.cell.row == other.cell.row
    is_same_column = one.cell.column == other.cell.column
    return (is_same_row or _share_beginning(task, one, other)) and (is_same_column or _share_open_head(one, other))


def _share_open_head(one: Sighted, other: Sighted) -> bool:
    """Whether two columns have names of which the question says nothing; years are periods."""
    if one.in_column or not one.in_row or not (one.header.strip() and other.header.strip()):
        return False
    return not find_years(one.header) and not find_years(other.header)


def _share_beginning(task: ReaderTask, one: Sighted, other: Sighted) -> bool:
    """Whether two labels begin with all that the question names, and each goes on with something of its own."""
    first, second = _split_label(one), _split_label(other)
    shared = 0
    while shared < min(len(first), len(second)) and first[shared] == second[shared]:
        shared += 1
    if not shared or shared in (len(first), len(second)) or not one.in_row:
        return False
    beginning = " ".join(first[:shared])
    named = [anchor for anchor in task.part.anchors if anchor.key in one.in_row]
    return all(find_anchor(anchor, beginning) for anchor in named)


def _split_label(sighted: Sighted) -> list[str]:
    return re.findall(r"[^\W_]+", fold(" ".join(label.text for label in sighted.labels)))
