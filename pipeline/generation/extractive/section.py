"""The reader of "what is section 5.4 about": the section's heading and its text, verbatim as far as the room goes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.extractive.citing import cite_extents, cite_lines, limit_quotes, merge_extents, name_target
from pipeline.generation.extractive.reading import Reading
from pipeline.generation.extractive.sentences import Sentence, split_evidence
from pipeline.models.answer import Item
from pipeline.models.structure import Target
from pipeline.structure.resolving import find_by_key
from pipeline.text.matching import fold

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.base import Position
    from pipeline.models.document import Line

SECTION_CHARACTERS = 1200
PAGE_HINTS = frozenset({"physical_page", "printed_page"})


def read_section(task: ReaderTask) -> Reading | None:
    """Quote the heading and the first paragraphs of the section, clause, page or appendix that the question names.

    A question that also asks for something inside that place is left to the readers of passages and values.
    """
    target = _find_target(task)
    if target is None:
        return _read_page(task)
    if task.part.shape != "section" and _asks_for_more(task, target.start, target.end):
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
        targets = find_by_key(task.view, hint.key)
        if len(targets) == 1:
            return targets[0]
    return None


def _read_page(task: ReaderTask) -> Reading | None:
    """What begins on a page that the question names: its first section heading, else its first lines."""
    hint = next((hint for hint in task.question.hints if hint.kind in PAGE_HINTS), None)
    piece = next((piece for piece in task.evidence if piece.candidate.found_by[0].method == "hint"), None)
    if hint is None or piece is None:
        return None
    page = piece.lines[0].page
    start, end = (page, 1), (page + 1, 1)
    if task.part.shape != "section" and _asks_for_more(task, start, end):
        return None
    opening = [section for section in task.view.document.sections if start <= section.start < end]
    first = opening[0].start if opening else (page, piece.lines[0].number)
    lines = [line for line in task.view.lines_in(first, end) if line.text.strip()]
    word = "printed page" if hint.kind == "printed_page" else "page"
    where = f"{word} {hint.value}" + (f" (page {page} of the file)" if hint.kind == "printed_page" else "")
    title = " ".join(part for part in (opening[0].number, opening[0].title) if part) if opening else ""
    named = Target(kind="page", key=hint.key, label=where, title=title, start=first, end=end)
    return _quote_section(task, named, lines) if lines else None


def _asks_for_more(task: ReaderTask, start: Position, end: Position) -> bool:
    """Whether an anchor other than the name of the place occurs in it."""
    names = frozenset(hint.key for hint in task.question.hints)
    wanted = [anchor for anchor in task.part.anchors if anchor.source != "identifier" and anchor.key not in names]
    return any(start <= place < end for anchor in wanted for place in task.view.positions_of(anchor))


def _quote_section(task: ReaderTask, target: Target, lines: list[Line]) -> Reading | None:
    sentences = split_evidence(lines)
    room = min(SECTION_CHARACTERS, task.max_quote_characters)
    kept: list[Sentence] = []
    length = 0
    for sentence in sentences:
        if kept and length + len(sentence.text) > room:
            break
        kept.append(sentence)
        length += len(sentence.text)
    extents = tuple(extent for sentence in kept for extent in sentence.extents)
    citations, is_cut = limit_quotes(cite_extents(task.view, merge_extents(extents)), task.max_quote_characters)
    if not citations:
        citations, is_cut = cite_lines(task.view, lines[:1]), True
    if not citations:
        return None
    is_cut = is_cut or len(kept) < len(sentences)
    heading = name_target(target)
    item = Item(
        sub_question=task.part.id,
        text=" ".join(sentence.text for sentence in kept),
        label=heading,
        citations=citations,
        extraction="verbatim",
    )
    caveat = (f"{heading} goes on to page {lines[-1].page}, line {lines[-1].number}; its beginning is quoted",)
    # A caption or a short section is all heading; it is not said twice.
    is_told = bool(target.title) and fold(target.title) in fold(item.text)[: len(heading) + len(target.title)]
    return Reading(
        text=item.text if is_told else f"{heading}: {item.text}",
        items=(item,),
        has_typed_fit=True,
        has_second_place=True,
        caveats=caveat if is_cut else (),
    )
