"""The reader of "what is section 5.4 about": the section's heading and its text, verbatim as far as the room goes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.extractive.citing import cite_extents, cite_lines, limit_quotes
from pipeline.generation.extractive.reading import Reading
from pipeline.generation.extractive.sentences import split_evidence
from pipeline.models.answer import Item

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.document import Line
    from pipeline.models.structure import Target

SECTION_CHARACTERS = 1200


def read_section(task: ReaderTask) -> Reading | None:
    """Quote the heading and the first paragraphs of the section, clause, page or appendix that the question names."""
    target = _find_target(task)
    if target is None:
        return None
    lines = [
        line
        for line in task.view.document.lines_between(target.start, target.end)
        if line.is_evidence and line.text.strip()
    ]
    if not lines:
        return None
    return _quote_section(task, target, lines)


def _find_target(task: ReaderTask) -> Target | None:
    for hint in task.question.hints:
        targets = task.view.registry.find(hint.key)
        if len(targets) == 1:
            return targets[0]
    return None


def _quote_section(task: ReaderTask, target: Target, lines: list[Line]) -> Reading | None:
    sentences = split_evidence(lines)
    room = min(SECTION_CHARACTERS, task.max_quote_characters)
    kept, length = [], 0
    for sentence in sentences:
        if kept and length + len(sentence.text) > room:
            break
        kept.append(sentence)
        length += len(sentence.text)
    extents = tuple(extent for sentence in kept for extent in sentence.extents)
    citations, is_cut = limit_quotes(cite_extents(task.view, extents), task.max_quote_characters)
    if not citations:
        citations, is_cut = cite_lines(task.view, lines[:1]), True
    if not citations:
        return None
    is_cut = is_cut or len(kept) < len(sentences)
    heading = " ".join(part for part in (target.label, target.title) if part)
    item = Item(
        sub_question=task.part.id,
        text=" ".join(sentence.text for sentence in kept),
        label=heading,
        citations=citations,
        extraction="verbatim",
    )
    caveat = (f"{heading} goes on to page {lines[-1].page}, line {lines[-1].number}; its beginning is quoted",)
    return Reading(
        text=f"{heading}: {item.text}",
        items=(item,),
        has_typed_fit=True,
        has_second_place=True,
        caveats=caveat if is_cut else (),
    )
