"""Whether a list may be counted for a question: not where it only names some of what its lead counts, nor for staff.

"39 plants around the world, including in Norland and Sudland" are no two plants; kinds of employees are no employees.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.extractive.included import keep_asked
from pipeline.generation.extractive.shares import list_shares
from pipeline.generation.extractive.wanted import find_counted_noun
from pipeline.models.lexicon import singular
from pipeline.question.terms import cue_of, split_words
from pipeline.text.matching import contains_folded, fold

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.structure import Enumeration


def may_count(task: ReaderTask, enumeration: Enumeration | None) -> bool:
    """Whether the members of a list may be what a question counts."""
    noun = find_counted_noun(task, split_words(task.part.text, task.view.lexicon))
    if _counts_staff(task, noun):
        return False
    return enumeration is None or not _tells_more(task, noun, enumeration)


def _counts_staff(task: ReaderTask, noun: str) -> bool:
    """Whether those who work somewhere are counted: lists hold kinds of them, seldom them all."""
    cues = task.view.lexicon.value_cues
    staff = {singular(word) for word in cue_of(cues, "staff")}
    people = {singular(word) for word in cue_of(cues, "people")}
    is_employed = any(contains_folded(word, fold(task.part.text)) for word in cue_of(cues, "employing"))
    return noun in staff and (noun not in people or is_employed)


def _tells_more(task: ReaderTask, noun: str, enumeration: Enumeration) -> bool:
    """Whether the lead counts the noun itself, more of them than follow, and goes on with some of them."""
    lead = enumeration.lead
    if not any(contains_folded(cue, fold(lead)) for cue in cue_of(task.view.lexicon.value_cues, "heads")):
        return False
    numbers = [share for share in keep_asked(task, lead, list_shares(lead, task.view.lexicon)) if share.nouns]
    counted = [share.typed.number for share in numbers if noun in {singular(word) for word in share.nouns}]
    return any(number is not None and number > len(enumeration.items) for number in counted)
