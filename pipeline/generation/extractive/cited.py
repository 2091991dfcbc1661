"""Entries of a bibliography: by their numbers ("What is reference [13]?"), and by what the text cites them for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.generation.extractive.citing import cite_extents
from pipeline.generation.extractive.hits import list_weights
from pipeline.generation.extractive.reading import Reading
from pipeline.generation.extractive.sentences import Sentence, evidence_lines, split_evidence
from pipeline.models.answer import Item
from pipeline.question.terms import cue_of
from pipeline.text.anchors import find_anchor
from pipeline.text.late import compile_late
from pipeline.text.matching import contains_folded, fold

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.answer import Citation
    from pipeline.models.question import Anchor
    from pipeline.models.structure import EnumerationItem

MIN_ENTRIES, MAX_ENTRIES, FIRST = 2, 6, "[1]"
NEAR = 24
"""Characters between what is said and the number of what is cited for it."""
_GROUP = compile_late(r"\[(\d{1,3}(?:\s*[,;\u2013-]\s*\d{1,3})*)\]")
_NUMBER = compile_late(r"\[(\d{1,3})\]")
_BARE = compile_late(r"(?<![\d.,-])(\d{1,3})(?![\d.,%-]*\d)")


def read_cited(task: ReaderTask) -> Reading | None:
    """The entry with the number that the question gives; None where it gives none, or no entry has it.

    A number without brackets counts only behind a word for such an entry.
    """
    number = _find_number(task)
    if not number:
        return _read_citing(task)
    entry = _find_entry(task, number)
    citations = cite_extents(task.view, entry.extents) if entry is not None else ()
    if entry is None or not citations:
        return None
    item = _build_item(task, number, entry.text, citations)
    return Reading(text=item.text, items=(item,), has_typed_fit=True, has_second_place=True)


def _build_item(task: ReaderTask, number: str, text: str, citations: tuple[Citation, ...]) -> Item:
    label = f"[{number}]"
    told = f"{label} {text}"
    return Item(sub_question=task.part.id, text=told, label=label, citations=citations, extraction="verbatim")


def _read_citing(task: ReaderTask) -> Reading | None:
    """The entries that the text cites for what is asked: the sentence that says it, and what its numbers stand for.

    Two hops: "which paper is cited for dropout" leads to "dropout [33]", and that to the entry.
    """
    cues = cue_of(task.view.lexicon.value_cues, "citing words")
    words = [anchor for anchor in task.part.anchors if anchor.source != "compound"]
    asks = any(fold(anchor.text) in cues for anchor in words)
    if not asks or not _list_pages(task, FIRST):
        return None
    works = cue_of(task.view.lexicon.value_cues, "cited works")
    rest = tuple(anchor for anchor in words if fold(anchor.text) not in (*cues, *works))
    found = _find_citing(task, rest)
    if found is None:
        return None
    sentence, numbers = found
    said = cite_extents(task.view, sentence.extents)
    items = []
    for number in numbers[:MAX_ENTRIES]:
        entry = _find_entry(task, number)
        if entry is not None:
            items.append(_build_item(task, number, entry.text, (*said, *cite_extents(task.view, entry.extents))))
    if not items:
        return None
    text = "\n".join(item.text for item in items)
    return Reading(text=text, items=tuple(items), has_typed_fit=len(items) == len(numbers))


def _find_citing(task: ReaderTask, rest: tuple[Anchor, ...]) -> tuple[Sentence, list[str]] | None:
    """The sentence of the evidence that says most of what is asked and cites, with the numbers right behind it."""
    best: tuple[int, Sentence, list[str]] | None = None
    weights = list_weights(task.view, rest)
    for piece in task.evidence:
        for sentence in split_evidence(evidence_lines(task.view, piece)):
            hits = list(_GROUP.finditer(sentence.text))
            spans = {anchor.key: find_anchor(anchor, sentence.text) for anchor in rest} if hits else {}
            score = sum(weights[key] for key, places in spans.items() if places)
            if score * 2 < sum(weights.values()) or (best is not None and score <= best[0]):
                continue
            ends = [end for places in spans.values() for _, end in places]
            near = [hit for hit in hits if any(0 <= hit.start() - end <= NEAR for end in ends)] or hits
            best = (score, sentence, [number for hit in near for number in re.findall(r"\d+", hit[1])])
    return best[1:] if best is not None else None


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
