"""The reader of schedules of years to come, and the plain test of whether a question can ask for one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.question.terms import cue_of
from pipeline.text.matching import contains_folded, fold

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask, Reading


def read_scheduled(task: ReaderTask) -> Reading | None:
    """The amounts of a schedule for the years that are asked for; None where no schedule has them."""
    if not _may_ask(task):
        return None
    # few questions ask for years to come, and what reads schedules takes its time to import
    from pipeline.generation.extractive.schedule_reading import read_schedules

    return read_schedules(task)


def _may_ask(task: ReaderTask) -> bool:
    """Whether a question speaks of what is to come, and names a year, all later years or the total."""
    lexicon = task.view.lexicon
    cues = lexicon.value_cues
    folded = fold(task.part.text)
    words = [word.strip("?.,;:()'\"") for word in folded.split()]
    if not any(word in cue_of(cues, "schedule cues") for word in words):
        return False
    is_open = any(contains_folded(cue, folded) for cue in cue_of(cues, "later years"))
    return (
        is_open or bool(task.question.periods) or any(word in cue_of(lexicon.superlatives, "total") for word in words)
    )
