"""The reader of "what are the subsections of section 5": the sections below the one that is named, from the outline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.extractive.citing import cite_lines
from pipeline.generation.extractive.enumerated import read_enumeration
from pipeline.generation.extractive.reading import Reading
from pipeline.generation.extractive.verdict import is_subject
from pipeline.models.answer import Item
from pipeline.question.terms import cue_of, split_words
from pipeline.structure.resolving import find_by_key
from pipeline.text.anchors import find_anchor
from pipeline.text.matching import contains_folded, fold

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.document import Section

PLACES = frozenset({"section", "appendix"})


def read_subsections(task: ReaderTask) -> Reading | None:
    """The sections right below the section that is named; None for other questions, and where it has none."""
    words = {word.folded for word in split_words(task.part.text, task.view.lexicon)}
    if words.intersection(cue_of(task.view.lexicon.value_cues, "appendices")):
        return _list_appendices(task)
    nouns = cue_of(task.view.lexicon.value_cues, "subsections")
    if not words.intersection(nouns):
        return None
    section = _find_section(task, frozenset(nouns))
    if section is None:
        return None
    children = [child for child in task.view.document.sections if child.parent == section.index]
    if not children:
        return None
    first = children[0].start
    lists = task.view.enumerations_in(first, children[-1].end)
    own = next((each for each in lists if each.kind == "headings" and each.start == first), None)
    return read_enumeration(task, own) if own is not None else None


def _list_appendices(task: ReaderTask) -> Reading | None:
    """The appendices of the document by their headings; None where the question asks for more, or there are none."""
    nouns = cue_of(task.view.lexicon.value_cues, "appendices")
    rest = [one for one in task.part.anchors if one.source == "word" and one.text.casefold() not in nouns]
    if any(one.forms[0] not in task.view.lexicon.document_noun_set and not is_subject(task, one) for one in rest):
        return None
    items = []
    for section in task.view.document.sections:
        line = task.view.document.line_at(*section.start)
        if line is None or not section.number.casefold().startswith("appendix"):
            continue
        text = f"{section.number} {section.title}"
        items.append(
            Item(sub_question=task.part.id, text=text, citations=cite_lines(task.view, (line,)), extraction="verbatim")
        )
    told = "\n".join(f"- {item.text}" for item in items)
    return Reading(text=told, items=tuple(items), has_typed_fit=True) if items else None


def _find_section(task: ReaderTask, nouns: frozenset[str]) -> Section | None:
    """The section named by its number, by its whole title, else by a title with all that is said besides the noun."""
    sections = task.view.document.sections
    for hint in task.question.hints:
        if hint.kind in PLACES and (found := find_by_key(task.view, hint.key)):
            starts = [target.start for target in found]
            return next((section for section in sections if section.start in starts), None)
    # the longest title: "Tiers" is said by whoever says "Profiles and Tiers"
    asked = fold(task.part.text)
    said = [one for one in sections if (title := _fold_title(one)) and contains_folded(title, asked)]
    if said:
        return max(said, key=lambda section: (len(section.title), -section.index))
    # a number that leads nowhere names no section by the words around it
    if any(hint.kind in PLACES and any(map(str.isdigit, hint.value)) for hint in task.question.hints):
        return None
    wanted = [anchor for anchor in task.part.anchors if anchor.source == "word" and anchor.text.casefold() not in nouns]
    fitting = [section for section in sections if wanted and all(find_anchor(one, section.title) for one in wanted)]
    return min(fitting, key=lambda section: (len(section.title), section.index), default=None)


def _fold_title(section: Section) -> str:
    return " ".join(fold(section.title).split()).rstrip(" .:")
