"""The reader of operators: what a question wants computed over members, tried from the most telling operator on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pipeline.question.operations import read_operation

UNCOMPUTED = "nothing was compared or added up: no values of the same kind stand side by side"
UNCHANGED = "the change that is asked for was not computed; this is a value that it is of"

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.generation.extractive.reading import Reader, ReaderTask, Reading
    from pipeline.question.operations import Operation


def read_operated(task: ReaderTask) -> Reading | None:
    """An extreme, a choice, a sum, an average, a change or the members beyond a bound; None without an operator."""
    operation = read_operation(task.part.text, task.view.lexicon)
    if not operation.is_any:
        return None
    return next((reading for read in _list_readers(task, operation) if (reading := read(task)) is not None), None)


def mark_uncomputed(task: ReaderTask, reading: Reading) -> Reading:
    """The reading with a caveat where the question asks for an extreme or a sum and only text was found for it."""
    singles = {"difference", "growth"} & set(read_operation(task.part.text, task.view.lexicon).singles)
    if singles and task.part.shape == "value" and all(item.extraction == "verbatim" for item in reading.items):
        return replace(reading, is_complete=False, has_typed_fit=False, caveats=(*reading.caveats, UNCHANGED))
    is_text = not reading.has_typed_fit and all(item.extraction == "verbatim" for item in reading.items)
    is_list = reading.certificate is not None and all(item.value is None for item in reading.items)
    if not (is_text or is_list) or reading.caveats:
        return reading
    operation = read_operation(task.part.text, task.view.lexicon)
    is_asked = operation.direction or operation.choice or "sum" in operation.singles
    return replace(reading, caveats=(UNCOMPUTED,)) if is_asked else reading


def _list_readers(task: ReaderTask, operation: Operation) -> Iterator[Reader]:
    # most questions ask for nothing of the kind, and these readers take their time to import
    from pipeline.generation.extractive.bounds import read_bounded
    from pipeline.generation.extractive.changes import read_change
    from pipeline.generation.extractive.choices import read_choice
    from pipeline.generation.extractive.computed import read_computed
    from pipeline.generation.extractive.extremes import read_extreme
    from pipeline.generation.extractive.parallel import read_parallel
    from pipeline.generation.extractive.totals import read_average, read_total

    singles = set(operation.singles)
    if task.part.shape == "boolean":
        if operation.choice:
            yield read_choice
        return
    if {"average", "growth", "difference"} & singles:
        # a figure of a statement is known by row and year, and its formula by the lexicon
        yield read_computed
        yield read_change
    if {"sum", "sum named"} & singles:
        yield read_total
    if operation.direction:
        yield read_parallel
    if operation.direction or operation.choice:
        yield read_extreme
    if operation.choice or operation.direction or "difference" in singles:
        yield read_choice
    if {"average", "median"} & singles:
        yield read_average
    if operation.bounds:
        yield read_bounded
