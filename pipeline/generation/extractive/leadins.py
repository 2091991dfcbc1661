"""What leads to a list: its lead with the sentence that the lead points back to, and whether it leaves things out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.question.terms import cue_of
from pipeline.structure.markers import read_markers
from pipeline.text.anchors import find_anchor
from pipeline.text.matching import contains_folded, fold
from pipeline.text.tokens import split_sentences

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.lexicon import Lexicon
    from pipeline.models.structure import Enumeration
    from pipeline.structure.view import DocumentView

POINTING_WORDS, SHORT_WORDS, LINES_BACK = 3, 3, 6


def read_lead_in(view: DocumentView, own: Enumeration) -> str:
    """The lead of a list; where it only points back ("These include:"), with the sentence before it.

    What points back says nothing of its own: what the list is of stands in the sentence before.
    """
    if not own.lead or not own.lead_extents or not _points_back(own, view.lexicon):
        return own.lead
    first = own.lead_extents[0]
    line = view.document.line_at(first.page, first.line_start)
    if line is None or read_markers(line.text):
        # a member that holds a list is a name, and points at nothing before it
        return own.lead
    section = view.document.section_at(own.start)
    start = (first.page, max(1, first.line_start - LINES_BACK))
    if section is not None and start <= section.start < (first.page, first.line_start):
        start = (section.start[0], section.start[1] + 1)
    # a lead may be cut by the end of its line
    lines = [line for line in view.lines_in(start, (first.page, first.line_end + 1)) if not line.is_furniture]
    # members of a list before this one say nothing of it
    marked = [at for at, line in enumerate(lines) if any(mark.kind == "bullet" for mark in read_markers(line.text))]
    text = " ".join(line.text.strip() for line in lines[marked[-1] + 1 if marked else 0 :])
    before = text.partition(own.lead[:30].strip())[0]
    sentences = split_sentences(before)
    return f"{before[sentences[-1][0] : sentences[-1][1]]} {own.lead}" if sentences else own.lead


def _points_back(own: Enumeration, lexicon: Lexicon) -> bool:
    words = [word.strip(".,:;()") for word in fold(own.lead).split()]
    if own.kind == "inline" and len(words) > SHORT_WORDS:
        # "these include costs of services, such as" lists services
        return False
    return len(words) <= SHORT_WORDS or any(word in lexicon.anaphora for word in words[:POINTING_WORDS])


def leaves_out(text: str, lexicon: Lexicon) -> bool:
    """Whether a text says that something is left out, not covered or exempt."""
    folded = fold(text)
    for nothing in cue_of(lexicon.value_cues, "leaves nothing out"):
        folded = folded.replace(nothing, " ")
    return any(contains_folded(cue, folded) for cue in cue_of(lexicon.value_cues, "leaves out"))


def list_leaving_out(task: ReaderTask) -> frozenset[str]:
    """Keys of the anchors of a question that say that something is left out: "reimburse" of "does not reimburse"."""
    text = task.part.text.casefold()
    spans = []
    for cue in cue_of(task.view.lexicon.value_cues, "leaves out"):
        at = text.find(cue)
        if at >= 0:
            spans.append((at, at + len(cue)))
    return frozenset(
        anchor.key
        for anchor in task.part.anchors
        if anchor.source in ("word", "concept")
        and any(low < stop and start < high for start, stop in find_anchor(anchor, text) for low, high in spans)
    )


def may_answer(task: ReaderTask, enumeration: Enumeration) -> bool:
    """Whether there are members with words; titles of sections without numbers do not tell what is to be done."""
    if len(enumeration.items) < 2 or not _has_words(enumeration):
        return False
    is_titles = enumeration.kind == "headings" and not any(map(str.isdigit, enumeration.items[0].head))
    return not (is_titles and task.part.shape == "procedure" and not enumeration.items[0].marker)


def _has_words(enumeration: Enumeration) -> bool:
    """Whether most members have words: dashes of empty cells look like bullets before the figures beside them."""
    told = sum(1 for item in enumeration.items if sum(map(str.isalpha, item.text)) > 1)
    return told * 2 > len(enumeration.items)
