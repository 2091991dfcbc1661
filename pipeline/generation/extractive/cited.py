"""Entries of a bibliography by their numbers: "What is reference [13]?" is answered by the entry that begins so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.extractive.citing import cite_extents
from pipeline.generation.extractive.reading import Reading
from pipeline.models.answer import Item
from pipeline.question.terms import cue_of
from pipeline.text.late import compile_late
from pipeline.text.matching import contains_folded, fold

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.structure import EnumerationItem

MIN_ENTRIES, FIRST = 2, "[1]"
_NUMBER = compile_late(r"\[(\d{1,3})\]")
_BARE = compile_late(r"(?<![\d.,-])(\d{1,3})(?![\d.,%-]*\d)")


def read_cited(task: ReaderTask) -> Reading | None:
    """The entry with the number that the question gives; None where it gives none, or no entry has it.

    A number without brackets counts only behind a word for such an entry.
    """
    number = _find_number(task)
    entry = _find_entry(task, number) if number else None
    citations = cite_extents(task.view, entry.extents) if entry is not None else ()
    if entry is None or not citations:
        return None
    text = f"[{number}] {entry.text}"
    item = Item(sub_question=task.part.id, text=text, label=f"[{number}]", citations=citations, extraction="verbatim")
    return Reading(text=text, items=(item,), has_typed_fit=True, has_second_place=True)


def _find_number(task: ReaderTask) -> str:
    text, lexicon = task.part.text, task.view.lexicon
    named = [cue for cue in cue_of(lexicon.value_cues, "bibliography words") if contains_folded(cue, fold(text))]
    if not named:
        return ""
    found = _NUMBER.search(text)
    if found is not None:
        return found[1]
    folded = fold(text)
    for cue in named:
        behind = folded[folded.index(cue) + len(cue) :]
        match = _BARE.match(behind.lstrip(" #"))
        if match is not None:
            return match[1]
    return ""


def _find_entry(task: ReaderTask, number: str) -> EnumerationItem | None:
    """The member of a list of bracketed numbers; the last such list, as bibliographies stand at the end."""
    label = f"[{number}]"
    pages = _list_pages(task, label)
    firsts = _list_pages(task, FIRST)
    for page in reversed(pages):
        # a list is found from where it begins
        start = max((first for first in firsts if first <= page), default=page)
        for own in task.view.enumerations_in((start, 1), (page + 1, 1)):
            entry = next((item for item in own.items if item.marker == label), None)
            if entry is not None and len(own.items) >= MIN_ENTRIES:
                return entry
    return None


def _list_pages(task: ReaderTask, label: str) -> list[int]:
    """The pages with a line that begins so."""
    lines = (line for line in task.view.document.lines if label in line.text and line.is_evidence)
    return sorted({line.page for line in lines if line.text.lstrip().startswith(label)})
