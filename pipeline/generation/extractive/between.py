"""The reader of shares and of changes of a part, before sentences on how far something moved are read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.text.matching import contains_folded, fold

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask, Reading

MIN_YEARS = 2


def read_between(task: ReaderTask) -> Reading | None:
    """The share of a part in its whole, or the change or average of a row that is named by more than a known figure.

    A sentence on how far something moved may be of something else, and figures of the whole are known by statements.
    """
    if task.part.value_type == "percent" or "percent" in task.part.text:
        from pipeline.generation.extractive.ledger_sums import read_share

        share = read_share(task)
        if share is not None:
            return share
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
