"""Sentences that may state a figure: those of the evidence, whole, and those that tell how many people work there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pipeline.generation.extractive.prose import list_prose_sights
from pipeline.models.evidence import EvidenceLine
from pipeline.question.terms import cue_of
from pipeline.text.late import compile_late

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.generation.extractive.prose import Sight
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.evidence import Evidence

MAX_READ_ON, MAX_STAFF_LINES = 4, 40
_THOUSANDS = compile_late(r"\d[\d,. ]*\d")


def list_whole_sights(task: ReaderTask, is_staff: bool) -> Iterator[Sight]:
    """The sentences of the evidence, whole: a piece that ends inside one is read on.

    Where people are counted (`is_staff`), also sentences elsewhere that count them: how many work somewhere is told
    once, in words that a question for "employees" need not have.
    """
    pieces = tuple(_read_on(task, piece) for piece in task.evidence)
    yield from list_prose_sights(replace(task, evidence=pieces))
    if not is_staff:
        return
    staff = cue_of(task.view.lexicon.value_cues, "staff")
    document = task.view.document
    starts = [
        index
        for index, folded in enumerate(document.folded)
        if any(map(folded.__contains__, staff)) and _THOUSANDS.search(folded)
    ]
    for index in starts[:MAX_STAFF_LINES]:
        lines = tuple(
            EvidenceLine(page=line.page, number=line.number, text=line.text, box=line.box)
            for line in document.lines[max(0, index - 1) : index + 3]
            if line.page == document.lines[index].page
        )
        if task.evidence:
            piece = task.evidence[-1].model_copy(update={"lines": lines, "breadcrumb": ()})
            for sight in list_prose_sights(replace(task, evidence=(piece,))):
                yield sight._replace(rank=len(task.evidence))


def _read_on(task: ReaderTask, piece: Evidence) -> Evidence:
    """A piece of evidence with the next lines of its page where it ends inside a sentence."""
    if not piece.lines or piece.lines[-1].text.rstrip().endswith((".", "!", "?", ":")):
        return piece
    last = piece.lines[-1]
    added = []
    for number in range(last.number + 1, last.number + 1 + MAX_READ_ON):
        line = task.view.document.line_at(last.page, number)
        if line is None or not line.is_evidence:
            break
        added.append(EvidenceLine(page=line.page, number=line.number, text=line.text, box=line.box))
        if "." in line.text:
            break
    return piece.model_copy(update={"lines": (*piece.lines, *added)})
