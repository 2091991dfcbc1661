"""The reader of changes of a part between two years, before sentences on how far something moved are read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.text.matching import contains_folded, fold

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask, Reading

MIN_YEARS = 2


def read_between(task: ReaderTask) -> Reading | None:
    """The change or average of a row that the question names by more than a known figure; None for other questions.

    A sentence on how far something moved may be of something else, and figures of the whole are known by statements.
    """
    if len(task.question.periods) < MIN_YEARS:
        return None
    # most questions name one period, and what reads tables all over a document takes its time to import
    from pipeline.generation.extractive.ledger_sums import read_over_years
    from pipeline.generation.extractive.ledger_words import list_content
    from pipeline.generation.extractive.narrowing import read_own_names

    names = read_own_names(task)
    words = [anchor for anchor in list_content(task, task.part.text) if anchor.source != "concept"]
    is_parted = any(not anchor.text[:1].isupper() or not contains_folded(fold(anchor.text), names) for anchor in words)
    return read_over_years(task) if is_parted else None
