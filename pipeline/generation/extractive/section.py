"""The reader of "what is section 5.4 about": the section's heading and its text, verbatim as far as the room goes."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from pipeline.generation.extractive.citing import cite_extents, cite_lines, limit_quotes, merge_extents, name_target
from pipeline.generation.extractive.reading import Reading
from pipeline.generation.extractive.sentences import Sentence, split_evidence
from pipeline.models.answer import Item
from pipeline.models.structure import Target
from pipeline.question.terms import cue_of
from pipeline.structure.resolving import find_by_key
from pipeline.text.matching import contains_folded, fold

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.base import Position
    from pipeline.models.document import Line

SECTION_CHARACTERS = 1200
MAX_PAGE_PARTS = 6
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
    hints = task.question.hints
    # "item (b) of clause 3.1" is a part of the clause
    items = [hint.value for hint in hints if hint.key.startswith("item:")]
    parts = [f"{hint.key}({item})" for item in items for hint in hints if not hint.key.startswith("item:")]
    for key in (*parts, *(hint.key for hint in hints)):
        targets = find_by_key(task.view, key)
        if len(targets) == 1:
            return targets[0]
    return None


def _read_page(task: ReaderTask) -> Reading | None:
    """What stands on a page that the question names, from its first line; what begins there where it asks for that."""
    hint = next((hint for hint in task.question.hints if hint.kind in PAGE_HINTS), None)
    piece = next((piece for piece in task.evidence if piece.candidate.found_by[0].method == "hint"), None)
    if hint is None or piece is None:
        return None
    page = piece.lines[0].page
    start, end = (page, 1), (page + 1, 1)
    if task.part.shape != "section" and _asks_for_more(task, start, end):
        return None
    is_printed = fold(task.view.document.pages[page - 1].printed) == fold(hint.value)
    is_other = is_printed and hint.value != str(page)
    where = f"printed page {hint.value} (page {page} of the file)" if is_other else f"page {page}"
    opening = [section for section in task.view.document.sections if start <= section.start < end]
    words = fold(task.part.text)
    asks_opening = any(contains_folded(cue, words) for cue in cue_of(task.view.lexicon.value_cues, "opens"))
    if not (asks_opening and opening):
        return _quote_page(task, Target(kind="page", key=hint.key, label=where, title="", start=start, end=end))
    title = " ".join(part for part in (opening[0].number, opening[0].title) if part)
    named = Target(kind="page", key=hint.key, label=where, title=title, start=opening[0].start, end=end)
    lines = [line for line in task.view.lines_in(named.start, end) if line.text.strip()]
    return _quote_section(task, named, lines) if lines else None


def _quote_page(task: ReaderTask, page: Target) -> Reading | None:
    """The beginning of every section that has lines on a page: what goes on from the page before, then what begins."""
    starts = [section.start for section in task.view.document.sections if page.start < section.start < page.end]
    bounds = [page.start, *starts[: MAX_PAGE_PARTS - 1], page.end]
    parts = [
        [line for line in task.view.lines_in(first, stop) if any(map(str.isalnum, line.text))]
        for first, stop in pairwise(bounds)
    ]
    parts = [lines for lines in parts if lines]
    room = min(SECTION_CHARACTERS, task.max_quote_characters) // max(1, len(parts))
    readings = [
        (reading, lines)
        for lines in parts
        if (reading := _quote_section(task, _name_part(task, page, lines), lines, room)) is not None
    ]
    if not readings:
        return None
    items = tuple(item for reading, _ in readings for item in reading.items)
    is_cut = any(reading.caveats for reading, _ in readings)
    return Reading(
        text=f"{page.label}: " + "\n".join(item.text for item in items),
        items=items,
        has_typed_fit=True,
        has_second_place=True,
        caveats=("the page says more; the beginnings of its parts are quoted",) if is_cut else (),
    )


def _name_part(task: ReaderTask, page: Target, lines: list[Line]) -> Target:
    """A page as far as one section has lines on it, named by page and section."""
    section = task.view.document.section_at(lines[0].position)
    title = " ".join(part for part in (section.number, section.title) if part) if section is not None else ""
    return page.model_copy(update={"title": title, "start": lines[0].position})


def _asks_for_more(task: ReaderTask, start: Position, end: Position) -> bool:
    """Whether an anchor other than the name of the place occurs in it."""
    names = frozenset(hint.key for hint in task.question.hints)
    wanted = [anchor for anchor in task.part.anchors if anchor.source != "identifier" and anchor.key not in names]
    return any(start <= place < end for anchor in wanted for place in task.view.positions_of(anchor))


def _quote_section(task: ReaderTask, target: Target, lines: list[Line], room: int = 0) -> Reading | None:
    sentences = split_evidence(lines)
    room = room or min(SECTION_CHARACTERS, task.max_quote_characters)
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
