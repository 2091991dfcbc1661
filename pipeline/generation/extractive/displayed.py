"""The reader of displayed text: "... is expressed as:" and the formula, category or entry set apart below it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.extractive.citing import cite_extents
from pipeline.generation.extractive.enumerated import read_enumeration
from pipeline.generation.extractive.hits import weigh
from pipeline.generation.extractive.lists import find_introduced
from pipeline.generation.extractive.meant import asks_advice, gives_advice
from pipeline.generation.extractive.qualifiers import contradicts, find_qualifiers, names_sibling
from pipeline.generation.extractive.reading import Reading
from pipeline.generation.extractive.sentences import Sentence, evidence_lines, split_evidence
from pipeline.generation.extractive.verdict import is_subject
from pipeline.models.answer import Item
from pipeline.text.anchors import find_anchor

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.document import Line

MAX_DISPLAY_LINES = 4
MAX_FORMULA_GAP = 2000
"""Hundredths of a point between two pieces of one formula."""


def read_displayed(task: ReaderTask) -> Reading | None:
    """What a sentence that ends in a colon announces, where both together say what was asked; None elsewhere."""
    if task.part.value_type == "person":
        return None
    wanted = find_qualifiers(task.part.text, task.view.lexicon)
    told, takes_advice = find_told(task), asks_advice(task)
    best: tuple[int, int, Sentence, tuple[Sentence, ...]] | None = None
    for order, (lead, shown) in enumerate(_list_displays(task)):
        text = " ".join((lead.text, *(sentence.text for sentence in shown)))
        given = find_qualifiers(lead.text, task.view.lexicon)
        # "initially expressed as" and "the final category is expressed as" announce different things.
        is_other = not takes_advice and gives_advice(task, lead.text)
        if is_other or contradicts(wanted, given) or not wanted <= given or names_sibling(task.part.anchors, text):
            continue
        keys = frozenset(anchor.key for anchor in task.part.anchors if find_anchor(anchor, text))
        in_lead = frozenset(anchor.key for anchor in task.part.anchors if find_anchor(anchor, lead.text))
        share = weigh(task.view, task.part.anchors, keys)
        # what the best place says of the focus, another place has to say as well
        if not told <= keys:
            continue
        if share >= task.view.lexicon.thresholds.displayed and in_lead and (best is None or share > -best[0]):
            best = (-share, order, lead, shown)
    return None if best is None else _build_reading(task, best[2], best[3])


def find_told(task: ReaderTask) -> frozenset[str]:
    """Keys of the focus that stand in the best piece of evidence or in the titles above it."""
    if not task.evidence:
        return frozenset()
    first = task.evidence[0]
    text = " ".join((*first.breadcrumb, *(line.text for line in first.lines)))
    told = [anchor for anchor in task.part.focus if find_anchor(anchor, text)]
    if task.part.value_type != "any":
        # a table of figures does not say again whose figures a whole document tells
        told = [anchor for anchor in told if not is_subject(task, anchor)]
    return frozenset(anchor.key for anchor in told)


def _build_reading(task: ReaderTask, lead: Sentence, shown: tuple[Sentence, ...]) -> Reading | None:
    introduced = find_introduced(task.view, lead.extents[-1])
    if introduced is not None:
        return read_enumeration(task, introduced)
    extents = (*lead.extents, *(extent for sentence in shown for extent in sentence.extents))
    citations = cite_extents(task.view, extents)
    if not citations:
        return None
    item = Item(
        sub_question=task.part.id,
        text=" ".join(sentence.text for sentence in shown),
        label=lead.text,
        citations=citations,
        extraction="verbatim",
    )
    return Reading(text=f"{lead.text} {item.text}", items=(item,), has_typed_fit=True)


def _list_displays(task: ReaderTask) -> Iterator[tuple[Sentence, tuple[Sentence, ...]]]:
    """Sentences that end in a colon with the short paragraph after them, also where the evidence ends between them."""
    for piece in task.evidence:
        lines = evidence_lines(task.view, piece)
        if not lines:
            continue
        sentences = split_evidence((*lines, *_following(task, lines[-1])))
        for index, sentence in enumerate(sentences[:-1]):
            after = sentences[index + 1]
            if not sentence.text.rstrip().endswith(":") or after.paragraph == sentence.paragraph:
                continue
            shown = _gather_shown(task, sentences[index + 1 :])
            extents = (extent for entry in shown for extent in entry.extents)
            if sum(extent.line_end - extent.line_start + 1 for extent in extents) <= MAX_DISPLAY_LINES:
                yield sentence, shown


def _gather_shown(task: ReaderTask, sentences: Sequence[Sentence]) -> tuple[Sentence, ...]:
    """The paragraph that begins the sentences, with what goes on beside it."""
    shown = [sentences[0]]
    for entry in sentences[1:]:
        last, first = shown[-1].extents[-1], entry.extents[0]
        before = task.view.document.line_at(last.page, last.line_end)
        line = task.view.document.line_at(first.page, first.line_start)
        is_next = before is not None and line is not None and _is_beside(before, line)
        if entry.paragraph != shown[-1].paragraph and not is_next:
            break
        shown.append(entry)
    return tuple(shown)


def _is_beside(before: Line, line: Line) -> bool:
    """Whether a line goes on right of another on its baseline: an exponent over an index cuts a formula into blocks."""
    middle = (line.box[1] + line.box[3]) // 2
    is_level = line.page == before.page and before.box[1] < middle < before.box[3]
    return is_level and before.box[0] < line.box[0] < before.box[2] + MAX_FORMULA_GAP


def _following(task: ReaderTask, last: Line) -> tuple[Line, ...]:
    """The evidence lines of the block after a line that ends in a colon."""
    if not last.text.rstrip().endswith(":"):
        return ()
    found: list[Line] = []
    for line in task.view.document.lines_on(last.page):
        if line.number <= last.number or not line.is_evidence or not line.text.strip():
            continue
        if found and line.block != found[-1].block and not _is_beside(found[-1], line):
            break
        found.append(line)
    return tuple(found)
